// Package export writes a run down for other programs and people: as CSV, as Markdown, as a scenario file, and as a Go
// test that repeats it.
package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf16"

	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
)

// ErrTooManyInputs says that a scenario file could not hold the inputs of a run.
var ErrTooManyInputs = errors.New("a scenario file holds at most 500 inputs, and this run has more")

// Run is a run to be exported.
type Run struct {
	// Scenario holds everything that was done in the run among its inputs, and the seed of the run.
	Scenario scenario.Scenario
	// Goals are those of the scenario, as JSON; empty for none.
	Goals string
	// Events are all events of the run, to its end.
	Events []event.Event
}

// Of plays a scenario with further inputs. Its goals are as lesson.Step.Asked gives them. The error is the world's: a
// scenario that was read has none.
func Of(s *scenario.Scenario, goals string, inputs []scenario.Input) (Run, error) {
	p, err := s.Play(inputs)
	return Run{Scenario: s.With(inputs), Goals: goals, Events: p.Events}, err
}

// File returns the scenario file of the run, indented by two blanks. The error is ErrTooManyInputs.
func (r *Run) File() ([]byte, error) {
	if len(r.Scenario.Inputs) > scenario.MaxInputs {
		return nil, ErrTooManyInputs
	}
	var b bytes.Buffer
	if err := json.Indent(&b, lesson.WriteFree(&r.Scenario, r.Goals), "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// escaped writes JSON so that it may stand in a raw string of Go and in a fence of Markdown: a backquote, and whatever
// is not ASCII, stands in texts only and becomes an escape there.
func escaped(data []byte) string {
	var b strings.Builder
	for _, r := range string(data) {
		if r != '`' && r < 0x7f {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			const digits = "0123456789abcdef"
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(digits[unit>>shift&15])
			}
		}
	}
	return b.String()
}
