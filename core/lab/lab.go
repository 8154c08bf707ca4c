// Package lab is a partner that is asked over a real network, with what it has seen of its clients.
//
// A lab is a function of what it begins with and of the requests that arrived: the same arrivals give the same lab, the
// same events and the same report, byte for byte, on one machine, at the edge, and after a restart. Nothing in it waits.
// Work that takes time, and answers that are held back, end at instants that follow from the arrivals, so an end is no
// entry of its own: what is due comes before the next arrival, and Advance lets it come without one.
//
// The lab sees its own end of the wire only. A request counts as sent when it arrives, and an answer as arrived when it
// leaves. Which attempts belong to one call is inferred: a known key, else the same content after an answer that failed
// or got lost.
package lab

import (
	"errors"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/measure"
	"retrylab.example/core/partner"
	"retrylab.example/core/scenario"
)

// Config is what a lab begins with.
type Config struct {
	// Seed chooses the draws of times of work.
	Seed    uint64
	Partner partner.Config
	// Script is what befalls the first requests that ask for nothing themselves, in the order in which they arrive.
	Script []partner.Fate
	// RepeatLast makes the last element of the script befall every later one too.
	RepeatLast bool
}

// MaxWait is the longest time of work, and the longest delay, that a lab makes a caller wait for.
const MaxWait = time.Minute

// MaxWorking is how many requests may be under way at once: whoever calls Apply asks Busy before.
const MaxWorking = 1000

// ErrWait is returned for a partner that makes its callers wait for too long.
var ErrWait = errors.New("a lab lets nobody wait longer than 1 minute: shorten the work, or the delay in the script")

// Of returns what a lab begins with that is made from a scenario: its partner, script and seed. Who called and when, and
// how long messages took, is up to real clients and a real network.
func Of(s *scenario.Scenario) Config {
	c := Config{Seed: s.Seed, Partner: s.Partner, RepeatLast: s.RepeatLast}
	for _, m := range s.Script {
		c.Script = append(c.Script, partner.Fate(m))
	}
	return c
}

// Lab is the state of one lab. Use New. It changes in place.
type Lab struct {
	config   Config
	partner  partner.Partner
	now      clock.Instant
	sweeps   clock.Instant // when what no decision depends on is forgotten next
	arrivals int64
	scripted int
	seq      int
	made     uint64 // how many things ever became due
	due      []due  // by instant, then by number
	working  []working
	totals   measure.Totals
	clients  []client
	index    map[string]int // of clients by id; never ranged over
	keyed    []effort
	keys     map[ledger.Scope]int // of keyed; never ranged over

	event  event.Event    // the one that sinks are shown
	result partner.Result // of the latest arrival
}

// Sink takes what happens. The event is reused: a sink that keeps it copies it.
type Sink interface {
	Event(e *event.Event)
	// Answered tells how the request that arrived as the n-th, from 1 on, is to be answered.
	Answered(n int64, o *Outcome)
}

// Outcome is how one request is answered.
type Outcome struct {
	// Response has the fields RateLimit and RateLimit-Policy among its Fields.
	Response call.Response
	// Leaves is when it is to be sent, or the connection cut.
	Leaves clock.Instant
	Cut    Cut
	// Fault is what befell the request, NoFault if nothing did.
	Fault event.Fault
}

// Cut says how much of an answer is sent.
type Cut uint8

const (
	// Whole: all of it.
	Whole Cut = iota
	// Nothing: the connection breaks without an answer.
	Nothing
	// Truncated: the connection breaks in the middle of the body.
	Truncated
)

// working ties a job of the partner to the request that arrived as the n-th.
type working struct {
	job     uint64
	arrival int64
}

// due is something that happens at an instant by itself.
type due struct {
	at   clock.Instant
	made uint64
	// job is the work that ends; 0: an answer leaves.
	job      uint64
	request  call.Request
	response call.Response
}

// New returns a lab that nobody has asked yet.
func New(c Config) (*Lab, error) {
	p, err := partner.New(c.Partner)
	if err != nil {
		return nil, err
	}
	if tooLong(c.Partner.Work) {
		return nil, ErrWait
	}
	for _, w := range c.Partner.Paths {
		if tooLong(w.Work) {
			return nil, ErrWait
		}
	}
	for _, f := range c.Script {
		if f.Delay > MaxWait {
			return nil, ErrWait
		}
	}
	return &Lab{config: c, partner: p, index: map[string]int{}, keys: map[ledger.Scope]int{}}, nil
}

func tooLong(w partner.Work) bool {
	return w.Least > MaxWait || w.Most > MaxWait || w.PerBusy > MaxWait
}

// Now returns the latest instant that the lab knows of: an arrival counts as not earlier.
func (l *Lab) Now() clock.Instant { return l.now }

// Arrivals returns how many requests have arrived.
func (l *Lab) Arrivals() int64 { return l.arrivals }

// Seq returns the number of the last event.
func (l *Lab) Seq() int { return l.seq }

// Totals returns the totals so far.
func (l *Lab) Totals() measure.Totals { return l.totals }

// Clients returns the ids of the clients by index, in the order of their first requests.
func (l *Lab) Clients() []string {
	ids := make([]string, len(l.clients))
	for i := range l.clients {
		ids[i] = l.clients[i].id
	}
	return ids
}

// Busy reports whether so many requests are under way that no other should arrive.
func (l *Lab) Busy() bool { return len(l.working)+len(l.due) >= MaxWorking }

// Due returns when something happens by itself; ok is false if nothing does.
func (l *Lab) Due() (at clock.Instant, ok bool) {
	if len(l.due) == 0 {
		return 0, false
	}
	return l.due[0].at, true
}

// Check returns an error if the lab breaks an invariant that each step must keep.
func (l *Lab) Check() error {
	if len(l.working) != l.partner.Working() {
		return errors.New("a request under way is nobody's")
	}
	if l.totals.Actual != l.partner.Total() {
		return errors.New("the total that was counted is not the partner's")
	}
	return l.partner.Check()
}

// Valid reports whether the words of a request can have come over HTTP as a lab reads it: what else is asked is refused
// before it arrives.
func Valid(r *call.Request) bool {
	return (r.ClientID == "" || limit.ValidClientKey(r.ClientID)) && scenario.ValidMethod(r.Method) && len(r.Path) <= 200 &&
		scenario.Sendable(r.IfMatch) && len(r.Key) <= MaxKey
}

// MaxKey is the longest Idempotency-Key, in bytes.
const MaxKey = 255
