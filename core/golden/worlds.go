package golden

import (
	"strconv"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/sim"
)

// everyFault strikes requests with and without a key with each fault that needs no setting, and sends what the partner refuses.
func everyFault() []event.Event {
	p := world(sim.Config{Latency: 70 * ms, Clients: []sim.Client{{Name: "app", Policy: patient(3)}}})
	faults := []event.Fault{event.Reply, event.Slow, event.LostRequest, event.LostReply, event.CrashBefore, event.CrashAfter}
	for i, f := range faults {
		for _, key := range []string{"", "k-" + strconv.Itoa(i), "한글 \"k\"\\"} {
			m := sim.Mishap{Fault: f}
			if f == event.Reply {
				m.Response = call.Response{Status: 503, RetryAfter: "2", HasRetryAfter: true}
			}
			p.inject(m)
			p.fire(0, add(key, 7))
			p.advance(10 * time.Second)
		}
	}
	for _, r := range []call.Request{
		add("", 0), add("", partner.MaxAmount), add("", partner.MaxAmount+1), {Method: "OPTIONS", Path: "*"},
		{Method: "put", Path: "/total", Amount: 3}, {Method: "DELETE", Path: "/total", Key: " ", Keyed: true},
	} {
		p.fire(0, r)
		p.advance(time.Second)
	}
	return p.keep.Events
}

// timeouts meets replies just before, at and after the end of their timeouts, cut to the deadline and not.
func timeouts() []event.Event {
	loose := patient(4)
	loose.Deadline, loose.Jitter = 3*time.Second, backoff.Full
	cut := loose
	cut.CutTimeout = true
	fresh := cut
	fresh.FreshDeadline = true
	c := sim.Config{Seed: 3, Latency: 100 * ms, Clients: []sim.Client{
		{Name: "loose", Policy: loose}, {Name: "cut", Policy: cut, Oversleep: ms}, {Name: "fresh", Policy: fresh},
	}}
	for _, delay := range []time.Duration{0, 799 * ms, 800*ms - 1, 800 * ms, 800*ms + 1, 801 * ms, 3 * time.Second} {
		c.Script = append(c.Script, sim.Mishap{Delay: delay}, sim.Mishap{Fault: event.Slow, Delay: delay})
	}
	p := world(c)
	for n := range 8 {
		for i := range c.Clients {
			p.fire(i, add("key-"+strconv.Itoa(n/2), int64(n)))
		}
		p.advance(1300 * ms)
	}
	p.advance(time.Minute)
	return p.keep.Events
}

// people steps by hand, orders faults and changes policies while calls are under way, until the run's bound stops it.
func people() []event.Event {
	c := sim.Config{Seed: 11, MaxEvents: 400, MaxTime: time.Hour, Partner: partner.Config{IgnoreKeys: true}}
	c.Clients = []sim.Client{{Name: "a", Policy: patient(5)}, {Name: "b", Policy: budgeted(4*time.Second, 5)}}
	p := world(c)
	for n := range 60 {
		switch n % 6 {
		case 1:
			p.inject(sim.Mishap{Fault: event.Fault(n%5 + 2), Delay: time.Duration(n) * ms})
		case 3:
			policy := budgeted(time.Duration(n)*100*ms, 1+n%7)
			policy.Jitter = backoff.Jitter(n / 6 % 4)
			p.do(sim.Action{Kind: sim.SetPolicy, Client: n / 6 % 2, Policy: policy})
		case 5:
			p.advance(time.Duration(n*n) * ms)
		default:
			p.fire(n/3%2, add("k"+strconv.Itoa(n%4), int64(1+n)))
		}
		for range n % 4 {
			p.do(sim.Action{Kind: sim.Next})
		}
	}
	p.advance(2 * time.Hour)
	return p.keep.Events
}

// fleet is many clients under one limit each, with draws, for some ten thousand events.
func fleet() []event.Event {
	c := sim.Config{
		Seed: 42, Latency: 17 * ms, Partner: partner.Config{Limit: limit.Config{Limit: 3, Window: time.Second}},
	}
	for i := range 20 {
		policy := budgeted(8*time.Second, 4)
		policy.Jitter = backoff.Full
		c.Clients = append(c.Clients, sim.Client{Name: "client-" + strconv.Itoa(i), Policy: policy})
	}
	p := world(c)
	for n := range 40 {
		for i := range c.Clients {
			if (i+n)%3 == 0 {
				p.inject(reply(503, "", time.Duration(i)*ms))
			}
			p.fire(i, add("order-"+strconv.Itoa(n/2), int64(1+i)))
		}
		p.advance(150 * ms)
	}
	p.advance(time.Minute)
	return p.keep.Events
}
