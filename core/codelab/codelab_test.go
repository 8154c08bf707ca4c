package codelab

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write testdata")

func all() (functions []Function) {
	for _, name := range Names() {
		f, _ := Find(name)
		functions = append(functions, f)
	}
	return functions
}

func TestNamesAreTheFunctions(t *testing.T) {
	for i, f := range all() {
		if f.Name != Names()[i] || f.fixed == nil {
			t.Errorf("the name %s has no function", Names()[i])
		}
	}
}

// TestCasesAreTheSameEverywhere holds what is sent to Python, and what is wanted from it, to a digest for each function:
// natively and under WebAssembly.
func TestCasesAreTheSameEverywhere(t *testing.T) {
	const file = "testdata/cases.txt"
	var b strings.Builder
	for _, f := range all() {
		generated, _ := f.generated()
		cases := append(f.fixed(), generated...)
		h := sha256.New()
		for i := range cases {
			fmt.Fprintf(h, "%v\n", f.want(&cases[i]))
		}
		h.Write(appendRequest(nil, f.Name, Program{}, cases))
		fmt.Fprintf(&b, "%s %d %x\n", f.Name, len(cases), h.Sum(nil)[:8])
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v; got\n%swant\n%s", err, b.String(), want)
	}
}

// TestCasesMatter: each function is asked for at least two different outcomes by its fixed cases, and by its generated.
func TestCasesMatter(t *testing.T) {
	for _, f := range all() {
		generated, _ := f.generated()
		for what, cases := range map[string][]Case{"fixed": f.fixed(), "generated": generated} {
			seen := map[string]bool{}
			for i := range cases {
				seen[fmt.Sprintf("%v", f.want(&cases[i]))] = true
			}
			if len(seen) < 2 {
				t.Errorf("%s: its %s cases have %d different outcomes", f.Name, what, len(seen))
			}
		}
	}
}

func TestAccepts(t *testing.T) {
	half, one := seconds(time.Second/2), seconds(time.Second)
	for _, c := range []struct {
		want, got Value
		ok        bool
	}{
		{one, whole(1), true}, {whole(1), one, false}, {half, whole(0), false}, {one, truth(true), false}, {whole(1), truth(true), false},
		{truth(true), whole(1), false}, {half, seconds(time.Second/2 + 1), true}, {half, seconds(time.Second/2 + 2), false},
		{seconds(1e6 * time.Second), seconds(1e6*time.Second + 1e6), true}, {seconds(1e6 * time.Second), seconds(1e6*time.Second + 1e6 + 1), false},
		{text("1"), whole(1), false}, {list(whole(1)), tuple(whole(1)), false}, {list(one), list(whole(1)), true}, {list(), list(whole(1)), false},
		{dict(text("a"), one, text("b"), half), dict(text("b"), half, text("a"), whole(1)), true},
		{dict(text("a"), one), dict(text("a"), half), false}, {odd("nan"), odd("nan"), true}, {Value{}, truth(false), false},
	} {
		if c.want.accepts(c.got) != c.ok {
			t.Errorf("%s instead of %s: want %t", c.got, c.want, c.ok)
		}
	}
}

func TestLiterals(t *testing.T) {
	for want, v := range map[string]Value{
		"None": {}, "True": truth(true), "-3": whole(-3), "0.25": seconds(time.Second / 4), "-1.5": seconds(-1500 * time.Millisecond), "2.0": seconds(2 * time.Second),
		"float('nan')": odd("nan"), `'a\nb'`: text("a\nb"), `"it's"`: text("it's"), `'a"b'`: text(`a"b`), "(1,)": tuple(whole(1)),
		"{'a': [1.0], 'b': ()}": dict(text("b"), tuple(), text("a"), list(seconds(time.Second))), "<reply 2>": replyNumber(2),
	} {
		if v.String() != want {
			t.Errorf("got %s, want %s", v, want)
		}
	}
}

// TestShrinkingFindsTheSmallest: runs are dropped, numbers go to 0 or are bisected, and the replays are bounded.
func TestShrinkingFindsTheSmallest(t *testing.T) {
	s := shrinker{best: []int{5, 0, 93, 4, 4, 77, 2, 9}, left: MaxReplays, fails: func(given []int) ([]int, bool) {
		return given, slices.ContainsFunc(given, func(n int) bool { return n >= 37 })
	}}
	s.run()
	if !slices.Equal(s.best, []int{37}) {
		t.Errorf("got %v after %d replays, want [37]", s.best, MaxReplays-s.left)
	}
	never := shrinker{best: []int{1 << 40, 1 << 40}, left: MaxReplays, fails: func([]int) ([]int, bool) { return nil, false }}
	never.run()
	if never.left < 0 || !slices.Equal(never.best, []int{1 << 40, 1 << 40}) {
		t.Errorf("nothing smaller fails: got %v, %d replays left", never.best, never.left)
	}
}

// A replay with the choices that a case was made of makes the same case, and without any the simplest one.
func TestReplays(t *testing.T) {
	for _, f := range all() {
		c := choices{seed: 7, number: 3}
		made := f.generate(&c)
		r := choices{replay: true, given: c.made}
		again := f.generate(&r)
		if a, b := fmt.Sprintf("%+v", made), fmt.Sprintf("%+v", again); a != b {
			t.Errorf("%s: %s became %s", f.Name, a, b)
		}
	}
}

// lines is a Runner that always gives the same answer.
type lines struct {
	text    []string
	stopped string
}

func (l lines) Run(_ []byte, cases int) (out [][]byte, stopped string, err error) {
	for i := range min(cases, len(l.text)) {
		out = append(out, []byte(l.text[i]))
	}
	return out, l.stopped, nil
}

func TestAnswersFromOutside(t *testing.T) {
	f, _ := Find("retryable")
	for _, c := range []struct {
		answer  lines
		code    Code
		problem bool
	}{
		{lines{[]string{`{"steps":[{"ok":true}]}`}, ""}, WrongValue, false},
		{lines{[]string{`{"steps":[{"ok":{"o":"function"}}]}`}, ""}, WrongValue, false},
		{lines{[]string{`{"steps":[{"raised":"KeyError","text":"x","line":2}]}`}, ""}, Raised, false},
		{lines{[]string{`{"steps":[],"load":{"raised":"SyntaxError","text":"x","line":2}}`}, ""}, Syntax, false},
		{lines{[]string{`{"steps":[{"limit":"memory","text":"","line":2}]}`}, ""}, TooMuchMemory, false},
		{lines{[]string{`{"steps":[{"limit":"never heard of","text":"","line":2}]}`}, ""}, Crashed, false},
		{lines{nil, "time"}, TooLong, false},
		{lines{nil, "crash"}, Crashed, false},
		{lines{nil, ""}, Passed, true},
		{lines{[]string{`{}`}, ""}, Passed, true},
		{lines{[]string{`nonsense`}, ""}, Passed, true},
	} {
		v, err := f.Grade(Program{}, c.answer)
		if v.Code != c.code || (err != nil) != c.problem {
			t.Errorf("%v: got %s, %v; want %s", c.answer, v.Code, err, c.code)
		}
	}
}

// TestVerdictIsRead: what is written of a verdict is read again, every field of it.
func TestVerdictIsRead(t *testing.T) {
	v := Verdict{
		Function: "execute", Code: OtherCall, Cases: 3, Replays: 58, Choices: []int{2, 0, 7}, Setup: []string{"a = 1", "b = '\"'"}, Calls: []string{"execute(a)"},
		Yours: "sleep(0.5)", Wanted: "sleep(0.25)", Number: 2, YoursAt: 1_500_000_000, WantedAt: -1, Name: "history", Text: "텍스트\n", Line: 7, Output: "x\ty",
	}
	fields := reflect.ValueOf(v)
	for i := range fields.NumField() {
		if fields.Field(i).IsZero() {
			t.Fatalf("the test leaves out %s", fields.Type().Field(i).Name)
		}
	}
	got, err := ReadVerdict(v.AppendJSON(nil))
	if err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("got %+v, %v; want %+v", got, err, v)
	}
	for _, bad := range []string{"", "[]", "{}", `{"code": "great"}`, `{"code": 3}`} {
		if v, err := ReadVerdict([]byte(bad)); err == nil {
			t.Errorf("%q is read as %+v", bad, v)
		}
	}
}
