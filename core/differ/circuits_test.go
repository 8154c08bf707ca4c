package differ

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/sony/gobreaker/v2"

	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// circuit is a step after which two breakers differ.
type circuit struct {
	config breaker.Config
	// step is what was done: a call began, one ended with this class, or time passed.
	step  string
	class call.Class
	// age is how long our circuit had been in its state, and held how long the call had run.
	age, held time.Duration
	// Before the step: the states, our generation and that of the call that ended.
	theirsBefore, oursBefore breaker.State
	generation, permit       int64
	// After it.
	theirs, ours     breaker.State
	theyPass, wePass bool // of a call that began
	reason           decision.Reason
	before, after    counts
}

// counts are what they have counted, where they tell.
type counts struct{ known, failures, successes uint }

const (
	begins = "a call begins"
	ends   = "a call ends"
	waits  = "time passes"
)

// intendedCircuits are the differences of the breakers.
var intendedCircuits = []difference{
	{
		failsafeCB, "the failures are judged before the window is full",
		"a share of a window is judged once Minimum results are known (breaker.Config)",
		func(c circuit) bool {
			n := c.after
			return c.step == ends && c.config.Window == breaker.Count && c.theirs == breaker.Open && c.ours == breaker.Closed &&
				n.known < uint(c.config.Size) && n.failures*100 >= uint(c.config.Percent*c.config.Size)
		},
	},
	{
		failsafeCB, "the failure rate is rounded to whole percents before it is compared",
		"failures · 100 / results ≥ Percent, exactly: 1 of 8 is less than 13 % (resilience A.3)",
		func(c circuit) bool {
			n, percent := c.after, uint(c.config.Percent)
			return c.step == ends && c.config.Window == breaker.Time && c.theirs == breaker.Open && c.ours == breaker.Closed &&
				n.failures*100 < percent*n.known && n.failures*100+n.known/2+1 >= percent*n.known
		},
	},
	{
		failsafeCB, "the result of a call that began in an earlier state counts, and gives back a place that it did not hold",
		"a permit counts in the generation that issued it: rule 9 (resilience A.7)",
		func(c circuit) bool {
			return c.step == ends && c.reason == decision.PermitStale && c.permit != c.generation && c.theirsBefore != breaker.Open
		},
	},
	{
		failsafeCB, "a probe that succeeded makes room for one more than is needed",
		"probes that run and that succeeded are together no more than must succeed, as in gobreaker (breaker.Config)",
		func(c circuit) bool {
			return c.step == begins && c.theyPass && !c.wePass && c.reason == decision.ProbesRunning &&
				c.theirsBefore == breaker.HalfOpen && c.before.successes > 0
		},
	},
	{failsafeCB, lostProbe, whyLease, leased},
	{gobreakerV2, lostProbe, whyLease, leased},
	{
		gobreakerV2, "an open circuit lets a probe pass only after its timeout, not at it",
		"at exactly that age one passes (breaker.Config), as deadlines are tested with ≥: rule 7",
		func(c circuit) bool {
			return c.oursBefore != breaker.Closed && c.age == c.config.Open && c.theirs == breaker.Open &&
				(c.step == begins && c.wePass && !c.theyPass || c.step != begins && c.ours == breaker.HalfOpen)
		},
	},
	{
		gobreakerV2, "only a failure is judged: a success opens nothing, though it completes the minimum or older ones have left",
		"each result is judged when it is known (breaker.Config), as in resilience4j (resilience A.3)",
		func(c circuit) bool {
			n := c.after
			return c.step == ends && c.class == call.Success && c.theirs == breaker.Closed && c.ours == breaker.Open &&
				n.known >= uint(c.config.Minimum) && n.failures*100 >= uint(c.config.Percent)*n.known
		},
	},
}

const (
	lostProbe = "a probe without a result keeps its place for ever"
	whyLease  = "a probe has its place on lease, so that a lost result cannot block a partner for ever: rule 9"
)

// leased: a lease of ours is over, and with it the place of a probe or the weight of its result.
func leased(c circuit) bool {
	if c.oursBefore != breaker.HalfOpen {
		return false
	}
	return c.step == begins && c.wePass && !c.theyPass ||
		c.step == ends && c.reason == decision.PermitStale && c.permit == c.generation && c.held >= c.config.Lease
}

// peer is a breaker of a library.
type peer interface {
	// begin asks for a call, and returns what takes its result.
	begin() (done func(call.Class), ok bool)
	state() breaker.State
	counts() counts
}

// running is a call that both let pass.
type running struct {
	done   func(call.Class)
	permit breaker.Permit
	began  time.Time
}

// bench plays steps against two breakers.
type bench struct {
	peer    peer
	ours    breaker.Breaker
	running []running
	since   time.Time // when our circuit entered its state
}

func now() clock.Instant { return clock.Instant(time.Now().UnixNano()) }

// do makes one step and says what it did.
func (b *bench) do(r *rand.Rand, atOnce bool, classes []call.Class, pause func(*rand.Rand) time.Duration) (c circuit) {
	c = circuit{
		config: b.ours.Config(), generation: b.ours.Generation(),
		theirsBefore: b.peer.state(), oursBefore: b.ours.State(now()), before: b.peer.counts(),
	}
	switch {
	case r.IntN(3) == 0 && !(atOnce && len(b.running) > 0):
		c.step = waits
		<-time.After(pause(r))
	case len(b.running) > 0 && (atOnce || r.IntN(5) < 3):
		c.step, c.class = ends, classes[r.IntN(len(classes))]
		i := r.IntN(len(b.running))
		call := b.running[i]
		b.running = append(b.running[:i], b.running[i+1:]...)
		c.permit, c.held = call.permit.Generation(), time.Since(call.began)
		call.done(c.class)
		b.ours, c.reason = b.ours.Note(now(), call.permit, c.class)
	default:
		c.step = begins
		var call running
		call.done, c.theyPass = b.peer.begin()
		b.ours, call.permit, c.reason = b.ours.Try(now())
		c.wePass, call.began = call.permit != breaker.Permit{}, time.Now()
		if c.theyPass && c.wePass {
			b.running = append(b.running, call)
		}
	}
	c.age = time.Since(b.since)
	if b.ours.Generation() != c.generation {
		b.since = time.Now()
	}
	c.theirs, c.ours, c.after = b.peer.state(), b.ours.State(now()), b.peer.counts()
	return c
}

// differs reports whether a step showed a difference, or hides one that may show later: a result that we drop and they
// count. Only gobreaker drops those of an earlier state too.
func (c *circuit) differs(library string) bool {
	stale := c.reason == decision.PermitStale && c.theirsBefore != breaker.Open &&
		(library != gobreakerV2 || c.permit == c.generation)
	return c.theirs != c.ours || c.theyPass != c.wePass || stale
}

// looked says that the difference is only in how the two read the clock, which changes nothing.
func (c *circuit) looked(library string) bool {
	return library == gobreakerV2 && c.step != begins && c.reason != decision.PermitStale &&
		c.theirs == breaker.Open && c.ours == breaker.HalfOpen
}

// compareBreakers plays random steps until the two differ for good.
func compareBreakers(t *testing.T, b *book, library string, seed uint64, c breaker.Config, newPeer func() peer, play func(*bench) circuit) {
	ours, err := breaker.New(c)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		bench := &bench{peer: newPeer(), ours: ours, since: time.Now()}
		for range 120 {
			s := play(bench)
			if s.differs(library) {
				attribute(t, b, library, seed, s)
				if !s.looked(library) {
					return
				}
			}
		}
	})
}

// failsafePeer is a breaker of failsafe-go.
type failsafePeer struct {
	circuitbreaker.CircuitBreaker[int]
}

func (p failsafePeer) begin() (func(call.Class), bool) {
	return func(c call.Class) {
		if c == call.Success {
			p.RecordSuccess()
		} else {
			p.RecordFailure()
		}
	}, p.TryAcquirePermit()
}

// state returns what the circuit would do with a call: they open it at the next call only.
func (p failsafePeer) state() breaker.State {
	switch p.State() {
	case circuitbreaker.OpenState:
		if p.RemainingDelay() == 0 {
			return breaker.HalfOpen
		}
		return breaker.Open
	case circuitbreaker.HalfOpenState:
		return breaker.HalfOpen
	}
	return breaker.Closed
}

func (p failsafePeer) counts() counts {
	m := p.Metrics()
	return counts{m.Executions(), m.Failures(), m.Successes()}
}

// sizes are windows of which every threshold is a whole number of percents.
var sizes = []int{4, 5, 10, 20, 25}

func compareFailsafeCB(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 4))
	c := breaker.Config{Window: breaker.Window(seed % 3), Open: time.Duration(1+r.IntN(5)) * time.Second, Probes: 1 + r.IntN(3)}
	c.Lease = 4 * c.Open
	builder := circuitbreaker.NewBuilder[int]().WithDelay(c.Open)
	switch c.Window {
	case breaker.InARow:
		c.Failures = 1 + r.IntN(5)
		builder = builder.WithFailureThreshold(uint(c.Failures))
	case breaker.Count:
		c.Size = sizes[r.IntN(len(sizes))]
		threshold := 1 + r.IntN(c.Size)
		c.Percent = 100 * threshold / c.Size
		builder = builder.WithFailureThresholdRatio(uint(threshold), uint(c.Size))
	case breaker.Time:
		c.Span, c.Percent, c.Minimum = time.Duration(1+r.IntN(4))*10*time.Second, 1+r.IntN(100), 1+r.IntN(9)
		builder = builder.WithFailureRateThreshold(float64(c.Percent)/100, uint(c.Minimum), c.Span)
	}
	builder = builder.WithSuccessThreshold(uint(c.Probes))
	compareBreakers(t, b, failsafeCB, seed, c, func() peer { return failsafePeer{builder.Build()} }, func(bench *bench) circuit {
		return bench.do(r, seed%2 == 0, []call.Class{call.Success, call.Success, call.Transient}, func(r *rand.Rand) time.Duration {
			return time.Duration(r.IntN(4000)) * time.Millisecond
		})
	})
}

var errIgnored = errors.New("the caller went away")

// goPeer is a breaker of gobreaker.
type goPeer struct {
	*gobreaker.TwoStepCircuitBreaker[int]
}

func (p goPeer) begin() (func(call.Class), bool) {
	done, err := p.Allow()
	return func(c call.Class) {
		switch c {
		case call.Success:
			done(nil)
		case call.Permanent:
			done(errIgnored)
		default:
			done(errTemporary)
		}
	}, err == nil
}

func (p goPeer) state() breaker.State {
	return map[gobreaker.State]breaker.State{
		gobreaker.StateClosed: breaker.Closed, gobreaker.StateOpen: breaker.Open, gobreaker.StateHalfOpen: breaker.HalfOpen,
	}[p.State()]
}

func (p goPeer) counts() counts {
	c := p.Counts()
	return counts{uint(c.TotalFailures + c.TotalSuccesses), uint(c.TotalFailures), uint(c.TotalSuccesses)}
}

func compareGobreaker(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 5))
	c := breaker.Config{Open: time.Duration(1+r.IntN(5)) * time.Second, Probes: 1 + r.IntN(3)}
	c.Lease, c.Ignoring = 4*c.Open, breaker.ClassesOf(call.Permanent)
	s := gobreaker.Settings{
		MaxRequests: uint32(c.Probes), Timeout: c.Open, IsExcluded: func(err error) bool { return errors.Is(err, errIgnored) },
	}
	unit, atOnce := 500*time.Millisecond, false
	if seed%2 == 0 {
		c.Failures = 1 + r.IntN(5)
		s.ReadyToTrip = func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= uint32(c.Failures) }
	} else {
		// Their slices begin with the state, ours with the clock: both at a whole second, and a call takes no time.
		c.Window, c.Span, c.Percent, c.Minimum = breaker.Time, 10*time.Second, 1+r.IntN(100), 1+r.IntN(9)
		s.Interval, s.BucketPeriod = c.Span, c.Span/breaker.Slices
		s.ReadyToTrip = func(n gobreaker.Counts) bool {
			known := n.TotalFailures + n.TotalSuccesses
			return known >= uint32(c.Minimum) && n.TotalFailures*100 >= uint32(c.Percent)*known
		}
		unit, atOnce = time.Second, true
	}
	newPeer := func() peer { return goPeer{gobreaker.NewTwoStepCircuitBreaker[int](s)} }
	compareBreakers(t, b, gobreakerV2, seed, c, newPeer, func(bench *bench) circuit {
		classes := []call.Class{call.Success, call.Success, call.Transient, call.Transient, call.Permanent}
		return bench.do(r, atOnce, classes, func(r *rand.Rand) time.Duration {
			d := time.Duration(r.IntN(5)) * unit
			if seed%4 < 2 && !atOnce {
				d += time.Duration(r.IntN(1000)) // mostly not at the very instant at which a timeout is over
			}
			return d
		})
	})
}
