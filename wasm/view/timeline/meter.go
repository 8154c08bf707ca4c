package timeline

import (
	"math"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// meter is a number over time, between 0 and what there is at most.
type meter struct {
	kind meterKind
	// client is whose it is, −1 for a pool or the partner; name the name of a pool, or the key of the partner's client.
	client int
	name   string
	most   float64
	queue  int64 // how many may wait where the places are taken
	levels []level
	marks  []noted
	refill float64       // tokens in each period
	period clock.Instant // of tokens, or of a fixed window
	batch  bool
}

type meterKind uint8

const (
	// placesMeter: tasks that run, and those that wait for that.
	placesMeter meterKind = iota
	// tokensMeter: tokens that are left.
	tokensMeter
	// periodMeter: requests that this period has room for.
	periodMeter
	// scheduleMeter: seconds that requests may still come ahead of their schedule.
	scheduleMeter
	// slotsMeter: requests in flight.
	slotsMeter
	// loadMeter: works at the same time, of which there may be any number; most is the highest so far.
	loadMeter
)

var meterNames = [...]string{"places", "tokens", "period", "schedule", "slots", "load"}

// level is what a meter shows from an instant on. Tokens, periods and schedules go on from there by themselves.
type level struct {
	at     clock.Instant
	n      float64
	queued float64
}

// fills reports whether the meter shows what is left, which comes back with time.
func (k meterKind) fills() bool { return k == tokensMeter || k == periodMeter || k == scheduleMeter }

func (m *meter) level(at clock.Instant, n, queued float64) {
	l := level{at, max(n, 0), queued}
	if i := len(m.levels) - 1; i >= 0 && m.levels[i].at == at {
		m.levels[i] = l
		return
	}
	m.levels = append(m.levels, l)
}

func (m *meter) note(e *event.Event, shape string) { m.marks = append(m.marks, noted{e, shape}) }

// bucket returns the own limiter of a client.
func (g *guards) bucket(client int) *meter {
	for _, m := range g.buckets {
		if m.client == client {
			return m
		}
	}
	m := &meter{kind: tokensMeter, client: client}
	g.buckets = append(g.buckets, m)
	return m
}

// task notes what a pool decided, or that a place of it is free again.
func (g *guards) task(in *Input, e *event.Event) bool {
	pool := g.poolOf(in, e)
	if pool < 1 || pool > len(in.Pools) {
		return false
	}
	var m *meter
	for _, p := range g.pools {
		if p.name == in.Pools[pool-1] {
			m = p
		}
	}
	if m == nil {
		m = &meter{client: -1, name: in.Pools[pool-1]}
		g.pools = append(g.pools, m)
	}
	m.places(e)
	switch e.Kind {
	case event.SendRefused:
		m.note(e, "local")
	case event.CallGaveUp:
		if e.Decision.Verdict == decision.GiveUp && e.Decision.Reason == decision.CallerLeft {
			m.note(e, "left")
		}
	case event.TaskEnded:
		if n := len(m.levels); n > 0 {
			last := m.levels[n-1]
			m.level(e.At, last.n-1, last.queued)
		}
		m.note(e, "")
	default:
		m.note(e, "")
	}
	return true
}

// poolOf returns the pool of the call that an event is about: where its client's calls began when it did.
func (g *guards) poolOf(in *Input, e *event.Event) int {
	c := e.Request.Client
	call := attemptID{client: c, call: e.Request.Call}
	if pool, ok := g.began[call]; ok {
		return pool
	}
	pool, ok := g.moved[c]
	if !ok && c < len(in.InPool) {
		pool = in.InPool[c]
	}
	if g.began == nil {
		g.began = map[attemptID]int{}
	}
	g.began[call] = pool
	return pool
}

// places takes the numbers of a bulkhead's receipt.
func (m *meter) places(e *event.Event) {
	running, ok := e.Decision.Term(decision.Running)
	if !ok || running.Mark == decision.Off {
		return
	}
	queued, _ := e.Decision.Term(decision.Queued)
	m.most, m.queue = float64(running.A), queued.A
	m.level(e.At, float64(running.Value), float64(queued.Value))
}

// places notes a decision about the places in which the partner works.
func (g *guards) places(e *event.Event) {
	if t, ok := e.Decision.Term(decision.Running); !ok || t.Mark == decision.Off {
		return
	}
	if g.capacity == nil {
		g.capacity = &meter{client: -1}
	}
	g.capacity.places(e)
	shape := ""
	if e.Kind == event.RequestRefused {
		shape = "refused"
	}
	g.capacity.note(e, shape)
}

// take takes the numbers of a limiter's receipt, and its outcome.
func (m *meter) take(e *event.Event) {
	d := &e.Decision
	n := 0.0
	if t, ok := d.Term(decision.Tokens); ok {
		m.most, n = float64(t.A), float64(t.Value)
		refill, _ := d.Term(decision.Refill)
		m.refill, m.period, m.batch = float64(refill.Value), clock.Instant(refill.A), refill.B == 1
	} else if t, ok := d.Term(decision.InPeriod); ok {
		m.kind, m.most, n, m.period = periodMeter, float64(t.A), float64(t.A-t.Value), clock.Instant(t.B)
	} else if t, ok := d.Term(decision.Schedule); ok {
		m.kind, m.most = scheduleMeter, float64(t.A)
		n = min(float64(t.A)-float64(t.B-int64(e.At)), m.most)
	} else if t, ok := d.Term(decision.InFlight); ok {
		m.kind, m.most, n = slotsMeter, float64(t.A), float64(t.Value)
	}
	if len(m.levels) == 0 && m.kind.fills() {
		m.level(clock.Start, m.most, 0)
	}
	m.level(e.At, n, 0)
	switch {
	case e.Kind == event.AttemptHeld:
		m.note(e, "held")
	case e.Kind == event.SendRefused:
		m.note(e, "local")
	case e.Kind == event.RequestRefused:
		m.note(e, "throttled")
	default:
		m.note(e, "")
	}
}

// limited notes a decision of the partner's limiter. The sliding window has a drawing of its own.
func (g *guards) limited(id attemptID, e *event.Event) bool {
	d := &e.Decision
	switch d.Reason {
	case decision.TokensTaken, decision.TokensMissing, decision.PeriodHasRoom, decision.PeriodFull,
		decision.OnSchedule, decision.AheadOfSchedule, decision.SlotFree, decision.SlotsTaken:
	default:
		return false
	}
	key, _ := d.Term(decision.ClientKey)
	var m *meter
	for _, each := range g.limits {
		if each.name == key.Text {
			m = each
		}
	}
	if m == nil {
		m = &meter{kind: tokensMeter, client: -1, name: key.Text}
		g.limits = append(g.limits, m)
	}
	m.take(e)
	if d.Reason == decision.SlotFree {
		if g.flying == nil {
			g.flying = map[attemptID]*meter{}
		}
		g.flying[id] = m
	}
	return true
}

// at returns what the meter shows at an instant from l on, if nothing more happens.
func (m *meter) at(l level, t clock.Instant) float64 {
	switch m.kind {
	case tokensMeter:
		gained := m.refill * float64(t-l.at) / float64(max(m.period, 1))
		if m.batch {
			gained = m.refill * float64(t/max(m.period, 1)-l.at/max(m.period, 1))
		}
		return min(l.n+gained, m.most)
	case periodMeter:
		if t/max(m.period, 1) > l.at/max(m.period, 1) {
			return m.most
		}
	case scheduleMeter:
		return min(l.n+float64(t-l.at), m.most)
	}
	return l.n
}

// now returns the last level, as it is at an instant.
func (m *meter) now(t clock.Instant) level {
	l := m.levels[len(m.levels)-1]
	return level{t, m.at(l, t), l.queued}
}

// tallest returns what the meter's height stands for.
func (m *meter) tallest() float64 {
	peak := 0.0
	for _, l := range m.levels {
		peak = max(peak, l.queued)
	}
	return max(m.most+max(peak, min(float64(m.queue), m.most)), 1)
}

// mostSteps is how many steps of a refill are drawn one by one; more than that look like a slope.
const mostSteps = 100

// outline calls f with the corners of what the meter shows from one instant to another: a stair, where tokens trickle in a
// slope.
func (m *meter) outline(from, to clock.Instant, f func(t clock.Instant, n, queued float64)) {
	for i, l := range m.levels {
		until := to
		if i+1 < len(m.levels) {
			until = min(m.levels[i+1].at, to)
		}
		if until < from || l.at > to {
			continue
		}
		if l.at < from {
			l.at, l.n = from, m.at(l, from)
		}
		f(l.at, l.n, l.queued)
		m.refilled(l, until, f)
		f(until, m.at(l, until), l.queued)
	}
}

// refilled calls f with the corners between one level and the next.
func (m *meter) refilled(l level, until clock.Instant, f func(t clock.Instant, n, queued float64)) {
	switch {
	case !m.kind.fills() || l.n >= m.most || m.period <= 0 && m.kind != scheduleMeter:
	case m.kind == periodMeter:
		if next := (l.at/m.period + 1) * m.period; next <= until {
			f(next, l.n, 0)
			f(next, m.most, 0)
		}
	case m.kind == tokensMeter && m.batch:
		for step, next := 0, (l.at/m.period+1)*m.period; next <= until && step < mostSteps; step, next = step+1, next+m.period {
			before := m.at(l, next-1)
			if before >= m.most {
				return
			}
			f(next, before, 0)
			f(next, m.at(l, next), 0)
		}
	default:
		rate := 1.0
		if m.kind == tokensMeter {
			rate = m.refill / float64(m.period)
		}
		if full := l.at + clock.Instant(math.Ceil((m.most-l.n)/rate)); full < until {
			f(full, m.most, 0)
		}
	}
}

// say puts what the meter shows now into words.
func (m *meter) say(in Input) string {
	l := m.now(in.Now)
	unit := 1.0
	if m.kind == tokensMeter || m.kind == scheduleMeter {
		unit = 1e9 // nano-tokens, nanoseconds
	}
	n, most := rounded(l.n/unit), rounded(m.most/unit)
	s := in.say("meter."+meterNames[m.kind], "n", n, "most", most)
	if m.queue > 0 {
		s += in.say("meter.queued", "n", rounded(l.queued), "most", amount(m.queue))
	}
	return s
}

// brief is what a narrow column has room for.
func (m *meter) brief(in Input) string {
	unit := 1.0
	if m.kind == tokensMeter || m.kind == scheduleMeter {
		unit = 1e9
	}
	l := m.now(in.Now)
	s := rounded(l.n/unit) + "/" + rounded(m.most/unit)
	if l.queued > 0 {
		s += "+" + rounded(l.queued)
	}
	return s
}

// rounded writes a number with at most one decimal, rounded down: a token that is not whole cannot be taken.
func rounded(v float64) string { return num(math.Floor(v*10+1e-6) / 10) }
