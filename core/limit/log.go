// Package limit holds the partner's rate limiters.
package limit

import (
	"errors"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Config is the setting of a sliding log: at most Limit requests of one key in any Window.
type Config struct {
	// Limit is how many requests one window admits, ≥ 1. 0 is the zero value: no limit.
	Limit int
	// Window is how far back requests count, > 0.
	Window time.Duration
	// RecordRefused is the mistake of counting refused requests too: a client that keeps coming is never let in again.
	RecordRefused bool
}

// ErrSetting is returned for a limit below 1 or a window that is not positive.
var ErrSetting = errors.New("a limit must be a whole number of at least 1, and a window longer than 0 s")

// Log is a sliding log (contract B): for every key the instants of its admitted requests. A request counts while it is
// younger than the window; at exactly the window's length it counts no longer, so the left edge is open.
//
// Refused requests are not recorded, unless the setting asks for that mistake: recorded refusals push the end of the
// limit away for ever. One key never blocks another. It lives in one process's memory, and its keys are test keys, not identities. A clock that is set back
// does no harm: the latest request counts as now then, so nobody waits longer than a window.
//
// The zero value has no limit and admits everything. Methods return the successor and may reuse storage, as append
// does; Clone before keeping two versions.
type Log struct {
	config  Config
	index   map[string]int // key → place in history; never ranged over, so its order cannot matter
	history []entry
}

type entry struct {
	key   string
	times []clock.Instant
}

// New returns an empty log.
func New(c Config) (Log, error) {
	if c.Limit < 1 || c.Window <= 0 {
		return Log{}, ErrSetting
	}
	return Log{config: c, index: map[string]int{}}, nil
}

// Config returns the setting.
func (l Log) Config() Config { return l.config }

// With returns the log under another setting, with the histories that it has.
func (l Log) With(c Config) Log {
	l.config = c
	if l.index == nil {
		l.index = map[string]int{}
	}
	return l
}

// Clone returns a copy that shares no storage.
func (l Log) Clone() Log {
	c := Log{config: l.config}
	if l.index != nil {
		c.index = make(map[string]int, len(l.history))
	}
	for i, e := range l.history {
		c.history = append(c.history, entry{e.key, append([]clock.Instant(nil), e.times...)})
		c.index[e.key] = i
	}
	return c
}

// Active returns the instants of times that are strictly later than now − window, in order, as a new list.
func Active(times []clock.Instant, now clock.Instant, window time.Duration) []clock.Instant {
	active := []clock.Instant{}
	for _, t := range times {
		if t > now.Add(-window) {
			active = append(active, t)
		}
	}
	return active
}

// RetryAfter returns the whole seconds, rounded up, until the first instant of a pruned history leaves the window.
// Rounding down would bring the client back too early. An empty history gives 0.
func RetryAfter(active []clock.Instant, now clock.Instant, window time.Duration) int64 {
	if len(active) == 0 {
		return 0
	}
	return ceilSeconds(active[0].Add(window).Sub(now))
}

func ceilSeconds(d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return int64((d-1)/time.Second) + 1
}

// History returns a copy of the admitted instants of key. Looking changes nothing and adds no key.
func (l Log) History(key string) []clock.Instant {
	i, ok := l.index[key]
	if !ok {
		return []clock.Instant{}
	}
	return append([]clock.Instant{}, l.history[i].times...)
}

// Try admits or refuses one request of key, without a receipt.
func (l Log) Try(key string, now clock.Instant) (Log, Answer) {
	if l.config.Limit == 0 {
		return l, Answer{Verdict: decision.Admit, Passes: now}
	}
	a, _, _ := l.try(key, now)
	return l, a
}

// try changes the history of key, and returns for the receipt its instants, and from when this very request would have
// been admitted: where refusals are recorded, it is itself in the way of the next.
func (l *Log) try(key string, now clock.Instant) (a Answer, times []clock.Instant, would clock.Instant) {
	i, known := l.index[key]
	if !known {
		i = len(l.history)
		l.history = append(l.history, entry{key: key})
		l.index[key] = i
	}
	e, at := &l.history[i], now
	if n := len(e.times); n > 0 {
		at = max(now, e.times[n-1])
	}
	e.times = prune(e.times, at.Add(-l.config.Window))
	if len(e.times) < l.config.Limit {
		e.times = append(e.times, at)
		return Answer{decision.Admit, decision.WindowHasRoom, now}, e.times, at
	}
	would = l.opens(e.times)
	if l.config.RecordRefused {
		e.times = append(e.times, at)
	}
	return Answer{decision.Refuse, decision.WindowFull, now.Add(l.opens(e.times).Sub(at))}, e.times, would
}

// Take admits or refuses one request of key. A refusal's Wait is the whole seconds that Retry-After should say.
func (l Log) Take(key string, now clock.Instant) (next Log, d decision.Decision) {
	if l.config.Limit == 0 {
		d.Verdict = decision.Admit
		return l, d
	}
	a, times, would := l.try(key, now)
	d.Reason = a.Reason
	a.receipt(&d, key, now)
	l.explain(&d, times, would)
	return l, d
}

// last returns as many of the latest instants as the limit: a place opens when the first of them leaves the window.
func (l *Log) last(times []clock.Instant) []clock.Instant {
	return times[max(len(times)-l.config.Limit, 0):]
}

func (l *Log) opens(times []clock.Instant) clock.Instant {
	return l.last(times)[0].Add(l.config.Window)
}

// explain writes the receipt: the requests counted after the decision, and when the next place opens. passes is from when
// a refused request would have been admitted.
func (l *Log) explain(d *decision.Decision, times []clock.Instant, passes clock.Instant) {
	d.Add(decision.Term{
		Name: decision.Counted, Mark: decision.Decided,
		Value: int64(len(times)), A: int64(l.config.Limit), B: int64(l.config.Window),
	})
	d.Add(decision.Term{Name: decision.Opens, Value: int64(l.opens(times)), A: int64(l.last(times)[0])})
	if d.Verdict == decision.Refuse {
		d.AddFlip(decision.Flip{
			Name: decision.Opens, Bound: decision.AtLeast, Value: int64(passes),
			Verdict: decision.Admit, Reason: decision.WindowHasRoom,
		})
	}
	room(d, decision.Counted, l.config.Limit, decision.WindowHasRoom, decision.WindowFull)
}

// room says with how many requests before it, of a limit, a request would have been refused, or admitted.
func room(d *decision.Decision, n decision.Name, limit int, room, full decision.Reason) {
	if d.Verdict == decision.Admit {
		d.AddFlip(decision.Flip{Name: n, Bound: decision.AtLeast, Value: int64(limit), Verdict: decision.Refuse, Reason: full})
		return
	}
	d.AddFlip(decision.Flip{Name: n, Bound: decision.AtMost, Value: int64(limit - 1), Verdict: decision.Admit, Reason: room})
}

// prune drops the instants at or before edge, in place.
func prune(times []clock.Instant, edge clock.Instant) []clock.Instant {
	n := 0
	for n < len(times) && times[n] <= edge {
		n++
	}
	return append(times[:0], times[n:]...)
}

// ValidClientKey reports whether a client's key may be counted under: 1 to 40 ASCII letters, digits and hyphens.
// Unbounded keys would fill the memory.
func ValidClientKey(key string) bool {
	if len(key) < 1 || len(key) > 40 {
		return false
	}
	for _, c := range []byte(key) {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
