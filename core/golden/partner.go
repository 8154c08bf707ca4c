package golden

import (
	"strconv"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/sim"
)

// leases goes through keys in flight, leases that run out, errors that are saved or not, and records that are lost.
func leases() []event.Event {
	var all []event.Event
	for _, c := range []partner.Config{
		{Ledger: ledger.Config{Lease: 5 * time.Second}, RequireKeys: true},
		{Ledger: ledger.Config{Lease: 5 * time.Second, Errors: ledger.Not5xx}, Work: partner.Work{Least: 300 * ms}},
		{Ledger: ledger.Config{Errors: ledger.NoErrors}, Work: partner.Work{Least: 1200 * ms}, SplitRecord: true},
	} {
		policy := patient(5)
		policy.Failures = append(policy.Failures, call.Garbled)
		policy.Statuses = append(policy.Statuses, 409, 500)
		p := world(sim.Config{Latency: 50 * ms, Partner: c, Clients: []sim.Client{{Name: "app", Policy: policy}}})
		for i, f := range event.Faults()[:event.Fail] { // those that the partner has a part in
			for _, key := range []string{"", "k-" + strconv.Itoa(i)} {
				m := sim.Mishap{Fault: f}
				if f == event.Fail || f == event.Reply {
					m.Response = call.Response{Status: 500, Body: call.Body{Code: "internal_error"}}
				}
				p.inject(m)
				p.fire(0, add(key, 7))
				p.advance(400 * ms)
				p.fire(0, add(key, int64(7+i%2)))
				p.advance(20 * time.Second)
			}
		}
		all = append(all, p.keep.Events...)
	}
	return all
}

// reservations goes through contract E's routes: conflicts, cancellations, the same key for another slot.
func reservations() []event.Event {
	policy := patient(3)
	policy.Jitter = backoff.Full
	p := world(sim.Config{
		Seed: 5, Latency: 20 * ms, Partner: partner.Config{Slots: partner.Slots{Count: 2, Places: 3}},
		Clients: []sim.Client{{Name: "a", Policy: policy}, {Name: "b", Policy: policy}},
	})
	ask := func(client int, method, path, key string, amount, slot int64) {
		p.fire(client, call.Request{
			Method: method, Path: path, Key: key, Keyed: key != "", Amount: amount, Slot: slot,
		})
		p.advance(10 * time.Second)
	}
	p.inject(sim.Mishap{Fault: event.LostReply})
	ask(0, "POST", "/reservations", "r-1", 2, 1)
	ask(0, "POST", "/reservations", "r-1", 2, 2)
	ask(1, "POST", "/reservations", "r-1", 2, 1)
	ask(1, "POST", "/reservations", "", 1, 1)
	ask(1, "POST", "/reservations", "r-2", 1, 3)
	ask(1, "POST", "/estimate", "", 1, 1)
	ask(1, "POST", "/waitlist", "w-1", 1, 1)
	ask(1, "DELETE", "/reservations/1", "", 0, 0)
	p.inject(sim.Mishap{Fault: event.LostReply})
	ask(0, "DELETE", "/reservations/1", "", 0, 0)
	ask(1, "POST", "/reservations", "r-1", 2, 1)
	ask(1, "POST", "/reservations", "r-3", 2, 1)
	for _, path := range []string{"/reservations", "/reservations/3", "/reservations/9", "/reservations/03"} {
		ask(1, "GET", path, "", 0, 0)
	}
	return p.keep.Events
}

// busyPartner goes through work of every kind of time, with and without room, under each limiter.
func busyPartner() []event.Event {
	var all []event.Event
	for i, c := range []partner.Config{
		{Work: partner.Work{Least: 200 * ms}, Capacity: bulkhead.Config{Running: 1, Queue: 2}},
		{Work: partner.Work{Least: 50 * ms, Most: 450 * ms}, Fixed: limit.FixedConfig{Limit: 2, Period: time.Second}},
		{Work: partner.Work{Least: 10 * ms, PerBusy: 90 * ms}, Capacity: bulkhead.Config{Running: 3}},
		{Work: partner.Work{Most: time.Second}, Bucket: limit.BucketConfig{Capacity: 2, Period: time.Second, Mode: limit.Continuous}},
		{Work: partner.Work{Least: 333 * ms}, GCRA: limit.GCRAConfig{Limit: 3, Period: time.Second}},
		{Work: partner.Work{Least: 700 * ms}, Concurrency: limit.ConcurrencyConfig{Limit: 1}},
	} {
		conf := sim.Config{Seed: uint64(i), Latency: 7 * ms, Partner: c}
		for k := range 4 {
			conf.Clients = append(conf.Clients, sim.Client{Name: "client-" + strconv.Itoa(k), Policy: patient(4)})
		}
		p := world(conf)
		for n := range 6 {
			for k := range conf.Clients {
				if n%3 == 1 {
					p.fire(k, call.Request{Method: "GET", Path: "/rate"})
				} else {
					p.fire(k, add("key-"+strconv.Itoa(n/2), int64(1+k)))
				}
			}
			p.advance(400 * ms)
		}
		p.advance(time.Minute)
		all = append(all, p.keep.Events...)
	}
	return all
}
