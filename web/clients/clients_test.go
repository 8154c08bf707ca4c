// Package clients runs common HTTP clients, as people use them, against real labs, and holds docs/CLIENTS.md to what
// they were seen to do.
package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"retrylab.example/core/measure"
	"retrylab.example/wasm/page/watch"
	"retrylab.example/web/live"
)

var update = flag.Bool("update", false, "rewrite the table in docs/CLIENTS.md")

// client is a program that asks a lab once, in whatever way it does.
type client struct {
	name string
	argv func(base string) []string
}

// situation is what goes wrong with the first requests, as the script of a lab.
type situation struct{ name, script string }

// The clients wait for 2 s at most, so an answer after 5 s is none.
var situations = []situation{
	{"503 twice", `[{"reply":503},{"reply":503}]`},
	{"429, Retry-After: 2", `[{"reply":429,"retryAfter":"2"}]`},
	{"lost reply", `[{"fault":"lost-reply"}]`},
	{"no reply in time", `[{"fault":"slow","delay":"5s"}]`},
}

// seen is what a lab has seen of one client.
type seen struct {
	totals measure.Totals
	checks map[string]string // verdicts by check
	out    string
}

// cell is what the table says of it.
func (s seen) cell() string {
	c := fmt.Sprintf("%d requests, %d effects", s.totals.Arrived, s.totals.Applied)
	c = strings.ReplaceAll(strings.ReplaceAll(c, " 1 effects", " 1 effect"), "1 requests", "1 request")
	var wrong []string
	for _, check := range []string{"retry-after", "waits", "attempts", "keyed", "same-key", "healable"} {
		if s.checks[check] == "bad" {
			wrong = append(wrong, check)
		}
	}
	if len(wrong) > 0 {
		c += "; wrong: " + strings.Join(wrong, ", ")
	}
	return c
}

// program returns the program of the watch page as a client.
func program(t *testing.T, id string, with ...string) client {
	t.Helper()
	for _, c := range watch.Clients() {
		if c.ID != id {
			continue
		}
		dir := t.TempDir()
		return client{c.Name, func(base string) []string {
			f, err := os.CreateTemp(dir, "*-"+c.File)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString(c.With(base)); err != nil {
				t.Fatal(err)
			}
			return append(append([]string(nil), with...), f.Name())
		}}
	}
	t.Fatalf("the watch page has no client %s", id)
	return client{}
}

// goProgram is program for one in Go, which is built in this module: its dependency is one of ours.
func goProgram(t *testing.T, id string) client {
	p := program(t, id)
	return client{p.name, func(base string) []string {
		source := p.argv(base)[0]
		bin := strings.TrimSuffix(source, ".go")
		if out, err := exec.Command("go", "build", "-o", bin, source).CombinedOutput(); err != nil {
			t.Fatalf("%s does not build: %v\n%s", id, err, out)
		}
		return []string{bin}
	}}
}

// curl asks as the second line of the page's program does, with other flags.
func curl(name string, flags ...string) client {
	return client{name, func(base string) []string {
		argv := append([]string{"curl", "-sS", "--max-time", "2"}, flags...)
		return append(argv, "-H", "X-Client-ID: curl", "-H", "Idempotency-Key: order-1", "-H", "Content-Type: application/json",
			"-d", `{"amount":10}`, base+"/add")
	}}
}

func clients(t *testing.T) []client {
	return []client{
		curl("curl"),
		curl("curl --retry 3", "--retry", "3"),
		curl("curl --retry 3 --retry-all-errors", "--retry", "3", "--retry-all-errors"),
		goProgram(t, "go"),
		goProgram(t, "retryablehttp"),
		program(t, "node", "node"),
		program(t, "requests", "python3"),
	}
}

// newLab makes a lab with a script, on a server of its own.
func newLab(t *testing.T, house http.Handler, script string) (base string) {
	t.Helper()
	server := httptest.NewServer(house)
	t.Cleanup(server.Close)
	res, err := http.Post(server.URL+"/v1/labs", "application/json", strings.NewReader(`{"scenario":{"script":`+script+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var made struct{ Base, Detail string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || made.Base == "" {
		t.Fatalf("no lab: %v %s", err, made.Detail)
	}
	return made.Base
}

// run lets a client ask, and asks the lab what it has seen.
func run(t *testing.T, argv []string, base string) seen {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if _, failed := err.(*exec.ExitError); err != nil && !failed || ctx.Err() != nil {
		t.Fatalf("%s: %v: .ci/install installs what the tests need\n%s", argv[0], err, &out)
	}
	s := seen{checks: map[string]string{}, out: out.String()}
	get(t, base+"/totals", &s.totals)
	var report struct {
		Clients []struct {
			Client string
			Checks []struct{ Check, Verdict string }
		}
	}
	get(t, base+"/report", &report)
	if len(report.Clients) != 1 {
		t.Fatalf("%v: the lab has seen %d clients\n%s", argv, len(report.Clients), &out)
	}
	for _, c := range report.Clients[0].Checks {
		s.checks[c.Check] = c.Verdict
	}
	return s
}

func get(t *testing.T, url string, into any) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil || res.StatusCode != 200 {
		t.Fatalf("%s: %d %v", url, res.StatusCode, err)
	}
}

const (
	document = "../../docs/CLIENTS.md"
	begin    = "<!-- made by go test ./web/clients -update -->\n"
	end      = "<!-- until here -->\n"
)

// TestClients: what real clients do where something goes wrong is what docs/CLIENTS.md says. The runs mostly wait, so
// they run at once.
func TestClients(t *testing.T) {
	house := live.NewHouse(live.HouseConfig{MaxOwned: 1000})
	all := clients(t)
	cells := make([][]string, len(all))
	var running sync.WaitGroup
	for i, c := range all {
		cells[i] = make([]string, len(situations))
		for k, s := range situations {
			base := newLab(t, house, s.script)
			argv := c.argv(base)
			running.Go(func() { cells[i][k] = run(t, argv, base).cell() })
		}
	}
	running.Wait()
	var b strings.Builder
	b.WriteString("| client |")
	for _, s := range situations {
		b.WriteString(" " + s.name + " |")
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(situations)) + "\n")
	for i, c := range all {
		b.WriteString("| " + c.name + " | " + strings.Join(cells[i], " | ") + " |\n")
	}
	data, err := os.ReadFile(filepath.FromSlash(document))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", document)
	}
	if *update {
		if err := os.WriteFile(document, []byte(before+begin+b.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != b.String() {
		t.Errorf("the clients did\n%swant\n%s", b.String(), old)
	}
}

// TestNaiveLoop: the report sees through the loop that is written wrong on purpose. The lab's clock is ten times slower
// than the machine's, so that even a busy one sends again at once.
func TestNaiveLoop(t *testing.T) {
	begun := time.Now()
	house := live.NewHouse(live.HouseConfig{Now: func() time.Time { return begun.Add(time.Since(begun) / 10) }})
	base := newLab(t, house, `[{"reply":503},{"reply":503},{"reply":503},{"reply":503}]`)
	s := run(t, program(t, "node", "node").argv(base), base)
	for _, check := range []string{"waits", "attempts", "keyed"} {
		if s.checks[check] != "bad" {
			t.Errorf("%s: the report says %q, want bad", check, s.checks[check])
		}
	}
}

// TestProgramsOfThePage: each program that the watch page offers runs as it stands, and the lab knows it by the name
// and, where the program is meant well, by the key that it sends.
func TestProgramsOfThePage(t *testing.T) {
	house := live.NewHouse(live.HouseConfig{MaxOwned: 1000})
	how := map[string]func() client{
		"curl":          func() client { return program(t, "curl", "sh") },
		"go":            func() client { return goProgram(t, "go") },
		"retryablehttp": func() client { return goProgram(t, "retryablehttp") },
		"node":          func() client { return program(t, "node", "node") },
		"requests":      func() client { return program(t, "requests", "python3") },
	}
	for _, c := range watch.Clients() {
		start := how[c.ID]
		if start == nil {
			t.Errorf("%s: nobody runs it", c.ID)
			continue
		}
		base := newLab(t, house, `[]`)
		s := run(t, start().argv(base), base)
		if s.totals.Applied != 1 || s.totals.Actual != 10 {
			t.Errorf("%s: %d effects, total %d\n%s", c.ID, s.totals.Applied, s.totals.Actual, s.out)
		}
		trace := read(t, base+"/trace")
		if keyed := strings.Contains(trace, `"key":"`); keyed != (c.ID != "node") {
			t.Errorf("%s: keyed %v\n%s", c.ID, keyed, trace)
		}
	}
}

func read(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
