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
