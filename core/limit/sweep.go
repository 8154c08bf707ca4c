package limit

import "retrylab.example/core/clock"

// Len returns how many keys the log holds.
func (l Log) Len() int { return len(l.history) }

// Has reports whether the log holds an entry for key, be it in the window or not.
func (l Log) Has(key string) bool {
	_, ok := l.index[key]
	return ok
}

// Sweep forgets the keys whose requests have all left the window. No later decision differs for it; without it every
// key ever seen would stay in memory.
func (l Log) Sweep(now clock.Instant) Log {
	edge := now.Add(-l.config.Window)
	kept := l.history[:0]
	for _, e := range l.history {
		if e.times = prune(e.times, edge); len(e.times) == 0 {
			delete(l.index, e.key)
			continue
		}
		l.index[e.key] = len(kept)
		kept = append(kept, e)
	}
	clear(l.history[len(kept):]) // so that what was forgotten can be freed
	l.history = kept
	return l
}
