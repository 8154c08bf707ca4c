package lesson

import (
	"strings"
	"testing"

	"retrylab.example/core/scenario"
)

// Guards and limits are held to what a step offers, input after input; what was refused is not what the next one is
// compared with.
func TestGuardsAndLimitsThatAreNotOffered(t *testing.T) {
	const open = `"open": "5s"`
	for _, c := range []struct {
		knobs  string
		inputs string
		want   string // part of the only problem
	}{
		{"breaker.window", `{"guards": {"breaker": {"window": "count", ` + open + `}}}`, ""},
		{"breaker.window", `{"guards": {"breaker": {"window": "count", "size": 4, ` + open + `}}}`, "input 1 turns breaker.size,"},
		{"breaker.window breaker.size", `{"guards": {"breaker": {"window": "count", "size": 4, ` + open + `}}}, {"guards": {}}`, ""},
		{"breaker.size", `{"guards": {"breaker": {"window": "count", ` + open + `}}}`, "input 1 turns breaker.window,"},
		{"breaker.window", `{"guards": {"breaker": {"window": "count", ` + open + `, "lease": "1s"}}}`, "input 1 turns other,"},
		{"pool", `{"guards": {"pool": "own"}}`, ""},
		{"limiter", `{"guards": {"pool": "own"}}`, "input 1 turns pool,"},
		{"limiter", `{"guards": {"limiter": {"capacity": 3, "period": "1s", "mode": "batch", "poll": "50ms"}}}`, ""},
		{"limiter", `{"guards": {"limiter": {"capacity": 9, "period": "1s", "mode": "batch", "poll": "50ms"}}}`, "input 1 turns other,"},
		{"attempts", `{"guards": {"fallback": {"reply": 200}}}`, "input 1 turns fallback,"},
		{"limit.count", `{"limit": {"count": 0, "window": "10s"}}, {"limit": {"count": 3, "window": 10}}`, ""},
		{"limit.count", `{"limit": {"count": 2, "window": "20s"}}`, "input 1 turns limit.window,"},
		{"limit.count", `{"limit": {"count": 2, "window": 0}}, {"limit": {"count": 2, "window": "10s"}}`, "input 1 turns limit.window,"},
		{"limit.window", `{"limit": {"count": 2, "window": 0}}, {"limit": {"count": 3, "window": 0}}`, "input 2 turns limit.count"},
	} {
		sc, err := scenario.Read("guards.json", []byte(`{"pools": [{"name": "own", "running": 1}],
			"partner": {"limit": {"count": 2, "window": "10s"}},
			"clients": [{"name": "a", "policy": {"preset": "once"}}], "inputs": [`+c.inputs+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		s := Step{Scenario: sc, Allow: Allow{Knobs: strings.Fields(c.knobs)}}
		got := s.Forbidden(Answer{Inputs: sc.Inputs})
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s offered, %s: got %q, want %q", c.knobs, c.inputs, got, c.want)
		}
	}
}
