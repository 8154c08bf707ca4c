package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/field"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/measure"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// Each file of testdata/malformed says what reading a bad scenario gives: `change` takes testdata/base.json with the
// lines after - replaced by those after +, `read` the text itself, and `read quoted` Go string literals.
func TestMalformed(t *testing.T) {
	base := readFile(t, "testdata/base.json")
	datadriven.Walk(t, "testdata/malformed", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := d.Input
			switch {
			case d.Cmd == "change":
				text = change(t, d, base)
			case d.HasArg("quoted"):
				text = unquote(t, d.Input)
			}
			_, err := Read("scenario.json", []byte(text))
			if err == nil {
				return "no fault\n"
			}
			return err.Error() + "\n"
		})
	})
}

func readFile(t testing.TB, name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// change replaces what stands exactly once.
func change(t *testing.T, d *datadriven.TestData, text string) string {
	var from, to []string
	apply := func() {
		old := strings.Join(from, "\n")
		if n := strings.Count(text, old); n != 1 || old == "" {
			d.Fatalf(t, "%q stands %d times in the base", old, n)
		}
		text = strings.Replace(text, old, strings.Join(to, "\n"), 1)
		from, to = nil, nil
	}
	for line := range strings.Lines(d.Input) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "- "):
			if len(to) > 0 {
				apply()
			}
			from = append(from, line[2:])
		case strings.HasPrefix(line, "+ "):
			to = append(to, line[2:])
		default:
			d.Fatalf(t, "a line begins with - or +, not as in %q", line)
		}
	}
	apply()
	return text
}

func unquote(t *testing.T, lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		b.WriteString(s)
	}
	return b.String()
}

func TestBaseIsWellFormed(t *testing.T) {
	s, err := Read("base.json", []byte(readFile(t, "testdata/base.json")))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Clients) != 2 || len(s.Script) != 2 || len(s.Inputs) != 3 || s.Seed != 7 || s.Partner.Limit.Limit != 2 {
		t.Errorf("the base was read as %+v", s)
	}
}

// A scenario that is read back from what was written is the same one, and so is its run.
func TestWrittenScenariosReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		got, err := Read("written.json", s.Write())
		if err != nil {
			t.Fatalf("%v\n%s", err, s.Write())
		}
		if !reflect.DeepEqual(got, s) {
			t.Fatalf("got  %+v\nwant %+v\n%s", got, s, s.Write())
		}
		if !bytes.Equal(got.Write(), s.Write()) || got.Digest() != s.Digest() {
			t.Fatal("it is written another way the second time")
		}
	})
}

// drawScenario draws any scenario that a file can hold.
func drawScenario(t *rapid.T) Scenario {
	var s Scenario
	s.Seed = rapid.Uint64Range(0, MaxSeed).Draw(t, "seed")
	s.Latency = drawDuration(t, time.Hour)
	s.MaxEvents = rapid.IntRange(1, sim.DefaultMaxEvents).Draw(t, "maxEvents")
	s.MaxTime = max(drawDuration(t, 10*sim.DefaultMaxTime), 1)
	s.Partner = partner.Config{
		IgnoreKeys: rapid.Bool().Draw(t, "ignore"),
		Ledger:     ledger.Config{Lifetime: max(drawDuration(t, 366*24*time.Hour), 1)},
	}
	if rapid.Bool().Draw(t, "limited") {
		s.Partner.Limit = limit.Config{
			Limit: rapid.IntRange(1, 10_000).Draw(t, "limit"), Window: max(drawDuration(t, MaxWait), 1),
			RecordRefused: rapid.Bool().Draw(t, "recordRefused"),
		}
	}
	if rapid.Bool().Draw(t, "busy") {
		drawPartner(t, &s.Partner)
	}
	for range rapid.IntRange(0, 3).Draw(t, "script") {
		s.Script = append(s.Script, drawMishap(t))
	}
	s.RepeatLast = rapid.Bool().Draw(t, "repeat")
	s.Pools = drawPools(t)
	for i := range rapid.IntRange(1, 3).Draw(t, "clients") {
		c := sim.Client{Name: "c-" + strconv.Itoa(i), Policy: drawPolicy(t), Oversleep: drawDuration(t, MaxWait)}
		c.Guards = drawGuards(t, len(s.Pools))
		if rapid.Bool().Draw(t, "listens") {
			notice := drawRequest(t)
			c.OnNotice = &notice
		}
		s.Clients = append(s.Clients, c)
		s.Requests = append(s.Requests, drawRequest(t))
	}
	at := clock.Start
	for range rapid.IntRange(0, 4).Draw(t, "inputs") {
		at = min(at.Add(drawDuration(t, s.MaxTime)), clock.Instant(s.MaxTime))
		s.Inputs = append(s.Inputs, Input{at, drawAction(t, len(s.Clients), len(s.Pools))})
	}
	return s
}

func drawDuration(t *rapid.T, most time.Duration) time.Duration {
	d := time.Duration(rapid.Int64Range(0, int64(most)).Draw(t, "duration"))
	return d - d%rapid.SampledFrom([]time.Duration{1, time.Millisecond, time.Second}).Draw(t, "unit")
}

func drawMishap(t *rapid.T) sim.Mishap {
	m := sim.Mishap{Fault: rapid.SampledFrom(append(event.Faults(), event.NoFault)).Draw(t, "fault"), Delay: drawDuration(t, MaxWait)}
	if m.Fault == event.Reply || m.Fault == event.Fail {
		m.Response = ScriptedResponse(rapid.IntRange(map[event.Fault]int{event.Reply: 200, event.Fail: 400}[m.Fault], 599).Draw(t, "status"))
		if rapid.Bool().Draw(t, "after") {
			m.Response.RetryAfter, m.Response.HasRetryAfter = rapid.StringMatching(`[ -~]{0,10}`).Draw(t, "retryAfter"), true
		}
		m.Response.Fields = field.Join(drawFields(t))
	}
	return m
}

// drawFields draws fields whose values may look like more than one of them.
func drawFields(t *rapid.T) (fields []field.Field) {
	for range rapid.IntRange(0, 3).Draw(t, "fields") {
		fields = append(fields, field.Field{
			Name:  rapid.SampledFrom([]string{"Date", "age", "RateLimit", "x!#$%&'*+-.^_`|~9"}).Draw(t, "field"),
			Value: rapid.StringMatching(`[ -~\tÀ-ÿ]{0,20}|(: )*`).Draw(t, "value"),
		})
	}
	return fields
}

func drawRequest(t *rapid.T) call.Request {
	r := call.Request{
		Method: rapid.StringMatching(`[a-zA-Z]{1,20}`).Draw(t, "method"),
		Path:   rapid.StringMatching(`/[ -~]{0,20}`).Draw(t, "path"),
		Keyed:  rapid.Bool().Draw(t, "keyed"),
		Amount: rapid.Int64Range(-partner.MaxAmount, partner.MaxAmount).Draw(t, "amount"),
		Slot:   rapid.Int64Range(0, 9).Draw(t, "slot"),

		IfMatch: rapid.SampledFrom([]string{"", `"e1"`, `W/"e1"`}).Draw(t, "ifMatch"),
	}
	if r.Keyed {
		r.Key = rapid.StringMatching(`[ -~]{0,20}`).Draw(t, "key")
	}
	return r
}

func drawPolicy(t *rapid.T) retry.Policy {
	p := retry.Policy{
		Attempts: rapid.IntRange(1, retry.MaxAttempts).Draw(t, "attempts"), Deadline: drawDuration(t, MaxWait),
		FreshDeadline: rapid.Bool().Draw(t, "fresh"), AttemptTimeout: drawDuration(t, MaxWait),
		CutTimeout: rapid.Bool().Draw(t, "cut"),
		Backoff:    backoff.Config{Base: drawDuration(t, MaxWait), Cap: drawDuration(t, MaxWait)},
		Jitter:     backoff.Jitter(rapid.IntRange(0, len(backoff.JitterNames())-1).Draw(t, "jitter")),
		RetryAfter: retryafter.Rule(rapid.IntRange(0, len(retryafter.RuleNames())-1).Draw(t, "rule")),
		Safety:     retry.Safety(rapid.IntRange(0, len(retry.SafetyNames())-1).Draw(t, "safety")),
		Exhausted:  retry.Exhausted(rapid.IntRange(0, len(retry.ExhaustedNames())-1).Draw(t, "exhausted")),
	}
	if p.Jitter == backoff.Fraction {
		for range rapid.IntRange(0, 3).Draw(t, "fractions") {
			den := rapid.SampledFrom([]uint64{1, 10, 1000, 1e18}).Draw(t, "den")
			p.Fractions = append(p.Fractions, rng.Ratio{Num: rapid.Uint64Range(0, den).Draw(t, "num"), Den: den})
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "statuses") {
		p.Statuses = append(p.Statuses, rapid.IntRange(100, 599).Draw(t, "status"))
	}
	if rapid.Bool().Draw(t, "failures") {
		p.Failures = []call.Failure{call.Reset, call.TimedOut, call.Garbled, call.NeverSent}
	}
	drawMore(t, &p)
	return p
}

// drawMore draws what only some policies have, where the rest of the policy looks at it.
func drawMore(t *rapid.T, p *retry.Policy) {
	yes := func(name string) bool { return rapid.Bool().Draw(t, name) }
	fraction := func(name string) rng.Ratio {
		return rng.Ratio{Num: rapid.Uint64Range(0, 1000).Draw(t, name), Den: 1000}
	}
	p.DeadlineTest = budget.DeadlineTest(rapid.IntRange(0, 1).Draw(t, "test"))
	p.Backoff.Shape = backoff.Shape(rapid.IntRange(0, len(backoff.ShapeNames())-1).Draw(t, "shape"))
	if p.Backoff.Shape == backoff.Exponential {
		p.Backoff.Factor = parseFactor(rapid.SampledFrom([]string{"", "3/2", "0.001", "1000", "7/3", "1.000000001", "1/1000"}).Draw(t, "factor"))
	}
	if p.Jitter == backoff.PlusMinus {
		p.Share = fraction("share")
	}
	p.KeepAtCap = p.Jitter.CrossesCap() && yes("keep")
	if p.RetryAfter != retryafter.Ignore {
		p.RetryAfterMode = retryafter.Mode(rapid.IntRange(0, len(retryafter.ModeNames())-1).Draw(t, "mode"))
		p.MaxRetryAfter, p.AboveRetryAfter = drawDuration(t, MaxWait), drawDuration(t, MaxWait)
	}
	if p.Safety >= retry.LessonE && yes("route") {
		p.Unchanging = []string{"/estimate"}
	}
	if p.Safety == retry.Standard {
		if p.KeysDocumented = yes("keys"); yes("unprocessed") {
			p.Unprocessed = []int{429, 503}
		}
	}
	if p.Envelope = yes("envelope"); yes("codes") {
		p.Codes = []string{"in_flight"}
	}
	tokens := func(name string) int64 { return rapid.Int64Range(1, budget.MaxTokens).Draw(t, name) }
	switch p.Budget.Kind = budget.Kind(rapid.IntRange(0, 3).Draw(t, "budget")); p.Budget.Kind {
	case budget.Quota:
		p.Budget.Tokens, p.Budget.Cost, p.Budget.ThrottledCost, p.Budget.Refill = tokens("tokens"), tokens("cost"), tokens("throttled"), tokens("refill")
	case budget.Throttle:
		p.Budget.Tokens, p.Budget.Refill = tokens("tokens"), tokens("refill")
	case budget.Share:
		p.Budget.Share, p.Budget.Minimum = fraction("budget share"), rapid.IntRange(0, 100).Draw(t, "minimum")
	}
}

func drawAction(t *rapid.T, clients, pools int) sim.Action {
	a := sim.Action{Kind: rapid.SampledFrom([]sim.ActionKind{sim.Fire, sim.Inject, sim.SetPolicy, sim.SetGuards, sim.SetLimit}).Draw(t, "action")}
	switch a.Kind {
	case sim.Fire:
		a.Client, a.Request = rapid.IntRange(0, clients-1).Draw(t, "client"), drawRequest(t)
		a.Request.ClientID = rapid.SampledFrom([]string{"", "bad key!", " "}).Draw(t, "client id")
		a.Times = rapid.SampledFrom([]int{0, 2, MaxTimes}).Draw(t, "times")
	case sim.Inject:
		a.Mishap = drawMishap(t)
	case sim.SetLimit:
		literals := rapid.SampledFrom([]string{"2", "0", "-1", "2.5", "1e400", "true", "null", `"2"`, `"NaN"`, `"<\"é"`, "0.25"})
		a.Limit = limit.Setting{Count: literals.Draw(t, "count"), Window: literals.Draw(t, "window")}
	case sim.SetGuards:
		a.Client, a.Guards = rapid.IntRange(0, clients-1).Draw(t, "client"), drawGuards(t, pools)
	default:
		a.Client, a.Policy = rapid.IntRange(0, clients-1).Draw(t, "client"), drawPolicy(t)
	}
	return a
}

// A policy made by a program may hold fractions that no file can: they are written rounded down, without a panic.
func TestForeignFractionsAreWritten(t *testing.T) {
	for _, c := range []struct {
		ratio rng.Ratio
		want  string
	}{
		{rng.Ratio{}, "0"}, {rng.Ratio{Num: 1, Den: 3}, "0.333333333333333333"}, {rng.OfDraw(1 << 63), "0.500000000000000000"},
		{rng.One, "1"}, {rng.Ratio{Num: 25, Den: 100}, "0.25"}, {rng.Ratio{Num: 3, Den: 3}, "1.000000000000000000"},
	} {
		if got := formatRatio(c.ratio); got != c.want {
			t.Errorf("%v: got %s, want %s", c.ratio, got, c.want)
		}
	}
}

// The largest run that a file can ask for ends, at its bound, and soon.
func TestTheLongestRunIsBounded(t *testing.T) {
	file := `{"latency": "0s", "clients": [{"name": "a", "policy": {"attempts": 1000, "retry": {"statuses": [503]}}}],
		"script": [{"reply": 503}], "repeatLast": true, "inputs": [` + strings.Repeat(`{"fire": {}},`, MaxInputs-1) + `{"fire": {}}]}`
	s, err := Read("long.json", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var f measure.Fold
	last := event.Event{}
	st, err := s.Run(nil, sinkFunc(func(e *event.Event) { f.Event(e); last = *e }))
	if err != nil || !st.Stopped() || last.Kind != event.RunStopped || last.Seq != sim.DefaultMaxEvents+1 {
		t.Errorf("got %v, stopped %t, last event %d %s; want a run stopped after %d events",
			err, st.Stopped(), last.Seq, last.Kind, sim.DefaultMaxEvents)
	}
}

type sinkFunc func(e *event.Event)

func (f sinkFunc) Event(e *event.Event) { f(e) }

// Reading never panics and never hangs; what was read can be written, read back, and run to its end.
func FuzzRead(f *testing.F) {
	f.Add([]byte(readFile(f, "testdata/base.json")))
	f.Add([]byte(`{"clients": [{"name": "a", "policy": {"preset": "contract-c"}}], "maxEvents": 1, "inputs": [{"fire": {}}]}`))
	files, err := filepath.Glob("testdata/malformed/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		for _, part := range strings.Split(readFile(f, name), "\n\n") {
			if _, text, ok := strings.Cut(part, "read\n"); ok {
				text, _, _ = strings.Cut(text, "\n----")
				f.Add([]byte(text))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read("scenario.json", data)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("a fault without words")
			}
			return
		}
		again, err := Read("written.json", s.Write())
		if err != nil {
			t.Fatalf("%v\n%s", err, s.Write())
		}
		if !reflect.DeepEqual(again, s) {
			t.Fatalf("got  %+v\nwant %+v", again, s)
		}
		s.MaxEvents = min(s.MaxEvents, 1000)
		var k trace.Keep
		if _, err := s.Run(nil, &k); err != nil {
			t.Fatal(err)
		}
		if len(k.Events) > s.MaxEvents+6 { // what one item leads to is not cut
			t.Fatalf("the run made %d events, more than %d", len(k.Events), s.MaxEvents)
		}
	})
}

// Every default is written, so that what was saved never changes its meaning.
func TestDefaultsReadBack(t *testing.T) {
	s, err := Read("short.json", []byte(`{"clients": [{"name": "a", "policy": {"preset": "contract-c"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read("written.json", s.Write())
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, again, s)
	}
}

// What an input does not name stays as the input before it set it.
func TestPoliciesAreSetOneAfterAnother(t *testing.T) {
	s, err := Read("knobs.json", []byte(`{"clients": [{"name": "a", "policy": {"preset": "contract-c"}}], "inputs": [
		{"policy": {"set": {"attempts": 7}}},
		{"policy": {"set": {"deadline": "9s"}}},
		{"policy": {"set": {"preset": "once"}}},
		{"policy": {"set": {"deadline": "3s"}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		attempts int
		deadline time.Duration
	}{{7, 0}, {7, 9 * time.Second}, {1, 0}, {1, 3 * time.Second}} {
		if p := s.Inputs[i].Action.Policy; p.Attempts != want.attempts || p.Deadline != want.deadline {
			t.Errorf("after input %d: %d attempts, deadline %s; want %d, %s", i+1, p.Attempts, p.Deadline, want.attempts, want.deadline)
		}
	}
}
