package link

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

func world(t testing.TB) scenario.Scenario {
	t.Helper()
	data, err := os.ReadFile("testdata/world.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Read("world.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawLink draws what a person did, with runs that were left behind and inputs that were taken back, and a place.
func drawLink(t *rapid.T, s scenario.Scenario) Link {
	l := Link{Scenario: s, Lang: rapid.SampledFrom([]string{"", "en", "ko", "ja"}).Draw(t, "lang")}
	l.Scenario.Seed = rapid.Uint64Range(0, scenario.MaxSeed).Draw(t, "seed")
	if rapid.Bool().Draw(t, "lesson") {
		l.Lesson, l.Step = "lost-replies", "third-attempt"
	}
	for range rapid.IntRange(0, 20).Draw(t, "acts") {
		path := l.Tree.Path()
		done := rapid.IntRange(0, len(path)).Draw(t, "done")
		at := clock.Start
		if done > 0 {
			at = path[done-1].At
		}
		at = at.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "later")) * 100 * time.Millisecond)
		l.Tree.Act(done, scenario.Input{At: at, Action: drawAction(t, &l.Scenario)})
	}
	for range rapid.IntRange(0, 3).Draw(t, "undone") {
		l.Tree.Undo()
	}
	p := play(t, &l)
	l.At = p.After(rapid.IntRange(0, len(p.Events)).Draw(t, "count"), scenario.Position{})
	if rapid.Bool().Draw(t, "between") {
		l.At = p.At(l.At.Now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "ms")) * time.Millisecond))
	}
	return l
}

func drawAction(t *rapid.T, s *scenario.Scenario) sim.Action {
	client := rapid.IntRange(0, len(s.Clients)-1).Draw(t, "client")
	switch rapid.IntRange(0, 3).Draw(t, "action") {
	case 0:
		return sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.LostReply}}
	case 1:
		return sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.Reply, Response: scenario.ScriptedResponse(503)}}
	case 2:
		p := s.Clients[client].Policy
		p.Attempts = rapid.IntRange(1, 9).Draw(t, "attempts")
		return sim.Action{Kind: sim.SetPolicy, Client: client, Policy: p}
	}
	r := s.Requests[client]
	r.Amount = int64(rapid.IntRange(-5, 5).Draw(t, "amount"))
	return sim.Action{Kind: sim.Fire, Client: client, Request: r}
}

func play(t rapid.TB, l *Link) scenario.Played {
	p, err := l.Scenario.Play(l.Tree.Path())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func fragment(t rapid.TB, l *Link) string {
	text, err := l.Fragment()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func open(t rapid.TB, text string, step scenario.Scenario) Opened {
	s, err := Read(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o, err := s.Open(lesson.Step{Scenario: step})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return o
}

// Whoever opens a link sees what was shared: the run, the place, the other runs, and what redo would do.
func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	s := world(t)
	rapid.Check(t, func(t *rapid.T) {
		l := drawLink(t, s)
		text := fragment(t, &l)
		step := s
		step.Seed = 99 // that of the link counts
		o := open(t, text, step)
		if want := play(t, &l); !o.Same || trace.Digest(o.Played.Events) != trace.Digest(want.Events) {
			t.Errorf("another run: %d events, not %d", len(o.Played.Events), len(want.Events))
		}
		if o.At != l.At || o.Lang != l.Lang || o.Lesson != l.Lesson || o.Step != l.Step {
			t.Errorf("got %+v in %q of %s/%s, want %+v in %q", o.At, o.Lang, o.Lesson, o.Step, l.At, l.Lang)
		}
		if want := l.Tree.Prune(MaxRuns); !reflect.DeepEqual(o.Tree, want) {
			t.Errorf("got the tree\n%+v\nwant\n%+v", o.Tree, want)
		}
		if again := fragment(t, &o.Link); again != text || fragment(t, &l) != text {
			t.Errorf("the same state gives\n%s\nand\n%s", text, again)
		}
	})
}

// Whatever is cut off, the link says so.
func TestACutLinkIsToldFromABrokenOne(t *testing.T) {
	l := Link{Scenario: world(t)}
	text := "#" + fragment(t, &l)
	for i := 2; i < len(text); i++ {
		wantProblem(t, text[:i], Cut)
	}
	for i := strings.LastIndexByte(text, '.') + 1; i < len(text); i++ {
		other := byte('A')
		if text[i] == other {
			other = 'B'
		}
		wantProblem(t, text[:i]+string(other)+text[i+1:], Damaged)
	}
}

// Bits of the last character that mean nothing may not differ either: one link has one text.
func TestALinkHasOneText(t *testing.T) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	l := Link{Scenario: world(t)}
	unused := 0
	for seed := range uint64(9) {
		l.Scenario.Seed = seed
		text := fragment(t, &l)
		if body := text[strings.LastIndexByte(text, '.')+1:]; len(body)%4 == 0 {
			continue // every bit counts
		}
		unused++
		last := strings.IndexByte(alphabet, text[len(text)-1])
		wantProblem(t, text[:len(text)-1]+string(alphabet[last^1]), Damaged)
	}
	if unused == 0 {
		t.Error("no link has bits to spare")
	}
}

func wantProblem(t *testing.T, text string, want Problem) {
	t.Helper()
	_, err := Read(text)
	var e *Error
	if !errors.As(err, &e) || e.Problem != want {
		t.Errorf("%.80q: got %v, want %s", text, err, want)
	}
}

func TestProblemsOfReading(t *testing.T) {
	l := Link{Scenario: world(t)}
	text := fragment(t, &l)
	body := text[len(Route):]
	for _, c := range []struct {
		text string
		want Problem
	}{
		{"", Empty}, {" \n", Empty}, {"#", Empty}, {"https://lab.example/retry/#", Empty},
		{"https://lab.example/retry/", NoLink}, {"#/lesson/lost-replies", NoLink}, {"hello", NoLink}, {"-1.2.x", NoLink},
		{"01.2.x", NoLink}, {"0.2.x", NoLink}, {"/open", Cut}, {"1", Cut}, {"1.", Cut}, {"1.4", Cut}, {"1.4.", Cut},
		{"1.4.abc", Cut}, {"1.04.abcd", Damaged}, {"1.4.abcd", Damaged}, {"1.0.", Damaged}, {"1.x.abcd", Damaged},
		{"1.4.abc\u2026", Joined}, {text + ".", Joined}, {text + " and more", Joined},
		{"4.4.abcd", Newer}, {"12", Newer}, {"999999.", Newer}, {"1234567.4.abcd", NoLink},
		{"1.32769.abcd", TooLarge}, {strings.Repeat("x", 2*MaxLength+1), TooLarge},
	} {
		wantProblem(t, c.text, c.want)
	}
	for _, good := range []string{body, "#" + text, "https://lab.example/retry/" + "#" + text, " " + text[:60] + "\r\n " + text[60:] + "\n"} {
		if o := open(t, good, scenario.Scenario{}); !o.Same {
			t.Errorf("%.80q opens another run", good)
		}
	}
	if _, err := Read("1.40.abc"); err.(*Error).Have != 3 || err.(*Error).Want != 40 {
		t.Errorf("a cut link says %v", err)
	}
	if _, err := Read("7.4.abcd"); err.(*Error).Format != 7 {
		t.Errorf("a newer link says %v", err)
	}
}

// A lesson may have changed since a link into it was made.
func TestALinkIntoALessonThatHasChanged(t *testing.T) {
	s := world(t)
	l := Link{Lesson: "a", Step: "b", Scenario: s}
	l.Tree.Act(0, scenario.Input{Action: sim.Action{Kind: sim.Fire, Client: 1, Request: s.Requests[1]}})
	p := play(t, &l)
	l.At = p.After(10, l.At)
	text := fragment(t, &l)

	changed := s
	changed.Latency += 10 * time.Second
	if o := open(t, text, changed); o.Same || o.At != o.Played.At(l.At.Now) || o.At.Count == l.At.Count {
		t.Errorf("with another latency: same %t, at %+v", o.Same, o.At)
	}
	sealed, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	fewer := s
	fewer.Clients, fewer.Requests = s.Clients[:1], s.Requests[:1]
	_, err = sealed.Open(lesson.Step{Scenario: fewer})
	var e *Error
	if !errors.As(err, &e) || e.Problem != Outdated || len(e.Faults) != 1 || !strings.Contains(e.Faults[0].Problem, `no client named "bob"`) {
		t.Errorf("without bob: got %v", err)
	}
}

// What does not fit is left behind: first the other runs, then it is said.
func TestMuchIsCutDown(t *testing.T) {
	s := world(t)
	long := func(t *testing.T, runs, length int) Link {
		l := Link{Scenario: s}
		for run := range runs {
			l.Tree.Restart()
			for i := range length {
				r := s.Requests[0]
				r.Key = strings.Repeat(string(rune('a'+run)), 9) + trace.Digest(nil)[i%50:] // some that do not repeat
				r.Amount = int64(i*i*7919%100_003 + run)
				at := clock.Start.Add(time.Duration(i) * 1_000_003)
				if !l.Tree.Act(i, scenario.Input{At: at, Action: sim.Action{Kind: sim.Fire, Request: r}}) {
					t.Fatal("there is no room")
				}
			}
		}
		return l
	}
	l := long(t, 4, 450)
	o := open(t, fragment(t, &l), scenario.Scenario{})
	if got := len(o.Tree.Branches()); got == 0 || got >= 4 || !reflect.DeepEqual(o.Tree.Path(), l.Tree.Path()) {
		t.Errorf("%d runs went along, the shown one with %d inputs", got, len(o.Tree.Path()))
	}
	l = long(t, 1, 2000)
	_, err := l.Fragment()
	var e *Error
	if !errors.As(err, &e) || e.Problem != TooMuch {
		t.Errorf("two thousand inputs: got %v", err)
	}
}

// Links are short enough to be sent about.
func TestLength(t *testing.T) {
	s := world(t)
	l := Link{Lesson: "lost-replies", Step: "third-attempt", Scenario: s, Lang: "en"}
	for i := range 5 {
		l.Tree.Act(i, scenario.Input{At: clock.Start.Add(time.Duration(i) * time.Second), Action: sim.Action{Kind: sim.Fire, Request: s.Requests[0]}})
	}
	if n := len(fragment(t, &l)); n > 200 {
		t.Errorf("five requests in a lesson take %d characters", n)
	}
	l.Lesson, l.Step = "", ""
	if n := len(fragment(t, &l)); n > 600 {
		t.Errorf("with the scenario they take %d", n)
	}
}
