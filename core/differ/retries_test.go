package differ

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	cenk "github.com/cenkalti/backoff/v5"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"retrylab.example/core/backoff"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

var (
	one          = rng.One
	errTemporary = errors.New("temporary")
	errFinal     = errors.New("final")
)

// intendedRetries are the differences of the policies that know nothing of HTTP.
var intendedRetries = []difference{
	{
		cenkalti, "a wait that ends at exactly MaxElapsedTime is begun, and an attempt follows",
		"reaching the deadline exactly is too late: strict contract, rule 7 (resilience A.7)",
		func(p parting) bool {
			return p.theirs.again && p.at+p.theirs.wait == p.elapsed && p.weEnded(p.theirs.wait) && p.theirs.wait == cenkaltiWait(&p)
		},
	},
	{
		cenkalti, "the first wait is not capped",
		"min(cap, base · m^(n−1)) holds for n = 1 too: rule 2",
		func(p parting) bool {
			return p.backoff.Base > p.backoff.Cap && cenkaltiFailures(&p) == 1 && p.theyWait(p.backoff.Base) && p.weWait(p.backoff.Cap)
		},
	},
	{
		cenkalti, "a RetryAfterError of 0 s is followed at once",
		"a wish of 0 leaves the backoff as it is, never a hot loop: rule 4 and A.2",
		func(p parting) bool {
			return p.answer().wish.kind == atZero && p.theirs == next{again: true} && p.weWait(p.local())
		},
	},
	{
		cenkalti, "a RetryAfterError begins the backoff anew",
		"the wait grows with the failures of the call, whoever chose the waits between: rule 2",
		func(p parting) bool {
			return p.n > cenkaltiFailures(&p) && p.theyWait(cenkaltiWait(&p)) && p.weWait(p.local())
		},
	},
	{
		cenkalti, "a wait that the context cannot survive is begun, and the caller is told at its end",
		"if now + wait ≥ deadline, stop now with the reason: rule 4",
		waitsInVain,
	},
	{
		failsafeRetry, "the last wait is cut to MaxDuration, and one more attempt is made at that very instant",
		"a wait that would reach the deadline is not begun: rules 4 and 7; without duration that attempt repeats for ever (A.1)",
		func(p parting) bool {
			return p.theirs.again && p.at+p.theirs.wait == p.elapsed && p.weEnded(p.local())
		},
	},
	{
		failsafeRetry, "the first wait is not capped",
		"min(cap, base · m^(n−1)) holds for n = 1 too: rule 2",
		func(p parting) bool {
			return p.n == 1 && p.backoff.Base > p.backoff.Cap && p.theyWait(p.backoff.Base) && p.weWait(p.backoff.Cap)
		},
	},
	{
		failsafeRetry, "a wait that the context cannot survive is begun, and the caller is told at its end",
		"if now + wait ≥ deadline, stop now with the reason: rule 4",
		waitsInVain,
	},
}

// waitsInVain: they wait until the context ends, we end at once.
func waitsInVain(p parting) bool {
	left, w := p.patience-p.at, p.answer().wish
	far := w.kind == wrapping || w.kind == endless || w.kind == tooLong
	return p.patience > 0 && p.theirs == next{wait: left} && p.ours == next{} &&
		(far || max(p.local(), w.asked(p.at)) > left)
}

// cenkaltiFailures counts the failures since the last wish, that of attempt n aside: where their backoff stands.
func cenkaltiFailures(p *parting) int {
	k := p.n
	for n := 1; n < p.n; n++ {
		if at(p.script, n).wish.kind != noWish {
			k = p.n - n
		}
	}
	return k
}

// cenkaltiWait is what they wait after attempt n.
func cenkaltiWait(p *parting) time.Duration {
	if w := p.answer().wish; w.kind != noWish {
		return w.asked(p.at)
	}
	k := cenkaltiFailures(p)
	if k == 1 {
		return p.backoff.Base
	}
	return p.backoff.After(k, backoff.Spread{}, 0, one).Wait
}

// factors are multipliers that a float64 holds exactly.
var factors = []backoff.Factor{{Num: 3, Den: 2}, {Num: 2, Den: 1}, {Num: 5, Den: 4}, {Num: 3, Den: 1}, {Num: 1, Den: 1}}

func float(f backoff.Factor) float64 { return float64(f.Num) / float64(f.Den) }

// randomLimits returns limits under which a call ends.
func randomLimits(r *rand.Rand) limits {
	l := limits{backoff: backoff.Config{
		Base: time.Duration(1+r.IntN(20)) * 100 * time.Millisecond, Cap: time.Duration(2+r.IntN(60)) * time.Second,
		Factor: factors[r.IntN(len(factors))],
	}}
	if r.IntN(10) == 0 {
		l.backoff.Cap = l.backoff.Base / 2
	}
	if l.tries = 1 + r.IntN(9); r.IntN(3) == 0 {
		l.tries, l.elapsed = 0, time.Duration(1+r.IntN(300))*100*time.Millisecond
	}
	if l.elapsed == 0 && r.IntN(6) == 0 { // an odd nanosecond, so that no wait ends with the context: the library would toss a coin
		l.patience = time.Duration(1+r.IntN(300))*100*time.Millisecond + 137
	}
	return l
}

// randomScript returns answers of which each takes at least a millisecond. The last one asks for nothing.
func randomScript(r *rand.Rand, statuses []int, wishes func(*rand.Rand) wish) []answer {
	script := make([]answer, 1+r.IntN(9))
	for i := range script {
		script[i] = answer{status: 503, cost: time.Duration(1+r.IntN(50)) * time.Millisecond}
		if r.IntN(6) == 0 {
			script[i].status = statuses[r.IntN(len(statuses))]
		}
		if script[i].status == 503 && i < len(script)-1 {
			script[i].wish = wishes(r)
		}
	}
	return script
}

// caller runs a library's call in a bubble: try does one attempt, and returns the answer to it.
func caller(t *testing.T, l limits, script []answer, call func(ctx context.Context, try func() (answer, error)) error) (got run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		begin := time.Now()
		if l.patience > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, l.patience)
			defer cancel()
		}
		err := call(ctx, func() (answer, error) {
			got.sends = append(got.sends, time.Since(begin))
			a := at(script, len(got.sends))
			select {
			case <-time.After(a.cost):
			case <-ctx.Done():
				return answer{}, ctx.Err()
			}
			switch {
			case a.status == 400:
				return a, errFinal
			case a.status != 200:
				return a, errTemporary
			}
			return a, nil
		})
		got.ok, got.end = err == nil, time.Since(begin)
	})
	return got
}

func cenkaltiRun(t *testing.T, l limits, script []answer, b cenk.BackOff) run {
	t.Helper()
	return caller(t, l, script, func(ctx context.Context, try func() (answer, error)) error {
		_, err := cenk.Retry(ctx, func() (int, error) {
			a, err := try()
			switch {
			case errors.Is(err, errFinal):
				return 0, cenk.Permanent(err)
			case err != nil && a.wish.kind != noWish:
				return 0, cenk.RetryAfter(int(a.wish.seconds))
			}
			return a.status, err
		}, cenk.WithBackOff(b), cenk.WithMaxTries(uint(l.tries)), cenk.WithMaxElapsedTime(l.elapsed))
		return err
	})
}

// exponential returns their backoff with our settings.
func exponential(c backoff.Config, jitter float64) *cenk.ExponentialBackOff {
	return &cenk.ExponentialBackOff{
		InitialInterval: c.Base, MaxInterval: c.Cap, Multiplier: float(c.Factor), RandomizationFactor: jitter,
	}
}

func compareCenkalti(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	l := randomLimits(r)
	script := randomScript(r, []int{200, 400}, func(r *rand.Rand) wish {
		if r.IntN(8) > 0 {
			return wish{}
		}
		return makeWish([]wishKind{inSeconds, inSeconds, atZero}[r.IntN(3)], 1+r.Int64N(40))
	})
	if seed == 0 { // the deadline is reached exactly
		l = limits{backoff: backoff.Config{Base: time.Second, Cap: time.Minute}, elapsed: 5*time.Second + 2e6}
		l.backoff.Factor, script = backoff.Factor{Num: 4, Den: 1}, []answer{{status: 503, cost: time.Millisecond}}
	}
	p := l.policy()
	p.Statuses, p.RetryAfter = []int{503}, retryafter.Replace
	theirs := cenkaltiRun(t, l, script, exponential(l.backoff, 0))
	if parted, parts := part(l, script, theirs, ourRun(t, p, "GET", script)); parts {
		attribute(t, b, cenkalti, seed, parted)
	}
}

func failsafeRun(t *testing.T, l limits, script []answer) run {
	t.Helper()
	policy := retrypolicy.NewBuilder[int]().AbortOnErrors(errFinal, context.DeadlineExceeded).WithMaxRetries(l.tries-1).
		WithMaxDuration(l.elapsed).WithBackoffFactor(l.backoff.Base, l.backoff.Cap, float(l.backoff.Factor)).Build()
	return caller(t, l, script, func(ctx context.Context, try func() (answer, error)) error {
		return failsafe.With(policy).WithContext(ctx).Run(func() error {
			_, err := try()
			return err
		})
	})
}

func compareFailsafeRetry(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	l := randomLimits(r)
	script := randomScript(r, []int{200, 400}, func(*rand.Rand) wish { return wish{} })
	p := l.policy()
	p.Statuses, p.Safety = []int{503}, retry.AnyMethod
	if parted, parts := part(l, script, failsafeRun(t, l, script), ourRun(t, p, "GET", script)); parts {
		attribute(t, b, failsafeRetry, seed, parted)
	}
}
