package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"retrylab.example/core/document"
	"retrylab.example/core/field"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/text"
)

// newRetryAfter makes the command that explains a header.
func newRetryAfter() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retry-after VALUE…",
		Short: "Explain a Retry-After header: what it is read as, why, and how long to wait",
		Long: "Read the value of a Retry-After header, and say what it is read as, or why not, and how long it asks to wait\n" +
			"from receipt. Two values stand for a header that is sent twice.\n\n" +
			"The modes: integer reads whole seconds; decimal reads 1.5 too; standard reads whole seconds and the three forms\n" +
			"of a date; strict does so without taking a wrong day of the week; vendor is standard with decimals, rounded up;\n" +
			"wild is vendor and also reads retry-after-ms, x-ms-retry-after-ms, RateLimit and X-RateLimit-Reset, which\n" +
			"--header gives.\n\n" +
			"The status is 0 if it is valid, 1 if not, and 2 if the command line is wrong.",
		Example: "  retrylab retry-after 120\n" +
			"  retrylab retry-after 'Mon, 30 Nov 2026 12:02:00 GMT' --date 'Mon, 30 Nov 2026 12:00:00 GMT'\n" +
			"  retrylab retry-after --mode wild --header 'retry-after-ms: 1500'",
	}
	var q headerQuestion
	flags := cmd.Flags()
	flags.StringVar(&q.mode, "mode", retryafter.Standard.String(), "what is read: "+strings.Join(retryafter.ModeNames(), ", "))
	flags.StringVar(&q.now, "now", "", "the client's clock at receipt, as 2026-11-30T12:00:00Z or as a date of HTTP (default the clock of this machine)")
	flags.StringVar(&q.date, "date", "", "the Date header of the same response, from which a date is counted")
	flags.StringArrayVar(&q.headers, "header", nil, "another header of the same response, as 'Name: value'; may be given again")
	lang := langFlag(cmd)
	format := formatFlag(cmd, lintFormats, "sentences, or one object")
	cmd.Args = func(_ *cobra.Command, values []string) error {
		if len(values) == 0 && len(q.headers) == 0 {
			return errors.New("the VALUE of the header is missing; write it behind the name, as in: retrylab retry-after 120")
		}
		return nil
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s: %w; write -- before a VALUE that begins with a minus", cmd.CommandPath(), err)
	})
	cmd.RunE = func(cmd *cobra.Command, values []string) error {
		l, err := parseLang(*lang)
		if err != nil {
			return err
		}
		asJSON, err := parseFormat(*format, lintFormats)
		if err != nil {
			return err
		}
		q.dated = cmd.Flags().Changed("date")
		q.lines = values
		return q.answer(cmd, l, asJSON)
	}
	return cmd
}

// keepNegatives puts the values of retry-after that begin as negative numbers behind a --, so that nobody has to know
// that -1 would be taken for a flag. All flags of the command take a value, which stays where it is.
func keepNegatives(args []string) []string {
	if len(args) == 0 || args[0] != "retry-after" || slices.Contains(args, "--") {
		return args
	}
	var rest, values []string
	for i, a := range args {
		isFlagValue := strings.HasPrefix(args[max(i-1, 0)], "--") && !strings.Contains(args[i-1], "=")
		if len(a) > 1 && a[0] == '-' && (a[1] == '.' || '0' <= a[1] && a[1] <= '9') && !isFlagValue {
			values = append(values, a)
		} else {
			rest = append(rest, a)
		}
	}
	if len(values) > 0 {
		rest = append(append(rest, "--"), values...)
	}
	return rest
}

// headerQuestion is what the command line asks.
type headerQuestion struct {
	mode, now, date string
	dated           bool
	headers, lines  []string
}

func (q *headerQuestion) answer(cmd *cobra.Command, l text.Lang, asJSON bool) error {
	mode, ok := retryafter.ParseMode(q.mode)
	if !ok {
		return usagef("--mode: there is no mode %q; use one of: %s", q.mode, strings.Join(retryafter.ModeNames(), ", "))
	}
	ctx, err := q.context()
	if err != nil {
		return err
	}
	lines := append(q.lines, field.Lines(ctx.Fields, retryafter.Name)...)
	r := retryafter.Read(mode, lines, ctx)
	says := l.HeaderReading(mode, r)
	others := otherModes(mode, r, lines, ctx)
	if len(others) > 0 {
		says = append(says, l.OtherModes(others))
	}
	out := cmd.OutOrStdout()
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err = e.Encode(newHeaderAnswer(mode, lines, r, others, says))
	} else {
		var b strings.Builder
		for _, line := range lines {
			fmt.Fprintf(&b, "%s: %s\n", retryafter.Name, printable(line))
		}
		_, err = fmt.Fprintln(out, b.String()+strings.Join(says, "\n"))
	}
	if err != nil {
		return fmt.Errorf("cannot write the answer: %w", err)
	}
	if !r.Valid {
		return errReported
	}
	return nil
}

// context reads the flags into what a reading needs beside the value.
func (q *headerQuestion) context() (c retryafter.Context, err error) {
	if c.Now, err = parseNow(q.now); err != nil {
		return c, err
	}
	if q.dated {
		c.Fields = append(c.Fields, field.Field{Name: "Date", Value: q.date})
	}
	for _, h := range q.headers {
		name, value, ok := strings.Cut(h, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return c, usagef("--header: %q has no name and colon; write it as 'Name: value'", h)
		}
		c.Fields = append(c.Fields, field.Field{Name: name, Value: value})
	}
	return c, nil
}

// parseNow reads an instant; "" is now on the clock of this machine.
func parseNow(value string) (field.Moment, error) {
	if value == "" {
		now := time.Now()
		return field.Moment{Time: field.Time(now.Unix()), Nanos: int64(now.Nanosecond())}, nil
	}
	if m, ok := field.ParseTimestamp(value); ok {
		return m, nil
	}
	d, fault := field.ParseDate(value, field.Time(time.Now().Unix()))
	if fault != field.NoFault {
		return field.Moment{}, usagef("--now: %q is no instant; write it as 2026-11-30T12:00:00Z or as Mon, 30 Nov 2026 12:00:00 GMT", value)
	}
	return field.Moment{Time: d.Time}, nil
}

// otherModes returns the modes that read what this one does not.
func otherModes(mode retryafter.Mode, r retryafter.Reading, lines []string, c retryafter.Context) (others []retryafter.Mode) {
	for _, name := range retryafter.ModeNames() {
		if m, _ := retryafter.ParseMode(name); !r.Valid && m != mode && retryafter.Read(m, lines, c).Valid {
			others = append(others, m)
		}
	}
	return others
}

// printable shows a value as it is, and in quotes with escapes if it has blanks at its ends or what cannot be seen.
func printable(value string) string {
	if value != "" && field.Trim(value) == value && strings.IndexFunc(value, unprintable) < 0 {
		return value
	}
	return strconv.Quote(value)
}

func unprintable(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// headerAnswer is the answer as JSON. Codes are those of the scenarios; sentences are in the language asked for.
type headerAnswer struct {
	Mode  string   `json:"mode"`
	Lines []string `json:"lines"`
	Valid bool     `json:"valid"`
	// Delay is the wait from receipt; Seconds the same rounded up, which is exact where Delay saturates.
	Delay   string      `json:"delay,omitempty"`
	Seconds *int64      `json:"seconds,omitempty"`
	Kind    string      `json:"kind,omitempty"`
	Field   string      `json:"field,omitempty"`
	Date    *headerDate `json:"date,omitempty"`
	// Reason says why it is not valid.
	Reason     string   `json:"reason,omitempty"`
	OtherModes []string `json:"otherModes,omitempty"`
	Warnings   []string `json:"warnings"`
	Sentences  []string `json:"sentences"`
}

type headerDate struct {
	Instant string `json:"instant"`
	Form    string `json:"form"`
	Leap    bool   `json:"leap,omitempty"`
	From    string `json:"from"`
	ByDate  bool   `json:"byDate"`
	Age     string `json:"age,omitempty"`
}

func newHeaderAnswer(m retryafter.Mode, lines []string, r retryafter.Reading, others []retryafter.Mode, says []string) headerAnswer {
	a := headerAnswer{Mode: m.String(), Lines: append([]string{}, lines...), Valid: r.Valid, Warnings: []string{}, Sentences: says}
	for _, o := range others {
		a.OtherModes = append(a.OtherModes, o.String())
	}
	for _, w := range r.Warn.List() {
		a.Warnings = append(a.Warnings, w.String())
	}
	if !r.Valid {
		a.Reason = r.Reason.String()
		return a
	}
	a.Delay, a.Seconds, a.Kind, a.Field = document.FormatDuration(r.Delay), &r.Seconds, r.Kind.String(), r.Field
	if r.Kind == retryafter.HTTPDate {
		a.Date = &headerDate{
			Instant: r.Date.Time.String(), Form: r.Date.Form.String(), Leap: r.Date.Leap, From: r.From.String(), ByDate: r.ByDate,
		}
		if r.Age > 0 {
			a.Date.Age = document.FormatDuration(r.Age)
		}
	}
	return a
}
