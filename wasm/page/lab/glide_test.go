package lab

import (
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/wasm/view"
)

// While the thumb moves, the clock and the totals follow it; at rest the page is as after a move in one go, and so it is
// when something else is done before that.
func TestGlide(t *testing.T) {
	ends := map[string][]any{"rest": {Land{}}, "a key": {Next{}}, "another size": {Resize{Size{Stage: 500}}}}
	for name, end := range ends {
		glides, moves := at(t, long(t, 40), "run").use(Fire{}).send(Run{}, Run{}), at(t, long(t, 40), "run").use(Fire{}).send(Run{}, Run{})
		glides.View()
		before := plain(find(t, glides.View(), "why"))
		last := float64(glides.played.Events[len(glides.played.Events)-1].At-clock.Start) / 1e6
		for _, part := range []float64{0.9, 0.2, 0.55, 0.5} {
			glides.Update(Glide{last * part})
			if got, want := plain(find(t, glides.View(), "now")), plain(view.El("b", glides.lang().Seconds(glides.pos.Now.Sub(clock.Start)))); got != want {
				t.Errorf("the clock shows %s, want %s", got, want)
			}
			if plain(find(t, glides.View(), "why")) != before {
				t.Error("the explanation moves with the thumb")
			}
		}
		moves.Update(Scrub{last / 2})
		glides.send(end...)
		if name != "rest" {
			moves.send(end...)
		}
		if got, want := glides.View().HTML(), moves.View().HTML(); got != want {
			t.Errorf("%s: after a glide the page shows\n%s\nwant\n%s", name, got, want)
		}
		if glides.History() != moves.History() {
			t.Errorf("%s: a glide keeps %s, want %s", name, glides.History(), moves.History())
		}
	}
}
