package sim

import (
	"cmp"

	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/partner"
	"retrylab.example/core/rng"
)

// arrive brings a request to the partner, with what befalls it there and on the way back.
func (s *State) arrive(it *item, sink Sink) {
	r := &it.request
	s.begin(event.RequestArrived, event.Partner, r)
	s.show(sink)
	switch fault := it.mishap.Fault; {
	case fault == event.Reply:
		s.answerScripted(*r, it.mishap, sink)
		return
	case fault == event.CrashBefore && !s.partner.MarksKeys():
		s.crash(*r, fault, sink)
		return
	}
	a := partner.Arrival{Request: *r, Fate: partner.Fate(it.mishap), Listens: s.clients[r.Client].OnNotice != nil}
	if s.config.Partner.WorkTakes() {
		a.Draw = rng.Draw(s.config.Seed, r.Client, r.Call, r.Attempt, rng.Latency)
	}
	res := s.result
	s.partner.Receive(s.now, &a, res)
	s.reportAdmission(res, sink)
	if res.Work.Job == 0 {
		s.leave(res, sink)
		return
	}
	s.work(&res.Work, &res.Place, sink)
}

// work reports work that waits or runs, and calls for its end.
func (s *State) work(w *partner.Began, place *decision.Decision, sink Sink) {
	s.emit(sink, w.TellWork(place))
	if !w.Queued {
		s.push(w.Ends, arrival, workEnds, &w.Request).job = w.Job
	}
}

// workDone ends the work on a request, and begins that on the one that waited for its place.
func (s *State) workDone(it *item, sink Sink) {
	var res partner.Result
	s.partner, res = s.partner.Complete(s.now, it.job)
	s.leave(&res, sink)
	if res.Next.Job != 0 {
		s.work(&res.Next, &res.Place, sink)
	}
}

// leave reports the answer to a request, and lets befall it what is its fate.
func (s *State) leave(res *partner.Result, sink Sink) {
	r, m := &res.Request, &res.Fate
	s.reportAnswer(res, sink)
	for i := range res.Notices {
		s.push(s.now.Add(s.config.Latency), arrival, noticeArrives, &res.Notices[i])
	}
	kind, delay := replyArrives, m.Delay
	switch m.Fault {
	case event.CrashBefore, event.CrashBetween, event.CrashAfter:
		s.crash(*r, m.Fault, sink)
		return
	case event.LostReply:
		s.emit(sink, event.Event{
			Kind: event.ReplyLost, Who: event.Network, Request: *r, Response: res.Response, Fault: m.Fault,
		})
		return
	case event.TruncatedReply:
		s.emit(sink, event.Event{
			Kind: event.ReplyTruncated, Who: event.Network, Request: *r, Response: res.Response, Fault: m.Fault,
		})
		kind = replyBreaksOff
	case event.Slow:
		delay = cmp.Or(delay, SlowDelay)
	}
	s.push(s.now.Add(delay).Add(s.config.Latency), arrival, kind, r).response = res.Response
}

// notice brings a notification to a client, which acts on it.
func (s *State) notice(it *item, sink Sink) {
	s.begin(event.Notified, event.Client, &it.request)
	s.show(sink)
	client := it.request.Client
	s.fire(Action{Client: client, Request: *s.clients[client].OnNotice}, sink)
}

func (s *State) answerScripted(r call.Request, m Mishap, sink Sink) {
	e := s.partner.TellOrdered(r, partner.Fate(m))
	s.emit(sink, e)
	s.push(s.now.Add(m.Delay).Add(s.config.Latency), arrival, replyArrives, &r).response = e.Response
}

// crash breaks the connection: the caller learns at once that no reply will come, and not whether the effect happened.
func (s *State) crash(r call.Request, f event.Fault, sink Sink) {
	s.emit(sink, event.Event{Kind: event.PartnerCrashed, Who: event.Partner, Request: r, Fault: f})
	s.push(s.now.Add(s.config.Latency), arrival, connectionBreaks, &r)
}

// reportAdmission writes what the partner's limiter decided.
func (s *State) reportAdmission(res *partner.Result, sink Sink) {
	if res.TellAdmission(s.begin(0, event.Partner, &res.Request)) {
		s.show(sink)
	}
}

// reportAnswer writes what the request led to.
func (s *State) reportAnswer(res *partner.Result, sink Sink) {
	if res.TellAnswer(s.begin(0, event.Partner, &res.Request)) {
		s.show(sink)
	}
}
