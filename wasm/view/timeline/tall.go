package timeline

func tallAxis(in Input) axis { return axis{end: AxisEnd(in), from: 38, span: 300} }
func drawTall(s *sheet)      { drawWide(s) }
