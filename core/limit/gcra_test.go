package limit

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// slowGCRA is the algorithm with its theoretical arrival time as an exact fraction.
type slowGCRA struct {
	config GCRAConfig
	tat    *big.Rat
	latest clock.Instant
}

func (s *slowGCRA) take(now clock.Instant, cost int64) bool {
	now = max(now, s.latest)
	s.latest = now
	interval := big.NewRat(int64(s.config.Period), s.config.Limit)
	due := rat(int64(now))
	if s.tat != nil && s.tat.Cmp(due) > 0 {
		due.Set(s.tat)
	}
	due.Add(due, new(big.Rat).Mul(rat(cost), interval))
	latest := new(big.Rat).Mul(rat(s.config.Burst), interval)
	if due.Cmp(latest.Add(latest, rat(int64(now)))) > 0 {
		return false
	}
	s.tat = due
	return true
}

func FuzzGCRA(f *testing.F) {
	f.Add(uint8(5), uint8(5), uint16(59), []byte{0, 0, 0, 0, 0, 0, 0, 160, 0})
	f.Add(uint8(6), uint8(0), uint16(9), []byte{13, 0, 29, 14, 31, 0, 253, 0})
	f.Add(uint8(2), uint8(3), uint16(100), []byte{64, 128, 192, 15, 255, 80, 80})
	drawn(func(a, b, c uint8, steps []byte) { f.Add(a, b, uint16(c), steps) })
	f.Fuzz(func(t *testing.T, most, burst uint8, period uint16, hops []byte) {
		if len(hops) > 100 {
			return
		}
		c := GCRAConfig{Limit: int64(most%7) + 1, Burst: int64(burst%6) + 1, Period: time.Duration(period) + 1}
		g, err := NewGCRA(c)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewBucket(BucketConfig{Capacity: c.Burst, Refill: c.Limit, Period: c.Period, Mode: Continuous})
		if err != nil {
			t.Fatal(err)
		}
		slow := slowGCRA{config: c, latest: clock.Min}
		now, latest := clock.Start, clock.Min
		for i, h := range hops {
			now = hop(now, h, c.Period)
			cost := int64(h>>6) % (c.Burst + 1)
			kept := g.Clone()
			admitted := slow.take(now, cost)
			var d, twin decision.Decision
			g, d = g.TakeN("", now, cost)
			b, twin = b.TakeN("", now, cost)
			if d.Verdict == decision.Admit != admitted || d.Verdict != twin.Verdict || d.Wait != twin.Wait {
				t.Fatalf("request %d at %d, cost %d: got %s %s, bucket %s %s, want admitted %t",
					i, now, cost, d.Verdict, d.Wait, twin.Verdict, twin.Wait, admitted)
			}
			if now >= latest && !admitted {
				row, _ := d.Term(decision.Passes)
				_, early := kept.Clone().TakeN("", clock.Instant(row.Value)-1, cost)
				_, then := kept.Clone().TakeN("", clock.Instant(row.Value), cost)
				if early.Verdict != decision.Refuse || then.Verdict != decision.Admit {
					t.Fatalf("refused at %d, told %d: early %s, then %s", now, row.Value, early.Verdict, then.Verdict)
				}
			}
			latest = max(latest, now)
		}
	})
}

func TestGCRASettings(t *testing.T) {
	good := GCRAConfig{Limit: 1, Period: 1}
	for _, change := range []func(*GCRAConfig){
		func(c *GCRAConfig) { c.Limit = 0 },
		func(c *GCRAConfig) { c.Limit = MaxTokens + 1 },
		func(c *GCRAConfig) { c.Burst = -1 },
		func(c *GCRAConfig) { c.Burst = MaxTokens + 1 },
		func(c *GCRAConfig) { c.Period = 0 },
		func(c *GCRAConfig) { c.Period, c.Burst = clock.MaxDuration, 2 },
	} {
		c := good
		change(&c)
		if _, err := NewGCRA(c); !errors.Is(err, ErrGCRA) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The extremes of time do not overflow.
func TestGCRAAtTheEdges(t *testing.T) {
	g, err := NewGCRA(GCRAConfig{Limit: 1, Period: clock.MaxDuration / 4, Burst: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []clock.Instant{clock.Min, clock.Min, clock.Max, clock.Max} {
		var d decision.Decision
		if g, d = g.Take("", at); d.Verdict != decision.Admit {
			t.Errorf("at %d: %s", at, d.Verdict)
		}
	}
	if _, d := g.Take("", clock.Max); d.Verdict != decision.Refuse || d.Wait < 0 {
		t.Errorf("got %s, wait %s", d.Verdict, d.Wait)
	}
}
