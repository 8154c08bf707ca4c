// Package sim is the simulated world: clients, a network and a partner on one queue of due items.
//
// A run is its configuration and its actions; the same two give the same events everywhere. At one instant arrivals
// come first, then time-outs and waits, then what a person does.
package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
)

// Config is everything that a run starts from.
type Config struct {
	// Seed chooses the random draws.
	Seed uint64
	// Latency is how long one message takes one way, ≥ 0.
	Latency time.Duration
	Partner partner.Config
	// Script is what befalls the first requests, in the order in which they are sent.
	Script []Mishap
	// RepeatLast makes the last element of the script befall every later request too.
	RepeatLast bool
	Clients    []Client
	// Pools are the bulkheads that clients may name.
	Pools []Pool
	// MaxEvents and MaxTime bound the run. 0 means the default.
	MaxEvents int
	MaxTime   time.Duration
}

// Default bounds: enough for every lesson, and a run of that length still takes a few milliseconds.
const (
	DefaultMaxEvents = 20_000
	DefaultMaxTime   = 30 * 24 * time.Hour
)

// Client is one caller.
type Client struct {
	// Name is its ClientID too.
	Name   string
	Policy retry.Policy
	// Oversleep is added to every wait, as a real timer may be late; the wait itself is reported as asked.
	Oversleep time.Duration
	// OnNotice is what the client sends when it is told that its turn on a waitlist has come; nil: it takes no notices.
	OnNotice *call.Request
	// Guards wrap its calls; nil: nothing does. The world does not change them, so clients may share them.
	Guards *Guards
}

// Mishap is what befalls one request.
type Mishap struct {
	Fault event.Fault
	// Response is the answer of a Reply.
	Response call.Response
	// Delay is how long the partner takes before it answers, ≥ 0.
	Delay time.Duration
}

// SlowDelay is how long a slow partner takes where the mishap gives no delay.
const SlowDelay = 6 * time.Second

// Action is what is done to a world in one step.
type Action struct {
	Kind ActionKind
	// To is the instant of an Advance.
	To clock.Instant
	// Client is the index of the caller of a Fire, SetPolicy or SetGuards.
	Client int
	// Request is what a Fire sends: Method, Path, Key, Keyed, Amount, Slot and ClientID count. Without a ClientID it goes
	// out under the client's name.
	Request call.Request
	// Times is how many calls a Fire starts, one after the other; 0 is one.
	Times int
	// Mishap is what an Inject orders for the next request.
	Mishap Mishap
	// Policy is what a SetPolicy sets.
	Policy retry.Policy
	// Guards is what a SetGuards sets, nil for none.
	Guards *Guards
	// Limit is what a SetLimit asks for.
	Limit limit.Setting
}

// ActionKind is the kind of an action.
type ActionKind uint8

const (
	// Next handles the one item that is due next, and moves the clock to it. Nothing due: nothing happens.
	Next ActionKind = iota
	// Advance handles everything due until To, and moves the clock there. An instant in the past moves nothing.
	Advance
	// Fire starts a call. Everything due at this instant comes first.
	Fire
	// Inject orders a mishap for the next request that is sent, before the script.
	Inject
	// SetPolicy changes a client's policy; a running call keeps its deadline.
	SetPolicy
	// SetGuards replaces what wraps a client's calls. The new breaker is closed and the new bucket full. Calls under way
	// keep what they hold: a place in the pool that they are in, and a permit of the breaker that is gone, which means
	// nothing to the new one. Their next attempts pass the new guards. Guards with which New gives an error change nothing.
	SetGuards
	// SetLimit asks the partner for another setting of its sliding log, which it may refuse.
	SetLimit
)

// Sink takes the events of a run. The event is reused: a sink that keeps it copies it.
type Sink interface{ Event(e *event.Event) }

// Brief is a sink that may do without flips: what it would have taken for a retry to be decided otherwise. To find them
// is most of the work on a receipt. While Brief returns true they are not looked for; nothing else differs.
type Brief interface {
	Sink
	Brief() bool
}

// State is a world at one instant. Use New. Step may reuse the storage of its argument, as append does; Clone before
// keeping two versions.
type State struct {
	config   Config
	now      clock.Instant
	queue    queue
	seq      int // of the last event
	made     int // items ever queued
	partner  partner.Partner
	clients  []client
	pools    []pool
	vacated  []vacated // places to give on; empty between steps
	injected []Mishap
	scripted int // how many script elements were used
	stopped  bool
	scratch  *event.Event    // the one that sinks are shown, so that an event costs no allocation
	result   *partner.Result // of the latest arrival; nothing outlives its step
}

type client struct {
	*Client               // its setting, which no step changes
	policy  *retry.Policy // what it goes by now; a changed policy is another one
	over    int           // how many of its first calls have ended and are forgotten
	calls   []callState   // those after them
	budget  budget.State  // what the retries of its calls share
	guards  *guards
}

type callState struct {
	request  call.Request // the current attempt
	deadline clock.Instant
	phase    phase
	local    time.Duration // the last local wait, 0 before the first
	renewed  int           // attempts made when a pushback let the backoff begin anew
	held     budget.Hold   // what the current attempt has taken from the client's budget
}

type phase uint8

const (
	inFlight phase = iota
	waiting
	ended
	queued // in its bulkhead
	held   // by its limiter
)

// New returns the world before anything happened.
func New(c Config) (State, error) {
	if len(c.Clients) == 0 {
		return State{}, errors.New("a world needs at least one client")
	}
	if c.MaxEvents == 0 {
		c.MaxEvents = DefaultMaxEvents
	}
	if c.MaxTime == 0 {
		c.MaxTime = DefaultMaxTime
	}
	p, err := partner.New(c.Partner)
	if err != nil {
		return State{}, err
	}
	s := State{config: c, partner: p, scratch: new(event.Event), result: new(partner.Result)}
	if s.pools, err = newPools(c.Pools); err != nil {
		return State{}, err
	}
	s.config.Clients = slices.Clone(c.Clients)
	for i := range s.config.Clients {
		cl := &s.config.Clients[i]
		g, err := newGuards(cl.Guards, len(c.Pools))
		if err != nil {
			return State{}, fmt.Errorf("client %s: %w", cl.Name, err)
		}
		s.clients = append(s.clients, client{Client: cl, policy: &cl.Policy, guards: g})
	}
	return s, nil
}

// Clone returns a copy that shares no storage that Step changes.
func (s State) Clone() State {
	s.scratch, s.result = new(event.Event), new(partner.Result)
	s.queue = s.queue.clone()
	s.partner = s.partner.Clone()
	s.injected = append([]Mishap(nil), s.injected...)
	s.pools, s.vacated = clonePools(s.pools), nil
	clients := make([]client, len(s.clients))
	for i, c := range s.clients {
		c.calls = append([]callState(nil), c.calls...)
		c.guards = c.guards.clone()
		clients[i] = c
	}
	s.clients = clients
	return s
}

// Now returns the instant that the clock shows.
func (s State) Now() clock.Instant { return s.now }

// Due returns the instant of the next due item; ok is false if nothing is due.
func (s State) Due() (at clock.Instant, ok bool) {
	if s.stopped || s.queue.len() == 0 {
		return 0, false
	}
	return s.queue.heap[0].at, true
}

// Stopped reports whether the run reached its bound of events or time; nothing happens any more.
func (s State) Stopped() bool { return s.stopped }

// Total returns the partner's actual total.
func (s State) Total() int64 { return s.partner.Total() }
