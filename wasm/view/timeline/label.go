package timeline

import (
	"unicode/utf8"
)

// box is a rectangle in pixels.
type box struct{ x, y, w, h float64 }

func (b box) meets(o box) bool {
	return b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h
}

// face is how a label is set; it decides the width.
type face uint8

const (
	plain face = iota
	strong
	failure
	mono
	inBar
	monoInBar
)

var faceClass = [...]string{
	"tl-txt", "tl-txt tl-txt--strong", "tl-txt tl-txt--failure", "tl-txt tl-txt--mono", "tl-txt tl-txt--in",
	"tl-txt tl-txt--mono tl-txt--in",
}

// textWidth estimates the width of a text at 12 pixels (11 where code is set). The reader's fonts are not known here,
// so it is on the wide side of the usual ones.
func textWidth(s string, f face) float64 {
	w := 0.0
	for _, r := range s {
		w += runeWidth(r, f)
	}
	if f == strong || f == failure {
		w *= 1.05
	}
	return w
}

func runeWidth(r rune, f face) float64 {
	code := f == mono || f == monoInBar
	switch {
	case r == '\u200b' || r == '\u2060':
		return 0
	case r >= 0x1100:
		if code {
			return 11.2
		}
		return 12
	case code:
		return 6.7
	case r == ' ' || r == '\u00a0':
		return 3.6
	case r < utf8.RuneSelf && narrowRunes[r]:
		return 3.7
	case r < utf8.RuneSelf && wideRunes[r]:
		return 10.4
	case r >= 'A' && r <= 'Z':
		return 8.2
	case r == '→' || r == '…':
		return 12
	}
	return 7.2
}

var narrowRunes, wideRunes = runeSet("iljtfr.,:;'|!()[]I"), runeSet("mwMW@%")

func runeSet(s string) (set [utf8.RuneSelf]bool) {
	for _, r := range s {
		set[r] = true
	}
	return set
}

// spot of a label: a text and where it would stand. Of several the first that has room is taken.
type place struct {
	text string
	x, y float64 // of the baseline
	at   anchor
}

func (p place) box(f face) box {
	w := textWidth(p.text, f)
	x := p.x
	switch p.at {
	case middle:
		x -= w / 2
	case right:
		x -= w
	}
	return box{x, p.y - 9.5, w, 11.5}
}

// clip shortens a text to a width, with an ellipsis.
func clip(s string, f face, width float64) string {
	if textWidth(s, f) <= width {
		return s
	}
	for s != "" {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
		if textWidth(s+"…", f) <= width {
			return s + "…"
		}
	}
	return ""
}

// say puts the first of places that meets nothing into the drawing, and reports whether there was one. A label that
// has no room is left out: the event table says the same.
func (s *sheet) say(f face, places ...place) (box, bool) {
	for _, p := range places {
		if p.text == "" {
			continue
		}
		b := p.box(f)
		if s.free(b) {
			s.put(textLayer, label(faceClass[f], p.x, p.y, p.at, p.text))
			s.take(b)
			return b, true
		}
	}
	return box{}, false
}

// free reports whether a box lies on the drawing and meets nothing.
func (s *sheet) free(b box) bool {
	if b.x < s.bounds.x || b.x+b.w > s.bounds.x+s.bounds.w || b.y < s.bounds.y || b.y+b.h > s.bounds.y+s.bounds.h {
		return false
	}
	for _, t := range s.taken {
		if t.meets(b) {
			return false
		}
	}
	return true
}

// take keeps labels away from a box.
func (s *sheet) take(b ...box) { s.taken = append(s.taken, b...) }
