package text

import (
	"strconv"
	"time"

	"retrylab.example/core/lab"
)

// CheckName returns what a check of a lab's report asks for.
func (l Lang) CheckName(c lab.Check) string { return l.Say("report.check." + c.String()) }

// LabVerdict returns the answer to a check in a word or two.
func (l Lang) LabVerdict(v lab.Verdict) string { return l.Say("report.verdict." + v.String()) }

// Finding returns what a lab found out about a client, in a sentence.
func (l Lang) Finding(f *lab.Finding) string {
	args := []string{
		"chances", strconv.Itoa(f.Chances), "faults", strconv.Itoa(f.Faults), "need", strconv.Itoa(f.Need),
	}
	switch f.Check {
	case lab.Waits:
		args = append(args, "limit", l.Length(lab.AtOnce))
	case lab.Attempts:
		args = append(args, "limit", strconv.Itoa(lab.MostAttempts))
	case lab.Jitter:
		args = append(args, "attempt", strconv.Itoa(f.Attempt), "least", l.Length(f.Least), "most", l.Length(f.Most))
	}
	return l.Say("report."+f.Check.String()+"."+f.Verdict.String(), args...)
}

// Evidence returns one case of a finding, in a sentence.
func (l Lang) Evidence(e *lab.Evidence) string {
	name := "report.evidence.status"
	switch {
	case e.Asked > 0:
		name = "report.evidence.asked"
	case e.Status == 0:
		name = "report.evidence.lost"
	}
	return l.Say(name, "at", l.Seconds(time.Duration(e.At)), "seq", strconv.Itoa(e.Seq), "before", strconv.Itoa(e.Before),
		"attempt", strconv.Itoa(e.Attempt), "waited", l.Length(e.Waited), "asked", l.Length(e.Asked),
		"status", strconv.Itoa(e.Status))
}
