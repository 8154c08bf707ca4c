package codelab

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// Trial is one case, as a program ran it and as the core does.
type Trial struct {
	Function string
	// Setup and Calls are the case as Python.
	Setup, Calls []string
	// Yours are the outcomes of the program, Wanted those of the core.
	Yours, Wanted []Outcome
	// Verdict judges the case alone.
	Verdict Verdict

	world Case
	until clock.Instant
}

// Run lets a runner run a program on one case, and returns its answer, which Trial reads.
func (f *Function) Run(p Program, c *Case, r Runner) (line []byte, stopped string, err error) {
	lines, stopped, err := r.Run(appendRequest(nil, f.Name, p, []Case{*c}), 1)
	if err != nil || len(lines) == 0 {
		return nil, stopped, err
	}
	return lines[0], "", nil
}

// Trial reads the answer of Run.
func (f *Function) Trial(c *Case, line []byte, stopped string) (Trial, error) {
	a := answered{steps: []Outcome{{Limit: stopped}}}
	if stopped == "" {
		var err error
		if a, err = readAnswer(line); err != nil {
			return Trial{}, err
		}
	}
	return Trial{
		Function: f.Name, Setup: c.setup(), Calls: c.calls(f.Name, len(c.Steps)-1), Yours: a.steps, Wanted: f.want(c),
		Verdict: f.judge(c, a), world: *c, until: f.deadline(c),
	}, nil
}

// deadline is when a call of the case must be over: its arguments say how long it may take.
func (f *Function) deadline(c *Case) clock.Instant {
	for _, name := range [...]string{"timeout", "deadline"} {
		if v := f.argument(c, name); v != nil {
			return c.Now.Add(v.duration())
		}
	}
	return clock.Max
}

// The functions of the world that answer.
const (
	sends    = "send"
	operates = "operation"
)

// Runs reports whether the function does to the world what can be drawn as a run: it sends.
func (f *Function) Runs() bool {
	first := f.fixed()[0]
	return first.uses(sends) || first.uses(operates)
}

// Events returns both runs of a trial as events: what the program did to the world, and what the core does. A function
// that sends many calls, one after the other, has a call for each; any other has one call with all of its attempts.
func (t *Trial) Events() (yours, wanted []event.Event) {
	var both [2][]event.Event
	for i, outcomes := range [2][]Outcome{t.Yours, t.Wanted} {
		if len(outcomes) > 0 {
			r := running{c: &t.world, until: t.until, each: t.Function == "send_all", now: t.world.Now}
			r.run(&outcomes[0])
			both[i] = r.events
		}
	}
	return both[0], both[1]
}

// running turns what was done to the world into events.
type running struct {
	c      *Case
	until  clock.Instant
	each   bool
	events []event.Event
	now    clock.Instant
	// sent counts the sendings; open says that a call has begun and not ended.
	sent int
	open bool
	// late is by how much everything is later than the world said, whose clock a "wait" does not move.
	late time.Duration
	last call.Outcome
}

func (r *running) run(o *Outcome) {
	for i := range o.Trace {
		did := &o.Trace[i]
		r.now = max(r.now, did.At.Add(r.late))
		r.begin()
		switch did.Name {
		case "sleep":
			r.wait(did)
		case "wait":
			r.wait(did)
			r.late += span(did)
		default:
			r.send(did)
		}
	}
	if r.open && o.Limit == "" {
		r.end(o.Raised)
	}
}

// span is the time that a call of the world is about, 0 where that is no good number.
func span(did *Call) time.Duration {
	if len(did.Args) == 0 {
		return 0
	}
	return max(did.Args[0].duration(), 0)
}

func (r *running) begin() {
	if !r.open {
		r.open = true
		r.add(event.Event{Kind: event.CallStarted, Until: r.until}, r.sent+1)
	}
}

// add adds an event of the sending of that number.
func (r *running) add(e event.Event, number int) {
	e.Seq, e.At = len(r.events)+1, r.now
	e.Request = call.Request{Method: "GET", Call: 1, Attempt: number}
	if r.each {
		e.Request.Call, e.Request.Attempt = number, 1
	}
	if e.Kind == event.ReplyArrived || e.Kind == event.AttemptFailed {
		e.Who = event.Network
	}
	r.events = append(r.events, e)
}

// wait is a sleep: before a retry, or for a turn.
func (r *running) wait(did *Call) {
	e := event.Event{Kind: event.RetryScheduled, Until: r.now.Add(span(did))}
	e.Decision.Wait = span(did)
	number := r.sent
	if r.each {
		e.Kind, number = event.AttemptHeld, r.sent+1
	}
	r.add(e, number)
	r.now = e.Until
}

func (r *running) send(did *Call) {
	r.sent++
	until := clock.Max
	if len(did.Args) == 1 && (did.Args[0].Kind == Int || did.Args[0].Kind == Dec) {
		until = r.now.Add(span(did)) // it is told how long it may take
	}
	r.add(event.Event{Kind: event.AttemptSent, Until: until}, r.sent)
	a := &r.c.Answers[min(r.sent, len(r.c.Answers))-1]
	r.now = r.now.Add(a.Cost)
	r.last = call.Outcome{Response: a.mishap().Response}
	switch {
	case a.Raise == "" && a.Status == 0, a.Raise != "" && did.Name == operates: // an operation's outcome is a word
		r.last = call.Outcome{Response: call.Response{Status: statusOf(a.Value)}}
	case a.Raise != "":
		r.last = call.Outcome{Failure: call.Reset}
	}
	if r.last.Failure != call.None {
		r.add(event.Event{Kind: event.AttemptFailed, Failure: r.last.Failure}, r.sent)
	} else {
		r.add(event.Event{Kind: event.ReplyArrived, Response: r.last.Response}, r.sent)
	}
	if r.each {
		r.end("")
	}
}

// end ends the call: well, if its last reply is a success, or else by giving up.
func (r *running) end(raised string) {
	r.open = false
	e := event.Event{Kind: event.CallGaveUp, Response: r.last.Response, Failure: r.last.Failure}
	switch {
	case raised == "TimeoutError":
		e.Decision.Reason = decision.DeadlinePassed
	case raised == "" && r.sent > 0 && r.last.Class() == call.Success:
		e.Kind = event.CallSucceeded
	}
	r.add(e, max(r.sent, 1))
}
