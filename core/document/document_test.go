package document

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"retrylab.example/core/rng"
)

// Each file of testdata reads documents: `read` prints the fault, or the place, pointer and kind of every value. With
// `quoted` a document is Go string literals, one a line, for bytes that a text file cannot show.
func TestDocuments(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "read" {
				d.Fatalf(t, "there is no command %s", d.Cmd)
			}
			data := d.Input
			if d.HasArg("quoted") {
				data = unquote(t, d.Input)
			}
			doc, root, err := Read("doc", []byte(data))
			if err == nil {
				err = doc.Err()
			}
			if err != nil {
				return err.Error() + "\n"
			}
			var b strings.Builder
			describe(&b, root)
			return b.String()
		})
	})
}

func unquote(t *testing.T, lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		b.WriteString(s)
	}
	return b.String()
}

func describe(b *strings.Builder, n *Node) {
	line, column := n.Place()
	fmt.Fprintf(b, "%d:%d %s %s\n", line, column, Visible(n.Pointer()), n.Kind)
	for _, item := range n.Items {
		describe(b, item)
	}
	for _, f := range n.Fields {
		describe(b, f.Value)
	}
}

// The place of every value is where its first byte stands, however the document is spaced.
func TestPlacesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m maker
		m.value(t, "", 0)
		doc, root, err := Read("doc", []byte(m.text.String()))
		if err != nil || doc.Err() != nil {
			t.Fatalf("%v, %v in %q", err, doc.Err(), m.text.String())
		}
		var got strings.Builder
		describe(&got, root)
		if got.String() != m.want.String() {
			t.Fatalf("%q\ngot:\n%swant:\n%s", m.text.String(), got.String(), m.want.String())
		}
	})
}

// maker writes a random document and, beside it, where each value begins.
type maker struct {
	text, want strings.Builder
}

func (m *maker) space(t *rapid.T) {
	m.text.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n", "\r\n", "\t", "\n  \n"}).Draw(t, "space"))
}

func (m *maker) value(t *rapid.T, pointer string, depth int) {
	m.space(t)
	line, column := 1, 1
	for _, r := range m.text.String() {
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	kinds := []Kind{Null, Bool, Number, String, Array, Object}
	if depth == 4 {
		kinds = kinds[:4]
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	fmt.Fprintf(&m.want, "%d:%d %s %s\n", line, column, pointer, kind)
	n := rapid.IntRange(0, 3).Draw(t, "n")
	switch kind {
	case Null:
		m.text.WriteString("null")
	case Bool:
		m.text.WriteString(rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool"))
	case Number:
		m.text.WriteString(rapid.SampledFrom([]string{"0", "-1", "1e999", "3.14"}).Draw(t, "number"))
	case String:
		m.text.WriteString(rapid.SampledFrom([]string{`""`, `"a"`, `"한국어"`, `"\"\\"`, `"\u00e9, : ] }"`, `"𝄞"`}).Draw(t, "string"))
	case Array:
		m.list(t, "[", "]", n, func(i int) { m.value(t, pointer+"/"+strconv.Itoa(i), depth+1) })
	case Object:
		names := []string{"a/b", "재", "\\u0061", "x~y"} // as written; the third is "a"
		shown := []string{"a~1b", "재", "a", "x~0y"}
		m.list(t, "{", "}", n, func(i int) {
			m.space(t)
			m.text.WriteString(`"` + names[i] + `"`)
			m.space(t)
			m.text.WriteString(":")
			m.value(t, pointer+"/"+shown[i], depth+1)
		})
	}
	m.space(t)
}

func (m *maker) list(t *rapid.T, open, end string, n int, item func(i int)) {
	m.text.WriteString(open)
	for i := range n {
		if i > 0 {
			m.text.WriteString(",")
		}
		item(i)
	}
	m.space(t)
	m.text.WriteString(end)
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name string
		data string
		want string
	}{
		{"100 MB", strings.Repeat(" ", 100_000_000), "doc: the file is longer than 4194304 bytes; keep it shorter"},
		{"a huge text is fine", `"` + strings.Repeat("x", MaxBytes-2) + `"`, ""},
		{"one byte too many", strings.Repeat("1", MaxBytes+1), "doc: the file is longer than 4194304 bytes; keep it shorter"},
		{"a million brackets", strings.Repeat("[", 1_000_000), "doc:1:33: /0" + strings.Repeat("/0", 31) + ": values nest deeper than 32; make it flatter"},
		{"a million values", "[" + strings.Repeat("1,", 1_000_000) + "1]", "doc:1:200000: /99999: the document holds more than 100000 values; keep it shorter"},
		{"a million values under a huge name", `{"` + strings.Repeat("n", 1_000_000) + `":[` + strings.Repeat("1,", 1_000_000) + `1]}`,
			"doc:1:1200002: /" + strings.Repeat("n", 40) + "…/99998: the document holds more than 100000 values; keep it shorter"},
	} {
		_, _, err := Read("doc", []byte(c.data))
		if got := fmt.Sprint(err); got != c.want && (c.want != "" || err != nil) {
			t.Errorf("%s: got %.300s, want %.300s", c.name, got, c.want)
		}
	}
}

// No fault repeats a huge input, whatever it is made of.
func TestFaultsAreShort(t *testing.T) {
	huge := strings.Repeat("9", 1_000_000)
	for _, text := range []string{`"` + huge + `"`, huge, `"` + huge + `s"`, `"0` + strings.Repeat("0", 1_000_000) + `s"`} {
		_, root, err := Read("doc", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		root.Int(0, 0, 1)
		root.Duration(0, 1, 2)
		root.Ratio()
		root.Match(func(string) bool { return false }, "", "%q is wrong")
		OneOf(root, []string{"a"}, func(string) (int, bool) { return 0, false })
		root.Object().Done()
		if n := len(root.doc.Err().Error()); n > 2000 {
			t.Errorf("the faults of %.10s… have %d bytes", text, n)
		}
	}
	_, root, err := Read("doc", []byte(`{"`+huge+`": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	root.Object().Done()
	if n := len(root.doc.Err().Error()); n > 500 {
		t.Errorf("the fault of a huge name has %d bytes", n)
	}
}

func TestFaultsAreCounted(t *testing.T) {
	doc, root, err := Read("doc", []byte("["+strings.Repeat("\n1,", 299)+"\n1]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range root.Items {
		item.Str()
	}
	faults := FaultsOf(doc.Err())
	if len(faults) != MaxFaults+1 {
		t.Fatalf("got %d faults, want %d", len(faults), MaxFaults+1)
	}
	if got, want := faults[0].String(), "doc:2:1: /0: this is a number, not a text; write a text"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := faults[MaxFaults].String(), "doc: 100 more faults are not shown; mend these first"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"0s", 0, true}, {"250ms", 250 * time.Millisecond, true}, {"1.5s", 1500 * time.Millisecond, true},
		{"24h", 24 * time.Hour, true}, {"-1s", -time.Second, true}, {"1ns", 1, true}, {"0.000000001s", 1, true},
		{"0.001us", 1, true}, {"1.50m", 90 * time.Second, true}, {"0.000000000005h", 18, true}, {"007s", 7 * time.Second, true},
		{"1.000000000000000000s", time.Second, true}, {"9223372036854775806ns", math.MaxInt64 - 1, true},
		{"-9223372036854775806ns", -(math.MaxInt64 - 1), true}, {"2562047h", 2562047 * time.Hour, true},

		{"", 0, false}, {"s", 0, false}, {"1", 0, false}, {"1 s", 0, false}, {" 1s", 0, false}, {"1s ", 0, false},
		{"1S", 0, false}, {"1d", 0, false}, {"1µs", 0, false}, {"1h30m", 0, false}, {"+1s", 0, false}, {"--1s", 0, false},
		{"1.s", 0, false}, {".5s", 0, false}, {"1.5.5s", 0, false}, {"1,5s", 0, false}, {"1e3s", 0, false}, {"0x1s", 0, false},
		{"1_000s", 0, false}, {"NaNs", 0, false}, {"infs", 0, false}, {"１s", 0, false}, {"0.5ns", 0, false},
		{"0.0000000001s", 0, false}, {"0.000000000001h", 0, false}, {"1.0000000000000000000s", 0, false},
		{"9223372036854775807ns", 0, false}, {"2562048h", 0, false}, {"1" + strings.Repeat("0", 400) + "s", 0, false},
	} {
		if got, ok := ParseDuration(c.text); got != c.want || ok != c.ok {
			t.Errorf("%.40q: got %d, %t; want %d, %t", c.text, got, ok, c.want, c.ok)
		}
	}
}

func TestDurationsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(-math.MaxInt64+1, math.MaxInt64-1).Draw(t, "d"))
		d -= d % rapid.SampledFrom([]time.Duration{1, 1e3, 1e6, 1e9, time.Minute, time.Hour}).Draw(t, "unit")
		text := FormatDuration(d)
		if got, ok := ParseDuration(text); got != d || !ok {
			t.Fatalf("%d is written as %q, which reads as %d, %t", d, text, got, ok)
		}
		if std, err := time.ParseDuration(text); err == nil && d%time.Millisecond == 0 && d > -1<<52 && d < 1<<52 && std != d {
			t.Fatalf("%q: the standard library reads %d, want %d", text, std, d)
		}
	})
	for _, d := range []time.Duration{math.MinInt64, math.MaxInt64} {
		FormatDuration(d) // ends, though neither can be read
	}
}

func TestRatio(t *testing.T) {
	for _, c := range []struct {
		text string
		want rng.Ratio
		ok   bool
	}{
		{"0", rng.Ratio{Num: 0, Den: 1}, true}, {"1", rng.Ratio{Num: 1, Den: 1}, true}, {"0.25", rng.Ratio{Num: 25, Den: 100}, true},
		{"1.000", rng.Ratio{Num: 1000, Den: 1000}, true}, {"0.000000000000000001", rng.Ratio{Num: 1, Den: 1e18}, true},
		{"", rng.Ratio{}, false}, {".5", rng.Ratio{}, false}, {"1.", rng.Ratio{}, false}, {"1.1", rng.Ratio{}, false},
		{"2", rng.Ratio{}, false}, {"-0.5", rng.Ratio{}, false}, {"+0.5", rng.Ratio{}, false}, {"0.5e1", rng.Ratio{}, false},
		{"0,5", rng.Ratio{}, false}, {"0.5.5", rng.Ratio{}, false}, {"0._5", rng.Ratio{}, false}, {"NaN", rng.Ratio{}, false},
		{"0.0000000000000000001", rng.Ratio{}, false}, {"1" + strings.Repeat("0", 400), rng.Ratio{}, false}, {"１", rng.Ratio{}, false},
	} {
		if got, ok := ParseRatio(c.text); ok != c.ok || ok && got != c.want {
			t.Errorf("%.40q: got %v, %t; want %v, %t", c.text, got, ok, c.want, c.ok)
		}
	}
}

// Whatever can be read is JSON, its places lie in the document, and reading ends.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"a": [1, "\ud800", {"b/~": null}], "a": 1e999}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, root, err := Read("doc", data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatal("this was read, and is not JSON")
		}
		walk(t, root, data)
		if err := doc.Err(); err != nil && err.Error() == "" {
			t.Fatal("a fault without words")
		}
	})
}

func walk(t *testing.T, n *Node, data []byte) {
	if got := root(n).Find(n.Pointer()); got != n && len(n.Pointer()) < 40 {
		t.Fatalf("%q leads to %q", n.Pointer(), got.Pointer())
	}
	first := map[Kind]string{Null: "n", Bool: "tf", Number: "-0123456789", String: `"`, Array: "[", Object: "{"}[n.Kind]
	if !strings.Contains(first, string(data[n.offset])) {
		t.Fatalf("%s, %s, is said to begin with %q", n.Pointer(), n.Kind, data[n.offset])
	}
	for _, item := range n.Items {
		walk(t, item, data)
	}
	for _, f := range n.Fields {
		if data[f.offset] != '"' {
			t.Fatalf("the name of %s is said to begin with %q", f.Value.Pointer(), data[f.offset])
		}
		walk(t, f.Value, data)
	}
}

func root(n *Node) *Node {
	for n.parent != nil {
		n = n.parent
	}
	return n
}
