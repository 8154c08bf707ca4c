package scenario

import (
	"testing"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
)

// A limit that is none is no fault of the file: the run shows how the partner refuses it.
func TestLimitsAreReadRightOrWrong(t *testing.T) {
	for text, want := range map[string]limit.Setting{
		`{"count": 2, "window": "10s"}`:          {Count: "2", Window: "10"},
		`{"count": 2, "window": "1.5s"}`:         {Count: "2", Window: "1.5"},
		`{"count": 2, "window": "250ms"}`:        {Count: "2", Window: "0.25"},
		`{"count": 2, "window": "-1ms"}`:         {Count: "2", Window: "-0.001"},
		`{"count": 2, "window": 0.5}`:            {Count: "2", Window: "0.5"},
		`{"count": "2s", "window": "10"}`:        {Count: `"2s"`, Window: `"10"`},
		`{"count": true, "window": null}`:        {Count: "true", Window: "null"},
		`{"count": 1e400, "window": "NaN"}`:      {Count: "1e400", Window: `"NaN"`},
		`{"count": -1, "window": "a \"quote\""}`: {Count: "-1", Window: `"a \"quote\""`},
	} {
		s, err := Read("limit.json", []byte(`{"clients": [{"name": "a", "policy": {"preset": "once"}}], "inputs": [{"limit": `+text+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := s.Inputs[0].Action.Limit; got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
		again, err := Read("written.json", s.Write())
		if err != nil || !SameInput(again.Inputs[0], s.Inputs[0]) {
			t.Errorf("%s: %v, read back as %+v", text, err, again.Inputs)
		}
	}
}

// What a person types is JSON where it is some, and a text where it is none.
func TestSettingsAreReadAsTyped(t *testing.T) {
	for _, c := range []struct {
		count, window string
		reason        decision.Reason
	}{
		{"2", "10", decision.LimitValid}, {" 2 ", "10s", decision.LimitValid}, {"2", "0.5", decision.LimitValid},
		{`"2"`, "10", decision.LimitNotWhole}, {"two", "10", decision.LimitNotWhole}, {"true", "10", decision.LimitNotWhole},
		{"[2]", "10", decision.LimitNotWhole}, {"", "10", decision.LimitNotWhole},
		{"2", "NaN", decision.WindowNotFinite}, {"2", "ten", decision.WindowNotNumber}, {"2", "0s", decision.WindowNotPositive},
	} {
		if _, d := ReadSetting(c.count, c.window).Decide(); d.Reason != c.reason {
			t.Errorf("%q in %q: %s, want %s", c.count, c.window, d.Reason, c.reason)
		}
	}
}

func TestARefusedLimitIsAnEvent(t *testing.T) {
	s, err := Read("refused.json", []byte(`{"partner": {"limit": {"count": 1, "window": "10s"}},
		"clients": [{"name": "a", "policy": {"preset": "once"}, "request": {"method": "GET", "path": "/work"}}],
		"inputs": [{"fire": {}}, {"at": "1s", "limit": {"count": 0, "window": "10s"}}, {"at": "1s", "fire": {}},
			{"at": "2s", "limit": {"count": 2, "window": "10s"}}, {"at": "2s", "fire": {}}, {"at": "2s", "fire": {}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Play(nil)
	if err != nil {
		t.Fatal(err)
	}
	var seen []decision.Reason
	for _, e := range p.Events {
		if e.Who == event.Partner && e.Decides() && e.Kind != event.RequestAnswered {
			seen = append(seen, e.Decision.Reason)
		}
	}
	want := []decision.Reason{
		decision.WindowHasRoom, decision.LimitBelowOne, decision.WindowFull, decision.LimitValid, decision.WindowHasRoom, decision.WindowFull,
	}
	if len(seen) != len(want) {
		t.Fatalf("got %v, want %v", seen, want)
	}
	for i := range want {
		if seen[i] != want[i] {
			t.Errorf("decision %d: got %v, want %v", i+1, seen[i], want[i])
		}
	}
}
