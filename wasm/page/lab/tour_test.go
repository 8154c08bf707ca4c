package lab

import (
	"strings"
	"testing"
)

// TestGuided: the tour is shown where all that it is about is shown, and nowhere else; on a phone it turns to the
// timeline, and back to the lesson when it is over.
func TestGuided(t *testing.T) {
	l := small(t)
	p := at(t, l, "total").phone()
	p.Settings.Tour = 1
	if !p.Guided() || !strings.Contains(p.View().HTML(), `id="tour"`) {
		t.Error("no tour is drawn on a step that is played")
	}
	p.ShowStop(1)
	if p.pane != "timeline" {
		t.Errorf("the tour shows the part %q", p.pane)
	}
	if p.ShowStop(0); p.pane != "lesson" {
		t.Errorf("after the tour the part %q is shown", p.pane)
	}
	for name, page := range map[string]*person{"a text": at(t, l, "read"), "a part of another page": at(t, l, "total"), "the sandbox": at(t, l, "total"), "a frame": at(t, l, "total")} {
		page.Settings.Tour = 1
		page.place.Part, page.place.Free, page.Settings.Embed = name == "a part of another page", name == "the sandbox", name == "a frame"
		if page.Guided() || strings.Contains(page.View().HTML(), `id="tour"`) {
			t.Errorf("the tour is drawn on %s", name)
		}
	}
}
