package lab

import (
	"encoding/json"
	"slices"
	"strings"

	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
)

// keptCode is what the browser keeps of a code step beside its progress.
type keptCode struct {
	// Code is what stands in the editor, empty for the starter; Passed what passed last.
	Code   string       `json:"code,omitempty"`
	Passed string       `json:"passed,omitempty"`
	Tries  []try        `json:"tries,omitempty"`
	Hints  int          `json:"hints,omitempty"`
	Shown  bool         `json:"shown,omitempty"`
	Case   codelab.Spec `json:"case,omitzero"`
}

func (k *keptCode) write() string {
	data, err := json.Marshal(k)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(data)
}

// readCode reads what write wrote. It may come from a file: texts that are too long stay out.
func readCode(history string) (k keptCode, ok bool) {
	if history == "" || json.Unmarshal([]byte(history), &k) != nil {
		return keptCode{}, false
	}
	if !keepable(k.Code) {
		k.Code = ""
	}
	if !keepable(k.Passed) {
		k.Passed = ""
	}
	k.Tries = slices.DeleteFunc(k.Tries, func(t try) bool { return !keepable(t.Code) || len(t.Verdict) > maxCode })
	k.Tries = k.Tries[max(len(k.Tries)-maxTries, 0):]
	return k, true
}

func keepable(code string) bool { return len(code) <= maxCode }

// keptCode returns what is kept of the step.
func (m *Model) keptCode() keptCode {
	c := m.code
	k := keptCode{Code: c.text, Passed: c.passed, Tries: c.tries, Hints: m.hints, Shown: m.shown, Case: c.trial.spec}
	if isStarter(m.current(), c.text) {
		k.Code = ""
	}
	return k
}

// isStarter reports whether a text is the step's starter, in any language.
func isStarter(st *lesson.Step, code string) bool {
	return slices.ContainsFunc(st.Exercise.Starter, func(t lesson.Translation) bool { return t.Text == code })
}

// takeCode shows what was kept. A starter never takes the place of a text that was kept.
func (m *Model) takeCode(k keptCode) {
	c := m.code
	m.hints, m.shown = min(max(k.Hints, 0), len(m.current().Hints)), k.Shown
	c.passed, c.tries = k.Passed, k.Tries
	if k.Code != "" {
		c.text = k.Code
	}
	if _, err := c.function.Make(k.Case); err == nil && (k.Case.Made || k.Case.Fixed > 0 || len(k.Case.Set) > 0) {
		c.trial.spec = k.Case
	}
	if n := len(c.tries); n > 0 && c.tries[n-1].Code == c.text { // what was said of it last still holds
		if v, err := codelab.ReadVerdict([]byte(c.tries[n-1].Verdict)); err == nil {
			c.verdict, c.judged = &v, c.text
		}
	}
}

// joinCode joins two histories of a code step: the text is the first one's, and the other's is among its earlier ones.
func joinCode(mine, theirs string) (joined string, lacks bool) {
	k, ok := readCode(mine)
	other, read := readCode(theirs)
	switch {
	case !read:
		return mine, false
	case !ok:
		return theirs, false
	}
	c := coding{tries: other.Tries}
	if k.Code == "" {
		k.Code = other.Code
	}
	if other.Code != k.Code {
		c.note(try{Code: other.Code})
	}
	for _, t := range k.Tries {
		if t.Code != other.Code || t.Verdict != "" {
			c.note(t)
		}
	}
	k.Tries = c.tries
	if k.Passed == "" {
		k.Passed = other.Passed
	}
	k.Hints, k.Shown = max(k.Hints, other.Hints), k.Shown || other.Shown
	joined = k.write()
	return joined, strings.TrimSpace(joined) != strings.TrimSpace(theirs)
}

// takeCodeOf takes up what another tab has kept of this step. Where all that stands here is kept, its text is shown here
// too; where something is about to be kept, that stays and the other's text is among the earlier ones.
func (m *Model) takeCodeOf(history string, kept bool) (lacks bool) {
	mine := m.History()
	if other, ok := readCode(history); ok && kept && other.Code != "" {
		k, _ := readCode(mine)
		k.Code = other.Code
		mine = k.write()
	}
	joined, lacks := joinCode(mine, history)
	k, ok := readCode(joined)
	if !ok {
		return false
	}
	was := m.code.text
	m.takeCode(k)
	if m.code.text != was {
		m.notice = m.lang().Say("code.elsewhere")
	}
	return lacks && !kept
}
