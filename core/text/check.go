package text

import (
	"strings"

	"retrylab.example/core/decision"
	"retrylab.example/core/lesson"
)

// CheckValue returns one side of a check's comparison: what was expected, or what is.
func (l Lang) CheckValue(v lesson.Value) string {
	s := l.checkNumbers(v.Text)
	if v.Code != "" {
		s = l.checkCode(v.Code)
		if v.Text != "" {
			s = l.checkNumbers(v.Text) + l.Say("part.list") + s
		}
	}
	switch v.Bound {
	case lesson.AtLeast:
		return l.Say("check.at-least", "value", s)
	case lesson.AtMost:
		return l.Say("check.at-most", "value", s)
	}
	return s
}

// Goal says in words what a check asks for that has no text of its own.
func (l Lang) Goal(c *lesson.Check, names Names) string {
	what := l.GoalKind(GoalOf(c))
	j := c.Judge()
	if c.Kind == lesson.Ends && len(names) > 1 {
		what = l.owned([]string{literal(names[c.Client])}, what)
	}
	return l.Say("goal.is", "what", what, "value", l.CheckValue(j.Result().Expected))
}

// GoalOf names what a check is about: a count, a total, or the kind of check.
func GoalOf(c *lesson.Check) string {
	if c.Kind == lesson.Count || c.Kind == lesson.Total {
		return c.Of
	}
	return c.Kind.String()
}

// GoalKind returns the label of what a goal is about.
func (l Lang) GoalKind(name string) string {
	if Has("totals." + name) {
		return l.Say("totals." + name)
	}
	return l.Say("goal." + name)
}

// checkNumbers gives durations the unit of the language; other numbers stay.
func (l Lang) checkNumbers(s string) string {
	parts := strings.Split(s, ", ")
	for i, part := range parts {
		if n, isDuration := strings.CutSuffix(part, " s"); isDuration {
			parts[i] = l.Say("seconds", "n", n)
		}
	}
	return strings.Join(parts, l.Say("part.list"))
}

// checkCode returns an outcome, a reason or the state of a circuit in words.
func (l Lang) checkCode(code string) string {
	if r, ok := decision.ParseReason(code); ok && r != decision.Succeeded {
		return l.Say("check.gave-up-because", "reason", l.Reason(r))
	}
	switch code {
	case "closed", "open", "half-open":
		return l.Say("circuit." + code)
	}
	return l.Say("check." + code)
}

// Question returns one of the three questions of a retry decision.
func (l Lang) Question(q decision.Question) string {
	switch q {
	case decision.MayRepeat:
		return l.Say("question.may-repeat")
	case decision.WaitingHeals:
		return l.Say("question.waiting-heals")
	case decision.HowLong:
		return l.Say("question.how-long")
	}
	return l.Say("question.none")
}
