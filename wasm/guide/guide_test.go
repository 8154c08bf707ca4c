package guide

import (
	"strings"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view/frame"
)

// TestPlace: wherever something stands, and in whatever window, the card is in the window and covers nothing of what it
// is about; what is shown of that is at least a third of what was in sight, or a strip that one can see.
func TestPlace(t *testing.T) {
	const width, height = 300, 170
	for _, window := range []Box{{0, 0, 1440, 900}, {0, 0, 1024, 768}, {0, 0, 720, 450}, {0, 0, 360, 740}, {0, 0, 320, 568}} {
		for left := 0.0; left < window.Right; left += window.Right / 8 {
			for top := 0.0; top < window.Bottom; top += window.Bottom / 8 {
				for _, size := range [][2]float64{{60, 40}, {window.Right / 2, 100}, {window.Right, 120}, {window.Right / 3, window.Bottom}, {window.Right, window.Bottom * 2}} {
					about := Box{left, top, left + size[0], top + size[1]}
					seen := Box{left, top, min(about.Right, window.Right), min(about.Bottom, window.Bottom)}
					x, y, shown := Place(window, about, width, height)
					if x < 0 || y < 0 || x+width > window.Right || y+height > window.Bottom {
						t.Errorf("%v in %v: the card is at %v, %v", about, window, x, y)
					}
					if shown.Left < x+width && shown.Right > x && shown.Top < y+height && shown.Bottom > y && shown.width()*shown.height() > 0 {
						t.Errorf("%v in %v: the card at %v, %v covers %v", about, window, x, y, shown)
					}
					if shown.width()*shown.height() < seen.width()*seen.height()/3 && min(shown.width(), shown.height()) < 24 {
						t.Errorf("%v in %v: of %v only %v is left", about, window, seen, shown)
					}
				}
			}
		}
	}
}

// TestCut: what lies over an edge is taken off, what lies beside it or in the middle is not.
func TestCut(t *testing.T) {
	b := Box{0, 100, 300, 500}
	for _, tt := range []struct{ over, want Box }{
		{Box{0, 0, 300, 150}, Box{0, 150, 300, 500}},
		{Box{0, 450, 300, 600}, Box{0, 100, 300, 450}},
		{Box{0, 0, 300, 100}, b},
		{Box{300, 0, 400, 900}, b},
		{Box{0, 200, 300, 210}, b},
	} {
		if got := b.Cut(tt.over); got != tt.want {
			t.Errorf("%v under %v: %v, want %v", b, tt.over, got, tt.want)
		}
	}
}

// TestCard: each stop has its words, leads on and back, and can be left; none is drawn when the tour is over.
func TestCard(t *testing.T) {
	for _, l := range text.Langs() {
		for n := 1; n <= Stops(); n++ {
			card := Card(frame.Settings{Lang: l, Tour: n})
			html := card[1].HTML()
			for _, word := range []string{"tour." + stops[n-1].name, "tour." + stops[n-1].name + "-p"} {
				if !strings.Contains(html, l.Say(word)) {
					t.Errorf("%s, stop %d: there is no %q in %s", l, n, l.Say(word), html)
				}
			}
			if len(Targets(n)) == 0 {
				t.Errorf("stop %d is about nothing", n)
			}
			buttons := strings.Count(html, "<button")
			if want := map[int]int{1: 2, Stops(): 2}[n]; want == 0 && buttons != 3 || want > 0 && buttons != want {
				t.Errorf("stop %d has %d buttons", n, buttons)
			}
		}
		for _, n := range []int{0, -1, Stops() + 1} {
			if card := Card(frame.Settings{Lang: l, Tour: n}); card != nil {
				t.Errorf("stop %d is drawn", n)
			}
		}
	}
}
