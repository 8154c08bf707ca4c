package timeline

import (
	"strings"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
)

// mostSpoken is how many sentences a drawing's label has at most. A longer run is summed up, with its latest events.
const mostSpoken, lastSpoken = 24, 4

// spoken tells a drawing in words, for those who cannot see it.
func spoken(in Input, s *story) string {
	if len(s.calls) == 0 {
		return in.say("say.empty", "now", in.seconds(in.Now))
	}
	sentences := tellAll(in, mostSpoken+1)
	if in.Crowded() {
		sentences = []string{crowdSpoken(in)}
	}
	if v := in.Versus; v != nil {
		sentences = append([]string{v.Same}, sentences...)
	}
	if len(sentences) > mostSpoken {
		t := in.Totals
		if t == nil {
			counted := measure.Of(in.Events)
			t = &counted
		}
		sum := in.say("say.sum", "sent", count(t.Sent), "arrived", count(t.Arrived), "applied", count(t.Applied),
			"replayed", count(t.Replayed), "refused", count(t.Refused), "total", amount(t.Actual))
		sentences = append([]string{sum}, tellLast(in, lastSpoken)...)
	}
	sentences = append(sentences, in.say("say.now", "now", in.seconds(in.Now)), in.say("say.table"))
	between := " "
	if in.Lang == "ja" {
		between = ""
	}
	return strings.Join(sentences, between)
}

// tellAll returns the sentences of the events in order, at most so many.
func tellAll(in Input, most int) []string {
	var list []string
	for i := range in.Events {
		if len(list) == most {
			break
		}
		if s := sentence(in, &in.Events[i]); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// tellLast returns the sentences of the last events that have one.
func tellLast(in Input, most int) []string {
	var list []string
	for i := len(in.Events) - 1; i >= 0 && len(list) < most; i-- {
		if s := sentence(in, &in.Events[i]); s != "" {
			list = append([]string{s}, list...)
		}
	}
	return list
}

// sentence says one event; empty for those that another one tells.
func sentence(in Input, e *event.Event) string {
	if in.Vertical && e.Request.Client != in.Client {
		return ""
	}
	args := []string{
		"at", in.seconds(e.At), "client", in.clientName(e.Request.Client), "n", count(e.Request.Attempt),
		"status", count(e.Response.Status), "delta", signed(e.Delta), "total", amount(e.Total),
	}
	switch e.Kind {
	case event.RequestRefused:
		if e.Response.HasRetryAfter {
			return in.say("say.refusedAfter", append(args, "after", e.Response.RetryAfter)...)
		}
	case event.RequestLost:
		if e.Fault == event.NeverSent {
			return in.say("say.refused-connection", args...)
		}
	case event.AttemptFailed:
		return in.say("say."+e.Failure.String(), args...)
	case event.PartnerCrashed:
		return in.say("say."+e.Fault.String(), args...)
	case event.RetryScheduled:
		return in.say("say.retry-scheduled", append(args, "wait", in.seconds(clock.Instant(e.Decision.Wait)))...)
	case event.SendRefused:
		if e.Decides() {
			return in.say("say.guard-refused", append(args, "why", in.say("end."+e.Decision.Reason.String()))...)
		}
	case event.CallGaveUp:
		return in.say("say.call-gave-up", append(args, "why", in.say("end."+e.Decision.Reason.String()))...)
	}
	if !told[e.Kind] {
		return ""
	}
	return in.say("say."+e.Kind.String(), args...)
}

// told are the kinds with a sentence of their own name.
var told = map[event.Kind]bool{
	event.AttemptSent: true, event.SendRefused: true, event.RequestLost: true, event.RequestRefused: true,
	event.EffectApplied: true, event.RequestAnswered: true, event.ReplyReplayed: true, event.ReplyLost: true,
	event.ReplyIgnored: true, event.CallSucceeded: true, event.TaskQueued: true, event.AttemptHeld: true,
	event.CircuitOpened: true, event.CircuitHalfOpened: true, event.CircuitClosed: true, event.FallbackUsed: true,
}
