package lab

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/partner"
)

// Check is a question that the report asks of each client.
type Check uint8

const (
	// RetryAfterKept: did it come back no sooner than a Retry-After said?
	RetryAfterKept Check = iota
	// Waits: did it wait before it tried again, where there was no Retry-After?
	Waits
	// Jitter: do its waits differ?
	Jitter
	// Attempts: did it give up in time?
	Attempts
	// Keyed: did it send a key with every request that it repeated and that changes something?
	Keyed
	// SameKey: did it keep the key for all attempts of a call?
	SameKey
	// Healable: did it leave alone what waiting does not heal?
	Healable
	numChecks
)

var checkNames = [numChecks]string{"retry-after", "waits", "jitter", "attempts", "keyed", "same-key", "healable"}

// String returns the kebab-case name.
func (c Check) String() string { return checkNames[c] }

// Checks returns every check, in their order in a report.
func Checks() []Check {
	all := make([]Check, numChecks)
	for i := range all {
		all[i] = Check(i)
	}
	return all
}

// Verdict is the answer to a check.
type Verdict uint8

const (
	// NotSeen: too little was seen to say.
	NotSeen Verdict = iota
	// Good: nothing was wrong.
	Good
	// Bad: something was.
	Bad
)

var verdictNames = [...]string{"not-seen", "good", "bad"}

// String returns the kebab-case name.
func (v Verdict) String() string { return verdictNames[v] }

const (
	// EarlyBy is by how much a client may come before its Retry-After is over: timers fire early by as much.
	EarlyBy = 5 * time.Millisecond
	// AtOnce is the wait below which a client counts as not having waited. Full jitter has waits below it too, but few.
	AtOnce = 25 * time.Millisecond
	// MostAttempts is how many attempts of a call are within contract E.
	MostAttempts = 4
	// needWaits is how many waits before the same attempt are compared, needChances how many first waits are judged.
	needWaits   = 5
	needChances = 3
	// alike is how far waits without jitter lie apart, by their own length: one twentieth, but never less than alikeLeast.
	alike      = 20
	alikeLeast = 10 * time.Millisecond
	ordinals   = 6
	keptProofs = 3
)

// Evidence is one case in which a check failed.
type Evidence struct {
	// Before and Seq are the events of the arrivals of two attempts, Before 0 where it is about one.
	Before, Seq int
	At          clock.Instant
	// Waited is how long the client waited, Asked how long it should have.
	Waited, Asked time.Duration
	// Attempt is the number of the later attempt, Status what the earlier one got, 0 for no answer.
	Attempt, Status int
}

// tally counts the cases of one check.
type tally struct {
	chances, faults int
	proofs          []Evidence // the first ones
}

func (t *tally) note(bad bool, e Evidence) {
	t.chances++
	if !bad {
		return
	}
	t.faults++
	if len(t.proofs) < keptProofs {
		t.proofs = append(t.proofs, e)
	}
}

// spread is what is known of waits before the n-th attempt.
type spread struct {
	count       int
	least, most time.Duration
	sum         time.Duration
}

func (s *spread) add(d time.Duration) {
	if s.count == 0 || d < s.least {
		s.least = d
	}
	s.most, s.sum = max(s.most, d), clock.Sum(s.sum, d)
	s.count++
}

// tellable reports whether there are enough waits to compare.
func (s *spread) tellable() bool {
	return s.count >= needWaits && s.sum/time.Duration(s.count) >= AtOnce
}

// regular reports whether the waits are too much alike to be drawn.
func (s *spread) regular() bool {
	return s.tellable() && s.most-s.least <= max(alikeLeast, s.sum/time.Duration(s.count)/alike)
}

// seen is what the report counts of one client.
type seen struct {
	retries int
	tallies [numChecks]tally
	waits   [ordinals]spread // before attempt 2, 3, …
}

// judge looks at one attempt, whose arrival was the last event; before is the call until then.
func (l *Lab) judge(before effort, r *call.Request) {
	if e := l.effort(r); e != nil {
		e.seq = l.seq
	}
	s := &l.clients[r.Client].seen
	if r.Attempt == 1 {
		s.tallies[Attempts].note(false, Evidence{})
		return
	}
	s.retries++
	e := Evidence{Before: before.seq, Seq: l.seq, At: l.now, Attempt: r.Attempt, Status: before.status}
	ended := before.state != underWay
	if ended {
		e.Waited = l.now.Sub(before.answered)
	}
	waited := ended && before.state != permanent && before.state != succeeded
	switch {
	case waited && before.until > 0:
		asked := e
		asked.Asked = before.until.Sub(before.answered)
		s.tallies[RetryAfterKept].note(l.now < before.until.Add(-EarlyBy), asked)
	case waited:
		s.tallies[Waits].note(e.Waited < AtOnce, e)
		if i := r.Attempt - 2; i < ordinals {
			s.waits[i].add(e.Waited)
		}
	}
	if r.Attempt == MostAttempts+1 {
		t := &s.tallies[Attempts]
		t.chances-- // the call was counted when it began
		t.note(true, e)
	}
	if partner.Changes(r) {
		s.tallies[Keyed].note(!r.HasKey(), e)
		if r.HasKey() {
			s.tallies[SameKey].note(before.request.Key != r.Key, e)
		}
	}
	s.tallies[Healable].note(before.state == permanent, e)
}

// Report is what the lab can say of its clients.
type Report struct {
	Clients []ClientReport
	// More is how many further clients there are.
	More int
}

// MaxReported is how many clients a report is about.
const MaxReported = 100

// ClientReport is what the lab can say of one client.
type ClientReport struct {
	Client                   string
	Requests, Calls, Retries int
	Findings                 []Finding
}

// Finding is the answer to one check.
type Finding struct {
	Check   Check
	Verdict Verdict
	// Chances is in how many cases it could be seen, Faults in how many it was wrong, Need how many cases it takes.
	Chances, Faults, Need int
	Evidence              []Evidence
	// Least and Most are the waits that lie too close together, if Check is Jitter, and Attempt before which attempt.
	Least, Most time.Duration
	Attempt     int
}

// Report judges every client by what was seen so far.
func (l *Lab) Report() Report {
	var rep Report
	for i := range l.clients {
		if i == MaxReported {
			rep.More = len(l.clients) - i
			break
		}
		c := &l.clients[i]
		one := ClientReport{Client: c.id, Requests: c.requests, Calls: c.calls, Retries: c.seen.retries}
		for _, check := range Checks() {
			one.Findings = append(one.Findings, c.seen.finding(check))
		}
		rep.Clients = append(rep.Clients, one)
	}
	return rep
}

func (s *seen) finding(c Check) Finding {
	if c == Jitter {
		return s.jitter()
	}
	t := &s.tallies[c]
	f := Finding{Check: c, Chances: t.chances, Faults: t.faults, Need: 1, Evidence: t.proofs}
	bad := t.faults > 0
	if c == Waits {
		f.Need, bad = needChances, 4*t.faults >= t.chances
	}
	switch {
	case c == Attempts && !bad && s.retries == 0, t.chances < f.Need:
	case bad:
		f.Verdict = Bad
	default:
		f.Verdict = Good
	}
	return f
}

// jitter compares waits before the same attempt.
func (s *seen) jitter() Finding {
	f := Finding{Check: Jitter, Need: needWaits}
	for i := range s.waits {
		w := &s.waits[i]
		f.Chances = max(f.Chances, w.count)
		if f.Verdict == NotSeen && w.tellable() {
			f.Verdict = Good
		}
		if f.Verdict != Bad && w.regular() {
			f.Verdict, f.Least, f.Most, f.Attempt = Bad, w.least, w.most, i+2
		}
		if w.regular() {
			f.Faults += w.count
		}
	}
	return f
}
