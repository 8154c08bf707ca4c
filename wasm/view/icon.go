package view

import "sync"

// Icon draws one of the symbols of Icons at 16 px. It says nothing to a screen reader: what it stands beside does.
func Icon(name string) Node {
	return El("svg", Class("ic"), A("width", "16"), A("height", "16"), A("aria-hidden", "true"),
		El("use", A("href", "#i-"+name)))
}

// Icons holds the symbols once for a page. It is always the same tree.
var Icons = sync.OnceValue(drawIcons)

func drawIcons() Node {
	parts := []any{Class("defs"), A("id", "icons"), A("width", "0"), A("height", "0"), A("aria-hidden", "true"), A("focusable", "false")}
	for _, s := range symbols {
		paths := []any{A("id", "i-"+s.id), A("viewBox", s.box)}
		for _, p := range s.paths {
			paths = append(paths, El("path", A("d", p.d), If(p.class != "", Class(p.class))))
		}
		parts = append(parts, El("symbol", paths...))
	}
	return El("svg", parts...)
}

type symbol struct {
	id, box string
	paths   []stroke
}

type stroke struct{ d, class string }

func line16(id string, ds ...string) symbol {
	s := symbol{id: id, box: "0 0 16 16"}
	for _, d := range ds {
		s.paths = append(s.paths, stroke{d: d})
	}
	return s
}

var symbols = []symbol{
	{"logo", "0 0 24 24", []stroke{{"M4 19V8.5", ""}, {"M4 8.5a8 8 0 1 1 3.2 9.6", ""}, {"M12 8v4.5l3 2", ""}}},
	line16("start", "M3.5 3v10M13 3.5 6.5 8l6.5 4.5Z"),
	line16("back", "M10.5 3.5 5 8l5.5 4.5"),
	line16("right", "m6 4 4 4-4 4"),
	line16("play", "M5 3.2v9.6L12.5 8Z"),
	line16("pause", "M5.5 3.5v9M10.5 3.5v9"),
	line16("fire", "M2.5 8h10M8.5 3.5 13 8l-4.5 4.5"),
	line16("undo", "M5.5 3 2.5 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6"),
	line16("redo", "m10.5 3 3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H10"),
	line16("check", "m3 8.5 3.5 3.5L13 4.5"),
	line16("cross", "m4 4 8 8M12 4l-8 8"),
	line16("down", "m4 6 4 4 4-4"),
	line16("up", "m4 10 4-4 4 4"),
	line16("braces", "M6 3C3.5 3 5 7.500 3 8c2 .5.5 5 3 5M10 3c2.500 0 1 4.500 3 5-2 .5-.5 5-3 5"),
	line16("book", "M2.5 3.5h3.7c1 0 1.800.7 1.800 1.600v8c0-.8-.8-1.400-1.800-1.400H2.5ZM13.5 3.5H9.800c-1 0-1.800.7-1.800 1.600v8c0-.8.8-1.400 1.800-1.400h3.700Z"),
	line16("more", "M3 4.5h10M3 8h10M3 11.5h10"),
	line16("bulb", "M6 11.5c0-1.5-2-2.3-2-4.7a4 4 0 0 1 8 0c0 2.4-2 3.2-2 4.7ZM6.5 14h3"),
	line16("share", "M8 10V2.5M5 5.5l3-3 3 3M3 8v5.5h10V8"),
	line16("sliders", "M2.5 4.5h11M2.5 8h11M2.5 11.5h11M6 3v3M10.5 6.5v3M5 10v3"),
	line16("minus", "M3.5 8h9"),
	line16("plus", "M3.5 8h9M8 3.5v9"),
	line16("whole", "M2 3v10M14 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2"),
	line16("around", "M8 2v12M2 8h3M3.5 6.5 5 8 3.5 9.5M14 8h-3M12.5 6.5 11 8l1.5 1.5"),
	line16("restart", "M3.2 8a4.8 4.8 0 1 0 1.5-3.5M3 2.5v3h3"),
	{"wait", "0 0 16 16", []stroke{{"M13 8A5 5 0 1 1 3 8A5 5 0 1 1 13 8", "ic-dash"}}},
	{"theme", "0 0 16 16", []stroke{{"M13.5 8A5.5 5.5 0 1 1 2.5 8A5.5 5.5 0 1 1 13.5 8", ""}, {"M8 2.5a5.5 5.5 0 0 1 0 11Z", "ic-fill"}}},
	{"dots", "0 0 16 16", []stroke{{"M3.5 8h.01M8 8h.01M12.5 8h.01", "ic-dots"}}},
}
