package codelab

import (
	"time"

	"retrylab.example/core/rng"
)

// choices makes a case out of numbers, and keeps them: the same numbers make the same case, and smaller ones a simpler
// one. In each choice 0 is the simplest.
type choices struct {
	seed   uint64
	number int // of the case
	// given are the numbers of a replay; beyond their end everything is 0.
	replay bool
	given  []int
	made   []int
}

// below chooses a number from 0 to n−1.
func (c *choices) below(n int) int {
	i := len(c.made)
	var chosen int
	switch {
	case !c.replay:
		ratio := rng.OfDraw(rng.Draw(c.seed, c.number, i, 0, 0))
		chosen = int(ratio.Scale(time.Duration(n)))
	case i < len(c.given):
		chosen = min(c.given[i], n-1)
	}
	c.made = append(c.made, chosen)
	return chosen
}

func (c *choices) flag() bool { return c.below(2) == 1 }

// more asks whether a list goes on, which has at most so many items. With a length chosen first, a shrinker could not
// drop single items.
func (c *choices) more(have, most int) bool { return have < most && c.below(4) > 0 }

func (c *choices) pick(from ...Value) Value { return from[c.below(len(from))] }

// quarters chooses a float from 0 to a number of quarters of a second: exact in binary.
func (c *choices) quarters(most int) Value { return seconds(c.quarter(most)) }

func (c *choices) quarter(most int) time.Duration {
	return time.Duration(c.below(most+1)) * 250 * time.Millisecond
}

// span chooses a whole number, the simplest is the least.
func (c *choices) span(least, most int64) Value {
	return whole(least + int64(c.below(int(most-least+1))))
}

// statuses choose what a partner may answer.
func (c *choices) status() int {
	common := [...]int{200, 503, 429, 502, 504, 500, 400, 401, 409, 404, 422, 501, 408, 425}
	if i := c.below(len(common) + 4); i < len(common) {
		return common[i]
	}
	return 100 + c.below(500)
}

// shrinker makes a failing case smaller.
type shrinker struct {
	// fails replays choices. It returns the ones that were made, and whether the case still fails in the same way.
	fails func([]int) ([]int, bool)
	best  []int
	left  int // replays that may still be made
}

// MaxReplays is how often a failing case is tried in a smaller form.
const MaxReplays = 300

// run drops runs of choices, then sets single ones to 0, then lowers them, until nothing helps any more.
func (s *shrinker) run() {
	s.best = withoutEnd(s.best)
	for again := true; again && s.left > 0; {
		again = s.drop()
		for i := 0; i < len(s.best); i++ {
			again = s.lower(i) || again
		}
	}
}

// withoutEnd leaves out the zeros at the end, which stand there anyway.
func withoutEnd(made []int) []int {
	for len(made) > 0 && made[len(made)-1] == 0 {
		made = made[:len(made)-1]
	}
	return made
}

func (s *shrinker) try(candidate []int) bool {
	if s.left == 0 {
		return false
	}
	s.left--
	made, fails := s.fails(candidate)
	if fails {
		s.best = withoutEnd(made)
	}
	return fails
}

func (s *shrinker) drop() (dropped bool) {
	for size := max(len(s.best)/2, 1); size > 0; size /= 2 {
		for i := len(s.best) - size; i >= 0; i-- {
			if i+size <= len(s.best) {
				dropped = s.try(append(append([]int(nil), s.best[:i]...), s.best[i+size:]...)) || dropped
			}
		}
	}
	return dropped
}

// lower brings one choice down, to 0 or else by bisection.
func (s *shrinker) lower(i int) bool {
	was := s.best[i]
	if was == 0 {
		return false
	}
	if s.tryAt(i, 0) {
		return true
	}
	for low := 1; i < len(s.best) && low < s.best[i] && s.left > 0; {
		if middle := (low + s.best[i]) / 2; !s.tryAt(i, middle) {
			low = middle + 1
		}
	}
	return i < len(s.best) && s.best[i] < was
}

func (s *shrinker) tryAt(i, value int) bool {
	candidate := append([]int(nil), s.best...)
	candidate[i] = value
	return s.try(candidate)
}
