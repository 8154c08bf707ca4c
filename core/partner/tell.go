package partner

import (
	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// TellAdmission writes into a cleared event what the limiter decided. It is false if there is nothing to tell: no limiter
// was asked, or a crash keeps its refusal from the caller.
func (res *Result) TellAdmission(e *event.Event) bool {
	switch {
	case res.Admission.Verdict == decision.Admit:
		e.Kind, e.Until = event.RequestAdmitted, res.PlaceOpens
	case res.Admission.Verdict == decision.Refuse && !res.Cut:
		e.Kind, e.Response = event.RequestRefused, res.Response
	default:
		return false
	}
	e.Who, e.Request, e.Total = event.Partner, res.Request, res.Total
	e.Decision.Set(&res.Admission)
	return true
}

// answers are the events that tell of what a request led to.
var answers = [...]event.Kind{
	decision.Apply: event.EffectApplied, decision.Replay: event.ReplyReplayed, decision.Return: event.RequestAnswered,
	decision.Refuse: event.RequestRefused,
}

// TellAnswer writes into a cleared event what the request led to. It is false if there is no answer.
func (res *Result) TellAnswer(e *event.Event) bool {
	if int(res.Answer.Verdict) >= len(answers) || answers[res.Answer.Verdict] == 0 {
		return false
	}
	e.Kind, e.Who, e.Request = answers[res.Answer.Verdict], event.Partner, res.Request
	e.Response, e.Total = res.Response, res.Total
	e.Decision.Set(&res.Answer)
	if e.Kind == event.EffectApplied {
		e.Delta = res.Delta
	}
	if res.Fate.Fault == event.Fail && res.Answer.Reason == decision.WorkFailed {
		e.Fault = event.Fail
	}
	return true
}

// TellOrdered returns the event of a response that was ordered in the place of the partner's own, as it is written on the
// path of the request.
func (p *Partner) TellOrdered(r call.Request, f Fate) event.Event {
	e := event.Event{
		Kind: event.RequestRefused, Who: event.Partner, Request: r, Response: Ordered(r, f.Response), Total: p.total,
		Fault: f.Fault, Decision: decision.Decision{Verdict: decision.Refuse, Reason: decision.Scripted},
	}
	if (call.Outcome{Response: e.Response}).Class() == call.Success {
		e.Kind, e.Decision.Verdict = event.RequestAnswered, decision.Return
	}
	e.Decision.Add(decision.Term{Name: decision.Script, Value: int64(e.Response.Status), Mark: decision.Decided})
	return e
}

// TellWork returns the event of work that begins or waits for a place.
func (w *Began) TellWork(place *decision.Decision) event.Event {
	e := event.Event{Kind: event.WorkBegan, Who: event.Partner, Request: w.Request, Until: w.Ends, Decision: *place}
	if w.Queued {
		e.Kind, e.Until = event.RequestQueued, 0
	}
	return e
}
