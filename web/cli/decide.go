package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

// newDecide makes the command that asks a policy one question.
func newDecide() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "decide QUESTION.json|-",
		Short: "Ask a policy what follows an attempt, and show the receipt of its decision",
		Long: "Read a policy, an attempt and how it ended, and print what the policy decides, why, from which numbers, and what\n" +
			"would have changed it. A question is one JSON object:\n\n" +
			"  policy    as in a scenario: a preset, and what differs from it\n" +
			"  attempt   how many attempts were made, this one included (default 1)\n" +
			"  request   method, path, key, ifMatch (default GET /); lateKey: true if the first attempt had no key\n" +
			"  response  status, retryAfter, code, retryable, fields; or instead of it\n" +
			"  failure   timed-out, reset, never-sent or garbled\n" +
			"  now       how long ago the call began (default 0s); deadline: when it ends, if not as the policy says\n" +
			"  fraction  the drawn jitter fraction, above that of what is added to Retry-After (default one half)\n" +
			"  previous  the local wait before this one; budget: left, calls, retries, held\n\n" +
			"The status is 0 whatever the decision, and 1 if the question has a fault.",
		Example: `  echo '{"policy": {"preset": "contract-e"}, "response": {"status": 429, "retryAfter": "1.5"}}' | retrylab decide -` + "\n" +
			"  retrylab decide question.json --format json",
		Args: wantArgs(1, 1, "the QUESTION.json"),
	}
	lang := langFlag(cmd)
	format := formatFlag(cmd, lintFormats, "a receipt for people, or one object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := parseLang(*lang)
		if err != nil {
			return err
		}
		asJSON, err := parseFormat(*format, lintFormats)
		if err != nil {
			return err
		}
		file, data, err := readInput(cmd, args[0])
		if err != nil {
			return err
		}
		q, err := scenario.ReadQuestion(file, data)
		if err != nil {
			return printFaults(cmd, err)
		}
		answer := decisionText
		if asJSON {
			answer = decisionJSON
		}
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), answer(l, decided(q))); err != nil {
			return fmt.Errorf("cannot write the answer: %w", err)
		}
		return nil
	}
	return cmd
}

// decided is the event that a run would hold.
func decided(q scenario.Question) event.Event {
	in := q.Input
	e := event.Event{
		Kind: event.CallGaveUp, At: in.Now, Request: in.Request, Response: in.Outcome.Response, Failure: in.Outcome.Failure,
		Decision: q.Policy.Explain(in),
	}
	switch e.Decision.Verdict {
	case decision.Retry:
		e.Kind, e.Until = event.RetryScheduled, in.Now.Add(e.Decision.Wait)
	case decision.Return:
		e.Kind = event.CallSucceeded
	}
	return e
}

// decisionText is the receipt as a person reads it.
func decisionText(l text.Lang, e event.Event) string {
	var b strings.Builder
	b.WriteString(text.Plain(l.Verdict(&e, nil)) + "\n")
	groups, total := l.Receipt(&e)
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s %s\n", g.Question, g.Answer)
		for _, r := range g.Rows {
			b.WriteString(receiptRow(r))
		}
	}
	b.WriteString("\n" + receiptRow(total))
	if flips := l.Flips(&e); len(flips) > 0 {
		b.WriteString("\n" + l.Say("lab.what-would-change") + "\n")
		for _, f := range flips {
			b.WriteString("  " + text.Plain(f) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// receiptRow is one row: what it is about, its value, and the note in parentheses. A row that decided bears an arrow.
func receiptRow(r text.Row) string {
	mark := "  "
	if r.Mark == decision.Decided {
		mark = "→ "
	}
	s := mark + r.Label + ": " + r.Value
	if r.Note != "" {
		s += " (" + r.Note + ")"
	}
	return s + "\n"
}

// decisionAnswer is the answer as JSON: the receipt as it stands in a run's trace, with codes and nanoseconds, and the
// sentences in the language asked for.
type decisionAnswer struct {
	Decision  json.RawMessage `json:"decision"`
	Sentences []string        `json:"sentences"`
}

func decisionJSON(l text.Lang, e event.Event) string {
	a := decisionAnswer{
		Decision: trace.AppendDecision(nil, &e.Decision), Sentences: []string{text.Plain(l.Verdict(&e, nil))},
	}
	for _, f := range l.Flips(&e) {
		a.Sentences = append(a.Sentences, text.Plain(f))
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(a); err != nil {
		panic("a receipt is no JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}
