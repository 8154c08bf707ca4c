package watch

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/lab"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/frame"
)

const id = "AbcdefghijklmnopqrstuQ"

// told is what a real lab tells of its requests, line by line.
type told struct {
	lab   *lab.Lab
	lines []string
	at    time.Duration
}

func (t *told) Event(e *event.Event) {
	t.lines = append(t.lines, strings.TrimSuffix(string(trace.AppendJSON(nil, e)), "\n"))
}
func (t *told) Answered(int64, *lab.Outcome) {}

func newTold(t *testing.T, definition string) *told {
	t.Helper()
	s, err := scenario.Read("lab", []byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	l, err := lab.New(lab.Of(&s))
	if err != nil {
		t.Fatal(err)
	}
	return &told{lab: l}
}

// ask lets a request arrive, and returns the lines that are new.
func (t *told) ask(r call.Request) []string {
	from := len(t.lines)
	t.at += 700 * time.Millisecond
	t.lab.Apply(&lab.Arrival{At: clock.Start.Add(t.at), Request: r}, t)
	t.lab.Advance(clock.Start.Add(t.at), t)
	return t.lines[from:]
}

const definition = `{"seed": 1, "latency": "0s", "partner": {"limit": {"count": 3, "window": "10s"}}, "script": [{"fault": "lost-reply"}],
  "clients": [{"name": "shop", "policy": {"preset": "contract-a"}}], "inputs": []}`

func page(k Kept) *Model {
	return New(frame.Settings{Lang: text.English, Address: "http://here/sub/"}, Size{Stage: 700}, k)
}

// watching returns the page of a lab that is connected.
func watching(t *testing.T) *Model {
	t.Helper()
	m := page(Kept{Labs: "v1/labs", Lab: id})
	if got := m.Visit(); len(got) != 1 || got[0] != (effect.Ask{Name: "lab", Address: "v1/labs/" + id}) {
		t.Fatalf("visiting does %#v", got)
	}
	got := m.Update(frame.Asked{Name: askLab, Status: 200, Text: `{"id":"` + id + `","clients":["shop"],"expires":"2026-01-02T03:04:05Z","scenario":` + definition + `}`})
	if len(got) != 1 || got[0] != (effect.Follow{Address: "v1/labs/" + id + "/trace"}) {
		t.Fatalf("knowing the lab does %#v", got)
	}
	m.Update(frame.Stream{State: frame.StreamOpen})
	return m
}

func post(key string) call.Request {
	return call.Request{ClientID: "shop", Method: "POST", Path: "/add", Amount: 10, Key: key, Keyed: key != ""}
}

// TestRequestsShow: what a lab tells is drawn, explained and spoken, in every language.
func TestRequestsShow(t *testing.T) {
	for _, l := range text.Langs() {
		m := watching(t)
		m.Settings.Lang = l
		if html := m.View().HTML(); !strings.Contains(html, `id="live-none"`) || !strings.Contains(html, "http://here/sub/v1/labs/"+id+"/add") {
			t.Errorf("%s: an empty lab does not say how to ask it: %s", l, html)
		}
		lab := newTold(t, definition)
		for _, key := range []string{"a", "a", ""} {
			effects := m.Update(frame.Told{Lines: lab.ask(post(key))})
			if said := announced(effects); len(said) != 1 || said[0] == "" {
				t.Errorf("%s: said of one request: %q", l, said)
			}
			if !slices.Contains(effects, effect.Effect(effect.After{Ms: 300, Msg: numbers{}})) && key != "a" {
				t.Errorf("%s: the numbers are not asked for", l)
			}
			m.Update(numbers{})
		}
		m.Update(frame.Asked{Name: askTotals, Status: 200, Text: string(lab.lab.Totals().AppendJSON(nil))})
		m.Update(frame.Asked{Name: askReport, Status: 200, Text: `{"clients":[{"client":"shop","requests":3,"calls":2,"retries":1,` +
			`"checks":[{"check":"keyed","verdict":"bad","says":"A <b> key is missing.","evidence":[{"seq":3}]}]}]}`})
		html := m.View().HTML()
		for _, want := range []string{`class="tl `, `id="row-3"`, `<div class="slip">`, "A &lt;b&gt; key is missing.", `id="naive">30<`, `id="deduped">20<`, l.Say("live.state-live")} {
			if !strings.Contains(html, want) {
				t.Errorf("%s: there is no %q in %s", l, want, html)
			}
		}
		if m.Size.Narrow = true; !strings.Contains(m.View().HTML(), `class="tl tl--`) {
			t.Errorf("%s: nothing is drawn on a phone", l)
		}
	}
}

func announced(effects []effect.Effect) (said []string) {
	for _, e := range effects {
		if a, ok := e.(effect.Announce); ok {
			said = append(said, a.Text)
		}
	}
	return said
}

// TestManyAtOnce: many requests are one sentence, and the page keeps a bounded number of events and says so.
func TestManyAtOnce(t *testing.T) {
	m, lab := watching(t), newTold(t, definition)
	for i := range 2 * MaxEvents / 5 {
		lab.ask(post(fmt.Sprint(i)))
	}
	said := announced(m.Update(frame.Told{Lines: lab.lines}))
	if len(said) != 1 || !strings.Contains(said[0], "requests") {
		t.Errorf("said of many: %q", said)
	}
	if len(m.events) > MaxEvents || !m.cut || m.seq != len(lab.lines) {
		t.Errorf("%d of %d events are kept, cut %v", len(m.events), m.seq, m.cut)
	}
	html := m.View().HTML()
	if n := strings.Count(html, `id="row-`); n != rows || !strings.Contains(html, m.say("live.cut", "n", fmt.Sprint(len(m.events)))) {
		t.Errorf("%d rows are shown, want %d, with a word on those that are left out", n, rows)
	}
	m.Update(More{})
	if n := strings.Count(m.View().HTML(), `id="row-`); n != 2*rows {
		t.Errorf("after more: %d rows", n)
	}
}

// TestToldAgain: after a stream was lost nothing counts twice, what is missing is told, and rubbish only counted.
func TestToldAgain(t *testing.T) {
	m, lab := watching(t), newTold(t, definition)
	first := slices.Clone(lab.ask(post("a")))
	m.Update(frame.Told{Lines: first})
	if said := announced(m.Update(frame.Stream{State: frame.StreamLost})); len(said) != 1 || m.state != lost {
		t.Errorf("a lost stream says %q", said)
	}
	if said := announced(m.Update(frame.Stream{State: frame.StreamLost})); len(said) != 0 {
		t.Errorf("it says so again: %q", said)
	}
	if said := announced(m.Update(frame.Stream{State: frame.StreamOpen})); len(said) != 1 || m.state != live {
		t.Errorf("connected again it says %q", said)
	}
	n := len(m.events)
	m.Update(frame.Told{Lines: append(first, "{", `{"seq":"x"}`, `{"seq":99999,"at":0,"event":"notified","who":"client","client":2147483646,"call":1}`)})
	if len(m.events) != n || m.odd != 3 || m.cut {
		t.Errorf("%d events, want %d; %d odd lines; cut %v", len(m.events), n, m.odd, m.cut)
	}
	lab.ask(post("b"))
	m.Update(frame.Told{Lines: lab.ask(post("c")), Gap: true})
	if !m.cut {
		t.Error("it does not say that something is missing")
	}
	got := m.Update(frame.Stream{State: frame.StreamClosed})
	if !slices.Contains(got, effect.Effect(effect.After{Ms: 1000, Msg: again{}})) {
		t.Fatalf("a stream that was given up: %#v", got)
	}
	m.Update(again{})
	got = m.Update(frame.Asked{Name: askLab, Status: 200, Text: `{"clients":["shop"]}`})
	if want := (effect.Follow{Address: fmt.Sprintf("v1/labs/%s/trace?after=%d", id, m.seq)}); len(got) != 1 || got[0] != want {
		t.Errorf("connecting again does %#v, want %#v", got, want)
	}
	m.Update(frame.Stream{State: frame.StreamClosed})
	if m.Update(frame.Asked{Name: askLab, Status: 404, Text: `{}`}); m.state != gone || !strings.Contains(m.View().HTML(), m.say("live.state-gone")) {
		t.Errorf("of a lab that is gone it says %s", m.state)
	}
}

// TestMake: a situation or the sandbox's scenario becomes a lab, once; a refusal is shown in the server's words.
func TestMake(t *testing.T) {
	m := page(Kept{Labs: "v1/labs", Sandbox: definition})
	if got := m.Visit(); len(got) != 1 || got[0] != (effect.Fetch{Name: startersFile}) {
		t.Fatalf("visiting does %#v", got)
	}
	data, err := os.ReadFile("../../../lessons/starters/030-lost-reply.json")
	if err != nil {
		t.Fatal(err)
	}
	m.Update(frame.File{Name: startersFile, Text: "[" + string(data) + "]"})
	want := effect.Ask{Name: "made", Method: "POST", Address: "v1/labs", Body: `{"starter":"lost-reply"}`}
	if got := m.Update(Make{}); len(got) != 1 || got[0] != want {
		t.Fatalf("making does %#v", got)
	}
	if got := m.Update(Make{}); got != nil {
		t.Errorf("pressed twice: %#v", got)
	}
	m.Update(frame.Asked{Name: askMade, Status: 400, Text: `{"detail":"body:1:3: /starter: no such <thing>"}`})
	if html := m.View().HTML(); !strings.Contains(html, "/starter: no such &lt;thing&gt;") || !strings.Contains(html, m.say("live.refused")) {
		t.Errorf("the refusal is not shown: %s", html)
	}
	if got := m.Update(MakeOwn{}); len(got) != 1 || got[0].(effect.Ask).Body != `{"scenario":`+definition+`}` {
		t.Errorf("the sandbox's: %#v", got)
	}
	if got := m.Update(frame.Asked{Name: askMade, Status: 201, Text: `{"id":"` + id + `"}`}); len(got) != 1 || got[0] != (effect.Go{Hash: "#/watch/" + id}) {
		t.Errorf("made: %#v", got)
	}
	m.Update(frame.Asked{Name: askMade, Status: 405, Text: "<html>"})
	if !strings.Contains(m.View().HTML(), m.say("live.no-host")) {
		t.Error("of a host of files nothing is said")
	}
}

// TestNoLabsHere: where the host only has files, nothing is asked for, and the page says how to get labs.
func TestNoLabsHere(t *testing.T) {
	for _, k := range []Kept{{}, {Lab: id}} {
		m := page(k)
		html := m.View().HTML()
		if got := m.Visit(); got != nil || !strings.Contains(html, "make run") || strings.Contains(html, "live-starter") {
			t.Errorf("it does %#v and shows %s", got, html)
		}
	}
}

// TestElsewhere: a lab on this server is opened, one on another is linked to, and nothing else is taken for a lab.
func TestElsewhere(t *testing.T) {
	for _, c := range []struct{ typed, hash, leads string }{
		{id, "#/watch/" + id, ""},
		{" " + id + " ", "#/watch/" + id, ""},
		{"http://here/sub/v1/labs/" + id + "/work?x=1", "#/watch/" + id, ""},
		{"http://here/sub/#/watch/" + id, "#/watch/" + id, ""},
		{"v1/labs/" + id, "#/watch/" + id, ""},
		{"http://there:8080/v1/labs/" + id, "", "http://there:8080/#/watch/" + id},
		{"https://there/a/#/watch/" + id, "", "https://there/a/#/watch/" + id},
		{"http://here/v1/labs/" + id, "", "http://here/#/watch/" + id}, // another folder is another server's for all we know
		{"javascript:alert(1)//v1/labs/", "", ""}, {"", "", ""}, {"http://there/", "", ""}, {"short", "", ""}, {"https://there/v1/labs/../..", "", ""},
	} {
		m := page(Kept{Labs: "v1/labs"})
		m.Update(Type{c.typed})
		effects := m.Update(Open{})
		hash := ""
		for _, e := range effects {
			if to, ok := e.(effect.Go); ok {
				hash = to.Hash
			}
		}
		if hash != c.hash || m.leads != c.leads || (hash == "" && c.leads == "") != (m.problem != "") {
			t.Errorf("%q goes to %q, leads to %q, problem %q", c.typed, hash, m.leads, m.problem)
		}
	}
}
