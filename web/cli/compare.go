package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"retrylab.example/core/call"
	"retrylab.example/core/compare"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

// newCompare makes the command that sets two runs beside each other.
func newCompare() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare A.json B.json",
		Short: "Run two scenarios on the same random draws and show where they part",
		Long: "Run two scenarios on one seed and print until when both runs are the same, what happens first in one that does\n" +
			"not in the other, and all that differs: how the calls end, attempts, waits, totals, and the most requests that\n" +
			"reached the partner at once. A draw depends on seed, client, call and attempt alone, so what differs comes from\n" +
			"the scenarios and not from luck. What is set or ordered is no difference by itself: only what comes of it is.\n\n" +
			"One of the files can be -, for standard input. The status is 0 whether the runs differ or not.",
		Example: "  retrylab compare ignores-retry-after.json respects-it.json\n" +
			"  retrylab compare a.json b.json --seed 7 --format json",
		Args: wantArgs(2, 2, "two scenario files"),
	}
	format := formatFlag(cmd, lintFormats, "tables for people, or one object")
	lang := langFlag(cmd)
	seed := cmd.Flags().String("seed", "", "seed of the random draws of both, instead of the scenarios' own")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := parseLang(*lang)
		if err != nil {
			return err
		}
		asJSON, err := parseFormat(*format, lintFormats)
		if err != nil {
			return err
		}
		if args[0] == stdinName && args[1] == stdinName {
			return usagef("only one of the scenarios can come from standard input")
		}
		p, err := readPair(cmd, args, *seed)
		if err != nil {
			return err
		}
		write := p.text
		if asJSON {
			write = p.json
		}
		if _, err := io.WriteString(cmd.OutOrStdout(), write(l)); err != nil {
			return fmt.Errorf("cannot write the comparison: %w", err)
		}
		return nil
	}
	return cmd
}

// pair is two runs on one seed.
type pair struct {
	files [2]string
	seed  uint64
	names text.Names
	runs  [2][]event.Event
	found compare.Comparison
}

func readPair(cmd *cobra.Command, args []string, seed string) (*pair, error) {
	p := &pair{files: [2]string{args[0], args[1]}}
	var scenarios [2]scenario.Scenario
	for i, name := range args {
		file, data, err := readInput(cmd, name)
		if err != nil {
			return nil, err
		}
		st, err := lesson.ReadFreeFile(file, data)
		if err != nil {
			return nil, printFaults(cmd, err)
		}
		s := st.Scenario
		if s.Seed, err = parseSeed(seed, s.Seed); err != nil {
			return nil, err
		}
		scenarios[i] = s
	}
	a, b := &scenarios[0], &scenarios[1]
	if a.Seed != b.Seed {
		return nil, fmt.Errorf("%s has the seed %d and %s the seed %d: their draws would differ by luck; choose one for both with --seed",
			args[0], a.Seed, args[1], b.Seed)
	}
	p.seed, p.names = a.Seed, a.Names()
	if len(b.Clients) > len(p.names) {
		p.names = b.Names()
	}
	for i := range scenarios {
		var k trace.Keep
		if _, err := scenarios[i].Run(nil, &k); err != nil {
			return nil, fmt.Errorf("%s: %w", args[i], err)
		}
		p.runs[i] = k.Events
	}
	p.found = compare.Of(p.runs[0], p.runs[1])
	return p, nil
}

// text writes the comparison for people: the sentence, what happens first, and a table.
func (p *pair) text(l text.Lang) string {
	var b strings.Builder
	for i, file := range p.files {
		fmt.Fprintf(&b, "%c  %s\n", 'A'+i, file)
	}
	fmt.Fprintf(&b, "   %s\n\n%s\n", l.Say("lab.seed", "seed", fmt.Sprint(p.seed)), l.Parting(p.found.Parting))
	if p.found.Same() {
		return b.String()
	}
	for i, run := range p.runs {
		fmt.Fprintf(&b, "  %c  %s\n", 'A'+i, l.Moment(run, p.found.Parting.Index[i], p.names))
	}
	rows := l.Differences(&p.found, p.names)
	first, second := 0, 1
	for _, r := range rows {
		first, second = max(first, width(r.Label)), max(second, width(r.A))
	}
	pad := func(s string, to int) string { return s + strings.Repeat(" ", max(to-width(s), 0)+2) }
	b.WriteString("\n" + pad("", first) + pad("A", second) + "B\n")
	for _, r := range rows {
		b.WriteString(pad(r.Label, first) + pad(r.A, second) + r.B + "\n")
	}
	return b.String()
}

// json writes the comparison as one object. Instants and durations are nanoseconds.
func (p *pair) json(text.Lang) string {
	out := comparisonJSON{Seed: p.seed, Same: p.found.Same()}
	if q := p.found.Parting; q.Differs {
		out.Parting = &partingJSON{int64(q.At), q.Index, q.Field.String()}
	}
	for i := range p.found.Calls {
		c := &p.found.Calls[i]
		row := callJSON{Client: p.names[c.Client], Call: c.Number}
		row.A, row.B = sideOfCall(&c.Sides[0]), sideOfCall(&c.Sides[1])
		out.Calls = append(out.Calls, row)
	}
	for i := range p.found.Attempts {
		a := &p.found.Attempts[i]
		row := attemptJSON{Client: p.names[a.Client], Call: a.Call, Attempt: a.Number}
		row.A, row.B = sideOfAttempt(&a.Sides[0]), sideOfAttempt(&a.Sides[1])
		out.Attempts = append(out.Attempts, row)
	}
	out.Load.Width = int64(p.found.Load[0].Width())
	for i := range p.runs {
		out.Totals[i] = json.RawMessage(p.found.Totals[i].AppendJSON(nil))
		for _, bucket := range p.found.Load[i].Buckets() {
			out.Load.Arrived[i] = append(out.Load.Arrived[i], bucket.Arrived())
		}
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(data) + "\n"
}

type comparisonJSON struct {
	Seed     uint64             `json:"seed"`
	Same     bool               `json:"same"`
	Parting  *partingJSON       `json:"parting,omitempty"`
	Calls    []callJSON         `json:"calls,omitempty"`
	Attempts []attemptJSON      `json:"attempts,omitempty"`
	Totals   [2]json.RawMessage `json:"totals"`
	Load     struct {
		Width   int64    `json:"width"`
		Arrived [2][]int `json:"arrived"`
	} `json:"load"`
}

type partingJSON struct {
	At    int64  `json:"at"`
	Index [2]int `json:"index"`
	Field string `json:"field"`
}

type callJSON struct {
	Client string        `json:"client"`
	Call   int           `json:"call"`
	A      *callSideJSON `json:"a"`
	B      *callSideJSON `json:"b"`
}

type callSideJSON struct {
	Ended     bool   `json:"ended"`
	Succeeded bool   `json:"succeeded"`
	At        int64  `json:"at"`
	Status    int    `json:"status,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

type attemptJSON struct {
	Client  string           `json:"client"`
	Call    int              `json:"call"`
	Attempt int              `json:"attempt"`
	A       *attemptSideJSON `json:"a"`
	B       *attemptSideJSON `json:"b"`
}

type attemptSideJSON struct {
	At      int64  `json:"at"`
	Status  int    `json:"status,omitempty"`
	Failure string `json:"failure,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Wait    int64  `json:"wait,omitempty"`
}

func sideOfCall(c *compare.CallSide) *callSideJSON {
	if c.Begun == 0 {
		return nil
	}
	return &callSideJSON{Ended: c.Ended > 0, Succeeded: c.Succeeded, At: int64(c.At), Status: c.Status, Reason: reasonName(c.Reason)}
}

func sideOfAttempt(a *compare.AttemptSide) *attemptSideJSON {
	if a.Sent == 0 {
		return nil
	}
	side := &attemptSideJSON{At: int64(a.At), Status: a.Status, Reason: reasonName(a.Reason), Wait: int64(a.Wait)}
	if a.Failure != call.None {
		side.Failure = a.Failure.String()
	}
	return side
}

func reasonName(r decision.Reason) string {
	if r == decision.NoReason {
		return ""
	}
	return r.String()
}
