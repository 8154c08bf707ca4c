package sandbox

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/schema"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// still is a bench that only knows its scenario.
type still struct{ l *lesson.Lesson }

func (b *still) Update(any) []effect.Effect { return nil }
func (b *still) With(editor []view.Node) view.Node {
	return view.El("main", editor)
}
func (b *still) Revise(l *lesson.Lesson) (Bench, []effect.Effect) { return &still{l}, nil }
func (b *still) History() string                                  { return "" }
func (b *still) Set(frame.Settings)                               {}

func open(k Kept) *Model {
	m := New(frame.Settings{Lang: text.English}, k, func(l *lesson.Lesson, _ string) Bench { return &still{l} })
	m.Visit()
	m.Update(frame.File{Name: formFile, Text: string(schema.Form())})
	return m
}

// check holds what holds after every message: the text is sound and runs, or its faults are named.
func check(t *testing.T, m *Model) {
	t.Helper()
	sc, err := scenario.Read("scenario.json", []byte(m.text))
	if (err == nil) != (len(m.faults) == 0) {
		t.Fatalf("faults %v, but the reader says %v", m.faults, err)
	}
	if err == nil && string(sc.Write()) != string(m.bench.(*still).l.Steps[0].Scenario.Write()) {
		t.Fatal("what runs is not what is written")
	}
	if html := m.View().HTML(); err != nil && !strings.Contains(html, "faults") {
		t.Fatal("the page does not say that there are faults")
	}
}

// TestBuildByTheForm: each edit of the form is one of the text, and what it does not touch stays as it was written.
func TestBuildByTheForm(t *testing.T) {
	m := open(Kept{})
	check(t, m)
	for _, msg := range []any{
		Set{"/seed", "9", "whole"}, Set{"/clients/0/policy/attempts", "5", "whole"}, Add{"/clients/0/policy/backoff", "backoff"},
		Add{"/clients/0/policy/jitter", "jitter"}, Become{"/clients/0/policy/jitter", "jitter", "plus-minus"},
		Insert{"/pools", "pool"}, Set{"/pools/0/name", "shared", "text"}, Set{"/clients/0/pool", "shared", "text"},
		Add{"/clients/0/breaker", "breaker"}, Become{"/clients/0/breaker", "breaker", "count"}, Add{"/partner/limiter", "limiter"},
		Become{"/partner/limiter", "limiter", "gcra"}, Insert{"/inputs", "input"}, Set{"/inputs/0/at", "1.5 s", "wait"},
		Instead{"/inputs/0", "input", "guards"}, Instead{"/inputs/0", "input", "fire"}, Copy{"/clients", 3}, Insert{"/clients", "client"},
		Set{"/clients/0/name", "till", "text"}, Set{"/pools/0/name", "desk", "text"}, Set{"/partner/keys", "ignore", "choice"},
		Set{"/clients/0/policy/attempts", "", "whole"}, Set{"/repeatLast", "true", "flag"},
	} {
		m.Update(msg)
		check(t, m)
		if len(m.faults) > 0 {
			t.Fatalf("after %#v: %v", msg, m.faults)
		}
	}
	s := m.bench.(*still).l.Steps[0].Scenario
	if got, want := strings.Join(s.Names(), " "), "till shop-2 shop-3 shop-4 new-2"; got != want {
		t.Errorf("the clients are %s, want %s", got, want)
	}
	if s.Seed != 9 || s.Pools[0].Name != "desk" || len(s.Inputs) != 1 {
		t.Errorf("got seed %d, pool %q, %d inputs", s.Seed, s.Pools[0].Name, len(s.Inputs))
	}
	edited := m.text
	for len(m.past) > 0 {
		m.Update(Undo{})
		check(t, m)
	}
	if m.text != begin {
		t.Error("undoing all does not lead to the beginning")
	}
	for len(m.undone) > 0 {
		m.Update(Redo{})
	}
	if m.text != edited {
		t.Error("redoing all does not lead to the end")
	}
}

// TestFaultStandsAtItsField: a wrong value is kept and named where it was typed; the last good scenario runs on.
func TestFaultStandsAtItsField(t *testing.T) {
	m := open(Kept{})
	before := string(m.bench.(*still).l.Steps[0].Scenario.Write())
	m.Update(Set{"/clients/0/policy/attempts", "many", "whole"})
	if len(m.faults) != 1 || m.faults[0].Pointer != "/clients/0/policy/attempts" {
		t.Fatalf("the faults are %v", m.faults)
	}
	html := m.View().HTML()
	if !strings.Contains(html, `aria-describedby="fault/clients/0/policy/attempts"`) || !strings.Contains(html, `id="fault/clients/0/policy/attempts"`) {
		t.Error("the field does not say what is wrong with it")
	}
	if after := string(m.bench.(*still).l.Steps[0].Scenario.Write()); after != before {
		t.Error("the run has changed")
	}
	check(t, m)
}

// TestCrowd: many clients like one, up to the most that a scenario may have.
func TestCrowd(t *testing.T) {
	m := open(Kept{})
	m.Update(Copy{"/clients", scenario.MaxClients - 1})
	check(t, m)
	if n := len(m.bench.(*still).l.Steps[0].Scenario.Clients); n != scenario.MaxClients {
		t.Errorf("there are %d clients, want %d; faults %v", n, scenario.MaxClients, m.faults)
	}
}

// TestSaved: what is saved can be opened, renamed and deleted after a question; nothing is lost where there is no room.
func TestSaved(t *testing.T) {
	m := open(Kept{})
	m.Update(Name{"one"})
	stored := m.Update(Save{})
	if !slices.ContainsFunc(stored, func(e effect.Effect) bool {
		s, ok := e.(effect.Store)
		b, read := progress.ReadBench(s.Value)
		return ok && s.Key == progress.SavedPrefix+"one" && read && b.Text == m.text
	}) {
		t.Fatalf("saving stores %v", stored)
	}
	m.Update(Empty{})
	m.Update(Set{"/seed", "5", "whole"})
	m.Update(Open{"one"})
	if m.text != begin || !m.isSaved() {
		t.Error("what was saved does not come back")
	}
	m.Update(Undo{})
	if m.name != "" || m.typed != "" {
		t.Errorf("after undoing the opening it is still called %q, in the field %q", m.name, m.typed)
	}
	m.Update(Redo{})
	if m.name != "one" || m.typed != "one" {
		t.Errorf("after redoing it is called %q", m.name)
	}
	m.Update(Name{"two"})
	m.Update(Rename{})
	m.Update(Delete{"two"})
	if len(m.saved) != 1 || m.saved[0].Name != "two" {
		t.Fatalf("after renaming, before the answer: %v", m.saved)
	}
	m.Update(Leave{})
	m.Update(Really{})
	if len(m.saved) != 1 {
		t.Error("it went although nobody was asked")
	}
	m.Update(Delete{"two"})
	if gone := m.Update(Really{}); len(m.saved) != 0 || !slices.Contains(gone, effect.Effect(effect.Store{Key: progress.SavedPrefix + "two"})) {
		t.Errorf("deleting leaves %v and stores %v", m.saved, gone)
	}
	for i := range progress.MaxSaved + 1 {
		m.Update(Name{strconv.Itoa(i)})
		m.Update(Save{})
	}
	if len(m.saved) != progress.MaxSaved || !m.trouble {
		t.Errorf("%d are saved, trouble %v", len(m.saved), m.trouble)
	}
}

// TestOtherTabs: what another tab saves or deletes is in the list here too; what it had open is kept under a name, and said.
func TestOtherTabs(t *testing.T) {
	m := open(Kept{})
	m.Update(Elsewhere{Name: "b", Bench: progress.Bench{Name: "b", Text: begin}})
	m.Update(Elsewhere{Name: "a", Bench: progress.Bench{Name: "a", Text: "{}"}, Open: true})
	if len(m.saved) != 2 || m.saved[0].Name != "a" || !strings.Contains(m.notice, "a") {
		t.Errorf("saved are %v, and it says %q", m.saved, m.notice)
	}
	m.Update(Elsewhere{Name: "b"})
	if len(m.saved) != 1 || !strings.Contains(m.View().HTML(), m.notice) {
		t.Errorf("saved are %v", m.saved)
	}
	m.Update(NotSaved{})
	if !m.trouble || m.notice == "" {
		t.Error("it is not said that there was no room")
	}
}

// TestHandedOver: a run of another page comes in the place of what was open, which undo brings back.
func TestHandedOver(t *testing.T) {
	next := strings.Replace(begin, `"seed": 1`, `"seed": 2`, 1)
	m := open(Kept{Open: progress.Bench{Text: begin}, Next: progress.Bench{Name: "step", Text: next}})
	if m.text != next {
		t.Fatal("what was handed over is not shown")
	}
	m.Update(Undo{})
	if m.text != begin {
		t.Error("what was open before is lost")
	}
}

// TestStarters: each one opens and runs.
func TestStarters(t *testing.T) {
	data, err := os.ReadFile("../../../lessons/starters/030-lost-reply.json")
	if err != nil {
		t.Fatal(err)
	}
	m := open(Kept{})
	m.Update(frame.File{Name: startersFile, Text: "[" + string(data) + "]"})
	m.Update(frame.File{Name: startersFile, Text: begin}) // a reader's own file of that name
	if m.text != begin || len(m.starters) != 1 {
		t.Errorf("a file of the reader's is taken for one of the site: %d situations", len(m.starters))
	}
	m.Update(Start{"lost-reply"})
	check(t, m)
	if m.notice == "" {
		t.Error("nothing is said of what was opened")
	}
	if m.Set(frame.Settings{Lang: text.Korean}); m.notice != "" {
		t.Errorf("in another language it still says %q", m.notice)
	}
	if len(m.faults) > 0 || !strings.HasPrefix(m.text, "{\n  \"script\"") {
		t.Errorf("faults %v in %s", m.faults, m.text)
	}
}

// TestRandomEdits: whatever is pressed, the text is sound or its faults are named, and nothing panics.
func TestRandomEdits(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	for range 15 {
		m := open(Kept{})
		for range 60 {
			m.Update(anything(r, m))
			check(t, m)
		}
	}
}

// anything is a message of the form about some value of the text, or about none.
func anything(r *rand.Rand, m *Model) any {
	pointers := []string{"", "/nothing", "/clients/99/name"}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		pointers = append(pointers, n.Pointer())
		for _, f := range n.Fields {
			walk(f.Value)
		}
		for _, item := range n.Items {
			walk(item)
		}
	}
	walk(m.doc)
	at := pointers[r.IntN(len(pointers))]
	var objects []string
	for name := range m.form {
		objects = append(objects, name)
	}
	slices.Sort(objects)
	object := objects[r.IntN(len(objects))]
	f := field{Name: "name"}
	if fields := m.form[object].Fields; len(fields) > 0 {
		f = fields[r.IntN(len(fields))]
	}
	values := []string{"", "1", "-7", "x", "1s", `"`, "shop", "a, b", "429, 503"}
	kinds := []string{"text", "whole", "wait", "choice", "flag", "words", "numbers"}
	value, kind := values[r.IntN(len(values))], kinds[r.IntN(len(kinds))]
	list := []string{"/clients", "/pools", "/inputs", "/script", at}[r.IntN(5)]
	all := []any{
		Set{at, value, kind}, Set{at + "/" + f.Name, value, kind}, Add{at + "/" + f.Name, object}, Remove{at}, Insert{list, object}, Copy{list, 1 + r.IntN(3)},
		Move{list, 1 - 2*r.IntN(2)}, Pick{list, r.IntN(9) - 3}, Undo{}, Redo{}, Raw{r.IntN(2) == 0}, Typed{m.text[:r.IntN(len(m.text)+1)]}, Empty{},
		Instead{at, object, f.Name},
	}
	if o := m.form[object]; o.By != "" {
		all = append(all, Become{at, object, o.Variants[r.IntN(len(o.Variants))].Name})
	}
	return all[r.IntN(len(all))]
}

// FuzzStored: whatever the browser has kept, the page opens.
func FuzzStored(f *testing.F) {
	f.Add(progress.Bench{Name: "x", Text: begin, Run: "{}"}.Write())
	f.Add(`{"text":"{\"clients\":7}"}`)
	f.Fuzz(func(t *testing.T, stored string) {
		b, ok := progress.ReadBench(stored)
		if !ok {
			return
		}
		m := open(Kept{Open: b})
		if m.text != b.Text {
			t.Error("what was kept is not shown")
		}
		if html := m.View().HTML(); !strings.Contains(html, "sb__faults") {
			t.Error("the page is not drawn")
		}
	})
}
