// Package breaker holds the circuit breaker: it stops calls to a partner that fails, and lets a few probes find out
// whether it works again.
//
//	closed ── a result reaches the threshold ──▶ open ── long enough ──▶ half-open ── enough probes succeed ──▶ closed
//	                                              ▲────────── a probe fails ─────────────┘
//
// Every admitted call carries a Permit and brings it back with its result. Each state that the circuit enters is a new
// generation, and a permit counts in its own only: a success of a call that was admitted before the circuit opened does
// not close it. A probe has its place on lease, so that a lost result cannot keep the circuit half-open for ever.
package breaker

import (
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// State is what a circuit does with calls.
type State uint8

const (
	// Closed: calls pass, and their results are counted.
	Closed State = iota
	// Open: calls are refused.
	Open
	// HalfOpen: a few calls pass as probes.
	HalfOpen
)

var stateNames = [...]string{"closed", "open", "half-open"}

// String returns the kebab-case name.
func (s State) String() string { return stateNames[s] }

// Breaker is the state of one circuit. It holds no pointer: a copy is a breaker of its own and needs no Clone. Whether
// several callers share a circuit is a matter of who holds the value.
//
// "Long enough" and "lease over" mean ≥. A clock that is set back does nothing: the latest instant seen goes on to
// count as now.
//
// The zero value has no threshold and is always closed.
type Breaker struct {
	config     Config
	state      State
	generation int64
	since      clock.Instant // when this generation began
	last       clock.Instant // the latest instant seen
	tally      tally
	probes     probes
}

// probes are those of one half-open generation.
type probes struct {
	issued    int64
	succeeded int
	running   [MaxProbes]probe
}

// probe is a place of a running probe; serial 0 is a free one.
type probe struct {
	serial int64
	until  clock.Instant
}

// Permit is the right to make one call. It is returned once, by Record or Cancel. The zero value is none.
type Permit struct {
	generation int64
	place      int
	serial     int64
	until      clock.Instant
}

// Generation returns the generation that issued the permit, 0 for none.
func (p Permit) Generation() int64 { return p.generation }

// Until returns the instant at which the lease of a probe is over. A permit of a closed circuit has none, because it
// keeps nobody else out: for it, clock.Max.
func (p Permit) Until() clock.Instant { return p.until }

// New returns a closed breaker that knows no result.
func New(c Config) (Breaker, error) {
	c, err := c.filled()
	if err != nil {
		return Breaker{}, err
	}
	return Breaker{config: c, generation: 1, last: clock.Min}, nil
}

// After returns the breaker with its generations counted on after so many of earlier breakers in its place, so that their
// permits count for nothing here. A zero breaker stays as it is.
func (b Breaker) After(generations int64) Breaker {
	if b.generation > 0 {
		b.generation += generations
	}
	return b
}

// Config returns the setting with its defaults filled in.
func (b Breaker) Config() Config { return b.config }

// State returns what the circuit would do with a call at the instant now: an open one that has been so for long enough
// is half-open.
func (b Breaker) State(now clock.Instant) State {
	if b.state == Open && max(now, b.last) >= b.halfOpens() {
		return HalfOpen
	}
	return b.state
}

// Generation counts the states that the circuit has entered, from 1.
func (b Breaker) Generation() int64 { return b.generation }

// HalfOpens returns the instant from which an open circuit lets probes pass, and false if it is not open.
func (b Breaker) HalfOpens() (clock.Instant, bool) { return b.halfOpens(), b.state == Open }

// RunningProbes returns how many probes hold a place at the instant now.
func (b Breaker) RunningProbes(now clock.Instant) int {
	running, _, _ := b.probes.look(max(now, b.last))
	return running
}

func (b *Breaker) halfOpens() clock.Instant { return b.since.Add(b.config.Open) }

// enter begins a generation.
func (b *Breaker) enter(s State) {
	b.state, b.since = s, b.last
	b.generation++
	b.tally, b.probes = tally{}, probes{}
}

// look returns how many probes are running, a free place (−1 if there is none), and the lease that is over first.
func (p *probes) look(now clock.Instant) (running, free int, first clock.Instant) {
	free, first = -1, clock.Max
	for i := range p.running {
		if r := &p.running[i]; r.serial != 0 && now < r.until {
			running++
			first = min(first, r.until)
		} else if free < 0 {
			free = i
		}
	}
	return running, free, first
}

// Try admits or refuses one call at the instant now, without a receipt. The permit of an admitted call has to come back
// by Record or Cancel.
func (b Breaker) Try(now clock.Instant) (Breaker, Permit, decision.Reason) {
	p, reason := b.admit(now)
	return b, p, reason
}

func (b *Breaker) admit(now clock.Instant) (Permit, decision.Reason) {
	if b.generation == 0 {
		return Permit{}, decision.CircuitClosed
	}
	b.last = max(b.last, now)
	if b.state == Closed {
		return Permit{generation: b.generation, until: clock.Max}, decision.CircuitClosed
	}
	if b.state == Open {
		if b.last < b.halfOpens() {
			return Permit{}, decision.CircuitOpen
		}
		b.enter(HalfOpen)
	}
	running, free, _ := b.probes.look(b.last)
	if running >= b.config.Probes || running+b.probes.succeeded >= b.config.Successes {
		return Permit{}, decision.ProbesRunning
	}
	b.probes.issued++
	p := Permit{b.generation, free, b.probes.issued, b.last.Add(b.config.Lease)}
	b.probes.running[free] = probe{p.serial, p.until}
	return p, decision.ProbeAdmitted
}

// Admit admits or refuses one call at the instant now. A refusal's Wait is how long the same call has to wait at most:
// until the circuit has been open for long enough, or the first lease is over.
func (b Breaker) Admit(now clock.Instant) (next Breaker, p Permit, d decision.Decision) {
	p, reason := b.admit(now)
	d.Verdict = decision.Admit
	if b.generation == 0 {
		return b, p, d
	}
	d.Reason = reason
	b.explainCircuit(&d)
	switch reason {
	case decision.CircuitClosed:
		b.refresh()
		b.tally.explain(&b.config, &d)
	case decision.CircuitOpen:
		d.Verdict = decision.Refuse
		b.explainOpen(&d)
	case decision.ProbeAdmitted:
		b.explainProbes(&d)
		d.Add(decision.Term{Name: decision.Lease, Value: int64(p.until)})
		d.AddFlip(decision.Flip{
			Name: decision.Probes, Bound: decision.AtLeast, Value: int64(min(b.config.Probes, b.config.Successes-b.probes.succeeded)),
			Verdict: decision.Refuse, Reason: decision.ProbesRunning,
		})
	case decision.ProbesRunning:
		d.Verdict = decision.Refuse
		b.explainRunning(&d)
	}
	return b, p, d
}

// refresh drops what has left a time window, so that a receipt shows what counts now.
func (b *Breaker) refresh() {
	if b.config.Window == Time {
		b.tally.forget(&b.config, b.last)
	}
}

// result sorts an outcome: whether it counts, and whether as a failure.
func (c *Config) result(class call.Class) (counts, failed bool) {
	return !c.Ignoring.Has(class), c.Failing.Has(class)
}

// fresh reports whether a permit still counts.
func (b *Breaker) fresh(p Permit) bool {
	if p.generation != b.generation || b.generation == 0 {
		return false
	}
	if b.state != HalfOpen {
		return true
	}
	r := b.probes.running[p.place]
	return r.serial == p.serial && b.last < r.until
}

// Note takes back a permit with the outcome of its call, without a receipt. A permit that does not count any more
// changes nothing. Return a permit once: a closed circuit gives out any number of them and does not tell them apart.
func (b Breaker) Note(now clock.Instant, p Permit, class call.Class) (Breaker, decision.Reason) {
	reason := b.note(now, p, class)
	return b, reason
}

func (b *Breaker) note(now clock.Instant, p Permit, class call.Class) decision.Reason {
	if b.generation == 0 {
		return decision.BelowThreshold
	}
	b.last = max(b.last, now)
	if !b.fresh(p) {
		return decision.PermitStale
	}
	counts, failed := b.config.result(class)
	if b.state == HalfOpen {
		b.probes.running[p.place] = probe{}
	}
	switch {
	case !counts:
		return decision.ResultIgnored
	case b.state == HalfOpen:
		return b.noteProbe(failed)
	}
	b.tally.count(&b.config, b.last, failed)
	if b.tally.reached(&b.config) {
		b.enter(Open)
		return decision.ThresholdReached
	}
	return decision.BelowThreshold
}

func (b *Breaker) noteProbe(failed bool) decision.Reason {
	if failed {
		b.enter(Open)
		return decision.ProbeFailed
	}
	b.probes.succeeded++
	if b.probes.succeeded < b.config.Successes {
		return decision.ProbeSucceeded
	}
	b.enter(Closed)
	return decision.ProbesSucceeded
}

// Record takes back a permit with the outcome of its call. Its receipt shows the results as they were judged, this one
// among them.
func (b Breaker) Record(now clock.Instant, p Permit, class call.Class) (next Breaker, d decision.Decision) {
	next = b
	d.Verdict, d.Reason = decision.Keep, next.note(now, p, class)
	if b.generation == 0 {
		return b, d
	}
	switch d.Reason {
	case decision.ThresholdReached, decision.ProbeFailed:
		d.Verdict = decision.Trip
		d.Wait = next.config.Open
	case decision.ProbesSucceeded:
		d.Verdict = decision.Close
	}
	b.last = next.last
	b.explainRecord(&d, p, class)
	return next, d
}

// Cancel takes back the permit of a call that has no outcome, because it was never sent or its caller went away. ok says
// that the permit still counted.
func (b Breaker) Cancel(now clock.Instant, p Permit) (next Breaker, ok bool) {
	if b.generation == 0 {
		return b, true
	}
	b.last = max(b.last, now)
	if !b.fresh(p) {
		return b, false
	}
	if b.state == HalfOpen {
		b.probes.running[p.place] = probe{}
	}
	return b, true
}
