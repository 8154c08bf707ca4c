// Package decision holds the receipt: what a mechanism decided, why, from which numbers, and what would change it.
//
// A refusal is a Decision, never an error. A receipt carries codes and integers only; package text turns them into
// sentences.
package decision

import "time"

// MaxTerms and MaxFlips bound a receipt, so that making one allocates nothing.
const (
	MaxTerms = 13
	MaxFlips = 4
)

// Decision is one choice of one mechanism. The zero value means that nothing was decided.
type Decision struct {
	Verdict Verdict
	Reason  Reason
	// Wait is how long to wait before the next step; 0 where nothing is awaited.
	Wait time.Duration

	terms  [MaxTerms]Term
	flips  [MaxFlips]Flip
	nTerms uint8
	nFlips uint8
}

// Terms returns the rows of the receipt in their order of reading.
func (d *Decision) Terms() []Term { return d.terms[:d.nTerms] }

// Flips returns the nearest changes that would have led to another decision, at most one or two for each term.
func (d *Decision) Flips() []Flip { return d.flips[:d.nFlips] }

// Clear makes d the zero value. Rows that were never written need no clearing, and most receipts are short.
func (d *Decision) Clear() {
	clear(d.terms[:d.nTerms])
	clear(d.flips[:d.nFlips])
	d.Verdict, d.Reason, d.Wait, d.nTerms, d.nFlips = NoVerdict, NoReason, 0, 0, 0
}

// Set makes d a copy of from, another decision, as an assignment does: only for less work, as most receipts are short.
func (d *Decision) Set(from *Decision) {
	d.Clear()
	copy(d.terms[:], from.Terms())
	copy(d.flips[:], from.Flips())
	d.Verdict, d.Reason, d.Wait, d.nTerms, d.nFlips = from.Verdict, from.Reason, from.Wait, from.nTerms, from.nFlips
}

// Add appends a row. It panics when the receipt is full: MaxTerms is then too small for a mechanism.
func (d *Decision) Add(t Term) {
	d.terms[d.nTerms] = t
	d.nTerms++
}

// Row appends a row that holds nothing but its name, to be filled in place. It panics as Add does.
func (d *Decision) Row(n Name) *Term {
	t := &d.terms[d.nTerms]
	d.nTerms++
	t.Name = n
	return t
}

// AddFlip appends a change; further ones than MaxFlips are left out.
func (d *Decision) AddFlip(f Flip) {
	if int(d.nFlips) < MaxFlips {
		d.flips[d.nFlips] = f
		d.nFlips++
	}
}

// Term returns the row of that name.
func (d *Decision) Term(n Name) (Term, bool) {
	for _, t := range d.Terms() {
		if t.Name == n {
			return t, true
		}
	}
	return Term{}, false
}

// Mark sets the mark of the row of that name, if there is one.
func (d *Decision) Mark(n Name, m Mark) {
	for i := range d.Terms() {
		if d.terms[i].Name == n {
			d.terms[i].Mark = m
		}
	}
}

// Term is one row of a receipt. What A and B hold is said at each Name.
type Term struct {
	Name  Name
	Mark  Mark
	Value int64
	A, B  int64
	Text  string
}

// Mark says how a row took part.
type Mark uint8

const (
	// Plain: the row counted and did not decide.
	Plain Mark = iota
	// Decided: the row that decided.
	Decided
	// Ignored: a value was there and the policy does not use it, or it was malformed.
	Ignored
	// Off: the policy has no such limit, or there was no value.
	Off
)

var markNames = [...]string{"plain", "decided", "ignored", "off"}

// String returns the kebab-case name.
func (m Mark) String() string { return markNames[m] }

// Flip is the nearest change of one input that would have led to another decision.
type Flip struct {
	// Name is the row that would change, and Bound how: to Value or more, to Value or
	// less, above Value, or to exactly Value.
	Name  Name
	Bound Bound
	Value int64
	// The decision that would follow.
	Verdict Verdict
	Reason  Reason
	Wait    time.Duration
}

// Edge returns a value under which the other decision follows, and the nearest one under which it does not: for Exactly
// the same value twice, as nothing lies nearer.
func (f Flip) Edge() (holds, not int64) {
	switch f.Bound {
	case AtLeast:
		return f.Value, f.Value - 1
	case AtMost:
		return f.Value, f.Value + 1
	case MoreThan:
		return f.Value + 1, f.Value
	}
	return f.Value, f.Value
}

// Bound says on which side of a flip's value the other decision begins.
type Bound uint8

const (
	// AtLeast: Value or more.
	AtLeast Bound = iota
	// AtMost: Value or less.
	AtMost
	// MoreThan: anything above Value, and not Value itself.
	MoreThan
	// Exactly: Value itself.
	Exactly
)

var boundNames = [...]string{"at-least", "at-most", "more-than", "exactly"}

// String returns the kebab-case name.
func (b Bound) String() string { return boundNames[b] }
