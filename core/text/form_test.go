package text_test

import (
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
)

// TestFormula: the formula names the numbers of the policy, whatever its jitter and shape.
func TestFormula(t *testing.T) {
	a, _ := scenario.Preset("contract-a")
	e, _ := scenario.Preset("contract-e")
	around := retry.Policy{Jitter: backoff.PlusMinus, Share: rng.Ratio{Num: 1, Den: 4}}
	around.Backoff = backoff.Config{Base: time.Second, Cap: 9 * time.Second, Shape: backoff.Linear}
	for want, p := range map[string]retry.Policy{
		"min(4\u00a0s, 0.5\u00a0s × 2^(k−1)) × (0.5)":   a,
		"min(8\u00a0s, 0.5\u00a0s × 2^(k−1)) × U[0, 1)": e,
		"min(9\u00a0s, 1\u00a0s × k) × U[0.75, 1.25)":   around,
	} {
		if got := text.English.Formula(&p); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, want := text.English.Wait(e.LocalWaits(2)[1]), "0–1\u00a0s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
