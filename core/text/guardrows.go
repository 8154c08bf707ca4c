package text

import (
	"strconv"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// GuardRows returns everything around a client's calls that can stop or delay them, or hide that they failed: the pool and
// how long its caller waits, the breaker, the client's own limiter, the fallback. What there is not is not listed.
func (l Lang) GuardRows(g sim.Guards, pools []sim.Pool) (rows []Row) {
	if g.Pool > 0 && g.Pool <= len(pools) {
		p := pools[g.Pool-1]
		places := l.Say("value.pool", "pool", literal(p.Name), "running", strconv.Itoa(p.Running), "queue", strconv.Itoa(p.Queue))
		rows = append(rows, Row{Label: l.Knob("pool"), Value: places, Name: decision.Running},
			l.limit("pool.timeout", p.CallerTimeout, decision.CallerWaits))
	}
	if g.Breaker != (breaker.Config{}) {
		rows = append(rows, l.breakerRows(&g.Breaker)...)
	}
	if c := g.Limiter; c.Capacity > 0 {
		rows = append(rows, l.limiterRow(c), l.pollRow(g.Poll))
	}
	if g.Fallback.Status > 0 {
		rows = append(rows, Row{Label: l.Knob("fallback"), Value: strconv.Itoa(g.Fallback.Status), Code: true, Name: decision.Saved})
	}
	return rows
}

func (l Lang) breakerRows(c *breaker.Config) []Row {
	opens := l.Say("value.breaker."+c.Window.String(), "failures", strconv.Itoa(c.Failures), "percent", strconv.Itoa(c.Percent),
		"size", strconv.Itoa(c.Size), "span", short(c.Span), "minimum", strconv.Itoa(c.Minimum))
	return []Row{
		{Label: l.Knob("breaker.window"), Value: opens, Name: decision.Threshold},
		{Label: l.Knob("breaker.open"), Value: l.Seconds(c.Open), Name: decision.ProbesFrom},
		{Label: l.Knob("breaker.probes"), Value: strconv.Itoa(c.Probes), Name: decision.Probes},
	}
}

func (l Lang) limiterRow(c limit.BucketConfig) Row {
	refill := c.Refill
	if refill == 0 {
		refill = c.Capacity
	}
	value := l.Say("value.limiter."+c.Mode.String(), "capacity", number(c.Capacity), "refill", number(refill), "period", short(c.Period))
	return Row{Label: l.Knob("limiter"), Value: value, Name: decision.Tokens}
}

func (l Lang) pollRow(poll time.Duration) Row {
	r := Row{Label: l.Knob("limiter.poll"), Value: l.Seconds(poll), Name: decision.Passes}
	if poll == 0 {
		r.Value = l.Say("value.no-poll")
	}
	return r
}
