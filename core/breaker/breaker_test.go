package breaker

import (
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// slowBreaker keeps every result and every permit for ever and counts anew each time.
type slowBreaker struct {
	config     Config
	state      State
	generation int
	since      clock.Instant
	now        clock.Instant // never goes back
	results    []slowResult
	permits    []slowPermit
}

type slowResult struct {
	generation int
	at         clock.Instant
	failed     bool
}

type slowPermit struct {
	generation int
	until      clock.Instant
	returned   bool
	succeeded  bool
}

func (s *slowBreaker) enter(state State) {
	s.state, s.since, s.generation = state, s.now, s.generation+1
}

// running and proved count the probes of this generation.
func (s *slowBreaker) probes() (running, proved int) {
	for _, p := range s.permits {
		switch {
		case p.generation != s.generation:
		case p.succeeded:
			proved++
		case !p.returned && s.now < p.until:
			running++
		}
	}
	return running, proved
}

func (s *slowBreaker) admit(now clock.Instant) decision.Reason {
	s.now = max(s.now, now)
	if s.state == Open && s.now.Sub(s.since) >= s.config.Open {
		s.enter(HalfOpen)
	}
	until, reason := clock.Max, decision.CircuitClosed
	switch s.state {
	case Open:
		return decision.CircuitOpen
	case HalfOpen:
		if running, proved := s.probes(); running >= s.config.Probes || running+proved >= s.config.Successes {
			return decision.ProbesRunning
		}
		until, reason = s.now.Add(s.config.Lease), decision.ProbeAdmitted
	}
	s.permits = append(s.permits, slowPermit{generation: s.generation, until: until})
	return reason
}

// back takes permit i back if it still counts.
func (s *slowBreaker) back(now clock.Instant, i int) bool {
	s.now = max(s.now, now)
	p := &s.permits[i]
	if p.generation != s.generation || p.returned || s.now >= p.until {
		return false
	}
	p.returned = true
	return true
}

func (s *slowBreaker) record(now clock.Instant, i int, class call.Class) decision.Reason {
	if !s.back(now, i) {
		return decision.PermitStale
	}
	if s.config.Ignoring.Has(class) {
		return decision.ResultIgnored
	}
	failed := s.config.Failing.Has(class)
	if s.state == HalfOpen {
		if failed {
			s.enter(Open)
			return decision.ProbeFailed
		}
		s.permits[i].succeeded = true
		if _, proved := s.probes(); proved < s.config.Successes {
			return decision.ProbeSucceeded
		}
		s.enter(Closed)
		return decision.ProbesSucceeded
	}
	s.results = append(s.results, slowResult{s.generation, s.now, failed})
	if s.trips() {
		s.enter(Open)
		return decision.ThresholdReached
	}
	return decision.BelowThreshold
}

func (s *slowBreaker) trips() bool {
	var mine []slowResult
	for _, r := range s.results {
		length := s.config.Span / Slices
		gone := s.config.Window == Time &&
			floor(s.now, length)-floor(r.at, length) >= Slices
		if r.generation == s.generation && !gone {
			mine = append(mine, r)
		}
	}
	if s.config.Window == InARow {
		n := 0
		for i := len(mine) - 1; i >= 0 && mine[i].failed; i-- {
			n++
		}
		return n >= s.config.Failures
	}
	if s.config.Window == Count && len(mine) > s.config.Size {
		mine = mine[len(mine)-s.config.Size:]
	}
	failed := 0
	for _, r := range mine {
		if r.failed {
			failed++
		}
	}
	return len(mine) >= s.config.Minimum && failed*100/max(len(mine), 1) >= s.config.Percent
}

func floor(now clock.Instant, length time.Duration) int64 {
	n := int64(0)
	for at := clock.Start; at.Add(length) <= now; at = at.Add(length) {
		n++
	}
	return n
}

// configOf makes a setting of three bytes.
func configOf(window, size, more uint8) Config {
	c := Config{
		Open: 4 * time.Second, Probes: int(more%3) + 1, Lease: time.Duration(more%5+1) * time.Second,
		Ignoring: ClassesOf(call.Permanent),
	}
	c.Successes = c.Probes + int(more>>4)%3
	switch c.Window = Window(window % 3); c.Window {
	case InARow:
		c.Failures = int(size%5) + 1
	case Count:
		c.Size = int(size)%MaxSize + 1
		c.Minimum = min(c.Size, int(more>>2)%c.Size+1)
		c.Percent = int(more)%100 + 1
	case Time:
		c.Span = 10 * time.Second
		c.Minimum = int(size%6) + 1
		c.Percent = int(more)%100 + 1
	}
	return c
}

// drawn gives seeds to a twin beyond those that are written out: with them a plain test run goes as far as a short
// campaign of fuzzing.
func drawn(add func(a, b, c uint8, steps []byte)) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1500 {
		steps := make([]byte, 20+r.IntN(281))
		for i := range steps {
			steps[i] = byte(r.Uint32())
		}
		add(uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), steps)
	}
}

func FuzzBreaker(f *testing.F) {
	f.Add(uint8(0), uint8(1), uint8(0), []byte{0, 65, 0, 65, 48, 0, 64, 32, 0, 128, 1})
	f.Add(uint8(1), uint8(9), uint8(49), []byte{0, 65, 0, 65, 0, 64, 0, 65, 63, 0, 65, 0, 66, 0, 255, 67, 129})
	f.Add(uint8(1), uint8(70), uint8(99), []byte{0, 64, 0, 65, 0, 64, 0, 65, 0, 65, 0, 65})
	f.Add(uint8(2), uint8(2), uint8(23), []byte{0, 65, 30, 65, 63, 65, 63, 0, 62, 0, 65, 63, 0, 0, 64, 193, 2})
	drawn(func(a, b, c uint8, steps []byte) { f.Add(a, b, c, steps) })
	f.Fuzz(func(t *testing.T, window, size, more uint8, steps []byte) {
		if len(steps) > 300 {
			return
		}
		b, err := New(configOf(window, size, more))
		if err != nil {
			t.Fatal(err)
		}
		slow := slowBreaker{config: b.Config(), generation: 1}
		now := clock.Start
		var permits []Permit
		for i, x := range steps {
			before := b
			got, want := decision.NoReason, decision.NoReason
			var d decision.Decision
			switch n := int(x & 63); {
			case x < 64: // asks for a permit, a while later, or earlier
				now = max(now.Add(time.Duration(n%32)*200*time.Millisecond-time.Duration(n/60)*9*time.Second), 0)
				var p Permit
				if b, p, d = b.Admit(now); d.Verdict == decision.Admit {
					permits = append(permits, p)
				}
				got, want = d.Reason, slow.admit(now)
			case len(permits) == 0:
			case x < 192: // a result, of one of the latest permits or any
				k := len(permits) - 1 - n/4%min(len(permits), 4)
				if x >= 128 {
					k = n % len(permits)
				}
				if slow.permits[k].returned && slow.permits[k].until == clock.Max {
					continue // a permit of a closed circuit is returned once
				}
				class := [...]call.Class{call.Success, call.Transient, call.Unknown, call.Permanent}[n%4]
				b, d = b.Record(now, permits[k], class)
				got, want = d.Reason, slow.record(now, k, class)
			default:
				k := n % len(permits)
				if slow.permits[k].returned && slow.permits[k].until == clock.Max {
					continue
				}
				var ok bool
				b, ok = b.Cancel(now, permits[k])
				if ok != slow.back(now, k) {
					t.Fatalf("step %d: cancelled %t", i, ok)
				}
			}
			if got != want || b.state != slow.state || int(b.generation) != slow.generation {
				t.Fatalf("step %d at %d: got %s, %s, generation %d; want %s, %s, %d",
					i, now, got, b.state, b.generation, want, slow.state, slow.generation)
			}
			running, _ := slow.probes()
			if slow.state == HalfOpen && b.RunningProbes(now) != running {
				t.Fatalf("step %d: %d probes running, want %d", i, b.RunningProbes(now), running)
			}
			checkFlips(t, before, now, d)
		}
	})
}

// checkFlips: a refused call passes at the instant that its receipt names, if nothing else happens, and not one
// nanosecond before.
func checkFlips(t *testing.T, b Breaker, now clock.Instant, d decision.Decision) {
	t.Helper()
	if d.Verdict != decision.Refuse {
		return
	}
	at := clock.Instant(d.Flips()[0].Value)
	if _, _, early := b.Admit(at - 1); early.Verdict != decision.Refuse {
		t.Fatalf("refused at %d, told %d, admitted before", now, at)
	}
	if _, _, then := b.Admit(at); then.Reason != decision.ProbeAdmitted {
		t.Fatalf("refused at %d, told %d, then %s", now, at, then.Reason)
	}
	if waited := max(now, b.last).Add(d.Wait); waited != at {
		t.Fatalf("told %d, wait until %d", at, waited)
	}
}
