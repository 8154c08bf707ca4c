package text

import (
	"cmp"
	"strconv"

	"retrylab.example/core/clock"
	"retrylab.example/core/codelab"
)

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
	return l.Say(name,
		"cases", strconv.Itoa(v.Cases), "number", strconv.Itoa(v.Number), "line", strconv.Itoa(v.Line), "name", v.Name,
		"yours", v.Yours, "wanted", v.Wanted, "yours-at", l.codeTime(v.YoursAt), "wanted-at", l.codeTime(v.WantedAt), "text", cmp.Or(v.Text, "–"))
}

func (l Lang) codeTime(at clock.Instant) string {
	return l.Say("seconds", "n", codelab.Decimal(int64(at)))
}
