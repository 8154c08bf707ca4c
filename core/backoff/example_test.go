package backoff_test

import (
	"fmt"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/rng"
)

// Far above the cap, a quarter up and down: the waits are cut to the cap, or kept apart below it.
func ExampleConfig_After() {
	c := backoff.Config{Base: time.Second, Cap: time.Minute, Factor: backoff.Factor{Num: 3, Den: 2}}
	s := backoff.Spread{Kind: backoff.PlusMinus, Share: rng.Ratio{Num: 1, Den: 4}}
	for _, s.KeepAtCap = range []bool{false, true} {
		for _, f := range []rng.Ratio{{}, {Num: 3, Den: 4}, rng.One} {
			fmt.Println(s.KeepAtCap, c.After(20, s, 0, f).Wait)
		}
	}
	// Output:
	// false 45s
	// false 1m0s
	// false 1m0s
	// true 36s
	// true 54s
	// true 1m0s
}
