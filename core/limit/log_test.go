package limit

import (
	"slices"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// slowLog is a sliding log that keeps every request that it records for ever and counts anew each time.
type slowLog struct {
	config   Config
	recorded []struct {
		key string
		at  clock.Instant
	}
}

func (l *slowLog) take(key string, now clock.Instant) (admitted bool, seconds int64) {
	admitted = l.counted(key, now) < l.config.Limit
	if admitted || l.config.RecordRefused {
		l.recorded = append(l.recorded, struct {
			key string
			at  clock.Instant
		}{key, now})
	}
	for !admitted && l.counted(key, now.Add(time.Duration(seconds)*time.Second)) >= l.config.Limit {
		seconds++
	}
	return admitted, seconds
}

func (l *slowLog) counted(key string, now clock.Instant) int {
	n := 0
	for _, a := range l.recorded {
		if a.key == key && now.Sub(a.at) < l.config.Window {
			n++
		}
	}
	return n
}

func FuzzLog(f *testing.F) {
	f.Add(uint8(2), uint16(1000), []byte{0, 0, 0, 10, 10})
	f.Add(uint8(1), uint16(100), []byte{1, 65, 129, 193, 200, 63})
	f.Add(uint8(3), uint16(1), []byte{0, 1, 0, 1, 0, 1})
	f.Add(uint8(5), uint16(1000), []byte{0, 0, 0, 20, 20, 20, 20, 128})
	f.Fuzz(func(t *testing.T, most uint8, window uint16, hits []byte) {
		c := Config{
			Limit: int(most%4) + 1, Window: time.Duration(window)*10*time.Millisecond + 1, RecordRefused: most&4 != 0,
		}
		log, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		slow := slowLog{config: c}
		now := clock.Start
		for i, hit := range hits[:min(len(hits), 1000)] { // the twin looks through all that was recorded
			key := string('a' + rune(hit%2))
			now = now.Add(time.Duration(hit/2) * c.Window / 64)
			kept, before := log.Clone(), log.History(key)
			admitted, seconds := slow.take(key, now)
			var d decision.Decision
			log, d = log.Take(key, now)
			if d.Verdict == decision.Admit != admitted || d.Wait != time.Duration(seconds)*time.Second {
				t.Fatalf("hit %d at %d: got %s, wait %s; want %t, %d s", i, now, d.Verdict, d.Wait, admitted, seconds)
			}
			if !slices.Equal(kept.History(key), before) {
				t.Fatalf("hit %d changed a clone: got %v, want %v", i, kept.History(key), before)
			}
			checkFlips(t, kept, key, now, d)
		}
	})
}

// checkFlips: a refused request is admitted at the instant that its receipt names, and not one nanosecond before.
func checkFlips(t *testing.T, l Log, key string, now clock.Instant, d decision.Decision) {
	t.Helper()
	if d.Verdict == decision.Admit {
		return
	}
	opens := clock.Instant(d.Flips()[0].Value)
	if _, early := l.Clone().Take(key, opens-1); opens > now+1 && early.Verdict != decision.Refuse {
		t.Fatalf("admitted before %d", opens)
	}
	_, told := l.Clone().Take(key, now.Add(d.Wait))
	if _, then := l.Clone().Take(key, opens); then.Verdict != decision.Admit || told.Verdict != decision.Admit {
		t.Fatalf("refused at %d, or after the Retry-After of %s", opens, d.Wait)
	}
}

// Whoever comes every 3 s to a log that records refusals is refused for ever, and the end moves away with each time; a log
// without the mistake lets the same client in again and again.
func TestRecordedRefusalsPushTheEndAway(t *testing.T) {
	for _, record := range []bool{false, true} {
		l, err := New(Config{Limit: 2, Window: 10 * time.Second, RecordRefused: record})
		if err != nil {
			t.Fatal(err)
		}
		admitted, opens := 0, clock.Start
		for _, at := range []int64{0, 0, 3, 6, 9, 12, 15, 18, 21} {
			var d decision.Decision
			l, d = l.Take("a", clock.Start.Add(time.Duration(at)*time.Second))
			if d.Verdict == decision.Admit {
				admitted++
				continue
			}
			row, _ := d.Term(decision.Opens)
			if record && clock.Instant(row.Value) <= opens {
				t.Errorf("at %d s the next place opens at %d, before it was %d", at, row.Value, opens)
			}
			opens = clock.Instant(row.Value)
		}
		if want := map[bool]int{false: 4, true: 2}[record]; admitted != want {
			t.Errorf("record %t: %d admitted, want %d", record, admitted, want)
		}
	}
}

func TestTheZeroLogAdmitsEverything(t *testing.T) {
	var l Log
	for range 3 {
		var d decision.Decision
		if l, d = l.Take("a", 0); d.Verdict != decision.Admit {
			t.Errorf("got %s", d.Verdict)
		}
	}
	if got := l.Clone().History("a"); len(got) != 0 {
		t.Errorf("history %v", got)
	}
}
