package timeline

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/clock"
	"retrylab.example/core/partner"
	"retrylab.example/core/sim"
)

// pooled is a client whose pool has one place, beside a larger pool, and a partner that works for a second.
func pooled() sim.Config {
	c := lesson()
	c.Script, c.Partner = nil, partner.Config{Work: partner.Work{Least: time.Second, Most: time.Second}}
	c.Pools = []sim.Pool{
		{Name: "small", Config: bulkhead.Config{Running: 1, Queue: 5}}, {Name: "large", Config: bulkhead.Config{Running: 20}},
	}
	c.Clients[0].Guards = &sim.Guards{Pool: 1}
	return c
}

// A call that waits for a place has a bar from then until it is sent, or until now.
func TestAWaitForAPlaceHasABar(t *testing.T) {
	in := simulate(t, pooled(), 1500*ms, fire(0, 0, "a"), fire(0, 0, "b"), fire(200*ms, 0, "c"))
	var got []string
	for _, a := range tell(in).attempts {
		from, to, ok := a.waiting(in.Now)
		got = append(got, decimals(from)+"–"+decimals(to)+" "+strconv.FormatBool(ok))
	}
	if s := strings.Join(got, ", "); s != "0.000–0.000 false, 0.000–1.100 true, 0.200–1.500 true" {
		t.Errorf("got %s", s)
	}
	if html := Draw(in).HTML(); strings.Count(html, "mt--queued") < 2 || !strings.Contains(html, in.say("queue.place")) {
		t.Error("the waits are not drawn, or not named")
	}
}

// A client whose guards were changed begins its further calls in another pool; a task stays where it is.
func TestAMovedClientIsInItsNewPool(t *testing.T) {
	move := step{100 * ms, sim.Action{Kind: sim.SetGuards, Guards: &sim.Guards{Pool: 2}}}
	in := simulate(t, pooled(), 1150*ms, fire(0, 0, "a"), move, fire(200*ms, 0, "b"))
	var got []string
	for _, m := range tell(in).guards.pools {
		for _, l := range m.levels {
			got = append(got, m.name+" "+decimals(l.at)+" "+num(l.n))
		}
	}
	if s := strings.Join(got, ", "); s != "small 0.000 1, small 1.100 0, large 0.200 1" {
		t.Errorf("got %s", s)
	}
}

// Many works at once are an area as high as any other lane.
func TestManyWorksAreAnArea(t *testing.T) {
	c := pooled()
	c.Clients[0].Guards = nil
	var steps []step
	for i := range 20 {
		steps = append(steps, fire(time.Duration(i)*10*ms, 0, strconv.Itoa(i)))
	}
	w := &wide{sheet: newSheet(simulate(t, c, 600*ms, steps...)), top: wideTop}
	w.story = tell(w.in)
	strips := w.workStrips()
	if len(strips) != 1 || strips[0].meter == nil || strips[0].meter.most != 20 || strips[0].meter.now(clock.Max).n != 20 {
		t.Fatalf("got %+v", strips)
	}
	if w.layGuards(0, strips) != meterHeight {
		t.Errorf("the lane is %.0f high", w.layGuards(0, strips))
	}
}
