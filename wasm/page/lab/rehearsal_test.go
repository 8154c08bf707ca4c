package lab

import "testing"

// What is rehearsed is the step's solution, on a page of its own: the learner's run and book stay as they are.
func TestRehearsal(t *testing.T) {
	p := at(t, small(t), "total").use(Fire{})
	before, kept := p.View().HTML(), p.History()
	r := p.Rehearsal()
	if r == nil || len(r.played.Events) == 0 {
		t.Fatalf("nothing is rehearsed: %+v", r)
	}
	for range 5 {
		r.Update(Next{})
		if r.View().HTML() == before {
			t.Error("the rehearsal shows the learner's page")
		}
	}
	if p.View().HTML() != before || p.History() != kept {
		t.Error("a rehearsal has changed the learner's page")
	}
	if at(t, small(t), End).Rehearsal() != nil {
		t.Error("the last page of a lesson has no run to rehearse")
	}
}
