package timeline

func drawDense(s *sheet) { drawWide(s) }
