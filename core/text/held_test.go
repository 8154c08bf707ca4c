package text

import (
	"strings"
	"testing"

	"retrylab.example/core/event"
	"retrylab.example/core/scenario"
)

// TestHeldNotRefused: a client that polls its own bucket waits where a token lacks, so the attempt that got one is not told
// that it would be refused.
func TestHeldNotRefused(t *testing.T) {
	for poll, want := range map[string]string{`, "poll": "100ms"`: "wait for a token", "": "be refused"} {
		s, err := scenario.Read("a", []byte(`{"clients": [{"name": "a", "policy": {"preset": "once"}, "limiter": {"capacity": 1, "period": "1s"`+poll+`}}],
			"inputs": [{"at": "0s", "fire": {"times": 2}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		played, err := s.Play(nil)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []event.Kind
		for i := range played.Events {
			e := &played.Events[i]
			switch e.Kind {
			case event.AttemptAdmitted, event.AttemptHeld, event.SendRefused:
				kinds = append(kinds, e.Kind)
			}
			if e.Kind == event.AttemptAdmitted {
				if lines := English.Flips(e); len(lines) != 1 || !strings.Contains(lines[0], want) {
					t.Errorf("with %q it says %q", poll, lines)
				}
			}
		}
		if len(kinds) < 2 || (kinds[1] == event.AttemptHeld) != (poll != "") {
			t.Errorf("with %q the attempts are %v", poll, kinds)
		}
	}
}
