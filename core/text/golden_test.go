package text_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// lostReply is the run that the lessons on lost replies tell: the reply to attempt 1 is lost, attempt 2 comes too early,
// attempt 3 gets the saved reply.
func lostReply() (sim.Config, []sim.Action) {
	return sim.Config{
		Seed: 7, Latency: 50 * time.Millisecond,
		Partner: partner.Config{Limit: limit.Config{Limit: 1, Window: 3 * time.Second}},
		Script:  []sim.Mishap{{Fault: event.LostReply}},
		Clients: []sim.Client{{Name: "alice", Policy: lessonPolicy()}},
	}, []sim.Action{{Kind: sim.Fire, Request: add("req-1", 10)}}
}

func lessonPolicy() retry.Policy {
	return retry.Policy{
		Attempts: 3, Deadline: 5 * time.Second, AttemptTimeout: 1500 * time.Millisecond, CutTimeout: true,
		Backoff: backoff.Config{Base: 500 * time.Millisecond, Cap: 4 * time.Second},
		Jitter:  backoff.Fraction, Fractions: []rng.Ratio{{Num: 1, Den: 2}, {Num: 1, Den: 4}},
		RetryAfter: retryafter.Floor, Safety: retry.LessonA,
		Statuses: retry.LessonStatuses(), Failures: []call.Failure{call.TimedOut, call.Reset},
	}
}

func add(key string, amount int64) call.Request {
	return call.Request{Method: "POST", Path: "/add", Key: key, Keyed: key != "", Amount: amount}
}

// otherAmount is contract C: the same key with another amount is refused, and without a key every arrival counts.
func otherAmount() (sim.Config, []sim.Action) {
	p := lessonPolicy()
	p.Safety, p.Exhausted, p.Jitter = retry.AnyMethod, retry.LastError, backoff.NoJitter
	return sim.Config{
			Latency: 50 * time.Millisecond,
			Clients: []sim.Client{{Name: "alice", Policy: p}, {Name: "bob", Policy: p}},
			Script:  []sim.Mishap{{}, {}, {Fault: event.LostReply}, {}, {Fault: event.CrashAfter}},
		}, []sim.Action{
			fire(0, add("req-1", 10)), until(200), fire(0, add("req-1", 20)), until(400),
			fire(1, add("", 10)), until(4000), fire(1, add("req-1", 5)),
		}
}

// keysIgnored is a partner that does not look at keys: the repeat applies a second time.
func keysIgnored() (sim.Config, []sim.Action) {
	c, actions := lostReply()
	c.Partner = partner.Config{IgnoreKeys: true}
	return c, actions
}

// refusals are ends without a success, each for another reason, and orders of the person.
func refusals() (sim.Config, []sim.Action) {
	tight := lessonPolicy()
	tight.Deadline, tight.RetryAfter = 2*time.Second, retryafter.Replace
	changed := lessonPolicy()
	changed.Attempts, changed.RetryAfter = 1, retryafter.Ignore
	return sim.Config{
			Latency: 50 * time.Millisecond,
			Clients: []sim.Client{{Name: "alice", Policy: tight, Oversleep: 2 * time.Second}},
		}, []sim.Action{
			inject(event.Reply, 503, "7"), fire(0, add("a", 1)), until(200),
			inject(event.Reply, 500, ""), fire(0, add("b", 1)), until(400),
			inject(event.Reply, 503, "soon"), fire(0, add("", 1)), until(600),
			fire(0, call.Request{Method: "PATCH", Path: "/nowhere"}), until(800),
			inject(event.CrashBefore, 0, ""), fire(0, add("c", 0)), until(4000),
			inject(event.Slow, 0, ""), fire(0, call.Request{Method: "GET", Path: "/total"}), until(40000),
			{Kind: sim.SetPolicy, Policy: changed},
			inject(event.Reply, 429, "1"), fire(0, add("d", 1)), until(40200),
			inject(event.LostRequest, 0, ""), fire(0, call.Request{Method: "DELETE", Path: "/total"}), until(60000),
			inject(event.NeverSent, 0, ""), fire(0, call.Request{Method: "DELETE", Path: "/total"}),
		}
}

func fire(client int, r call.Request) sim.Action {
	return sim.Action{Kind: sim.Fire, Client: client, Request: r}
}

func until(ms int) sim.Action {
	return sim.Action{Kind: sim.Advance, To: at(ms)}
}

func inject(f event.Fault, status int, after string) sim.Action {
	m := sim.Mishap{Fault: f}
	if status != 0 {
		m.Response = call.Response{
			Status: status, RetryAfter: after, HasRetryAfter: after != "", Body: call.Body{Code: "unavailable"},
		}
	}
	return sim.Action{Kind: sim.Inject, Mishap: m}
}

func run(t testing.TB, c sim.Config, actions []sim.Action) ([]event.Event, text.Names) {
	t.Helper()
	s, err := sim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var kept trace.Keep
	for _, a := range actions {
		s = sim.Step(s, a, &kept)
	}
	sim.Step(s, sim.Action{Kind: sim.Advance, To: at(1_000_000)}, &kept)
	var names text.Names
	for _, cl := range c.Clients {
		names = append(names, cl.Name)
	}
	return kept.Events, names
}

func TestGolden(t *testing.T) {
	for name, world := range map[string]func() (sim.Config, []sim.Action){
		"lost-reply": lostReply, "other-amount": otherAmount, "keys-ignored": keysIgnored, "refusals": refusals,
	} {
		c, actions := world()
		events, names := run(t, c, actions)
		for _, l := range text.Langs() {
			t.Run(name+"/"+string(l), func(t *testing.T) {
				compare(t, name+"."+string(l)+".txt", write(l, c, events, names))
			})
		}
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s:%d differs (run with -update to accept)\n got %s", path, i+1, g[i])
		}
	}
	t.Fatalf("%s holds more lines than the text", path)
}

// write writes a run as a person reads it.
func write(l text.Lang, c sim.Config, events []event.Event, names text.Names) string {
	var b strings.Builder
	for _, cl := range c.Clients {
		fmt.Fprintf(&b, "%s\n", cl.Name)
		for _, r := range l.PolicyRows(cl.Policy) {
			fmt.Fprintf(&b, "  %s = %s\n", r.Label, r.Value)
		}
	}
	for i := range events {
		e := &events[i]
		fmt.Fprintf(&b, "\n%d | %s | %s | %s\n", e.Seq, l.Seconds(time.Duration(e.At)), l.Who(e, names), l.Event(e, names))
		fmt.Fprintf(&b, "  > %s\n", l.DueIn(l.Due(e, names), 50*time.Millisecond))
		if e.Kind == event.AttemptSent || e.Kind == event.RetryScheduled {
			fmt.Fprintf(&b, "  > %s\n", l.TimerIn(l.Timer(e, names), 1100*time.Millisecond))
		}
		if e.Decides() {
			writeDecision(&b, l, e, names)
		}
		for _, r := range l.State(events, i) {
			fmt.Fprintf(&b, "  ~ %s: %s → %s\n", r.Label, r.Before, r.After)
		}
	}
	return b.String()
}

func writeDecision(b *strings.Builder, l text.Lang, e *event.Event, names text.Names) {
	fmt.Fprintf(b, "  [%s]\n  %s\n", l.VerdictLabel(e), l.Verdict(e, names))
	groups, total := l.Receipt(e)
	for _, g := range groups {
		fmt.Fprintf(b, "  %s %s\n", g.Question, g.Answer)
		for _, r := range g.Rows {
			fmt.Fprintf(b, "    %s\n", writeRow(r))
		}
	}
	fmt.Fprintf(b, "    = %s\n", writeRow(total))
	for _, f := range l.Flips(e) {
		fmt.Fprintf(b, "  ? %s\n", f)
	}
}

func writeRow(r text.Row) string {
	s := r.Label
	if r.Note != "" {
		s += " (" + r.Note + ")"
	}
	if r.Code {
		s += " `" + r.Value + "`"
	} else {
		s += " " + r.Value
	}
	if r.Mark != 0 {
		s += " " + r.Mark.String()
	}
	return s
}
