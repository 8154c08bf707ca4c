package link_test

import (
	"errors"
	"fmt"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// A scenario with one request of a person goes round: what is opened is the run and the place that were shared.
func Example() {
	s, err := scenario.Read("shop.json", []byte(`{"clients": [{"name": "shop", "policy": {"preset": "contract-c"}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	shared := link.Link{Scenario: s, Lang: "ko"}
	shared.Tree.Act(0, scenario.Input{Action: sim.Action{Kind: sim.Fire, Request: s.Requests[0]}})
	shared.At = scenario.Position{Count: 2, Now: clock.Start}
	fragment, err := shared.Fragment()
	if err != nil {
		fmt.Println(err)
		return
	}
	sealed, err := link.Read("https://lab.example/#" + fragment)
	if err != nil {
		fmt.Println(err)
		return
	}
	opened, err := sealed.Open(lesson.Step{}) // a link into a lesson needs its step here
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(opened.Same, opened.Lang, opened.At.Count, len(opened.Played.Events), len(opened.Tree.Path()))
	// Output: true ko 2 6 1
}

// A link whose end got lost says so, and how much of it is there.
func ExampleRead_cut() {
	_, err := link.Read("#/open/1.155.VOYACe3MqqZbfUR85YGlmYfchIjFWr1A")
	var e *link.Error
	if errors.As(err, &e) {
		fmt.Println(e.Problem, e.Have, e.Want)
	}
	// Output: cut 32 155
}
