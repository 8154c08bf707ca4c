//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	wire "retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
)

// readLesson reads a lesson file of the course.
func readLesson(t testing.TB, file string) *lesson.Lesson {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "lessons", file))
	if err != nil {
		t.Fatal(err)
	}
	l, err := lesson.Read(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// course reads all lessons in their order.
func course(t testing.TB) []*lesson.Lesson {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "lessons", "[0-9]*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*lesson.Lesson
	for _, f := range files {
		all = append(all, readLesson(t, filepath.Base(f)))
	}
	return all
}

// listed returns how many lessons the page of the course lists: those of the course, and those of code exercises.
func listed(t testing.TB) int {
	t.Helper()
	code, err := filepath.Glob(filepath.Join(root, "lessons", "code", "[0-9]*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(course(t)) + len(code)
}

// stepOf returns a step of a lesson of the course.
func stepOf(t testing.TB, lessonID, stepID string) *lesson.Step {
	t.Helper()
	for _, l := range course(t) {
		for i := range l.Steps {
			if l.ID == lessonID && l.Steps[i].ID == stepID {
				return &l.Steps[i]
			}
		}
	}
	t.Fatalf("there is no step %s/%s", lessonID, stepID)
	return nil
}

func hashOf(lessonID, stepID string) string { return "#/lesson/" + lessonID + "/" + stepID }

// goTo shows an address of the page that is open.
func (p *tab) goTo(hash string) {
	p.t.Helper()
	eval[bool](p, `(location.hash = `+quote(hash)+`, true)`)
	p.shows(hash)
}

// shows waits until the page shows an address.
func (p *tab) shows(hash string) {
	p.t.Helper()
	p.waitFor(`document.documentElement.dataset.page === ` + quote(hash))
}

// player does in the page what an answer says, and knows from the core what should come of it.
type player struct {
	*tab
	h      hands
	step   *lesson.Step
	lang   text.Lang
	client int // that the form is set to
	inputs []scenario.Input
	played scenario.Played
	pos    scenario.Position
}

func newPlayer(p *tab, h hands, step *lesson.Step) *player {
	play := &player{tab: p, h: h, step: step, lang: text.English}
	play.replay() // a scenario may have inputs of its own
	return play
}

// answer gives an answer: the prediction first, then the inputs, each at its instant.
func (p *player) answer(a lesson.Answer) {
	p.t.Helper()
	if p.step.Kind == lesson.Predict {
		for _, o := range p.step.Question.Options {
			if o.ID == a.Prediction {
				label, _ := o.Label.In(string(p.lang))
				p.h.press(p.tab, by(".opt input", label))
			}
		}
		p.h.press(p.tab, by(".predict button", p.lang.Say("lab.keep")))
		p.waitFor(`document.querySelector(".predict__set").disabled`)
	}
	for _, in := range a.Inputs {
		p.advanceTo(in.At)
		p.input(in)
	}
}

// input does one input at the instant that the clock shows.
func (p *player) input(in scenario.Input) {
	p.t.Helper()
	switch a := in.Action; a.Kind {
	case sim.Fire:
		p.setUp(a.Client, a.Request)
		if len(p.step.Allow.Times) > 1 {
			p.setSelect("lab.times", p.lang.Say("lab.times-is", "n", strconv.Itoa(max(a.Times, 1))))
		}
		if p.pos.Count == 0 {
			p.h.press(p.tab, one("#fire"))
		} else {
			p.h.tick(p.tab, "f", "#fire")
		}
	case sim.Inject:
		name := a.Mishap.Fault.String()
		label := p.lang.Fault(a.Mishap.Fault)
		if a.Mishap.Fault == event.Reply {
			name = strconv.Itoa(a.Mishap.Response.Status)
			label = name
		}
		if !slices.Contains(p.step.Allow.Inject, name) {
			p.t.Fatalf("%s does not offer %s", p.step.ID, name)
		}
		if p.count("#retry-after") > 0 && eval[string](p.tab, one("#retry-after")+".value") != a.Mishap.Response.RetryAfter {
			p.h.write(p.tab, one("#retry-after"), a.Mishap.Response.RetryAfter)
		}
		p.h.press(p.tab, by(".chip", label))
	default:
		p.turn(a)
		return
	}
	done := p.played.Done(p.pos)
	p.inputs = append(slices.Clone(p.inputs[:done]), scenario.Input{At: p.pos.Now, Action: in.Action})
	p.replay()
	p.arrive(scenario.Position{Count: p.played.Ends[done], Now: p.pos.Now})
}

func (p *player) replay() {
	p.t.Helper()
	played, err := p.step.Scenario.Play(p.inputs)
	if err != nil {
		p.t.Fatal(err)
	}
	p.played = played
}

// arrive waits until the page shows a position.
func (p *player) arrive(at scenario.Position) {
	p.t.Helper()
	p.pos = at
	p.waitFor(rows + " === " + strconv.Itoa(at.Count) + ` && document.querySelector("#now").textContent === ` +
		quote(p.lang.Seconds(at.Now.Sub(clock.Start))))
}

// setUp sets the form to a request.
func (p *player) setUp(client int, r wire.Request) {
	p.t.Helper()
	p.setClient(client)
	if len(p.step.Allow.Requests) > 0 {
		p.setOffer(r)
		return
	}
	own := p.step.Scenario.Requests[client]
	if r.Method != own.Method {
		p.setSelect("lab.method", r.Method)
	}
	switch key := one("#key"); {
	case p.step.Allow.FreeKey && eval[string](p.tab, key+".value") != r.Key:
		p.h.write(p.tab, key, r.Key)
	case !p.step.Allow.FreeKey && len(p.step.Allow.Keys) > 0:
		p.setSelect("lab.key", p.keyLabel(r.Key))
	}
	if op := r.Op(); len(p.step.Allow.Amounts) > 0 && op != wire.Read && op != wire.Clear {
		p.setSelect("lab.amount", p.lang.Say("lab.amount-is", "amount", strconv.FormatInt(r.Amount, 10)))
	}
}

// setOffer chooses a request from those on offer, and its key where there are several.
func (p *player) setOffer(r wire.Request) {
	p.t.Helper()
	for _, o := range p.step.Allow.Requests {
		q := o.Request
		if q.Key, q.Keyed = r.Key, r.Keyed; q != r {
			continue
		}
		p.setSelect("lab.request", in(o.Label, p.lang))
		if len(o.Keys) > 1 {
			p.setSelect("lab.key", p.keyLabel(r.Key))
		}
		return
	}
	p.t.Fatalf("%s does not offer %s %s", p.step.ID, r.Method, r.Path)
}

func (p *player) keyLabel(key string) string {
	switch {
	case key == "":
		return p.lang.Say("lab.no-key")
	case strings.TrimSpace(key) == "":
		return p.lang.Say("lab.blank-key")
	}
	return p.lang.Say("lab.key-is", "key", key)
}

func (p *player) setClient(i int) {
	p.t.Helper()
	if i != p.client {
		p.setSelect("lab.client", p.step.Scenario.Names()[i])
		p.client = i
	}
}

func (p *player) setSelect(word, option string) {
	p.t.Helper()
	what := by(".act select", p.lang.Say(word))
	if eval[string](p.tab, `((e) => e ? e.options[e.selectedIndex].label : "")(`+what+`)`) != option {
		p.h.pick(p.tab, what, option)
	}
}

// advanceTo moves the clock to an instant: with a button where one does it, else with a typed amount.
func (p *player) advanceTo(at clock.Instant) {
	p.t.Helper()
	by_, left := p.pos.Now, at.Sub(p.pos.Now)
	switch {
	case left <= 0:
		return
	case left == time.Second || left == 2*time.Second:
		for range left / time.Second {
			p.h.press(p.tab, by(".advance button", p.lang.Say("lab.plus-1000")))
			by_ = by_.Add(time.Second)
			p.arrive(p.played.At(by_))
		}
	default:
		p.h.write(p.tab, one("#amount"), document.FormatDuration(left))
		p.h.press(p.tab, by(".advance button", p.lang.Say("lab.go")))
		p.arrive(p.played.At(at))
	}
}

// finish steps to the end of the run in every way that the clock has, and ends with the way to the end.
func (p *player) finish() {
	p.t.Helper()
	ways := []struct{ key, button string }{
		{"ArrowRight", "#next"}, {"Shift+ArrowRight", "#next-decision"}, {"ArrowRight", "#next"}, {"n", "#next-timer"}, {"r", "#run"},
	}
	atEnd := func() bool { return eval[bool](p.tab, one("#run")+".ariaDisabled === `true`") }
	for i := 0; !atEnd(); i = min(i+1, len(ways)-1) {
		way := ways[i]
		if eval[bool](p.tab, one(way.button)+".ariaDisabled === `true`") {
			continue
		}
		before := p.rows()
		p.h.tick(p.tab, way.key, way.button)
		p.waitFor(rows + " > " + strconv.Itoa(before))
	}
	p.pos = p.played.End(p.pos)
	p.waitRows(p.pos.Count)
}

// solved waits until the page says that the step is solved, and names what does not hold if it does not.
func (p *player) solved() {
	p.t.Helper()
	p.drawn()
	if eval[bool](p.tab, `!!document.querySelector("#solved") && document.querySelector("#solved h2").innerText.trim() === `+quote(p.lang.Say("lab.solved"))) {
		return
	}
	open := eval[[]string](p.tab, `[...document.querySelectorAll(".check:not(.check--pass)")].map((c) => c.innerText.replace(/\s+/g, " "))`)
	p.t.Fatalf("the solution of %s does not solve it; what does not hold: %q%s", p.step.ID, open, p.state())
}
