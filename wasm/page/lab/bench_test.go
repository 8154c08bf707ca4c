package lab

import (
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
)

// long returns a lesson whose one call makes so many attempts; a run has five events for each.
func long(t testing.TB, attempts int) *lesson.Lesson {
	t.Helper()
	data := strings.ReplaceAll(`{
  "format": 1, "id": "long", "languages": ["en"], "title": {"en": "Long"}, "summary": {"en": "Long"}, "why": {"en": "Long"},
  "limits": {"en": "None"}, "checklist": [{"en": "None"}],
  "steps": [{
    "id": "run", "kind": "play", "title": {"en": "A long run"}, "body": {"en": "Fire once."}, "goal": {"en": "Fire once."},
    "scenario": {
      "script": [{"reply": 503}], "repeatLast": true, "latency": "5ms", "maxEvents": 20000,
      "clients": [{"name": "shop", "policy": {"preset": "contract-c", "attempts": ATTEMPTS, "backoff": {"base": "10ms", "cap": "10ms"}}}]
    },
    "allow": {"fire": true},
    "checks": [{"id": "one-call", "text": {"en": "There is one call"}, "kind": "count", "of": "calls", "equals": 1}],
    "hints": [{"en": "Fire."}], "explanation": {"en": "Fired."},
    "solution": {"inputs": [{"at": "0s", "fire": {}}]},
    "wrong": [{"id": "twice", "fails": "one-call", "inputs": [{"at": "0s", "fire": {}}, {"at": "0s", "fire": {}}]}]
  }]
}`, "ATTEMPTS", strconv.Itoa(attempts))
	l, err := lesson.Read("long.json", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// BenchmarkStep is a step forward and back with the page that it gives, near the end of a long run.
func BenchmarkStep(b *testing.B) {
	for _, attempts := range []int{200, 1000} {
		b.Run(strconv.Itoa(attempts*5)+"-events", func(b *testing.B) {
			p := at(b, long(b, attempts), "run").use(Fire{}).send(Run{}, Run{})
			for range 40 {
				p.send(Back{})
			}
			if p.pos.Count < attempts*4 {
				b.Fatalf("the run has %d events", p.pos.Count)
			}
			step := func(msg any) {
				p.Update(msg)
				p.View()
			}
			for b.Loop() {
				step(Next{})
				step(Back{})
			}
			b.ReportMetric(float64(p.pos.Count), "events")
		})
	}
}
