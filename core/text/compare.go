package text

import (
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/compare"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
)

// Difference is one thing that differs between two runs A and B, in words.
type Difference struct {
	Label, A, B string
	// Seqs are the numbers of the events in A and in B that tell of it: what was decided, else what happened; 0 where a run
	// has none.
	Seqs [2]int
}

// Parting says how long two runs are the same: "Same until 1.850 s."
func (l Lang) Parting(p compare.Parting) string {
	if !p.Differs {
		return l.Say("compare.same")
	}
	return l.Say("compare.until", "at", instant(p.At))
}

// Apart says by how much two runs sent an attempt at other instants: "attempt 3: 1.750 s apart". It is empty where one of
// them did not send it, or both at once.
func (l Lang) Apart(a *compare.Attempt, names Names) string {
	d, ok := a.Apart()
	if !ok || d == 0 {
		return ""
	}
	return l.Say("compare.apart", "what", l.attemptName(a, names), "time", seconds(max(d, -d)))
}

// Moment says what happened in a run at the place where it parts from another, or that nothing does any more.
func (l Lang) Moment(run []event.Event, index int, names Names) string {
	if index >= len(run) {
		return l.Say("compare.nothing-more")
	}
	e := &run[index]
	return l.Say("compare.moment", "at", instant(e.At), "who", l.Who(e, names), "what", l.Event(e, names))
}

// Differences returns all that differs between two runs, in the order of reading: how the calls end, the attempts, the
// totals, and how many requests reached the partner at once.
func (l Lang) Differences(c *compare.Comparison, names Names) []Difference {
	var list []Difference
	for i := range c.Calls {
		call := &c.Calls[i]
		d := Difference{Label: l.callName(call, names)}
		d.A, d.Seqs[0] = l.callSide(&call.Sides[0])
		d.B, d.Seqs[1] = l.callSide(&call.Sides[1])
		list = append(list, d)
	}
	for i := range c.Attempts {
		a := &c.Attempts[i]
		d := Difference{Label: l.attemptName(a, names)}
		d.A, d.Seqs[0] = l.attemptSide(&a.Sides[0])
		d.B, d.Seqs[1] = l.attemptSide(&a.Sides[1])
		list = append(list, d)
	}
	list = append(list, l.totalsApart(&c.Totals)...)
	add := func(label, a, b string) {
		if a != b {
			list = append(list, Difference{Label: label, A: a, B: b})
		}
	}
	add(l.Say("compare.last-event"), l.Seconds(c.Ends[0].Sub(0)), l.Seconds(c.Ends[1].Sub(0)))
	add(l.Say("compare.peak", "width", short(c.Load[0].Width())), peak(c.Load[0]), peak(c.Load[1]))
	return list
}

// totalsApart returns the counts and totals that differ.
func (l Lang) totalsApart(t *[2]measure.Totals) []Difference {
	words := l.Totals()
	var list []Difference
	add := func(label string, a, b int64) {
		if a != b {
			list = append(list, Difference{Label: label, A: number(a), B: number(b)})
		}
	}
	a, b := &t[0], &t[1]
	add(words.Sent, int64(a.Sent), int64(b.Sent))
	add(words.Arrived, int64(a.Arrived), int64(b.Arrived))
	add(words.Applied, int64(a.Applied), int64(b.Applied))
	add(words.Replayed, int64(a.Replayed), int64(b.Replayed))
	add(words.Refused, int64(a.Refused), int64(b.Refused))
	add(words.RefusedLocally, int64(a.RefusedLocally), int64(b.RefusedLocally))
	add(words.Duplicates, int64(a.Duplicates), int64(b.Duplicates))
	add(words.Naive, a.Naive, b.Naive)
	add(words.Deduped, a.Deduped, b.Deduped)
	add(words.Actual, a.Actual, b.Actual)
	return list
}

// peak returns the highest number of requests that reached the partner in one bucket.
func peak(load *measure.Load) string {
	most := 0
	for i := range load.Buckets() {
		most = max(most, load.Buckets()[i].Arrived())
	}
	return strconv.Itoa(most)
}

func (l Lang) attemptName(a *compare.Attempt, names Names) string {
	return l.named(a.Client, a.Call, l.Say("compare.attempt", "n", strconv.Itoa(a.Number)), names)
}

func (l Lang) callName(c *compare.Call, names Names) string {
	what := l.Say("compare.ends")
	return l.named(c.Client, c.Number, what, names)
}

// named puts before a label whose it is: the client where there are several, the call from the second on.
func (l Lang) named(client, call int, what string, names Names) string {
	var whose []string
	if len(names) > 1 && client < len(names) {
		whose = append(whose, literal(names[client]))
	}
	if call > 1 {
		whose = append(whose, l.Say("part.call", "call", strconv.Itoa(call)))
	}
	return l.owned(whose, what)
}

// attemptSide returns an attempt in one run in words, and the event that tells of it.
func (l Lang) attemptSide(a *compare.AttemptSide) (string, int) {
	if a.Sent == 0 {
		return l.Say("compare.not-sent"), 0
	}
	parts := []string{l.Seconds(a.At.Sub(0))}
	switch {
	case a.Status > 0:
		parts = append(parts, strconv.Itoa(a.Status))
	case a.Failure != call.None:
		parts = append(parts, l.Choice("failures", a.Failure.String()))
	}
	if a.Wait > 0 {
		parts = append(parts, l.Say("compare.wait", "wait", seconds(a.Wait)))
	}
	seq := a.Decided
	if seq == 0 {
		seq = a.Sent
	}
	return strings.Join(parts, l.Say("part.list")), seq
}

// callSide returns how a call ends in one run, and the event that tells of it.
func (l Lang) callSide(c *compare.CallSide) (string, int) {
	switch {
	case c.Begun == 0:
		return l.Say("compare.not-begun"), 0
	case c.Ended == 0:
		return l.Say("compare.not-ended"), c.Begun
	}
	result := l.Say("compare.gives-up")
	if c.Succeeded {
		result = l.Say("compare.succeeds")
	}
	if c.Status > 0 {
		result += " " + strconv.Itoa(c.Status)
	}
	parts := []string{l.Seconds(c.At.Sub(0)), result}
	if !c.Succeeded && c.Reason != decision.NoReason {
		parts = append(parts, l.Reason(c.Reason))
	}
	return strings.Join(parts, l.Say("part.list")), c.Ended
}
