package export

import (
	"bytes"
	"encoding/csv"
	"go/format"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/golden"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

// strange is a world whose requests and responses hold what the formats could trip over.
const strange = `{
  "script": [{"reply": 503, "retryAfter": "=1+1", "fields": [
    {"name": "X-Quote", "value": "a \"b\", c"}, {"name": "X-Wide", "value": "＝1 한글 \ufeff 😀 ` + "`" + `"}
  ]}, {"fault": "lost-reply"}],
  "clients": [{"name": "-alice", "policy": {"preset": "contract-c"},
    "request": {"path": "/a_b|c", "key": "@SUM(A1)*[x](http://evil.example)\\` + "`" + `<b>"}}, {"name": "bob", "policy": {"preset": "once"}}],
  "inputs": [{"at": "0s", "fire": {}}, {"at": "1s", "fire": {"client": "bob", "amount": -5}},
    {"at": "2s", "policy": {"client": "bob", "set": {"attempts": 2}}}]
}`

func exported(t testing.TB, file string) Run {
	t.Helper()
	s, err := scenario.Read("s.json", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Of(&s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The reader of the standard library gives back every text, once the guard is taken away, and no cell is a formula.
func TestCSV(t *testing.T) {
	r := exported(t, strange)
	data := r.CSV()
	if bytes.Count(data, []byte("\r\n")) < len(r.Events)+1 || bytes.Count(data, []byte("\r")) != bytes.Count(data, []byte("\r\n")) {
		t.Errorf("the rows do not all end in CR LF:\n%s", data)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll() // wants as many cells in each row
	if err != nil || len(rows) != len(r.Events)+1 || !slices.Equal(rows[0], Columns()) {
		t.Fatalf("%d rows for %d events, %v", len(rows), len(r.Events), err)
	}
	column := func(row []string, name string) string { return row[slices.Index(Columns(), name)] }
	for i, row := range rows[1:] {
		e := r.Events[i]
		for j, cell := range row {
			_, err := strconv.ParseInt(cell, 10, 64)
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r\n") && err != nil {
				t.Errorf("event %d: the cell %s is a formula: %q", e.Seq, Columns()[j], cell)
			}
		}
		if column(row, "seq") != strconv.Itoa(e.Seq) || column(row, "event") != e.Kind.String() ||
			column(row, "at_ns") != strconv.FormatInt(int64(e.At), 10) {
			t.Errorf("event %d: got %q", e.Seq, row)
		}
		if got := strings.TrimPrefix(column(row, "key"), "'"); e.Request.Call > 0 && got != e.Request.Key {
			t.Errorf("event %d: got the key %q, want %q", e.Seq, got, e.Request.Key)
		}
		if got := strings.TrimPrefix(column(row, "fields"), "'"); got != e.Response.Fields {
			t.Errorf("event %d: got the fields %q, want %q", e.Seq, got, e.Response.Fields)
		}
		if e.Decides() != (column(row, "reason") == e.Decision.Reason.String()) {
			t.Errorf("event %d: got the reason %q", e.Seq, column(row, "reason"))
		}
	}
	if !strings.Contains(string(data), ",'-alice,") || !strings.Contains(string(data), ",'=1+1,") {
		t.Errorf("a client and a Retry-After are not guarded:\n%s", data)
	}
}

func TestGuard(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a=1": "a=1", "=1": "'=1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\ta": "'\ta", "\ra": "'\ra", "\na": "'\na",
		"'a": "''a", "＝1": "'＝1", "＋": "'＋", "－": "'－", "＠": "'＠", " =1": " =1", "\xff": "\xff",
	} {
		if got := guarded(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Columns keep their places: what reads them by number goes on to work.
func TestColumnsStay(t *testing.T) {
	const first = "seq,at_ns,event,who,client,call,attempt,method,path,key,amount,slot,if_match,status,retry_after,fields," +
		"replayed,location,body,failure,fault,until_ns,delta,total,verdict,reason,wait_ns"
	if got := strings.Join(Columns(), ","); !strings.HasPrefix(got, first) {
		t.Errorf("got %s", got)
	}
}

// Every kind of event makes a row as long as the header, and a line of Markdown with four cells.
func TestEveryRun(t *testing.T) {
	seen := map[event.Kind]bool{}
	for _, g := range golden.Runs() {
		r := Run{Events: g.Events()}
		r.Scenario.Clients, r.Scenario.Requests = make([]sim.Client, 12), make([]call.Request, 12)
		rows, err := csv.NewReader(bytes.NewReader(r.CSV())).ReadAll()
		if err != nil || len(rows) != len(r.Events)+1 {
			t.Errorf("%s: %d rows for %d events, %v", g.Name, len(rows), len(r.Events), err)
		}
		lines := 0
		for line := range strings.Lines(string(r.Markdown(text.Korean))) {
			if strings.HasPrefix(line, "| ") && strings.Count(line, " | ") == 3 && strings.HasSuffix(line, " |\n") {
				lines++
			}
		}
		if lines != len(r.Events)+2 {
			t.Errorf("%s: %d rows of Markdown for %d events", g.Name, lines, len(r.Events))
		}
		for _, e := range r.Events {
			seen[e.Kind] = true
		}
	}
	for _, k := range event.Kinds() {
		if !seen[k] {
			t.Errorf("no run has an event of the kind %s", k)
		}
	}
}

// What others wrote stays a text: no link, no tag, no further cell; and the scenario in the fence is the run's.
func TestMarkdown(t *testing.T) {
	r := exported(t, strange)
	for _, l := range text.Langs() {
		doc := string(r.Markdown(l))
		table, fence, _ := strings.Cut(doc, "```json\n")
		for _, bad := range []string{"[x]", "http://", "<b>", "b|c", "a_b", "{"} {
			if strings.Contains(table, bad) {
				t.Errorf("%s: %q stands in\n%s", l, bad, table)
			}
		}
		for _, want := range []string{
			l.Say("export.title"), l.Say("lab.col-what"), `/a\_b\|c`, r.Scenario.Digest(), trace.Digest(r.Events),
			l.Say("totals.sent") + ": 3\n", l.Say("totals.refused") + ": 3\n",
			"| 1 | 0.000 s | -alice | ",
		} {
			if !strings.Contains(table, want) {
				t.Errorf("%s: %q is missing in\n%s", l, want, table)
			}
		}
		file, rest, _ := strings.Cut(fence, "```")
		if rest != "\n" {
			t.Errorf("%s: behind the scenario stands %q", l, rest)
		}
		sameRun(t, file, &r)
	}
}

// sameRun holds a scenario file to a run.
func sameRun(t *testing.T, file string, want *Run) {
	t.Helper()
	if got := exported(t, file); trace.Digest(got.Events) != trace.Digest(want.Events) {
		t.Errorf("the file gives another run:\n%s", file)
	}
}

// The file holds what a person did among the scenario's own inputs.
func TestFileHoldsTheInputs(t *testing.T) {
	r := exported(t, strange)
	s := r.Scenario
	fire := scenario.Input{At: clock.Start.Add(1500e6), Action: sim.Action{Kind: sim.Fire, Request: s.Requests[1], Client: 1}}
	with, err := Of(&s, "", []scenario.Input{fire})
	if err != nil {
		t.Fatal(err)
	}
	file, err := with.File()
	if err != nil {
		t.Fatal(err)
	}
	if trace.Digest(with.Events) == trace.Digest(r.Events) || len(s.Inputs) != 3 || len(with.Scenario.Inputs) != 4 {
		t.Errorf("the input is not there, or changed the scenario that was given: %d and %d inputs", len(s.Inputs), len(with.Scenario.Inputs))
	}
	sameRun(t, string(file), &with)
}

func TestTooManyInputs(t *testing.T) {
	r := exported(t, strange)
	s := r.Scenario
	with, err := Of(&s, "", slices.Repeat(s.Inputs[2:], scenario.MaxInputs))
	if err != nil {
		t.Fatal(err)
	}
	_, fileErr := with.File()
	_, testErr := with.GoTest()
	if fileErr != ErrTooManyInputs || testErr != ErrTooManyInputs || !strings.Contains(ErrTooManyInputs.Error(), strconv.Itoa(scenario.MaxInputs)) {
		t.Errorf("got %v and %v", fileErr, testErr)
	}
	if doc := string(with.Markdown(text.English)); strings.Contains(doc, "```json") {
		t.Error("the Markdown holds a scenario that cannot be read")
	}
}

// The test is Go as gofmt writes it. That it compiles, passes, and fails when it is broken, web/cli tests.
func TestGoTestIsFormatted(t *testing.T) {
	quiet := exported(t, `{"clients": [{"name": "a", "policy": {"preset": "once"}}]}`)
	busy := exported(t, strange)
	for _, r := range []*Run{&busy, &quiet} {
		source, err := r.GoTest()
		if err != nil {
			t.Fatal(err)
		}
		want, err := format.Source(source)
		if err != nil || !bytes.Equal(source, want) {
			t.Errorf("%v\ngot\n%s\nwant\n%s", err, source, want)
		}
		for i, b := range source {
			if b > 0x7e {
				t.Errorf("byte %d is %#x: a compiler, or an editor, may not take it", i, b)
				break
			}
		}
		if !strings.HasPrefix(string(source), "// This Go test repeats a run of Retry Lab. Put it into") ||
			!strings.Contains(string(source), "exported/"+r.TestFile()+"\n") || !strings.Contains(string(source), "-run "+r.Name()+" ") {
			t.Errorf("the first lines do not say where it is put and how it is run:\n%.400s", source)
		}
	}
	if busy.Name() == quiet.Name() || busy.TestFile() == quiet.TestFile() {
		t.Errorf("two runs are both named %s", busy.Name())
	}
}
