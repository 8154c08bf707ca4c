package scenario

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

func drawPools(t *rapid.T) (list []sim.Pool) {
	for i := range rapid.IntRange(0, 2).Draw(t, "pools") {
		list = append(list, sim.Pool{Name: "pool-" + strconv.Itoa(i), Config: bulkhead.Config{
			Running: rapid.IntRange(1, maxPlaces).Draw(t, "running"), Queue: rapid.IntRange(0, maxPlaces).Draw(t, "queue"),
			CallerTimeout: drawDuration(t, MaxWait),
		}})
	}
	return list
}

func drawGuards(t *rapid.T, pools int) *sim.Guards {
	var g sim.Guards
	g.Pool = rapid.IntRange(0, pools).Draw(t, "pool")
	if rapid.Bool().Draw(t, "broken") {
		g.Breaker = drawBreaker(t)
	}
	if rapid.Bool().Draw(t, "bucket") {
		g.Limiter = limit.BucketConfig{
			Capacity: rapid.Int64Range(1, maxPlaces).Draw(t, "capacity"), Refill: rapid.Int64Range(1, maxPlaces).Draw(t, "refill"),
			Period: max(drawDuration(t, MaxWait), 1), Mode: limit.Mode(rapid.IntRange(0, 1).Draw(t, "mode")),
		}
		g.Poll = drawDuration(t, MaxWait)
	}
	if rapid.Bool().Draw(t, "fallback") {
		g.Fallback = ScriptedResponse(rapid.IntRange(200, 599).Draw(t, "status"))
	}
	if g == (sim.Guards{}) {
		return nil
	}
	return &g
}

func drawBreaker(t *rapid.T) breaker.Config {
	c := breaker.Config{
		Window: breaker.Window(rapid.IntRange(0, 2).Draw(t, "window")), Open: max(drawDuration(t, MaxWait), 1),
		Probes: rapid.IntRange(1, breaker.MaxProbes).Draw(t, "probes"), Lease: drawDuration(t, MaxWait),
		Failing: breaker.Classes(rapid.IntRange(0, 31).Draw(t, "failing")),
	}
	c.Ignoring = breaker.Classes(rapid.IntRange(0, 31).Draw(t, "ignoring")) &^ c.Failing
	c.Successes = rapid.IntRange(c.Probes, maxPlaces).Draw(t, "successes")
	switch c.Window {
	case breaker.InARow:
		c.Failures = rapid.IntRange(1, maxPlaces).Draw(t, "failures")
	case breaker.Count:
		c.Size = rapid.IntRange(1, breaker.MaxSize).Draw(t, "size")
		c.Minimum = rapid.IntRange(0, c.Size).Draw(t, "minimum")
	case breaker.Time:
		c.Span = max(drawDuration(t, MaxWait)/10*10, 10)
		c.Minimum = rapid.IntRange(0, maxPlaces).Draw(t, "minimum")
	}
	if c.Window != breaker.InARow {
		c.Percent = rapid.IntRange(1, 100).Draw(t, "percent")
	}
	b, err := breaker.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return b.Config()
}

// Contract D as a scenario: what is left out has the lesson's values.
func TestGuardsAreReadWithTheirDefaults(t *testing.T) {
	s, err := Read("d.json", []byte(`{"format": 1, "pools": [{"name": "own", "running": 10, "queue": 20, "callerTimeout": "3s"}],
		"clients": [{"name": "page", "policy": {"preset": "once"}, "pool": "own", "breaker": {"window": "count", "open": "5s"},
			"limiter": {"capacity": 3, "period": "1s", "poll": "50ms"}, "fallback": {"reply": 200}}],
		"inputs": [{"at": "0s", "fire": {}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := breaker.New(breaker.Config{Window: breaker.Count, Size: 10, Percent: 50, Open: 5e9})
	want := sim.Guards{
		Pool: 1, Breaker: b.Config(), Limiter: limit.BucketConfig{Capacity: 3, Refill: 3, Period: 1e9}, Poll: 50e6,
		Fallback: ScriptedResponse(200),
	}
	if got := s.Clients[0].Guards; got == nil || *got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	var k trace.Keep
	if _, err := s.Run(nil, &k); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range k.Events {
		if e.Who == event.Client {
			kinds = append(kinds, e.Kind.String())
		}
	}
	if got := strings.Join(kinds, " "); got != "call-started task-started attempt-admitted attempt-admitted attempt-sent "+
		"reply-arrived result-recorded call-succeeded task-ended" {
		t.Errorf("got %s", got)
	}
}
