package codelab

import (
	"time"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// arrival is one task of a bulkhead's case: when it comes, and how long its work takes.
type arrival struct{ at, work time.Duration }

func bulkheadCase(running, queue int64, arrivals ...arrival) Case {
	all := list()
	for _, a := range arrivals {
		all.Items = append(all.Items, tuple(seconds(a.at), seconds(a.work)))
	}
	c := single(variable("arrivals")).with("running", whole(running)).with("queue", whole(queue))
	c.Vars = []Named{{"arrivals", all}}
	return c
}

func bulkheadCases() []Case {
	const s = time.Second
	return []Case{
		bulkheadCase(1, 0, arrival{0, s}), bulkheadCase(1, 0, arrival{0, s}, arrival{0, s}), bulkheadCase(1, 1, arrival{0, s}, arrival{0, s}),
		bulkheadCase(1, 1, arrival{0, s}, arrival{0, s}, arrival{0, s}), bulkheadCase(1, 0, arrival{0, s}, arrival{s, s}),
		bulkheadCase(1, 0, arrival{0, 3 * s}), bulkheadCase(1, 0, arrival{0, 4 * s}), bulkheadCase(1, 1, arrival{0, 4 * s}, arrival{0, s}),
		bulkheadCase(1, 1, arrival{0, 4 * s}, arrival{0, s}, arrival{7 * s / 2, s}),
		bulkheadCase(2, 1, arrival{0, s}, arrival{0, 2 * s}, arrival{0, s}, arrival{0, s}),
		bulkheadCase(1, 0, arrival{0, s}).with("patience", seconds(s/2)),
	}
}

func makeBulkhead(c *choices) Case {
	var arrivals []arrival
	for at := time.Duration(0); c.more(len(arrivals), 10) || len(arrivals) == 0; {
		at += c.quarter(6)
		arrivals = append(arrivals, arrival{at, c.quarter(16) + time.Second/4})
	}
	k := bulkheadCase(c.span(1, 3).Int, c.span(0, 3).Int, arrivals...)
	if c.flag() {
		k = k.with("patience", seconds(c.quarter(16)+time.Second/4))
	}
	return k
}

// pool plays arrivals through the core's bulkhead. At one instant works end first, then callers leave, then tasks come.
type pool struct {
	bulkhead bulkhead.Bulkhead
	work     []time.Duration
	result   []Value
	number   map[uint64]int // of a task's arrival
	timers   []timer
}

type timer struct {
	at     clock.Instant
	task   uint64
	leaves bool
}

func wantBulkhead(c *Case) []Outcome {
	s := &c.Steps[0]
	b, err := bulkhead.New(bulkhead.Config{
		Running: int(s.key("running", whole(10)).Int), Queue: int(s.key("queue", whole(20)).Int),
		CallerTimeout: s.key("patience", whole(3)).duration(),
	})
	if err != nil {
		panic("codelab: " + err.Error())
	}
	p := pool{bulkhead: b, number: map[uint64]int{}}
	for _, a := range c.Vars[0].Value.Items {
		p.submit(a.Items[0].at(), a.Items[1].duration())
	}
	p.until(clock.Max)
	return []Outcome{returned(list(p.result...))}
}

func (p *pool) submit(now clock.Instant, work time.Duration) {
	p.until(now)
	var task bulkhead.Task
	var d decision.Decision
	p.bulkhead, task, d = p.bulkhead.Submit(now)
	p.work = append(p.work, work)
	if d.Verdict == decision.Refuse {
		p.result = append(p.result, tuple(text("refused"), Value{}))
		return
	}
	p.number[task.Serial] = len(p.result)
	p.result = append(p.result, tuple(text(""), Value{}))
	p.timers = append(p.timers, timer{task.Leaves, task.Serial, true})
	if d.Verdict == decision.Admit {
		p.start(task)
	}
}

func (p *pool) start(task bulkhead.Task) {
	i := p.number[task.Serial]
	p.result[i].Items[1] = seconds(task.Started.Sub(clock.Start))
	p.timers = append(p.timers, timer{task.Started.Add(p.work[i]), task.Serial, false})
}

// until handles what is due up to an instant.
func (p *pool) until(now clock.Instant) {
	for {
		first := -1
		for i, t := range p.timers {
			if t.at <= now && (first < 0 || t.before(p.timers[first])) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		t := p.timers[first]
		p.timers = append(p.timers[:first], p.timers[first+1:]...)
		p.fire(t)
	}
}

func (t timer) before(u timer) bool { return t.at < u.at || t.at == u.at && !t.leaves && u.leaves }

func (p *pool) fire(t timer) {
	outcome := &p.result[p.number[t.task]].Items[0]
	if t.leaves {
		var d decision.Decision
		if p.bulkhead, d = p.bulkhead.Leave(t.at, t.task); d.Reason == decision.CallerLeft {
			*outcome = text("left")
		}
		return
	}
	if outcome.Text == "" {
		*outcome = text("done")
	}
	var next bulkhead.Task
	if p.bulkhead, next, _ = p.bulkhead.Finish(t.at, t.task); next.Serial != 0 {
		p.start(next)
	}
}
