package timeline

import (
	"regexp"
	"strings"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// The axis that stays in sight says what the drawing's own says, at the same places.
func TestHeadIsTheAxis(t *testing.T) {
	for _, now := range []clock.Instant{0, 1_500_000_000, 90_000_000_000} {
		for _, span := range []Span{{}, {From: 1_000_000_000, To: 3_000_000_000}} {
			in := Input{Width: 640, Now: now, Clients: []string{"shop"}, Span: span, Lang: text.Korean}
			head := Head(in).(view.Node).HTML()
			labels := 0
			for _, label := range regexp.MustCompile(`<text class="tl-tick".*?</text>|<rect height="20".*?</g>`).FindAllString(Draw(in).HTML(), -1) {
				if labels++; !strings.Contains(head, label) {
					t.Errorf("at %v the head lacks %s", now, label)
				}
			}
			if labels == 0 || strings.Count(head, "<text") != labels || strings.Contains(head, NowID) {
				t.Errorf("at %v: %d labels, the head: %s", now, labels, head)
			}
		}
	}
	if Head(Input{Width: 320, Vertical: true, Clients: []string{"shop"}}) != nil {
		t.Error("where time runs down there is an axis above")
	}
}
