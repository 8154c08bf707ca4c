package scenario

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

func treeScenario(t testing.TB) Scenario {
	s, err := Read("base.json", []byte(readFile(t, "testdata/base.json")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fireAt is a request at a second.
func fireAt(second int64, amount int64) Input {
	return Input{clock.Instant(second * int64(time.Second)), sim.Action{
		Kind: sim.Fire, Request: call.Request{Method: "POST", Path: "/add", Amount: amount},
	}}
}

// plainTree is the dumb twin of Tree: paths, and for each path the input that was shown after it last.
type plainTree struct {
	s    *Scenario
	path []Input
	all  map[string]bool
	next map[string]Input
}

func (p *plainTree) key(path []Input) string { return string(p.s.WriteInputs(path)) }

func (p *plainTree) show(path []Input) {
	p.path = slices.Clone(path)
	for i := range path {
		p.next[p.key(path[:i])] = path[i]
		p.all[p.key(path[:i+1])] = true
	}
}

// ends returns how many paths go no further.
func (p *plainTree) ends() int {
	n := 0
	for k := range p.all {
		if _, goesOn := p.next[k]; !goesOn {
			n++
		}
	}
	return n
}

// A tree does what the plain one does, and reads back as it was written after every step.
func TestTreeIsThePlainOne(t *testing.T) {
	s := treeScenario(t)
	rapid.Check(t, func(t *rapid.T) {
		var tree Tree
		plain := plainTree{s: &s, all: map[string]bool{}, next: map[string]Input{}}
		t.Repeat(map[string]func(*rapid.T){
			"act": func(t *rapid.T) {
				done := rapid.IntRange(0, len(plain.path)+1).Draw(t, "done")
				path := slices.Clone(plain.path[:min(done, len(plain.path))])
				path = append(path, drawNext(t, path))
				if !tree.Act(done, path[len(path)-1]) {
					t.Fatal("there was no room")
				}
				plain.show(path)
			},
			"undo": func(t *rapid.T) {
				if n := len(plain.path); tree.Undo() != (n > 0) {
					t.Fatalf("undo with %d inputs", n)
				}
				plain.path = plain.path[:max(len(plain.path)-1, 0)]
			},
			"redo": func(t *rapid.T) {
				in, ok := plain.next[plain.key(plain.path)]
				if tree.Redo() != ok {
					t.Fatalf("redo after %s", plain.key(plain.path))
				}
				if ok {
					plain.path = append(slices.Clone(plain.path), in)
				}
			},
			"restart": func(*rapid.T) { tree.Restart(); plain.path = nil },
			"replace": func(t *rapid.T) {
				var path []Input
				for range rapid.IntRange(0, 3).Draw(t, "length") {
					path = append(path, drawNext(t, path))
				}
				if !tree.Replace(path) {
					t.Fatal("there was no room")
				}
				plain.show(path)
			},
			"branch": func(t *rapid.T) {
				if ends := tree.Branches(); len(ends) > 0 {
					id := rapid.SampledFrom(ends).Draw(t, "branch")
					tree.Show(id)
					plain.show(tree.PathOf(id))
				}
			},
			"": func(t *rapid.T) { sameTree(t, &s, &tree, &plain) },
		})
	})
}

// drawNext draws one of few inputs, so that equal ones meet.
func drawNext(t *rapid.T, path []Input) Input {
	at := int64(0)
	if len(path) > 0 {
		at = int64(path[len(path)-1].At) / int64(time.Second)
	}
	return fireAt(at+rapid.Int64Range(0, 1).Draw(t, "later"), rapid.Int64Range(1, 2).Draw(t, "amount"))
}

func sameTree(t *rapid.T, s *Scenario, tree *Tree, plain *plainTree) {
	if got, want := plain.key(tree.Path()), plain.key(plain.path); got != want {
		t.Fatalf("the path is %s, want %s", got, want)
	}
	if _, ok := plain.next[plain.key(plain.path)]; tree.CanRedo() != ok || tree.CanUndo() != (len(plain.path) > 0) {
		t.Fatalf("can undo %t, redo %t", tree.CanUndo(), tree.CanRedo())
	}
	ends := tree.Branches()
	if len(ends) != plain.ends() || tree.Empty() != (len(plain.all) == 0) {
		t.Fatalf("there are %d branches, want %d", len(ends), plain.ends())
	}
	for _, id := range ends {
		path := tree.PathOf(id)
		n := len(plain.path)
		if want := n > 0 && len(path) >= n && plain.key(path[:n]) == plain.key(plain.path); tree.Shown(id) != want {
			t.Fatalf("branch %d is shown: %t, want %t", id, tree.Shown(id), want)
		}
	}
	read, now, err := s.ReadTree("tree", s.WriteTree(tree, 1))
	if err != nil || now != 1 || !reflect.DeepEqual(read, *tree) {
		t.Fatalf("%v, now %d\ngot  %+v\nwant %+v", err, now, read, *tree)
	}
}

// Trees of any inputs that a person can do read back.
func TestWrittenTreesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, inputs := drawRun(t)
		var tree Tree
		tree.Replace(inputs)
		if len(inputs) > 0 {
			tree.Act(0, drawInput(t, &s, clock.Start))
		}
		now := clock.Instant(rapid.Int64Range(0, int64(s.MaxTime)).Draw(t, "now"))
		read, at, err := s.ReadTree("tree", s.WriteTree(&tree, now))
		if err != nil || at != now || !reflect.DeepEqual(read, tree) {
			t.Fatalf("%v, now %d, want %d\ngot  %+v\nwant %+v", err, at, now, read, tree)
		}
	})
}

// Acting after a rewind keeps the old future, and the same deed at the same place takes it again.
func TestActingAfterARewindKeepsTheBranch(t *testing.T) {
	var tree Tree
	a, b, c := fireAt(0, 1), fireAt(1, 2), fireAt(1, 3)
	tree.Act(0, a)
	tree.Act(1, b)
	tree.Act(1, c)
	if got := tree.Branches(); !slices.Equal(got, []int{3, 2}) {
		t.Fatalf("branches %v, want the latest first", got)
	}
	tree.Act(1, b)
	if len(tree.nodes) != 3 || tree.at != 2 {
		t.Errorf("the equal branch was not taken: %+v", tree)
	}
	// Redo from the start takes the run that was shown last, not the one that was begun last.
	tree.Act(0, c)
	tree.Show(2)
	tree.Restart()
	tree.Redo()
	tree.Redo()
	if got := tree.Path(); len(got) != 2 || !SameInput(got[1], b) {
		t.Errorf("redo came to %v", got)
	}
}

// A full tree takes nothing more, says so, and shows what it showed.
func TestAFullTreeStays(t *testing.T) {
	var tree Tree
	for i := range int64(MaxNodes) {
		if !tree.Act(0, fireAt(0, i)) {
			t.Fatalf("there was no room for input %d", i+1)
		}
	}
	tree.Act(0, fireAt(0, 7))
	if tree.Act(1, fireAt(1, 1)) || tree.Act(0, fireAt(0, MaxNodes)) || tree.Replace([]Input{fireAt(0, 8), fireAt(1, 1)}) {
		t.Error("a full tree took an input")
	}
	if got := tree.Path(); len(got) != 1 || !SameInput(got[0], fireAt(0, 7)) {
		t.Errorf("the shown run has become %v", got)
	}
	if !tree.Replace([]Input{fireAt(0, 9)}) {
		t.Error("a full tree does not show a run that it has")
	}
	s := treeScenario(t)
	if _, _, err := s.ReadTree("tree", s.WriteTree(&tree, 0)); err != nil {
		t.Errorf("a full tree does not read back: %v", err)
	}
}

// TestFitTree: in a scenario that was edited, an input that cannot be done any more goes alone; the rest of each run, what
// is shown, and what redo leads to stay.
func TestFitTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := drawRun(t)
		var tree Tree
		for range rapid.IntRange(1, 4).Draw(t, "runs") {
			done := rapid.IntRange(0, len(tree.Path())).Draw(t, "done")
			for range rapid.IntRange(1, 4).Draw(t, "inputs") {
				at := clock.Start
				if done > 0 {
					at = tree.Path()[done-1].At
				}
				tree.Act(done, drawInput(t, &s, at))
				done++
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "undone") {
			tree.Undo()
		}
		gone := len(s.Clients) - 1
		fits := func(in Input) bool {
			return in.Action.Client != gone || in.Action.Kind == sim.Inject || in.Action.Kind == sim.SetLimit
		}
		written := strings.ReplaceAll(string(s.WriteTree(&tree, 0)), `"client":"`+s.Clients[gone].Name+`"`, `"client":"nobody"`)
		left, _, lost, err := s.FitTree("tree", []byte(written))
		if err != nil {
			t.Fatal(err)
		}
		for i := range tree.nodes {
			if slices.Contains(lost, i+1) == fits(tree.nodes[i].input) {
				t.Fatalf("input %d, lost are %v: %+v", i+1, lost, tree.nodes[i].input)
			}
		}
		same := func(what string, got, was []Input) {
			was = slices.DeleteFunc(slices.Clone(was), func(in Input) bool { return !fits(in) })
			if !slices.EqualFunc(got, was, SameInput) {
				t.Fatalf("%s has %d inputs, want %d", what, len(got), len(was))
			}
		}
		same("the run that is shown", left.Path(), tree.Path())
		same("where redo leads", left.PathOf(left.End()), tree.PathOf(tree.End()))
		for _, end := range tree.Branches() {
			run := slices.DeleteFunc(tree.PathOf(end), func(in Input) bool { return !fits(in) })
			if whole := left; !whole.Replace(run) || whole.Len() != left.Len() {
				t.Fatalf("the run to %d is not there", end)
			}
		}
		if _, _, err := s.ReadTree("tree", s.WriteTree(&left, 0)); err != nil {
			t.Fatal(err)
		}
	})
	s := treeScenario(t)
	for _, bad := range []string{`{`, `{"format":2,"at":0,"now":"0s"}`, `{"format":1,"at":7,"now":"0s"}`} {
		if _, _, _, err := s.FitTree("tree", []byte(bad)); err == nil {
			t.Errorf("%s is taken for a tree", bad)
		}
	}
}

// Stored trees that no program wrote are refused with a reason.
func TestHostileTreesAreRefused(t *testing.T) {
	s := treeScenario(t)
	name := s.Clients[0].Name
	fire := `{"at":"1s","fire":{"client":"` + name + `"}}`
	for says, text := range map[string]string{
		"no place":         `{"format":1,"at":0,"now":"0s","inputs":[` + fire + `]}`,
		"parents":          `{"format":1,"at":1,"now":"0s","parents":[1],"next":[0],"inputs":[` + fire + `]}`,
		"/at":              `{"format":1,"at":2,"now":"0s","parents":[0],"next":[0],"inputs":[` + fire + `]}`,
		"not a child":      `{"format":1,"at":1,"now":"0s","parents":[0],"next":[1],"inputs":[` + fire + `]}`,
		"follows another":  `{"format":1,"at":1,"first":2,"now":"0s","parents":[0,1],"next":[2,0],"inputs":[` + fire + `,` + fire + `]}`,
		"comes earlier":    `{"format":1,"at":2,"now":"0s","parents":[0,1],"next":[2,0],"inputs":[` + fire + `,{"at":"0s","fire":{}}]}`,
		"no client named":  `{"format":1,"at":1,"now":"0s","parents":[0],"next":[0],"inputs":[{"at":"1s","fire":{"client":"nobody"}}]}`,
		"/now":             `{"format":1,"at":0,"now":"9000000h"}`,
		"/format":          `{"format":2,"at":0,"now":"0s"}`,
		"not known":        `{"format":1,"at":0,"now":"0s","more":1}`,
		"ends too early":   `{"format":1`,
		"one of":           `{"format":1,"at":1,"parents":[0],"next":[0],"inputs":[{}]}`,
		"/inputs/0/policy": `{"format":1,"at":1,"parents":[0],"next":[0],"inputs":[{"policy":{"set":{"attempts":0}}}]}`,
	} {
		if _, _, err := s.ReadTree("tree", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s\ngot  %v\nwant a fault with %q", text, err, says)
		}
	}
}

// No stored text makes reading panic or hang; what was read can be shown, played and written.
func FuzzReadTree(f *testing.F) {
	s := treeScenario(f)
	s.MaxEvents = 200
	var tree Tree
	tree.Replace([]Input{fireAt(0, 1), fireAt(1, 2)})
	tree.Act(1, Input{clock.Start, sim.Action{Kind: sim.SetPolicy, Policy: s.Clients[0].Policy}})
	tree.Act(2, Input{clock.Start, sim.Action{Kind: sim.SetGuards, Guards: &sim.Guards{Fallback: ScriptedResponse(200)}}})
	tree.Act(3, Input{clock.Start, sim.Action{Kind: sim.SetLimit, Limit: ReadSetting("0x2", "10 s")}})
	f.Add(s.WriteTree(&tree, 5))
	f.Add(s.WriteTree(new(Tree), 0))
	f.Add([]byte(`{"format":1,"at":1,"now":"0s","parents":[0],"next":[1],"inputs":[{"fire":{}}]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, now, err := s.ReadTree("tree", data)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("a fault without words")
			}
			return
		}
		again, at, err := s.ReadTree("tree", s.WriteTree(&tree, now))
		if err != nil || at != now || !reflect.DeepEqual(again, tree) {
			t.Fatalf("%v, now %d\ngot  %+v\nwant %+v", err, at, again, tree)
		}
		for _, id := range tree.Branches() {
			tree.Show(id)
			for range 3 {
				tree.Undo()
			}
			for tree.Redo() {
				continue
			}
			tree.Act(1, fireAt(2, 2))
		}
		tree.Restart()
		tree.Redo()
		p, err := s.Play(tree.Path())
		if err != nil {
			t.Fatal(err)
		}
		var k trace.Keep
		if _, err := s.Run(tree.Path(), &k); err != nil || !sameEvents(k.Events, p.Events) {
			t.Fatalf("%v: the run has %d events, the played one %d", err, len(k.Events), len(p.Events))
		}
	})
}

// The end of a tree is where redo leads, and the way to a branch passes its nodes and no others.
func TestTreeEnd(t *testing.T) {
	var tree Tree
	if tree.End() != 0 {
		t.Errorf("an empty tree ends at %d", tree.End())
	}
	tree.Act(0, fireAt(1, 10)) // 1
	tree.Act(1, fireAt(2, 10)) // 2
	tree.Act(1, fireAt(3, 10)) // 3, beside 2
	tree.Restart()
	if tree.End() != 3 {
		t.Errorf("with all undone it ends at %d, want 3", tree.End())
	}
	for _, c := range []struct {
		branch, id int
		want       bool
	}{{3, 1, true}, {3, 3, true}, {3, 2, false}, {2, 1, true}, {1, 3, false}} {
		if got := tree.Passes(c.branch, c.id); got != c.want {
			t.Errorf("the way to %d passes %d: %v", c.branch, c.id, got)
		}
	}
}
