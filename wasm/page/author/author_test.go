package author

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// bench is a preview that has done what it is told.
type bench struct {
	Preview
	answer lesson.Answer
	heard  []any
}

func (b *bench) Update(msg any) []effect.Effect {
	b.heard = append(b.heard, msg)
	return []effect.Effect{effect.Store{Key: "x", Value: "y"}, effect.Focus{ID: "next"}}
}
func (b *bench) View() view.Node {
	title, _ := b.Lesson.Steps[b.Step].Title.In(string(b.Settings.Lang))
	return view.El("p", title)
}
func (b *bench) Answer() lesson.Answer { return b.answer }
func (b *bench) History() string       { return "what was done" }

// desk is the page with the field that the browser would show.
type desk struct {
	*Model
	t     *testing.T
	field string
	bench *bench
	kept  progress.File
	jobs  []string
	saved []effect.Download
}

func open(t *testing.T, draft progress.File) *desk {
	d := &desk{t: t}
	c := &catalog.Catalog{Lessons: []catalog.Entry{{ID: "base", File: "base.json"}}}
	d.Model = New(frame.Settings{Lang: text.English}, c, draft, func(p Preview) Bench {
		d.bench = &bench{Preview: p}
		return d.bench
	})
	d.do(d.Visit())
	return d
}

// send gives a message to the page, and does what comes of it as the shell would; nobody types while it waits.
func (d *desk) send(msgs ...any) {
	for _, msg := range msgs {
		if m, ok := msg.(Typed); ok {
			d.field = m.Text
		}
		d.do(d.Update(msg))
	}
	d.do(d.Update(Quiet{d.edits}))
	if d.field != d.Model.text {
		d.t.Fatalf("the field holds\n%s\nand the text is\n%s", d.field, d.Model.text)
	}
}

func (d *desk) do(effects []effect.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case effect.SetValue:
			d.field = e.Value
		case effect.Splice:
			u := utf16(d.field)
			d.field = string(fromUTF16(u[:e.From])) + e.Text + string(fromUTF16(u[e.To:]))
		case effect.Store:
			d.kept, _ = progress.ReadFile(e.Value)
		case effect.Job:
			d.jobs = append(d.jobs, e.Request)
		case effect.Download:
			d.saved = append(d.saved, e)
		}
	}
}

func baseText(t *testing.T) string {
	data, err := os.ReadFile("../../../core/lesson/testdata/base.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Typing, the form, undo and redo all work on one text; nothing but the place that is meant changes.
func TestOneText(t *testing.T) {
	base := baseText(t)
	d := open(t, progress.File{Name: "base.json", Text: base})
	d.send(SetString{"/title/ko", "𝄞 새 제목"}, SetString{"/title/ko", "𝄞 새 제목\n둘"})
	want := strings.Replace(base, `"바탕"`, `"𝄞 새 제목\n둘"`, 1)
	if d.Model.text != want {
		t.Fatal("the title is not all that has changed")
	}
	d.send(Typed{strings.Replace(want, `"minutes": 5`, `"minutes": 50`, 1)}, Typed{strings.Replace(want, `"minutes": 5`, `"minutes": 501`, 1)})
	d.send(SetNumber{"/minutes", "7"}, Insert{"/checklist", `{"en":"","ko":""}`}, Move{"/steps", 0, 1}, Remove{"/steps/1"}, Toggle{"/steps/0/allow/inject", "503"})
	for range 7 {
		d.send(Undo{})
	}
	if d.Model.text != base {
		t.Errorf("after all is undone the text is\n%s", d.Model.text)
	}
	for range 7 {
		d.send(Redo{})
	}
	l, err := lesson.Read("x", []byte(d.Model.text))
	if l.Minutes != 7 || len(l.Checklist) != 2 || l.Steps[0].ID != "total" || l.Steps[1].ID != "guess" || len(l.Steps[0].Allow.Inject) != 1 || err == nil {
		t.Errorf("after all is done again the lesson is %+v, %v", l, err)
	}
	if d.kept.Text != d.Model.text || d.kept.Name != "base.json" {
		t.Error("the draft is not kept")
	}
}

// The draft comes back after a reload, and opening another file loses nothing.
func TestNothingIsLost(t *testing.T) {
	d := open(t, progress.File{})
	first := d.Model.text
	if faults := lesson.Inspect("", []byte(first)).Faults(); len(faults) > 0 {
		t.Fatalf("a new lesson has faults: %v", faults)
	}
	d.send(SetString{"/id", "mine"})
	again := open(t, d.kept)
	if again.Model.text != d.Model.text {
		t.Error("another text comes back")
	}
	again.send(frame.File{Name: "other.json", Text: "{\r\n}"})
	if again.name != "other.json" || again.Model.text != "{\n}" {
		t.Errorf("opened %s: %q", again.name, again.Model.text)
	}
	again.send(Save{})
	if s := again.saved; len(s) != 1 || s[0].Text != "{\r\n}" || s[0].Name != "other.json" {
		t.Errorf("downloaded %+v", s)
	}
	again.send(Undo{})
	if again.Model.text != d.Model.text {
		t.Error("undo does not bring the former lesson back")
	}
	for _, bad := range []frame.File{{Name: "x", Text: "\xff"}, {Name: "x", Text: strings.Repeat(" ", 5<<20)}, {Name: "x", Trouble: "gone"}} {
		again.send(bad)
		if again.Model.text != d.Model.text || again.notice == "" {
			t.Errorf("a file of %d bytes was taken", len(bad.Text))
		}
	}
}

// While the text is no JSON the form stays and changes nothing; a text that is missing in one language is counted.
func TestBrokenAndMissing(t *testing.T) {
	base := baseText(t)
	d := open(t, progress.File{Name: "base.json", Text: base})
	d.send(Typed{base[:len(base)-3]})
	broken := d.Model.text
	d.send(SetString{"/id", "x"}, Remove{"/steps/0"}, AddStep{}, Toggle{"/after", "y"}, SetCheckKind{"/steps/1/checks/0", "count"})
	if d.Model.text != broken || !strings.Contains(d.View().HTML(), "disabled") {
		t.Error("the form has changed a text that is no JSON")
	}
	d.send(Undo{}, SetString{"/title/ko", " "}, Lang{"ko"})
	html := d.View().HTML()
	if d.gaps("ko") != 1 || d.gaps("en") != 0 || !strings.Contains(html, text.English.Say("author.missing", "language", "한국어", "n", "1")) ||
		!strings.Contains(html, "is-missing") {
		t.Errorf("missing: %d and %d", d.gaps("ko"), d.gaps("en"))
	}
	d.send(SetRaw{"/steps/1/scenario", "{"})
	if d.notice == "" {
		t.Error("half a value was taken")
	}
}

// Every kind of step and of check that the form adds reads well once its texts are written.
func TestTemplatesRead(t *testing.T) {
	d := open(t, progress.File{})
	for k := lesson.Explain; k <= lesson.Code; k++ {
		d.send(Kind{k.String()}, AddStep{})
	}
	last := len(d.steps())
	d.send(Step{1})
	for _, kind := range kinds() {
		list := "/steps/1/checks"
		d.send(Insert{list, newCheck(d.freeID(list, "check"), "total", emptyText(d.langs()))})
		d.send(SetCheckKind{list + "/" + string(rune('0'+len(d.at(list).Items)-1)), kind})
	}
	if got := len(lesson.CheckKinds()); got != len(kinds()) {
		t.Errorf("the form begins %d of %d kinds of checks", len(kinds()), got)
	}
	whole := strings.ReplaceAll(d.Model.text, `: ""`, `: "text"`)
	for _, f := range lesson.Inspect("new.json", []byte(whole)).Faults() {
		t.Error(f)
	}
	r := lesson.Inspect("new.json", []byte(whole))
	for i := last - 5; i < last; i++ {
		for _, f := range r.Prove(i).Faults {
			t.Error(f)
		}
	}
}

// What was played becomes the solution, or a wrong answer that fails with its check, and is proven.
func TestRecord(t *testing.T) {
	base := baseText(t)
	d := open(t, progress.File{Name: "base.json", Text: base})
	d.send(Step{1}, Pane{"preview"})
	st := &d.r.Lesson.Steps[1]
	d.bench.answer = lesson.Answer{Inputs: st.Wrong[0].Inputs}
	d.send(TakeWrong{})
	r := lesson.Inspect("", []byte(d.Model.text))
	if n := len(r.Lesson.Steps[1].Wrong); n != 3 || len(r.Prove(1).Faults) > 0 || r.Lesson.Steps[1].Wrong[2].Fails != "ten" {
		t.Errorf("%d wrong answers, %v", n, r.Prove(1).Faults)
	}
	if d.bench.History2() != "what was done" {
		t.Error("the preview begins anew after the text has changed")
	}
	d.bench.answer = lesson.Answer{Inputs: []scenario.Input{{Action: sim.Action{Kind: sim.Fire, Request: st.Scenario.Requests[0]}}}}
	d.send(TakeSolution{})
	if !strings.Contains(d.notice, text.English.Say("author.took-unsolved")) {
		t.Errorf("the page says %q", d.notice)
	}
	d.bench.answer = st.Solution
	d.send(TakeSolution{})
	if p := lesson.Inspect("", []byte(d.Model.text)).Prove(1); !p.Solution {
		t.Errorf("the recorded solution does not pass: %v", p.Faults)
	}
	before := d.Model.text
	d.send(SetString{"/format", "x"}, TakeSolution{})
	if d.notice != text.English.Say("author.not-taken") {
		t.Errorf("with faults the page says %q", d.notice)
	}
	d.send(Undo{})
	if d.Model.text != before {
		t.Error("undo does not bring it back")
	}
}

func (b *bench) History2() string { return b.Preview.History }

// The preview hears what is no message of the page, and keeps nothing.
func TestPreview(t *testing.T) {
	d := open(t, progress.File{Name: "base.json", Text: baseText(t)})
	d.send(Pane{"preview"}, ShowStep{"guess"}, PreviewLang{"ko"})
	if d.step != 2 || !strings.Contains(d.View().HTML(), "<p>예측</p>") {
		t.Errorf("step %d is shown", d.step)
	}
	for _, e := range d.Update("a message") {
		if _, keeps := e.(effect.Store); keeps {
			t.Error("the preview keeps something")
		}
	}
	if len(d.bench.heard) == 0 || d.bench.heard[len(d.bench.heard)-1] != any("a message") {
		t.Errorf("the preview heard %v", d.bench.heard)
	}
	d.send(Pane{"form"})
	if d.Bench() != nil {
		t.Error("a preview that is not shown takes keys")
	}
}

// The proof comes step by step; what comes after it was cancelled, or of an earlier one, is left aside.
func TestProof(t *testing.T) {
	d := open(t, progress.File{Name: "base.json", Text: baseText(t)})
	d.send(Prove{}, Cancel{}, Prove{})
	var first, second []string
	for i, out := range []*[]string{&first, &second} {
		job.Serve([]byte(d.jobs[i*2]), nil, func(m []byte) { *out = append(*out, string(m)) })
	}
	d.send(frame.Answer{Message: first[0]}, frame.Answer{Message: "no JSON"})
	if len(d.proof.steps) != 0 {
		t.Error("an answer to an earlier request counts")
	}
	for _, m := range second {
		d.send(frame.Answer{Message: m})
	}
	html := d.View().HTML()
	for _, want := range []string{d.say("author.proven"), d.say("author.seeds", "n", "20"), d.say("author.no-draw"),
		d.say("author.proof-wrong", "n", "2", "count", "2")} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	d.send(SetString{"/id", "other"})
	if !strings.Contains(d.View().HTML(), d.say("author.proof-old")) {
		t.Error("the page does not say that the text has changed since")
	}
}

// Places are found in texts of any script, and shown as the browser counts.
func TestJump(t *testing.T) {
	d := open(t, progress.File{Name: "a.json", Text: "{\n \"𝄞\": 1, \"b\": 2\n}"})
	d.send(JumpTo{2, 10})
	effects := d.Update(JumpTo{2, 10})
	sel, ok := effects[len(effects)-1].(effect.SelectText)
	if !ok || sel.From != 12 || sel.To != 18 {
		t.Errorf("selects %+v", effects)
	}
}

// Whatever file is opened, the page can be drawn, and what it draws is text.
func TestHostileFiles(t *testing.T) {
	base := baseText(t)
	evil := `<img src=x onerror=alert(1)><script>alert(1)</script>[x](javascript:alert(1))`
	var quoted, _ = json.Marshal(evil)
	for _, file := range []string{
		"", "null", "[]", `{"steps": {}}`, `{"steps": [1, null, []]}`, `{"__proto__": {"steps": []}, "constructor": 1}`,
		strings.Repeat("[", 10_000), `{"languages": ["en"], "title": 5, "steps": [{"checks": {}, "hints": "x", "wrong": [1], "allow": []}]}`,
		strings.ReplaceAll(base, `"Text."`, string(quoted)), strings.Replace(base, `"id": "read"`, `"id": "../x/\u202e<b>"`, 1),
		strings.Replace(base, `"kind": "total"`, `"kind": "`+strings.Repeat("x", 100_000)+`"`, 1),
		strings.Replace(base, `"read"`, `"a/b~c": {"d/e": 1}, "id": "read"`, 1),
	} {
		d := open(t, progress.File{Name: "x.json", Text: base})
		d.send(frame.File{Name: "x.json", Text: file}, Pane{"preview"}, AddStep{}, Pane{"form"})
		html := d.View().HTML()
		if strings.Contains(html, "<script") || strings.Contains(html, "<img") || strings.Contains(html, "\u202e</") {
			t.Errorf("%.40q breaks out", file)
		}
	}
}
