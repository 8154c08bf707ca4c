package sim

import (
	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/partner"
)

// arrive brings a request to the partner, with what befalls it there and on the way back.
func (s *State) arrive(it item, sink Sink) {
	r, m := it.request, it.mishap
	s.emit(sink, event.Event{Kind: event.RequestArrived, Who: event.Partner, Request: r})
	switch m.Fault {
	case event.Reply:
		s.answerScripted(r, m, sink)
		return
	case event.CrashBefore:
		s.crash(r, m.Fault, sink)
		return
	}
	var res partner.Result
	s.partner, res = s.partner.Handle(s.now, r)
	s.report(r, res, sink)
	delay := m.Delay
	switch m.Fault {
	case event.CrashAfter:
		s.crash(r, m.Fault, sink)
		return
	case event.LostReply:
		s.emit(sink, event.Event{
			Kind: event.ReplyLost, Who: event.Network, Request: r, Response: res.Response, Fault: m.Fault,
		})
		return
	case event.Slow:
		if delay == 0 {
			delay = SlowDelay
		}
	}
	s.push(item{at: s.now.Add(delay).Add(s.config.Latency), kind: replyArrives, request: r, response: res.Response})
}

func (s *State) answerScripted(r call.Request, m Mishap, sink Sink) {
	e := event.Event{
		Kind: event.RequestRefused, Who: event.Partner, Request: r, Response: m.Response, Total: s.partner.Total(),
		Fault: m.Fault, Decision: decision.Decision{Verdict: decision.Refuse, Reason: decision.Scripted},
	}
	if (call.Outcome{Response: m.Response}).Class() == call.Success {
		e.Kind, e.Decision.Verdict = event.RequestAnswered, decision.Return
	}
	e.Decision.Add(decision.Term{Name: decision.Script, Value: int64(m.Response.Status), Mark: decision.Decided})
	s.emit(sink, e)
	s.push(item{at: s.now.Add(m.Delay).Add(s.config.Latency), kind: replyArrives, request: r, response: m.Response})
}

// crash breaks the connection: the caller learns at once that no reply will come, and not whether the effect happened.
func (s *State) crash(r call.Request, f event.Fault, sink Sink) {
	s.emit(sink, event.Event{Kind: event.PartnerCrashed, Who: event.Partner, Request: r, Fault: f})
	s.push(item{at: s.now.Add(s.config.Latency), kind: connectionBreaks, request: r})
}

// report writes the events of what the partner did with a request.
func (s *State) report(r call.Request, res partner.Result, sink Sink) {
	e := event.Event{Who: event.Partner, Request: r, Response: res.Response, Total: res.Total}
	if res.Admission.Verdict != decision.NoVerdict {
		a := e
		a.Kind, a.Decision, a.Until = event.RequestAdmitted, res.Admission, res.PlaceOpens
		if res.Admission.Verdict == decision.Refuse {
			a.Kind, a.Until = event.RequestRefused, 0
		} else {
			a.Response = call.Response{}
		}
		s.emit(sink, a)
	}
	e.Decision = res.Answer
	switch res.Answer.Verdict {
	case decision.Apply:
		e.Kind, e.Delta = event.EffectApplied, res.Delta
	case decision.Replay:
		e.Kind = event.ReplyReplayed
	case decision.Return:
		e.Kind = event.RequestAnswered
	case decision.Refuse:
		e.Kind = event.RequestRefused
	default:
		return
	}
	s.emit(sink, e)
}
