package lab

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/export"
	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// address is where the program lies in these tests.
const address = "https://lab.example/retry/"

// sharedLink presses Share and returns the link that the dialog shows.
func (p *person) sharedLink() string {
	p.t.Helper()
	p.Settings.Address = address
	p.use(Share{})
	if !p.did(effect.Show{ID: shareID}) || !strings.Contains(p.View().HTML(), p.share.link) {
		p.t.Fatalf("the dialog is not shown with its link: %v", p.effects)
	}
	return p.share.link
}

// follow opens a link into a lesson for somebody who has done something of their own there.
func follow(t *testing.T, l *lesson.Lesson, address, history string) *person {
	t.Helper()
	sealed, err := link.Read(address)
	if err != nil {
		t.Fatal(err)
	}
	step := stepIndex(t, l, sealed.Step)
	o, err := sealed.Open(l.Steps[step])
	if err != nil {
		t.Fatal(err)
	}
	s := frame.Settings{Lang: text.English}
	return &person{t: t, Model: NewShared(s, Size{Stage: 640}, Place{Number: 1, Count: 2}, l, step, &progress.Book{}, history, &o)}
}

// Whoever opens a link sees what was shared: at every position, the same run, clock, explained choice and other runs.
func TestALinkShowsWhatWasShared(t *testing.T) {
	l := small(t)
	p := at(t, l, "total").use(SetAmount{20}, Inject{"503"}, Fire{}).send(Run{}, Start{}, Next{}, SetAmount{10}).use(Fire{})
	for p.send(Start{}); ; p.send(Next{}) {
		p.selectLatest()
		got := follow(t, l, p.sharedLink(), "")
		for name, same := range map[string]bool{
			"position": got.pos == p.pos, "choice": got.selected == p.selected, "totals": got.totals() == p.totals(),
			"runs": len(got.tree.Branches()) == 2 && len(p.tree.Branches()) == 2,
			"why":  got.why().HTML() == p.why().HTML(), "events": got.events().HTML() == p.events().HTML(),
		} {
			if !same {
				t.Errorf("after %d events the %s is another", p.pos.Count, name)
			}
		}
		if p.pos.Count == len(p.played.Events) {
			break
		}
	}
}

// A shared run that is played keeps nothing: neither history nor progress, though it solves the step. It says so.
func TestASharedRunIsNotKept(t *testing.T) {
	l := small(t)
	p := follow(t, l, at(t, l, "total").play(l.Steps[1].Solution).sharedLink(), "")
	effects := slices.Concat(p.Visit(), p.Update(Back{}), p.Update(Next{}), p.Update(Fire{}), p.Update(Run{}))
	for _, e := range effects {
		if s, stores := e.(effect.Store); stores {
			t.Errorf("%s is kept", s.Key)
		}
	}
	if p.book.Of(l.ID, "total") != progress.Open {
		t.Error("the step counts as done")
	}
	page := plain(p.View())
	for _, want := range []string{"Shared run.", "Keep as mine", "Back to mine"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(p.View().HTML(), `id="shared"`) + 10*strings.Count(p.phone().View().HTML(), `id="shared"`); n != 11 {
		t.Errorf("the notice is shown %d times on a wide page, %d on a phone", n%10, n/10)
	}
	p.shared.same = false
	if !strings.Contains(plain(p.View()), text.English.Say("link.changed")) {
		t.Error("the page does not say that the run may be another than was shared")
	}
}

// Keeping a shared run puts it beside the learner's own, which can still be shown.
func TestKeepShared(t *testing.T) {
	l := small(t)
	own := at(t, l, "total").use(SetAmount{20}, Fire{}).use(Hint{})
	given := at(t, l, "total").use(Inject{"503"}, Fire{}).send(Next{}, Next{})
	p := follow(t, l, given.sharedLink(), own.History()).use(KeepShared{})
	kept, ok := p.stored(p.book.HistoryKey(l.ID, "total"))
	if !ok || !p.did(effect.Go{Hash: p.hash(p.step)}) {
		t.Fatalf("nothing is kept, or the page stays: %v", p.effects)
	}
	mine := New(p.Settings, p.Size, p.place, l, p.step, p.book, kept)
	if mine.pos != given.pos || len(mine.tree.Branches()) != 2 || mine.hints != 1 || mine.Shared() {
		t.Errorf("at %+v with %d runs and %d hints", mine.pos, len(mine.tree.Branches()), mine.hints)
	}
	var amounts []int64
	for _, id := range mine.tree.Branches() {
		path := mine.tree.PathOf(id)
		amounts = append(amounts, path[len(path)-1].Action.Request.Amount)
	}
	if !slices.Contains(amounts, 20) {
		t.Errorf("the learner's own run is lost: %v", amounts)
	}
}

// A run with other draws than the step has cannot become one of the learner's.
func TestARunOfAnotherSeedIsNotKept(t *testing.T) {
	l := small(t)
	given := at(t, l, "total").use(Fire{})
	l.Steps[1].Scenario.Seed += 5
	p := follow(t, l, given.sharedLink(), "")
	l.Steps[1].Scenario.Seed -= 5
	p = follow(t, l, p.sharedLink(), "")
	if offers(p.View(), KeepShared{}) || p.keepShared() != nil || !strings.Contains(plain(p.View()), "Back to mine") {
		t.Error("a run of another seed can be kept")
	}
}

// Every export is what core/export makes of the run, under a name that says of which step.
func TestExports(t *testing.T) {
	l := small(t)
	p := at(t, l, "total").use(Inject{"503"}, Fire{}).send(Next{})
	r, err := export.Of(&l.Steps[1].Scenario, l.Steps[1].Asked(), p.tree.Path())
	if err != nil {
		t.Fatal(err)
	}
	file, _ := r.File()
	test, _ := r.GoTest()
	stem := l.ID + "-total."
	for form, want := range map[string]effect.Download{
		"scenario": {Name: stem + "scenario.json", Text: string(file)},
		"csv":      {Name: stem + "events.csv", Text: string(r.CSV())},
		"markdown": {Name: stem + "trace.md", Text: string(r.Markdown(text.English))},
		"go-test":  {Name: r.TestFile(), Text: string(test)},
	} {
		p.use(Export{form})
		if len(p.effects) != 1 || p.effects[0] != want {
			t.Errorf("%s: got %v, want %v", form, p.effects, want)
		}
		if !strings.Contains(plain(p.shareDialog()), want.Name) {
			t.Errorf("%s: the dialog does not say %s", form, want.Name)
		}
	}
	for _, form := range []string{"svg", "png"} {
		p.phone().use(Export{form})
		e, ok := p.effects[0].(effect.Picture)
		if !ok || e.Name != stem+"timeline."+form || e.PNG != (form == "png") || !strings.HasPrefix(e.SVG, "<svg ") ||
			!strings.Contains(e.SVG, `width="960"`) || !strings.Contains(e.SVG, `width="928"`) || !strings.Contains(e.SVG, `id="p-jitter"`) {
			t.Errorf("%s: got %.200v", form, p.effects)
		}
	}
	if p.send(frame.Drawn{Name: "a.png"}); !strings.Contains(plain(p.shareDialog()), text.English.Say("share.not-drawn")) {
		t.Error("a picture that could not be drawn is not told")
	}
}

// What came of copying is said in the dialog, in every language.
func TestCopyLink(t *testing.T) {
	for _, lang := range text.Langs() {
		p := at(t, small(t), "total").speak(lang)
		p.sharedLink()
		if p.use(CopyLink{}); !p.did(effect.Copy{ID: linkID, Text: p.share.link}) {
			t.Errorf("%s: got %v", lang, p.effects)
		}
		for ok, name := range map[bool]string{true: "share.copied", false: "share.copy-by-key"} {
			if p.send(frame.Copied{OK: ok}); !strings.Contains(plain(p.shareDialog()), lang.Say(name)) {
				t.Errorf("%s: copying is not told: %s", lang, plain(p.shareDialog()))
			}
		}
	}
}

// Where nothing is played, the link is the page's address; of a lesson from a file there is none.
func TestSharingWhatIsRead(t *testing.T) {
	p := at(t, small(t), "read").speak(text.Korean)
	if got, want := p.sharedLink(), address+"#/lesson/"+p.lesson.ID+"/read?lang=ko"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if offers(p.View(), Export{"csv"}) || p.export("csv") != nil {
		t.Error("a page without a run can be exported")
	}
	p.place.Mark = "file.mark"
	if p.use(Share{}); p.share.link != "" || !strings.Contains(plain(p.shareDialog()), text.Korean.Say("share.from-file")) {
		t.Errorf("a lesson from a file has the link %q", p.share.link)
	}
}

// A lesson from a file goes along as its scenario, and a scenario of its own can be played, shared and exported.
func TestAScenarioOfItsOwn(t *testing.T) {
	p := at(t, small(t), "total")
	p.place.Mark = "file.mark"
	p.use(Fire{}).send(Run{}, Run{})
	alone := openAlone(t, p.sharedLink())
	if alone.pos != p.pos || alone.totals() != p.totals() {
		t.Errorf("at %+v, want %+v", alone.pos, p.pos)
	}
	for _, e := range slices.Concat(alone.Visit(), alone.use(Inject{"lost-reply"}, Fire{}).send(Run{}).effects) {
		if _, stores := e.(effect.Store); stores {
			t.Errorf("something is kept: %v", e)
		}
	}
	if alone.grade.Solved || alone.book.Of(alone.lesson.ID, alone.StepID()) != progress.Open {
		t.Error("a scenario, which asks nothing, counts as solved")
	}
	if again := openAlone(t, alone.sharedLink()); again.pos != alone.pos || again.totals() != alone.totals() {
		t.Errorf("shared again: at %+v, want %+v", again.pos, alone.pos)
	}
	for _, lang := range text.Langs() {
		if page := plain(alone.speak(lang).View()); !strings.Contains(page, lang.Say("share.scenario-body")) || strings.Contains(page, "retrylab check") {
			t.Errorf("%s: %s", lang, page)
		}
	}
	if alone.use(Export{"csv"}); alone.effects[0].(effect.Download).Name != "shared-scenario.events.csv" {
		t.Errorf("got %v", alone.effects)
	}
}

func openAlone(t *testing.T, address string) *person {
	t.Helper()
	sealed, err := link.Read(address)
	if err != nil || sealed.Lesson != "" {
		t.Fatalf("lesson %q, %v", sealed.Lesson, err)
	}
	o, err := sealed.Open(lesson.Step{})
	if err != nil {
		t.Fatal(err)
	}
	return &person{t: t, Model: NewScenario(frame.Settings{Lang: text.English}, Size{Stage: 640}, &o)}
}

// The committed link of format 1 to a scenario of its own is drawn.
func TestACommittedLinkIsDrawn(t *testing.T) {
	data, err := os.ReadFile("../../../core/link/testdata/format1.txt")
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	for line := range bytes.Lines(data) {
		fragment, about, _ := strings.Cut(string(line), " ")
		if !strings.Contains(about, "lesson= ") {
			continue
		}
		opened++
		if p := openAlone(t, fragment); p.pos.Count == 0 || !strings.Contains(p.View().HTML(), rowID(p.pos.Count)) {
			t.Errorf("%s is at %+v", about, p.pos)
		}
	}
	if opened == 0 {
		t.Error("no committed link is to a scenario of its own")
	}
}
