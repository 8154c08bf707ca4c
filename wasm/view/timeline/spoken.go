package timeline

func spoken(in Input, s *story) string { return "" }
