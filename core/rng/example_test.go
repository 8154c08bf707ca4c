package rng_test

import (
	"fmt"
	"time"

	"retrylab.example/core/rng"
)

// A draw depends on what it is for and on nothing that was drawn before, so that two policies can be compared on the
// same randomness.
func ExampleDraw() {
	const seed, client = 42, 0
	for _, at := range []struct{ call, attempt int }{{1, 1}, {1, 2}, {1, 1}} {
		draw := rng.OfDraw(rng.Draw(seed, client, at.call, at.attempt, rng.Jitter))
		fmt.Println(at.call, at.attempt, draw.Scale(time.Second))
	}
	// Output:
	// 1 1 770.585364ms
	// 1 2 852.929539ms
	// 1 1 770.585364ms
}
