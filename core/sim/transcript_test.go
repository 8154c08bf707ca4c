package sim_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/measure"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// Transcripts are the readable tests of a run: the name of a file is its claim. The commands are
//
//	world [seed=] [latency=] [limit=2/10s] [lifetime=24h] [ignore-keys] [max-events=] [max-time=] [repeat-last]
//	      [lease=5s] [errors=all|not-5xx|none] [require-keys] [split-record] … (see partner_test.go)
//	  client NAME [preset=lesson-a|lesson-c] [attempts=] [deadline=] … (see client_test.go)
//	  script FAULT [STATUS] [retry-after=] [delay=]
//	  work PATH LEAST
//	  on-notice CLIENT METHOD PATH [slot=] [amount=]
//	  pool NAME running= [queue=] [timeout=], and of a client: in CLIENT POOL, breaker CLIENT window= …,
//	  limiter CLIENT capacity= period= [mode=] [poll=], fallback CLIENT STATUS (see guardline_test.go)
//	fire [client=NAME] METHOD PATH [key=] [amount=] [slot=] [times=]
//	inject FAULT [STATUS] [retry-after=] [delay=]
//	policy [client=NAME] [attempts=] …
//	guards [client=NAME] with lines as of a world: what wraps its calls from then on
//	limit COUNT WINDOW   as JSON: the partner's sliding log
//	next [N]        handle what is due next, N times
//	advance 1s      move the clock, by a duration
//	run             handle everything
//	totals          the counts and amounts so far
//	receipt [KIND]  the last decision, or the last one of an event of that kind
//
// and each prints the events that it led to, or with the word counts how many of each. `go test ./core/sim -run TestTranscripts -rewrite` rewrites the files.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		var p play
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text, err := p.command(d)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return text
		})
	})
}

// transcripts are the folders that hold transcripts: of whole worlds here, and of single mechanisms, which may know
// reasons that no world has yet.
var transcripts = []string{
	"testdata/transcripts", "../limit/testdata/transcripts", "../breaker/testdata/transcripts",
	"../bulkhead/testdata/transcripts",
}

// Every event kind, reason and fault is seen in a transcript, and every row in a receipt.
func TestTranscriptsShowEveryCode(t *testing.T) {
	var all strings.Builder
	for _, folder := range transcripts {
		files, err := filepath.Glob(folder + "/*.txt")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	seen := func(what, name, pattern string) {
		if !regexp.MustCompile(`(?m)` + pattern).MatchString(all.String()) {
			t.Errorf("no transcript shows the %s %s", what, name)
		}
	}
	for _, k := range event.Kinds() {
		seen("event", k.String(), `^ *\d+ +\S+ s .* `+k.String()+`( |$)`)
	}
	for _, r := range decision.Reasons() {
		seen("reason", r.String(), `^ *\d+ +\S+ s .*:`+r.String()+`( |$)`)
	}
	for _, f := range event.Faults() {
		seen("fault", f.String(), `^ *\d+ +\S+ s .*fault=`+f.String()+`( |$)`)
	}
	for _, n := range decision.Names() {
		seen("row", n.String(), `^  `+n.String()+` +(plain|decided|ignored|off) `)
	}
}

// play is the world of one transcript.
type play struct {
	state   sim.State
	clients []sim.Client
	pools   []sim.Pool
	keep    trace.Keep
}

func (p *play) command(d *datadriven.TestData) (string, error) {
	a := arguments{d.CmdArgs}
	switch d.Cmd {
	case "world":
		return "", p.world(a, d.Input)
	case "totals":
		return totals(measure.Of(p.keep.Events)), nil
	case "receipt":
		return p.receipt(a.word(0))
	}
	before := len(p.keep.Events)
	if d.Cmd == "guards" {
		err := p.guards(a, d.Input)
		if err != nil {
			return "", err
		}
	} else if err := p.act(d.Cmd, a); err != nil {
		return "", err
	}
	if err := sim.Check(p.state); err != nil {
		return "", err
	}
	if a.has("counts") {
		return counts(p.keep.Events[before:]), nil
	}
	var b strings.Builder
	for i := range p.keep.Events[before:] {
		p.line(&b, &p.keep.Events[before+i])
	}
	if b.Len() == 0 {
		return "(nothing)\n", nil
	}
	return b.String(), nil
}

// counts writes how often each kind of event happened, and each reason of it.
func counts(events []event.Event) string {
	n := map[string]int{}
	for i := range events {
		e := &events[i]
		name := e.Kind.String()
		if e.Decides() {
			name += " " + e.Decision.Verdict.String() + ":" + e.Decision.Reason.String()
		}
		n[name]++
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(&b, "%4d %s\n", n[name], name)
	}
	return b.String()
}

// line writes one event; where there are several clients it says which.
func (p *play) line(b *strings.Builder, e *event.Event) {
	b.WriteString(trace.Columns(e))
	if len(p.clients) > 1 && e.Who != event.Person {
		b.WriteString(" (" + p.clients[e.Request.Client].Name + ")")
	}
	b.WriteByte('\n')
}

func (p *play) act(cmd string, a arguments) error {
	step := func(act sim.Action) { p.state = sim.Step(p.state, act, &p.keep) }
	client, err := p.client(a)
	if err != nil {
		return err
	}
	switch cmd {
	case "fire":
		r := call.Request{Method: a.word(0), Path: a.word(1)}
		r.Key, r.Keyed = a.text("key")
		r.IfMatch, _ = a.text("if-match")
		if r.Slot, err = a.integer("slot"); err != nil {
			return err
		}
		times, _ := a.integer("times")
		if r.Amount, err = a.integer("amount"); err == nil {
			for range max(times, 1) {
				step(sim.Action{Kind: sim.Fire, Client: client, Request: r})
			}
		}
	case "inject":
		m, err := a.mishap()
		if err != nil {
			return err
		}
		step(sim.Action{Kind: sim.Inject, Mishap: m})
	case "policy":
		c := &p.clients[client]
		if err := a.policy(c); err != nil {
			return err
		}
		step(sim.Action{Kind: sim.SetPolicy, Client: client, Policy: c.Policy})
	case "limit":
		step(sim.Action{Kind: sim.SetLimit, Limit: limit.Setting{Count: a.word(0), Window: a.word(1)}})
	case "next":
		n, _ := strconv.Atoi(a.word(0))
		for range max(n, 1) {
			step(sim.Action{Kind: sim.Next})
		}
	case "advance":
		by, err := time.ParseDuration(a.word(0))
		if err != nil {
			return err
		}
		step(sim.Action{Kind: sim.Advance, To: p.state.Now().Add(by)})
	case "run":
		for _, due := p.state.Due(); due; _, due = p.state.Due() {
			step(sim.Action{Kind: sim.Next})
		}
	default:
		return fmt.Errorf("unknown command %s", cmd)
	}
	return err
}

func (p *play) client(a arguments) (int, error) {
	name, named := a.text("client")
	for i, c := range p.clients {
		if c.Name == name || !named {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no client %q", name)
}

func totals(t measure.Totals) string {
	fallbacks := ""
	if t.Fallbacks > 0 {
		fallbacks = fmt.Sprintf(", fallbacks %d", t.Fallbacks)
	}
	return fmt.Sprintf("calls %d: succeeded %d, gave up %d%s\n", t.Calls, t.Succeeded, t.GaveUp, fallbacks) +
		fmt.Sprintf("sent %d, arrived %d, applied %d, replayed %d, refused %d, refused locally %d, duplicates %d\n",
			t.Sent, t.Arrived, t.Applied, t.Replayed, t.Refused, t.RefusedLocally, t.Duplicates) +
		fmt.Sprintf("naive %d, deduped %d, actual %d\n", t.Naive, t.Deduped, t.Actual)
}

func (p *play) receipt(kind string) (string, error) {
	for i := len(p.keep.Events) - 1; i >= 0; i-- {
		e := &p.keep.Events[i]
		if e.Decides() && (kind == "" || e.Kind.String() == kind) {
			return trace.Receipt(&e.Decision), nil
		}
	}
	return "", fmt.Errorf("no decision yet")
}
