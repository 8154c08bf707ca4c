package lessons

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
)

// count returns how many events of a kind there are for which more holds; nil asks for nothing more.
func count(events []event.Event, kind event.Kind, more func(*event.Event) bool) (n int) {
	for i := range events {
		if e := &events[i]; e.Kind == kind && (more == nil || more(e)) {
			n++
		}
	}
	return n
}

// shows says for each starting situation what its run must show.
var shows = map[string]func(p *scenario.Played) bool{
	"herd": func(p *scenario.Played) bool { // the retries of one instant are as many as the first attempts were
		at := map[clock.Instant]int{}
		most := 0
		for i := range p.Events {
			if e := &p.Events[i]; e.Kind == event.AttemptSent && e.Request.Attempt > 1 {
				at[e.At]++
				most = max(most, at[e.At])
			}
		}
		return most >= 20
	},
	"long-retry-after": func(p *scenario.Played) bool {
		return count(p.Events, event.AttemptSent, nil) == 1 && count(p.Events, event.CallGaveUp, func(e *event.Event) bool {
			return e.At < clock.Start.Add(time.Second)
		}) == 1
	},
	"lost-reply": func(p *scenario.Played) bool {
		return measure.Of(p.Events).Actual == 20 && count(p.Events, event.EffectApplied, nil) == 2
	},
	"storm": func(p *scenario.Played) bool {
		return count(p.Events, event.RequestArrived, nil) >= 6*count(p.Events, event.CallStarted, nil)
	},
	"flapping": func(p *scenario.Played) bool { return count(p.Events, event.CircuitOpened, nil) >= 3 },
	"full-window": func(p *scenario.Played) bool {
		return count(p.Events, event.RequestRefused, nil) >= 3 && count(p.Events, event.CallGaveUp, nil) == 1
	},
	"starved": func(p *scenario.Played) bool {
		return count(p.Events, event.CallSucceeded, func(e *event.Event) bool { return e.Request.Client == 1 }) == 0
	},
	"spent-deadline": func(p *scenario.Played) bool {
		return count(p.Events, event.AttemptSent, nil) < 6 && count(p.Events, event.CallGaveUp, func(e *event.Event) bool {
			return e.Decision.Reason == decision.BudgetTooShort
		}) == 1
	},
}

// TestStartersShowWhatTheySay: each starting situation of the sandbox reads without a fault, has its texts in every
// language, and its run shows what it promises.
func TestStartersShowWhatTheySay(t *testing.T) {
	files, err := fs.Glob(Starters, "starters/*.json")
	if err != nil || len(files) != len(shows) {
		t.Fatalf("%d files for %d promises: %v", len(files), len(shows), err)
	}
	for _, name := range files {
		data, err := Starters.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, root, err := document.Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		id := root.Child("id").Text
		if !strings.HasSuffix(name, "-"+id+".json") {
			t.Errorf("%s: its id is %q", name, id)
		}
		for _, l := range text.Langs() {
			for _, part := range []string{"/title/", "/about/"} {
				if n := root.At(part + string(l)); n == nil || strings.TrimSpace(n.Text) == "" {
					t.Errorf("%s: %s%s is missing", name, part, l)
				}
			}
		}
		s := scenario.FromNode(root.Child("scenario"))
		if doc.Err() != nil {
			t.Fatal(doc.Err())
		}
		p, err := s.Play(nil)
		if err != nil {
			t.Fatal(err)
		}
		if show := shows[id]; show == nil || !show(&p) {
			t.Errorf("%s: the run of %d events does not show it", name, len(p.Events))
		}
		if !slices.IsSortedFunc(p.Events, func(a, b event.Event) int { return int(a.At - b.At) }) {
			t.Errorf("%s: the events are not in the order of time", name)
		}
	}
}
