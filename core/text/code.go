package text

import (
	"strconv"
	"strings"

	"retrylab.example/core/clock"
	"retrylab.example/core/codelab"
)

// Judged is a verdict in words, as the page shows it and the command line prints it.
type Judged struct {
	// Case is the case of a program that did not pass, as Python.
	Case []string
	// Verdict is how it came out, in one sentence.
	Verdict string
	// Printed introduces Output, what the program printed in that case; both are empty if that is nothing.
	Printed, Output string
	// Before says how many cases came out as wanted before; it is empty for a program that passed.
	Before string
}

// Judged returns a verdict in words.
func (l Lang) Judged(v *codelab.Verdict) Judged {
	j := Judged{Case: v.Case(), Verdict: l.CodeVerdict(v)}
	if v.Passed() {
		return j
	}
	j.Before = l.Say("code.not-passed", "cases", strconv.Itoa(v.Cases))
	if v.Output != "" {
		j.Printed, j.Output = l.Say("code.printed"), strings.TrimSuffix(v.Output, "\n")
	}
	return j
}

// String returns all of it, a line each.
func (j Judged) String() string {
	var lines []string
	for _, line := range j.Case {
		lines = append(lines, "    "+line)
	}
	for _, line := range [...]string{j.Verdict, j.Printed, j.Output, j.Before} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// CodeVerdict returns in one sentence how a learner's program was judged. The case itself, Setup and Calls of the
// verdict, is Python and the same in every language.
func (l Lang) CodeVerdict(v *codelab.Verdict) string {
	name := "code." + v.Code.String()
	switch {
	case v.Code != codelab.OtherCall:
	case v.Wanted == "":
		name = "code.one-call-more"
	case v.Yours == "":
		name = "code.one-call-less"
	}
	if v.Text == "" { // an exception without a message
		name = pick(name+".silent", name)
	}
	return l.Say(name,
		"cases", strconv.Itoa(v.Cases), "number", strconv.Itoa(v.Number), "line", strconv.Itoa(v.Line), "name", v.Name,
		"yours", v.Yours, "wanted", v.Wanted, "yours-at", l.codeTime(v.YoursAt), "wanted-at", l.codeTime(v.WantedAt), "text", v.Text)
}

func (l Lang) codeTime(at clock.Instant) string {
	return l.Say("seconds", "n", codelab.Decimal(int64(at)))
}
