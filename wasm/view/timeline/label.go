package timeline

import (
	"math"
	"strconv"
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
// has no room is left out and counted: the event table says the same.
func (s *sheet) say(f face, places ...place) (box, bool) {
	wanted := false
	for _, p := range places {
		if p.text == "" {
			continue
		}
		wanted = true
		b := p.box(f)
		if s.free(b) {
			s.put(textLayer, label(faceClass[f], p.x, p.y, p.at, p.text))
			s.take(b)
			return b, true
		}
	}
	if wanted && s.axis.from <= places[0].x && places[0].x <= s.bounds.x+s.bounds.w {
		s.missed = append(s.missed, places[0])
	}
	return box{}, false
}

// Labels that have no room and stand nearer to each other than this are counted together.
const (
	missedAcross = 80
	missedDown   = 24
)

// countMissed says "+3" where three labels had no room. A click there selects the event that is nearest to the first of
// them, and with it its row of the table.
func (s *sheet) countMissed() {
	for len(s.missed) > 0 {
		first, rest := s.missed[0], s.missed[:0:0]
		n := 0
		for _, p := range s.missed {
			if math.Abs(p.x-first.x) < missedAcross && math.Abs(p.y-first.y) < missedDown {
				n++
			} else {
				rest = append(rest, p)
			}
		}
		s.missed = rest
		s.more(first, "+"+strconv.Itoa(n))
	}
}

// more puts a count of labels near the place of the first, where it has room.
func (s *sheet) more(at place, text string) {
	nearest := s.nearest(at.x, at.y)
	if nearest == nil {
		return
	}
	w := textWidth(text, strong) + 8
	for _, d := range [...][2]float64{{0, 0}, {0, -12}, {0, 12}, {14, 0}, {-30, 0}, {14, 12}, {14, -12}, {28, 0}, {-30, 12}, {-30, -12}} {
		b := box{at.x + d[0], at.y + d[1] - 10, w, 13}
		if !s.free(b) {
			continue
		}
		s.take(b)
		x, y := b.x+w/2, b.y+b.h/2
		s.put(textLayer, rect("tl-more", b, 6, ""), label("tl-more__t", x, b.y+10, middle, text))
		s.counts = append(s.counts, spot{seq: nearest.seq, x: x, y: y})
		return
	}
}

// nearest returns the mark that is nearest to a place.
func (s *sheet) nearest(x, y float64) (found *spot) {
	best := math.Inf(1)
	for i := range s.spots {
		sp := &s.spots[i]
		if d := math.Hypot(sp.x-x, sp.y-y); sp.mark != "" && d < best {
			best, found = d, sp
		}
	}
	return found
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
