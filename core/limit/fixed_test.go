package limit

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// hop moves a clock by a byte: mostly on, by up to 15 sixteenths of a unit, sometimes by many units, sometimes back.
func hop(now clock.Instant, b byte, unit time.Duration) clock.Instant {
	step := time.Duration(b>>4) * unit / 16
	switch b & 15 {
	case 13:
		step = time.Duration(b>>4) * unit
	case 14:
		step = -step
	case 15:
		step = -time.Duration(b>>4) * unit
	}
	return now.Add(step)
}

// drawn gives seeds to a twin beyond those that are written out: with them a plain test run goes as far as a short
// campaign of fuzzing.
func drawn(add func(a, b, c uint8, steps []byte)) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		steps := make([]byte, 20+r.IntN(80))
		for i := range steps {
			steps[i] = byte(r.Uint32())
		}
		add(uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), steps)
	}
}

// slowFixed is a fixed window that keeps every admitted request for ever and counts anew each time.
type slowFixed struct {
	config   FixedConfig
	latest   map[string]clock.Instant
	admitted map[string][]clock.Instant
}

func (s *slowFixed) take(key string, now clock.Instant) (admitted bool, passes clock.Instant) {
	seen := now
	if before, known := s.latest[key]; known {
		seen = max(seen, before)
	}
	s.latest[key] = seen
	begin := clock.Instant(-1 << 40)
	begin -= begin % clock.Instant(s.config.Period)
	for begin.Add(s.config.Period) <= seen {
		begin = begin.Add(s.config.Period)
	}
	count := 0
	for _, a := range s.admitted[key] {
		if a >= begin {
			count++
		}
	}
	if count < s.config.Limit {
		s.admitted[key] = append(s.admitted[key], seen)
		return true, now
	}
	return false, min(begin.Add(s.config.Period), now.Add(s.config.Period))
}

func FuzzFixed(f *testing.F) {
	f.Add(uint8(2), []byte{0, 16, 32, 64, 240, 255})
	f.Add(uint8(0), []byte{13, 29, 61, 14, 30, 62, 15, 31, 63})
	f.Add(uint8(1), []byte{0, 0, 0, 253, 0, 0, 255, 0, 0})
	drawn(func(a, _, _ uint8, steps []byte) { f.Add(a, steps[:20]) })
	f.Fuzz(func(t *testing.T, most uint8, hops []byte) {
		if len(hops) > 200 {
			return
		}
		c := FixedConfig{Limit: int(most%4) + 1, Period: 1 << 30}
		w, err := NewFixed(c)
		if err != nil {
			t.Fatal(err)
		}
		slow := slowFixed{c, map[string]clock.Instant{}, map[string][]clock.Instant{}}
		now, latest := clock.Start, clock.Start
		for i, b := range hops {
			if now = hop(now, b, c.Period); now < -1<<39 || now > 1<<39 {
				return
			}
			key := string('a' + rune(b>>5&1))
			kept := w.Clone()
			admitted, passes := slow.take(key, now)
			var d decision.Decision
			w, d = w.Take(key, now)
			sameAnswer(t, i, d, admitted, passes, now)
			if now >= latest {
				latest = now
				passesThen(t, kept, key, now, passes, admitted)
			}
		}
	})
}

func sameAnswer(t *testing.T, i int, d decision.Decision, admitted bool, passes, now clock.Instant) {
	t.Helper()
	row, refused := d.Term(decision.Passes)
	if d.Verdict == decision.Admit != admitted || refused == admitted {
		t.Fatalf("request %d at %d: got %s, want admitted %t", i, now, d.Verdict, admitted)
	}
	if refused && row.Value != int64(passes) {
		t.Fatalf("request %d at %d: passes at %d, want %d", i, now, row.Value, passes)
	}
	if wait := passes.Sub(now); !admitted && (d.Wait < wait || d.Wait-wait >= time.Second || d.Wait%time.Second != 0) {
		t.Fatalf("request %d at %d: Retry-After %s for a wait of %s", i, now, d.Wait, wait)
	}
}

// limiter is what all limiters by time have in common.
type limiter[L any] interface {
	Clone() L
	Take(key string, now clock.Instant) (L, decision.Decision)
}

// passesThen: a request that was refused is refused until the instant that it was told, and admitted from then on and
// after its Retry-After.
func passesThen[L limiter[L]](t *testing.T, l L, key string, now, passes clock.Instant, admitted bool) {
	t.Helper()
	if admitted {
		return
	}
	for _, at := range []clock.Instant{passes, passes.Add(1), passes.Add(ceilWait(passes.Sub(now))), passes.Add(time.Hour)} {
		if _, d := l.Clone().Take(key, at); d.Verdict != decision.Admit {
			t.Fatalf("refused at %d, told to come at %d, refused at %d", now, passes, at)
		}
	}
	for _, at := range []clock.Instant{passes - 1, now + (passes-now)/2} {
		if _, d := l.Clone().Take(key, at); at >= now && d.Verdict != decision.Refuse {
			t.Fatalf("refused at %d, told to come at %d, admitted at %d", now, passes, at)
		}
	}
}

func ceilWait(d time.Duration) time.Duration { return time.Duration(ceilSeconds(d)) * time.Second }

func TestFixedSettings(t *testing.T) {
	for _, c := range []FixedConfig{{}, {Limit: 1}, {Period: 1}, {Limit: -1, Period: 1}, {Limit: 1, Period: -1}} {
		if _, err := NewFixed(c); !errors.Is(err, ErrSetting) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// No period admits more than the limit, whatever comes, and two periods that touch no more than twice as many.
func TestFixedAdmitsNoMoreThanTheLimitInAPeriod(t *testing.T) {
	w, err := NewFixed(FixedConfig{Limit: 3, Period: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var admitted []clock.Instant
	for at := clock.Instant(-3e9); at < 5e9; at += 1e7 {
		var d decision.Decision
		if w, d = w.Take("a", at); d.Verdict == decision.Admit {
			admitted = append(admitted, at)
		}
	}
	if len(admitted) != 8*3 {
		t.Errorf("%d requests admitted in 8 periods", len(admitted))
	}
	for i, at := range admitted {
		if begin := clock.Instant(int64(i/3)-3) * 1e9; at < begin || at >= begin+1e9 {
			t.Errorf("request %d admitted at %d", i, at)
		}
	}
}

func TestTheZeroLimitersAdmitEverything(t *testing.T) {
	for range 3 {
		var f Fixed
		var b Bucket
		var g GCRA
		var c Concurrency
		_, fixed := f.Take("a", 0)
		_, bucket := b.TakeN("a", 0, 1<<62)
		_, gcra := g.TakeN("a", 0, 1<<62)
		c, permit, slots := c.Acquire("a")
		for i, d := range []decision.Decision{fixed, bucket, gcra, slots} {
			if d.Verdict != decision.Admit || d.Reason != decision.NoReason {
				t.Errorf("%d: %s:%s", i, d.Verdict, d.Reason)
			}
		}
		if _, ok := c.Release(permit); ok {
			t.Error("a permit of no limiter was returned")
		}
		if f.Clone().Sweep(1).Len()+b.Clone().Sweep(1).Len()+g.Clone().Sweep(1).Len()+c.Clone().Sweep().Len() != 0 {
			t.Error("there are keys")
		}
	}
}
