package lab

import (
	"cmp"
	"slices"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/measure"
	"retrylab.example/core/partner"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
)

// Arrival is one request that arrived.
type Arrival struct {
	// At is when; earlier than Now counts as Now.
	At clock.Instant
	// Request holds what came over the wire; which client, call and attempt it is, the lab finds out.
	Request call.Request
	// Asked says that the request asked for a Fate of its own, in the place of the script's.
	Asked bool
	Fate  partner.Fate
}

// sweepEvery is how often what no decision depends on is forgotten.
const sweepEvery = 10 * time.Second

// Apply lets one request arrive. Everything due until then comes first.
func (l *Lab) Apply(a *Arrival, sink Sink) {
	l.Advance(a.At, sink)
	l.now = max(l.now, a.At)
	if l.now >= l.sweeps {
		l.partner, l.sweeps = l.partner.Sweep(l.now), l.now.Add(sweepEvery)
	}
	l.arrivals++
	r, fate := a.Request, l.fate(a)
	before := l.link(&r)
	if r.Attempt == 1 {
		l.tell(&event.Event{Kind: event.CallStarted, Who: event.Client, Request: r, Until: clock.Max}, sink)
	}
	l.tell(&event.Event{Kind: event.AttemptSent, Who: event.Client, Request: r, Until: clock.Max}, sink)
	if fate.Fault == event.LostRequest || fate.Fault == event.NeverSent {
		l.judge(before, &r)
		l.tell(&event.Event{Kind: event.RequestLost, Who: event.Network, Request: r, Fault: fate.Fault}, sink)
		l.cut(l.arrivals, &r, fate.Fault, sink)
		return
	}
	l.tell(&event.Event{Kind: event.RequestArrived, Who: event.Partner, Request: r}, sink)
	l.judge(before, &r)
	l.receive(&r, fate, sink)
}

// fate returns what befalls a request.
func (l *Lab) fate(a *Arrival) partner.Fate {
	if a.Asked {
		return a.Fate
	}
	if l.scripted < len(l.config.Script) {
		l.scripted++
		return l.config.Script[l.scripted-1]
	}
	if n := len(l.config.Script); n > 0 && l.config.RepeatLast {
		return l.config.Script[n-1]
	}
	return partner.Fate{}
}

// receive brings a request to the partner.
func (l *Lab) receive(r *call.Request, fate partner.Fate, sink Sink) {
	switch {
	case fate.Fault == event.Reply:
		e := l.partner.TellOrdered(*r, fate)
		l.tell(&e, sink)
		l.leave(l.arrivals, r, e.Response, fate, sink)
		return
	case fate.Fault == event.CrashBefore && !l.partner.MarksKeys():
		l.crash(l.arrivals, r, fate.Fault, sink)
		return
	}
	a := partner.Arrival{Request: *r, Fate: fate}
	if l.config.Partner.WorkTakes() {
		a.Draw = rng.Draw(l.config.Seed, r.Client, r.Call, r.Attempt, rng.Latency)
	}
	res := &l.result
	l.partner.Receive(l.now, &a, res)
	if quota := res.Quota(l.now); quota != "" {
		res.Response.Fields = quota
	}
	l.event = event.Event{}
	if res.TellAdmission(&l.event) {
		l.tell(&l.event, sink)
	}
	if res.Work.Job == 0 {
		l.answer(l.arrivals, res, sink)
		return
	}
	l.working = append(l.working, working{res.Work.Job, l.arrivals})
	l.work(&res.Work, &res.Place, sink)
}

// work tells of work that waits or runs, and calls for its end.
func (l *Lab) work(w *partner.Began, place *decision.Decision, sink Sink) {
	e := w.TellWork(place)
	l.tell(&e, sink)
	if !w.Queued {
		l.push(due{at: w.Ends, job: w.Job, request: w.Request})
	}
}

func (l *Lab) push(d due) {
	l.made++
	d.made = l.made
	i, _ := slices.BinarySearchFunc(l.due, d, func(a, b due) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.made, b.made))
	})
	l.due = slices.Insert(l.due, i, d)
}

// Advance lets come what is due until an instant.
func (l *Lab) Advance(to clock.Instant, sink Sink) {
	for len(l.due) > 0 && l.due[0].at <= to {
		d := l.due[0]
		l.due = slices.Delete(l.due, 0, 1)
		l.now = max(l.now, d.at)
		if d.job == 0 {
			l.arrives(&d.request, &d.response, sink)
			continue
		}
		var res partner.Result
		l.partner, res = l.partner.Complete(l.now, d.job)
		i := slices.IndexFunc(l.working, func(w working) bool { return w.job == d.job })
		arrival := l.working[i].arrival
		l.working = slices.Delete(l.working, i, i+1)
		l.answer(arrival, &res, sink)
		if res.Next.Job != 0 {
			l.work(&res.Next, &res.Place, sink)
		}
	}
}

// answer tells what a request led to, and lets befall the answer what is its fate.
func (l *Lab) answer(n int64, res *partner.Result, sink Sink) {
	l.event = event.Event{}
	if res.TellAnswer(&l.event) {
		l.tell(&l.event, sink)
	}
	r, f := &res.Request, res.Fate
	switch f.Fault {
	case event.CrashBefore, event.CrashBetween, event.CrashAfter:
		l.crash(n, r, f.Fault, sink)
	case event.LostReply:
		l.tell(&event.Event{
			Kind: event.ReplyLost, Who: event.Network, Request: *r, Response: res.Response, Fault: f.Fault,
		}, sink)
		l.cut(n, r, f.Fault, sink)
	default:
		l.leave(n, r, res.Response, f, sink)
	}
}

// crash breaks the connection.
func (l *Lab) crash(n int64, r *call.Request, f event.Fault, sink Sink) {
	l.tell(&event.Event{Kind: event.PartnerCrashed, Who: event.Partner, Request: *r, Fault: f}, sink)
	l.cut(n, r, f, sink)
}

// cut answers with nothing.
func (l *Lab) cut(n int64, r *call.Request, f event.Fault, sink Sink) {
	l.lost(r)
	sink.Answered(n, &Outcome{Leaves: l.now, Cut: Nothing, Fault: f})
}

// leave sends an answer off, now or when it was held back for long enough.
func (l *Lab) leave(n int64, r *call.Request, response call.Response, f partner.Fate, sink Sink) {
	o := Outcome{Response: response, Leaves: l.now.Add(f.Delay), Fault: f.Fault}
	if f.Fault == event.Slow && f.Delay == 0 {
		o.Leaves = l.now.Add(sim.SlowDelay)
	}
	if f.Fault == event.TruncatedReply {
		o.Cut = Truncated
		l.tell(&event.Event{
			Kind: event.ReplyTruncated, Who: event.Network, Request: *r, Response: response, Fault: f.Fault,
		}, sink)
		l.lost(r)
		sink.Answered(n, &o)
		return
	}
	sink.Answered(n, &o)
	if o.Leaves > l.now {
		l.push(due{at: o.Leaves, request: *r, response: response})
		return
	}
	l.arrives(r, &response, sink)
}

// arrives tells that an answer has left.
func (l *Lab) arrives(r *call.Request, response *call.Response, sink Sink) {
	l.tell(&event.Event{Kind: event.ReplyArrived, Who: event.Client, Request: *r, Response: *response}, sink)
	l.answered(r, response)
}

// tell numbers an event, counts it and shows it.
func (l *Lab) tell(e *event.Event, sink Sink) {
	l.seq++
	e.Seq, e.At = l.seq, l.now
	l.totals.Add(e, l.remember(e))
	sink.Event(e)
}

// remember returns what earlier events make of this one, and keeps it in mind.
func (l *Lab) remember(e *event.Event) (m measure.Memory) {
	if !measure.Counts(e) {
		return m
	}
	c := l.effort(&e.Request)
	if c == nil {
		return m
	}
	if e.Kind == event.EffectApplied {
		m.HadEffect, c.effects = c.effects > 0, c.effects+1
	}
	if e.Request.HasKey() {
		if i, known := l.keys[ledger.ScopeOf(e.Request)]; known {
			m.KeyCounts, l.keyed[i].counts = l.keyed[i].counts, true
		}
	}
	return m
}
