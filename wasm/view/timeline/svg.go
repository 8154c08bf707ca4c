package timeline

import (
	"math"
	"strconv"

	"retrylab.example/wasm/view"
)

// num writes a coordinate with at most two decimals.
func num(v float64) string { return string(appendNum(nil, v)) }

// appendNum writes a coordinate with at most two decimals. A drawing has thousands of them, and the shortest form of any
// number, which strconv looks for, costs more than all else of it.
func appendNum(b []byte, v float64) []byte {
	n := int64(math.Round(v * 100))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/100, 10)
	switch n %= 100; {
	case n == 0:
	case n%10 == 0:
		b = append(b, '.', byte('0'+n/10))
	default:
		b = append(b, '.', byte('0'+n/10), byte('0'+n%10))
	}
	return b
}

// path collects the commands of a path's d.
type path struct {
	b []byte
	// dx and dy move the points of move, line, h and v.
	dx, dy float64
}

func (p *path) op(cmd byte, v ...float64) *path {
	p.b = append(p.b, cmd)
	for i, x := range v {
		if i > 0 {
			p.b = append(p.b, ' ')
		}
		p.b = appendNum(p.b, x)
	}
	return p
}

func (p *path) move(x, y float64) *path { return p.op('M', x+p.dx, y+p.dy) }
func (p *path) line(x, y float64) *path { return p.op('L', x+p.dx, y+p.dy) }
func (p *path) h(x float64) *path       { return p.op('H', x+p.dx) }
func (p *path) v(y float64) *path       { return p.op('V', y+p.dy) }

// rect adds a closed rectangle.
func (p *path) rect(b box) *path {
	p.move(b.x, b.y).h(b.x + b.w).v(b.y + b.h).h(b.x)
	p.b = append(p.b, 'Z')
	return p
}

// node returns the path element, or an empty list for a path without commands.
func (p *path) node(class string, more ...any) []view.Node {
	if len(p.b) == 0 {
		return nil
	}
	parts := []any{view.A("d", string(p.b))}
	if class != "" {
		parts = append(parts, view.Class(class))
	}
	parts = append(parts, more...)
	return []view.Node{view.El("path", parts...)}
}

// rect returns a rectangle; a fill is the name of a pattern, and r its rounded corner.
func rect(class string, b box, r float64, fill string) view.Node {
	parts := []any{
		view.A("x", num(b.x)), view.A("y", num(b.y)), view.A("width", num(b.w)), view.A("height", num(b.h)),
		view.If(class != "", view.Class(class)),
	}
	if r > 0 {
		parts = append(parts, view.A("rx", num(r)))
	}
	if fill != "" {
		parts = append(parts, view.A("fill", "url(#"+fill+")"))
	}
	return view.El("rect", parts...)
}

func circle(class string, x, y, r float64) view.Node {
	return view.El("circle", view.Class(class), view.A("cx", num(x)), view.A("cy", num(y)), view.A("r", num(r)))
}

// anchor is where the point of a text lies.
type anchor uint8

const (
	left anchor = iota
	middle
	right
)

var anchorNames = [...]string{"", "middle", "end"}

func label(class string, x, y float64, a anchor, s string) view.Node {
	parts := []any{view.A("x", num(x)), view.A("y", num(y)), view.If(class != "", view.Class(class))}
	if a != left {
		parts = append(parts, view.A("text-anchor", anchorNames[a]))
	}
	return view.El("text", append(parts, s)...)
}

// NowID is the id of the plate that says what now is.
const NowID = "now-mark"

// pill returns the dark plate that says what now is, around its middle.
func pill(x, y, width, height float64, text string) view.Node {
	n := plate(x, y, width, height, text)
	n.Attrs = append(n.Attrs, *view.A("id", NowID))
	return n
}

// plate is pill without its id.
func plate(x, y, width, height float64, text string) view.Node {
	return view.El("g", view.Class("tl-nowpill"),
		rect("", box{x - width/2, y - height/2, width, height}, height/2, ""),
		label("", x, y+4, middle, text))
}
