package text

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// Event returns an event as a line of the event table, without its instant and its actor. Where there are several
// clients or calls, it begins with whose it is.
func (l Lang) Event(e *event.Event, names Names) string {
	what := l.Say(eventName(e), append(l.args(e, names), l.parts(e)...)...)
	return l.owned(l.whose(e, names), what)
}

// Who returns who did it.
func (l Lang) Who(e *event.Event, names Names) string {
	if e.Who == event.Client {
		return l.client(e, names)
	}
	return l.Say("who." + e.Who.String())
}

// Announce returns an event as one sentence for people who hear the page: the nth of count events at its instant.
func (l Lang) Announce(e *event.Event, n, count int, names Names) string {
	args := []string{"at", instant(e.At), "who", l.Who(e, names), "what", l.Event(e, names)}
	if count > 1 {
		return l.Say("announce.nth", append(args, "n", strconv.Itoa(n), "count", strconv.Itoa(count))...)
	}
	return l.Say("announce", args...)
}

// Due returns the label of an event that comes next.
func (l Lang) Due(e *event.Event, names Names) string {
	name := "due." + e.Kind.String()
	return l.Say(pick(name+"."+e.Failure.String(), name), l.args(e, names)...)
}

// Timer returns what the timer is that AttemptSent or RetryScheduled set.
func (l Lang) Timer(e *event.Event, names Names) string {
	name := "timer.retry-scheduled"
	if e.Kind == event.AttemptSent {
		name = "timer.attempt-sent"
	}
	what := l.Say(name, l.args(e, names)...)
	if len(names) > 1 {
		return l.owned([]string{l.client(e, names)}, what)
	}
	return what
}

// DueIn returns what comes next and when: "reply reaches alice, in 0.050 s".
func (l Lang) DueIn(what string, wait time.Duration) string {
	return l.Say("due.in", "what", what, "wait", seconds(wait))
}

// TimerIn returns a timer and when it ends: "wait ends in 1.600 s".
func (l Lang) TimerIn(what string, wait time.Duration) string {
	return l.Say("due.timer-in", "what", what, "wait", seconds(wait))
}

// whose names the client, if the actor is another and there are several, and the call, if it is not the first.
func (l Lang) whose(e *event.Event, names Names) []string {
	if e.Request.Call == 0 {
		return nil
	}
	var parts []string
	if len(names) > 1 && e.Who != event.Client {
		parts = append(parts, l.client(e, names))
	}
	if e.Request.Call > 1 && e.Kind != event.CallStarted {
		parts = append(parts, l.Say("part.call", "call", strconv.Itoa(e.Request.Call)))
	}
	return parts
}

func (l Lang) owned(whose []string, what string) string {
	if len(whose) == 0 {
		return what
	}
	return l.Say("part.whose", "whose", strings.Join(whose, " · "), "what", what)
}

// parts returns the parts of a line that are there or not.
func (l Lang) parts(e *event.Event) []string {
	deadline, timeout := l.Say("part.no-deadline"), ""
	if e.Until != clock.Max {
		deadline = l.Say("part.deadline", "until", instant(e.Until))
		timeout = l.Say("part.timeout", "until", instant(e.Until))
	}
	return []string{"deadline", deadline, "timeout", timeout, "request", l.request(e.Request), "fault", l.fault(e)}
}

// request returns a request as method, path, amount and key.
func (l Lang) request(r call.Request) string {
	parts := []string{literal(r.Method + " " + r.Path)}
	if r.Amount != 0 {
		parts = append(parts, number(r.Amount))
	}
	if r.Slot != 0 {
		parts = append(parts, l.Say("part.slot", "slot", number(r.Slot)))
	}
	switch {
	case r.HasKey():
		parts = append(parts, l.Say("part.key", "key", literal(r.Key)))
	case r.Keyed:
		parts = append(parts, l.Say("part.blank-key"))
	}
	return strings.Join(parts, ", ")
}

// fault returns what was ordered: a reply by its numbers.
func (l Lang) fault(e *event.Event) string {
	if e.Fault == event.Reply {
		return answer(e)
	}
	return l.Fault(e.Fault)
}

// eventName returns the name of the message for an event.
func eventName(e *event.Event) string {
	name := "event." + e.Kind.String()
	switch e.Kind {
	case event.CallStarted:
		return variant(name, e.Request.Call > 1, "again")
	case event.AttemptSent:
		return variant(name, e.Request.Attempt > 1, "again")
	case event.RequestRefused:
		if otherSlot(&e.Decision) {
			return name + ".key-mismatch.slot"
		}
		return pick(name+"."+e.Decision.Reason.String(), name)
	case event.RequestAdmitted, event.EffectApplied, event.RequestAnswered, event.SendRefused, event.TaskStarted,
		event.AttemptAdmitted, event.CircuitOpened, event.ResultRecorded:
		return pick(name+"."+e.Decision.Reason.String(), name)
	case event.PartnerCrashed, event.RequestLost:
		return pick(name+"."+e.Fault.String(), name)
	case event.ReplyArrived:
		return variant(name, e.Response.Replayed, "replayed")
	case event.AttemptFailed:
		return pick(name+"."+e.Failure.String(), name)
	case event.CallGaveUp:
		return gaveUpName(name, e)
	case event.TaskEnded:
		return variant(name, e.Decides(), "left")
	case event.RunStopped:
		if e.At < e.Until {
			return name + ".events"
		}
		return name + ".time"
	}
	return name
}

func gaveUpName(name string, e *event.Event) string {
	name = pick(name+"."+e.Decision.Reason.String(), name)
	switch e.Decision.Reason {
	case decision.NotRetryable:
		return pick(name+"."+e.Failure.String(), name)
	case decision.NotReplaySafe:
		key, _ := e.Decision.Term(decision.Key)
		return variant(name, key.Mark == decision.Decided && key.Value == 0, "key")
	}
	return name
}

func variant(name string, special bool, suffix string) string {
	if special {
		return name + "." + suffix
	}
	return name
}
