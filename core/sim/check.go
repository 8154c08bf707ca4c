package sim

import (
	"fmt"

	"retrylab.example/core/budget"
	"retrylab.example/core/call"
)

// Check returns an error if a world breaks an invariant that each step must keep. What can only be seen over time, as
// that no attempt starts after its deadline, is in the events and is checked there.
func Check(s State) error {
	if err := s.checkQueue(); err != nil {
		return err
	}
	if err := s.partner.Check(); err != nil {
		return err
	}
	if s.scripted > len(s.config.Script) {
		return fmt.Errorf("%d elements of a script of %d were used", s.scripted, len(s.config.Script))
	}
	if err := s.checkPools(); err != nil {
		return err
	}
	for j := range s.clients {
		c := &s.clients[j]
		if err := s.checkBreaker(c); err != nil {
			return err
		}
		for i := range c.calls {
			if err := s.checkCall(&c.calls[i]); err != nil {
				return err
			}
		}
		if err := c.checkBudget(); err != nil {
			return err
		}
	}
	return nil
}

// checkBudget checks that the shared budget counts the calls under way, that each place that a retry holds is held by a
// call, and that no call holds any after its end.
func (c *client) checkBudget() error {
	calls, places := 0, 0
	for i := range c.calls {
		st := &c.calls[i]
		if st.phase == ended && st.held != 0 {
			return fmt.Errorf("call %d of %s has ended and holds %d of the budget", c.over+i+1, c.Name, st.held)
		}
		if st.phase != ended {
			calls++
		}
		if st.held != 0 {
			places++
		}
	}
	b, limit := c.budget, c.policy.Budget
	switch {
	case b.Calls != calls:
		return fmt.Errorf("the budget of %s counts %d calls, and %d are under way", c.Name, b.Calls, calls)
	case limit.Kind == budget.Share && b.Retries != places:
		return fmt.Errorf("the budget of %s counts %d retries, and %d hold a place", c.Name, b.Retries, places)
	case b.Spent < 0 || b.Spent > limit.Tokens:
		return fmt.Errorf("the bucket of %s lacks %d of %d", c.Name, b.Spent, limit.Tokens)
	}
	return nil
}

// checkQueue checks the heap, that nothing is overdue, and that what is due belongs to an attempt that was made.
func (s *State) checkQueue() error {
	q := &s.queue
	if len(q.heap)+len(q.free) != len(q.items) {
		return fmt.Errorf("queue: %d items and %d free slots make %d", len(q.heap), len(q.free), len(q.items))
	}
	for i, k := range q.heap {
		it := &q.items[k.slot]
		if i > 0 && k.before(q.heap[(i-1)/2]) || k.at != it.at {
			return fmt.Errorf("queue: item %d, due %d, lies below a later one", i, it.at)
		}
		if it.at < s.now {
			return fmt.Errorf("an item was due at %d, and it is %d", it.at, s.now)
		}
		r := it.request
		if r.Client >= len(s.clients) || r.Call < 1 || r.Call > s.clients[r.Client].started() {
			return fmt.Errorf("an item belongs to call %d.%d, which was never started", r.Client, r.Call)
		}
		if st := s.call(&r); r.Attempt < 1 || st != nil && r.Attempt > st.request.Attempt {
			return fmt.Errorf("an item belongs to attempt %d of call %d.%d, which was never made", r.Attempt, r.Client, r.Call)
		}
	}
	return nil
}

// checkCall checks that a call waits for exactly what its phase says, so that it neither hangs nor is moved twice.
func (s *State) checkCall(st *callState) error {
	waits, travels, timeouts, leaves := 0, 0, 0, 0
	for _, k := range s.queue.heap {
		it := &s.queue.items[k.slot]
		if it.kind == callerLeaves && it.request.Client == st.request.Client && it.request.Call == st.request.Call {
			leaves++
		}
		if !sameAttempt(it.request, st.request) {
			continue
		}
		switch it.kind {
		case waitEnds, pollDue:
			waits++
		case callerLeaves, noticeArrives:
		case attemptTimesOut:
			timeouts++
		default:
			travels++
		}
	}
	wantWaits := 0
	if st.phase == waiting || st.phase == held {
		wantWaits = 1
	}
	if s.needsPatience(st) && leaves != 1 || leaves > 1 {
		return fmt.Errorf("the caller of %d.%d leaves %d times", st.request.Client, st.request.Call, leaves)
	}
	if waits != wantWaits || travels > 1 || timeouts > 1 {
		return fmt.Errorf("call %d.%d attempt %d in phase %d has %d waits, %d messages and %d timeouts under way",
			st.request.Client, st.request.Call, st.request.Attempt, st.phase, waits, travels, timeouts)
	}
	return nil
}

func sameAttempt(a, b call.Request) bool {
	return a.Client == b.Client && a.Call == b.Call && a.Attempt == b.Attempt
}
