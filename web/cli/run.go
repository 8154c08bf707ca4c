package cli

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/measure"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

func newRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run SCENARIO.json|-",
		Short: "Run a scenario and print its events",
		Long: "Run a scenario to its end and print it as JSON Lines: a header with the format, the digest of the scenario\n" +
			"and the seed; one object per event; last the totals. Instants and durations are nanoseconds. The same scenario\n" +
			"and seed print the same bytes on every platform. A run is bounded in events and in simulated time, and says so\n" +
			"when it stops for that reason.\n\n" +
			"If the file has goals, json and text say of each whether it holds, before the totals, and the status is 1 if one\n" +
			"does not.\n\n" + exportHelp,
		Example: "  retrylab run scenario.json\n" +
			"  retrylab run scenario.json --format text --lang ko\n" +
			"  retrylab run scenario.json --format go-test > exported/run_test.go\n" +
			"  retrylab run - --seed 7 < scenario.json | tail -n 1",
		Args: wantArgs(1, 1, "the scenario file, or - for standard input,"),
	}
	format := runFormatFlag(cmd, "json")
	lang := langFlag(cmd)
	seed := cmd.Flags().String("seed", "", "seed of the random draws, instead of the scenario's own")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkRunFormat(*format); err != nil {
			return err
		}
		l, err := parseLang(*lang)
		if err != nil {
			return err
		}
		file, data, err := readInput(cmd, args[0])
		if err != nil {
			return err
		}
		st, err := lesson.ReadFreeFile(file, data)
		if err != nil {
			return printFaults(cmd, err)
		}
		s := st.Scenario
		digest := s.Digest() // of the file, whatever the seed
		if s.Seed, err = parseSeed(*seed, s.Seed); err != nil {
			return err
		}
		if exports(*format) {
			return writeExport(cmd, l, *format, &link.Link{Scenario: s, Goals: st.Asked(), Lang: string(l)})
		}
		p := newPrinter(cmd.OutOrStdout(), &s, digest)
		if *format == "text" {
			p.line = p.columns(l)
		}
		p.ask(st.Checks, l, *format == "text")
		if err := p.run(cmd.ErrOrStderr(), &s); err != nil || p.held() {
			return err
		}
		return errReported
	}
	return cmd
}

// parseSeed gives the seed of the flag, or the scenario's own. It is bounded as in files.
func parseSeed(flag string, own uint64) (uint64, error) {
	if flag == "" {
		return own, nil
	}
	n, err := strconv.ParseUint(flag, 10, 64)
	if err != nil || n > scenario.MaxSeed {
		return 0, usagef("--seed: %q is no seed; write a whole number from 0 to %d", flag, uint64(scenario.MaxSeed))
	}
	return n, nil
}

// printFaults prints the faults of a document on standard error.
func printFaults(cmd *cobra.Command, err error) error {
	fmt.Fprintln(cmd.ErrOrStderr(), err)
	return errReported
}

// printer is a sink that writes each event when it happens: a run is never held whole.
type printer struct {
	w    *bufio.Writer
	fold measure.Fold
	// line appends one event, last the totals; the first line is written already.
	line    func(b []byte, e *event.Event) []byte
	last    func(b []byte, t measure.Totals) []byte
	goals   []lesson.Judge
	buf     []byte
	stopped event.Event
	names   text.Names
}

func newPrinter(w io.Writer, s *scenario.Scenario, digest string) *printer {
	p := &printer{w: bufio.NewWriter(w), names: s.Names(), line: trace.AppendJSON}
	p.buf = trace.AppendHeader(nil, digest, s.Seed)
	p.last = func(b []byte, t measure.Totals) []byte {
		return append(t.AppendJSON(append(b, `{"totals":`...)), '}', '\n')
	}
	return p
}

// columns makes the lines for people: number, instant, who, and a sentence.
func (p *printer) columns(l text.Lang) func(b []byte, e *event.Event) []byte {
	widest := 0
	for _, who := range append(p.names, l.Say("who.partner"), l.Say("who.network"), l.Say("who.person"), l.Say("who.simulation")) {
		widest = max(widest, width(who))
	}
	p.buf = nil
	p.last = func(b []byte, t measure.Totals) []byte { return appendTotals(b, l, t) }
	return func(b []byte, e *event.Event) []byte {
		who := l.Who(e, p.names)
		b = fmt.Appendf(b, "%5d %12s  %s", e.Seq, trace.Seconds(time.Duration(e.At)), who)
		b = append(b, strings.Repeat(" ", max(widest-width(who), 0)+2)...)
		return append(append(b, l.Event(e, p.names)...), '\n')
	}
}

// appendTotals appends the counts on one line and the amounts on another, as the page's totals strip has them.
func appendTotals(b []byte, l text.Lang, t measure.Totals) []byte {
	counts := []string{"sent", "arrived", "applied", "replayed", "duplicates", "refused", "refused-locally"}
	for _, line := range [2][]string{counts, {"naive", "deduped", "actual"}} {
		b = append(b, '\n')
		for i, name := range line {
			if i > 0 {
				b = append(b, " · "...)
			}
			b = fmt.Appendf(b, "%s %d", l.Say("totals."+name), lesson.TotalOf(t, name))
		}
	}
	return append(b, '\n')
}

// ask makes the printer say of each goal whether it holds, before the totals: in sentences, or as one line of JSON.
func (p *printer) ask(goals []lesson.Check, l text.Lang, sentences bool) {
	if len(goals) == 0 {
		return
	}
	for i := range goals {
		p.goals = append(p.goals, goals[i].Judge())
	}
	totals := p.last
	p.last = func(b []byte, t measure.Totals) []byte {
		if sentences {
			b = append(b, '\n')
		} else {
			b = append(b, `{"goals":[`...)
		}
		for i := range p.goals {
			r := p.goals[i].Result()
			if sentences {
				b = fmt.Appendf(b, "%s: %s (%s)\n", holds(l, r), l.Goal(&goals[i], p.names), reasons(l, r, nil))
				continue
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendBool(b, r.State == lesson.Holds)
		}
		if !sentences {
			b = append(b, "]}\n"...)
		}
		return totals(b, t)
	}
}

// held reports whether every goal held at the end of the run.
func (p *printer) held() bool {
	for i := range p.goals {
		if p.goals[i].Result().State != lesson.Holds {
			return false
		}
	}
	return true
}

// Event writes one event. A failed write is remembered by the writer and told at the end: a run is bounded.
func (p *printer) Event(e *event.Event) {
	p.fold.Event(e)
	for i := range p.goals {
		p.goals[i].Event(e)
	}
	p.buf = p.line(p.buf, e)
	p.w.Write(p.buf)
	p.buf = p.buf[:0]
	if e.Kind == event.RunStopped {
		p.stopped = *e
	}
}

// run prints a whole run, and says on notes why it stopped, if it did so before its end.
func (p *printer) run(notes io.Writer, s *scenario.Scenario) error {
	if _, err := s.Run(nil, p); err != nil {
		return err
	}
	p.w.Write(p.last(p.buf, p.fold.Totals()))
	if err := p.w.Flush(); err != nil {
		return fmt.Errorf("cannot write the run: %w", err)
	}
	noteStop(notes, s, &p.stopped)
	return nil
}

// noteStop says why a run stopped, if it did so before its end.
func noteStop(notes io.Writer, s *scenario.Scenario, last *event.Event) {
	switch {
	case last.Kind != event.RunStopped:
	case last.At < last.Until:
		fmt.Fprintf(notes, "retrylab: the run stopped at its bound of %d events (maxEvents)\n", s.MaxEvents)
	default:
		fmt.Fprintf(notes, "retrylab: the run stopped at its bound of %s of simulated time (maxTime)\n",
			document.FormatDuration(s.MaxTime))
	}
}

// width counts the columns that a text takes in a terminal: East Asian letters take two.
func width(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x1100 && r <= 0x115f || r >= 0x2e80 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xff01 && r <= 0xff60 {
			n++
		}
	}
	return n
}
