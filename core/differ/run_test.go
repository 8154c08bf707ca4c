package differ

import (
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
)

// answer is what the partner answers to one attempt. The last answer of a script is given again and again.
type answer struct {
	status int // 0: the connection breaks, at once
	wish   wish
	cost   time.Duration
}

// run is what a call looks like from outside.
type run struct {
	sends []time.Duration // when each attempt was sent
	ok    bool            // whether the call ended with a 2xx
	end   time.Duration   // when it returned
}

// at returns the answer to attempt n, counted from 1.
func at(script []answer, n int) answer { return script[min(n, len(script))-1] }

// watcher is a sink that reads a run. It needs no flips.
type watcher struct{ run run }

func (w *watcher) Brief() bool { return true }

func (w *watcher) Event(e *event.Event) {
	switch e.Kind {
	case event.AttemptSent:
		w.run.sends = append(w.run.sends, time.Duration(e.At))
	case event.CallSucceeded, event.CallGaveUp:
		w.run.ok, w.run.end = e.Kind == event.CallSucceeded, time.Duration(e.At)
	}
}

// ourRun plays a call in a simulated world without latency.
func ourRun(t *testing.T, p retry.Policy, method string, script []answer) run {
	t.Helper()
	c := sim.Config{RepeatLast: true, Clients: []sim.Client{{Name: "caller", Policy: p}}}
	for _, a := range script {
		m := sim.Mishap{Fault: event.CrashBefore}
		if a.status > 0 {
			m = sim.Mishap{Fault: event.Reply, Delay: a.cost, Response: call.Response{
				Status: a.status, RetryAfter: a.wish.text, HasRetryAfter: a.wish.kind != noWish,
			}}
		}
		c.Script = append(c.Script, m)
	}
	s, err := sim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var w watcher
	s = sim.Step(s, sim.Action{Kind: sim.Fire, Request: call.Request{Method: method, Path: "/total"}}, &w)
	for _, due := s.Due(); due; _, due = s.Due() {
		s = sim.Step(s, sim.Action{Kind: sim.Next}, &w)
	}
	return w.run
}

// limits are what ends a call, and how it waits.
type limits struct {
	backoff backoff.Config
	// tries bounds the attempts; 0: nothing does.
	tries int
	// elapsed is the total time of the call, and patience that of its caller's context; 0: none.
	elapsed, patience time.Duration
}

// left returns what is left at an instant of the shorter of the two.
func (l *limits) left(at time.Duration) time.Duration {
	left := clock.MaxDuration
	for _, limit := range []time.Duration{l.elapsed, l.patience} {
		if limit > 0 {
			left = min(left, limit-at)
		}
	}
	return left
}

// policy returns the policy of ours that stands for them.
func (l *limits) policy() retry.Policy {
	p := retry.Policy{Attempts: l.tries, Backoff: l.backoff, CutTimeout: l.patience > 0, Exhausted: retry.LastError}
	if l.tries == 0 {
		p.Attempts = retry.MaxAttempts
	}
	if left := l.left(0); left < clock.MaxDuration {
		p.Deadline = left
	}
	p.Failures = call.Failures()
	return p
}

// parting is where two runs part: after attempt n, which was sent at the same instant in both.
type parting struct {
	limits
	script []answer
	http   *httpCase
	n      int
	at     time.Duration // when the attempt ended
	theirs next
	ours   next
}

// next is what follows an attempt: another one after a wait, or the end of the call after it.
type next struct {
	again, ok bool
	wait      time.Duration
}

// after returns what followed attempt n of a run, which ended at an instant.
func (r run) after(n int, at time.Duration) next {
	if n < len(r.sends) {
		return next{again: true, wait: r.sends[n] - at}
	}
	return next{ok: r.ok, wait: r.end - at}
}

// part compares two runs and returns where they part, if they do.
func part(l limits, script []answer, theirs, ours run) (p parting, parted bool) {
	if len(theirs.sends) == 0 || len(ours.sends) == 0 {
		return parting{limits: l, script: script}, true
	}
	for n := 1; ; n++ {
		end := ours.sends[n-1] + at(script, n).cost
		p = parting{limits: l, script: script, n: n, at: end, theirs: theirs.after(n, end), ours: ours.after(n, end)}
		if p.theirs != p.ours {
			return p, true
		}
		if !p.ours.again {
			return p, false
		}
	}
}

// answer is that of the attempt after which the runs part.
func (p *parting) answer() answer { return at(p.script, p.n) }

// local is our own wait after n failures.
func (p *parting) local() time.Duration { return p.backoff.After(p.n, backoff.Spread{}, 0, one).Wait }

// weEnded says that our call ended at once, because a wait as long as d would not end in time.
func (p *parting) weEnded(d time.Duration) bool {
	return !p.ours.again && p.ours.wait == 0 && d >= p.left(p.at)
}

// weWait says that we waited d, or ended at once because that would have been too long.
func (p *parting) weWait(d time.Duration) bool {
	return p.ours == (next{again: true, wait: d}) || p.weEnded(d)
}

// theyWait says that they waited d, or did what they do when the call has not that long: wait until the context ends,
// stop at once, or wait for what is left.
func (p *parting) theyWait(d time.Duration) bool {
	patience, elapsed := p.patience-p.at, p.elapsed-p.at
	return p.theirs == (next{again: true, wait: d}) ||
		p.patience > 0 && d > patience && p.theirs == next{wait: patience} ||
		p.elapsed > 0 && d > elapsed && (p.theirs == next{} || p.theirs == next{again: true, wait: elapsed})
}
