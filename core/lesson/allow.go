package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// Forbidden returns what an answer does that the step does not offer. The page offers nothing else; a file might.
func (s *Step) Forbidden(a Answer) []string {
	var problems []string
	for _, f := range s.forbiddenInputs(a) {
		problems = append(problems, fmt.Sprintf("input %d %s", f.input+1, f.what))
	}
	return problems
}

// forbiddenInput is an input, by its place from 0, and what it does that is not offered.
type forbiddenInput struct {
	input int
	what  finding
}

func (s *Step) forbiddenInputs(a Answer) []forbiddenInput {
	var found []forbiddenInput
	turned := s.newTurning()
	for i, in := range a.Inputs {
		if what := s.forbiddenInput(in, turned); what.form != "" {
			found = append(found, forbiddenInput{i, what})
		}
	}
	return found
}

func (s *Step) forbiddenInput(in scenario.Input, t *turning) finding {
	switch a := in.Action; a.Kind {
	case sim.Fire:
		return s.forbiddenFire(a)
	case sim.Inject:
		if name := InjectName(a.Mishap); !slices.Contains(s.Allow.Inject, name) {
			return finds("orders %s, which is not offered", name)
		}
	case sim.SetPolicy:
		before, ok := t.policies[a.Client]
		if !ok {
			before = s.Scenario.Clients[a.Client].Policy
		}
		t.policies[a.Client] = a.Policy
		return s.locked(Turned(before, a.Policy))
	case sim.SetGuards:
		return s.forbiddenGuards(&a, t)
	case sim.SetLimit:
		return s.forbiddenLimit(&a, t)
	}
	return finding{}
}

func (s *Step) forbiddenFire(a sim.Action) finding {
	times := max(a.Times, 1)
	switch {
	case !s.Allow.Fire:
		return finds("fires, which is not offered")
	case times > 1 && len(s.Allow.Times) == 0, len(s.Allow.Times) > 0 && !slices.Contains(s.Allow.Times, times):
		return finds("fires %d at once, which is not offered", times)
	case len(s.Allow.Requests) > 0:
		return s.forbiddenRequest(a.Request)
	}
	r, own := a.Request, s.Scenario.Requests[a.Client]
	key := ""
	if r.Keyed {
		key = r.Key
	}
	ownKey := r.Keyed == own.Keyed && r.Key == own.Key
	switch {
	case r.Method != own.Method && !containsFold(s.Allow.Methods, r.Method):
		return finds("uses the method %s, which is not offered", r.Method)
	case !ownKey && !s.Allow.FreeKey && !slices.Contains(s.Allow.Keys, key):
		return finds("uses the key %q, which is not offered", key)
	case r.Amount != own.Amount && !slices.Contains(s.Allow.Amounts, r.Amount) && r.Op() != call.Read && r.Op() != call.Clear:
		return finds("uses the amount %d, which is not offered", r.Amount)
	}
	return finding{}
}

// forbiddenRequest says how a request differs from all that are offered: by its key alone, or by more.
func (s *Step) forbiddenRequest(r call.Request) finding {
	known := false
	for i := range s.Allow.Requests {
		o := &s.Allow.Requests[i]
		switch {
		case !o.same(r):
		case o.offersKey(r), s.Allow.FreeKey:
			return finding{}
		default:
			known = true
		}
	}
	switch {
	case known && !r.Keyed:
		return finds("uses no key, which is not offered")
	case known:
		return finds("uses the key %q, which is not offered", r.Key)
	}
	return finds("sends a %s %s that is not among the requests on offer", r.Method, r.Path)
}

// Sends reports whether a request is the one on offer, with one of its keys.
func (o *Offer) Sends(r call.Request) bool { return o.same(r) && o.offersKey(r) }

// same reports whether a request is the one on offer, whatever its key. Amount and slot count where something is asked for.
func (o *Offer) same(r call.Request) bool {
	q := o.Request
	op := q.Op()
	body := op == call.Add || op == call.Set
	return q.Method == r.Method && q.Path == r.Path && q.ClientID == r.ClientID &&
		q.IfMatch == r.IfMatch &&
		(!body || q.Amount == r.Amount && q.Slot == r.Slot)
}

func (o *Offer) offersKey(r call.Request) bool {
	if !r.Keyed {
		return len(o.Keys) == 0 || slices.Contains(o.Keys, "")
	}
	return slices.Contains(o.Keys, r.Key)
}

func containsFold(list []string, s string) bool {
	return slices.ContainsFunc(list, func(x string) bool { return strings.EqualFold(x, s) })
}

// InjectName returns the name under which Allow.Inject lists a mishap.
func InjectName(m sim.Mishap) string {
	if m.Fault == event.Reply {
		return strconv.Itoa(m.Response.Status)
	}
	return m.Fault.String()
}

// Turned returns the knobs by which two policies differ, in the order of PolicyKnobs; "other" for a part without a knob.
func Turned(a, b retry.Policy) []string {
	var turned []string
	add := func(differs bool, knob string) {
		if differs {
			turned = append(turned, knob)
		}
	}
	add(a.Attempts != b.Attempts, "attempts")
	add(a.Deadline != b.Deadline, "deadline")
	add(a.AttemptTimeout != b.AttemptTimeout, "attemptTimeout")
	add(a.Backoff.Base != b.Backoff.Base, "base")
	add(a.Backoff.Cap != b.Backoff.Cap, "cap")
	add(a.Jitter != b.Jitter || !slices.Equal(a.Fractions, b.Fractions), "jitter")
	add(a.RetryAfter != b.RetryAfter, "retryAfter")
	add(a.Safety != b.Safety, "methods")
	add(!slices.Equal(a.Statuses, b.Statuses), "statuses")
	add(a.FreshDeadline != b.FreshDeadline, "freshDeadline")
	add(a.CutTimeout != b.CutTimeout || a.Exhausted != b.Exhausted || !slices.Equal(a.Failures, b.Failures) || differsBeyond(a, b), "other")
	return turned
}

// differsBeyond reports whether two policies differ in what contracts D and E and the strict contract bring, which no
// knob turns. What comes and goes with a rule that a knob does turn counts with that rule.
func differsBeyond(a, b retry.Policy) bool {
	return a.DeadlineTest != b.DeadlineTest || a.Backoff.Shape != b.Backoff.Shape || a.Backoff.Factor != b.Backoff.Factor ||
		a.Jitter == b.Jitter && (a.Share != b.Share || a.KeepAtCap != b.KeepAtCap) ||
		a.RetryAfter == b.RetryAfter && (a.RetryAfterMode != b.RetryAfterMode || a.MaxRetryAfter != b.MaxRetryAfter ||
			a.AboveRetryAfter != b.AboveRetryAfter) ||
		a.Safety == b.Safety && (!slices.Equal(a.Unchanging, b.Unchanging) || a.KeysDocumented != b.KeysDocumented ||
			!slices.Equal(a.Unprocessed, b.Unprocessed)) ||
		!slices.Equal(a.Codes, b.Codes) || a.Envelope != b.Envelope || a.Budget != b.Budget
}
