package differ

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"retrylab.example/core/backoff"
	"retrylab.example/core/rng"
)

// Jitter. The libraries draw from a generator that nobody can seed, so their waits are compared in three ways: they lie
// in the range of their published formula; there is a fraction with which our formula gives the same wait, where the cap
// allows it; and with our own draws the published formula gives what ours gives.

const waitsOfEach = 100

// jittered is a case of jitter: a wait, its cap, and the share by which the smaller of them is spread.
type jittered struct {
	raw, limit time.Duration
	share      rng.Ratio
}

func randomJitter(seed uint64) jittered {
	r := rand.New(rand.NewPCG(seed, 12))
	j := jittered{raw: time.Duration(1 + r.Int64N(60e9)), share: rng.Ratio{Num: 1 + r.Uint64N(8), Den: 8}}
	switch j.limit = j.raw; seed % 3 { // as at the cap
	case 0: // below it
		j.limit *= 3
	case 1: // above it
		j.raw *= 3
	}
	return j
}

// wait is our wait for a fraction.
func (j *jittered) wait(f rng.Ratio) time.Duration {
	c := backoff.Config{Base: j.raw, Cap: j.limit, Shape: backoff.Constant}
	return c.After(1, backoff.Spread{Kind: backoff.PlusMinus, Share: j.share}, 0, f).Wait
}

// bounds is the range of d·(1 ± share).
func (j *jittered) bounds() (low, high time.Duration) {
	d := min(j.raw, j.limit)
	part := j.share.Scale(d)
	return d - part, d + part
}

// check compares one of their waits with our formula, and reports whether it lies above the cap, where ours never is.
func (j *jittered) check(t *testing.T, library string, seed uint64, theirs time.Duration) (above bool) {
	t.Helper()
	low, high := j.bounds()
	if theirs < low || theirs > high+1 { // + 1 ns: the formula of cenkalti
		t.Errorf("%s, seed %d: %v is not in [%v, %v]", library, seed, theirs, low, high)
	}
	ours := j.wait(rng.Ratio{Num: uint64(min(theirs, high) - low), Den: uint64(high - low)})
	if want := min(theirs, j.limit); ours < want-1 || ours > want+1 {
		t.Errorf("%s, seed %d: theirs %v, ours with the same fraction %v, cap %v", library, seed, theirs, ours, j.limit)
	}
	return theirs > j.limit
}

func TestJitterOfCenkalti(t *testing.T) {
	above := 0
	for seed := range uint64(200) {
		j := randomJitter(seed)
		c := backoff.Config{Base: j.raw, Cap: j.limit, Factor: backoff.Factor{Num: 1, Den: 1}}
		b := exponential(c, float64(j.share.Num)/float64(j.share.Den))
		for range waitsOfEach {
			b.Reset()
			b.NextBackOff() // they do not cap the first
			if j.check(t, cenkalti, seed, b.NextBackOff()) {
				above++
			}
		}
	}
	if above == 0 { // half of the waits at the cap are, so this does not happen
		t.Error("no wait was above the cap, where rule 3 of the strict contract cuts ours")
	}
}

func TestJitterOfFailsafe(t *testing.T) {
	above := 0
	for seed := range uint64(200) {
		j := randomJitter(seed)
		synctest.Test(t, func(t *testing.T) {
			last, tries := time.Now(), 0
			policy := retrypolicy.NewBuilder[int]().WithMaxRetries(20).WithBackoffFactor(j.raw, j.limit, 1).
				WithJitterFactor(float64(j.share.Num) / float64(j.share.Den)).Build()
			err := failsafe.With(policy).Run(func() error {
				if tries++; tries > 2 && j.check(t, failsafeRetry, seed, time.Since(last)) {
					above++
				}
				last = time.Now()
				return errTemporary
			})
			if err == nil || tries != 21 {
				t.Errorf("seed %d: %d attempts, %v", seed, tries, err)
			}
		})
	}
	if above == 0 {
		t.Error("no wait was above the cap, where rule 3 of the strict contract cuts ours")
	}
}

// TestJitterFormulas: with our own draws, what the libraries publish is what we compute, cut at the cap.
func TestJitterFormulas(t *testing.T) {
	for seed := range uint64(500) {
		j := randomJitter(seed)
		draw := rng.Draw(seed, 1, 1, 1, rng.Jitter)
		r, d, f := float64(draw)/(1<<64), float64(min(j.raw, j.limit)), float64(j.share.Num)/float64(j.share.Den)
		for library, formula := range map[string]float64{
			cenkalti:      (d - f*d) + r*(2*f*d+1),
			failsafeRetry: d * (1 + (1-2*(1-r))*f), // their draw counts from the upper end
		} {
			want := min(time.Duration(formula), j.limit)
			if got := j.wait(rng.OfDraw(draw)); got < want-2 || got > want+2 {
				t.Errorf("%s, seed %d: ours %v, their formula %v", library, seed, got, want)
			}
		}
	}
}
