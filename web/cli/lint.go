package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
)

var lintFormats = [2]string{"text", "json"}

func newLint() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lint LESSON.json…",
		Short: "Find every fault of lessons, and prove them",
		Long: "Read lesson files, or - for standard input, and print every fault with its place, its JSON pointer and how to\n" +
			"mend it. A lesson of the right form is then proven: the start of each step does not pass, its solution does,\n" +
			"each wrong answer fails with its named check, the goals hold on other seeds, and no answer does what the step\n" +
			"does not offer. The status is 1 if there is any fault. A *.schema.json is no lesson and is skipped.",
		Example: "  retrylab lint lessons/*.json\n" +
			"  retrylab lint --format json my-lesson.json",
		Args: wantArgs(1, -1, "a lesson file, or - for standard input,"),
	}
	format := formatFlag(cmd, lintFormats, "a line for each fault, or one list with an object for each file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		asJSON, err := parseFormat(*format, lintFormats)
		if err != nil {
			return err
		}
		return lint(cmd, args, asJSON)
	}
	return cmd
}

// linted is what lint found in one file.
type linted struct {
	File    string          `json:"file"`
	OK      bool            `json:"ok"`
	Lesson  string          `json:"lesson,omitempty"`
	Proven  int             `json:"proven"`
	Skipped bool            `json:"skipped,omitempty"`
	Faults  document.Faults `json:"faults"`
}

func lint(cmd *cobra.Command, files []string, asJSON bool) error {
	out := cmd.OutOrStdout()
	all := []linted{}
	ok := true
	for _, name := range files {
		l := lintFile(cmd, name)
		ok = ok && l.OK
		if asJSON {
			all = append(all, l)
		} else if err := l.print(out); err != nil {
			return err
		}
	}
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(all); err != nil {
			return err
		}
	}
	if !ok {
		return errReported
	}
	return nil
}

func lintFile(cmd *cobra.Command, name string) linted {
	if strings.HasSuffix(filepath.Base(name), ".schema.json") {
		return linted{File: name, OK: true, Skipped: true, Faults: document.Faults{}}
	}
	file, data, err := readInput(cmd, name)
	if err != nil {
		return linted{File: file, Faults: document.Faults{{File: file, Problem: err.Error()}}}
	}
	l, proven, faults := lesson.Lint(file, data)
	return linted{File: file, OK: len(faults) == 0, Lesson: l.ID, Proven: proven, Faults: append(document.Faults{}, faults...)}
}

func (l *linted) print(w io.Writer) (err error) {
	switch {
	case l.Skipped:
		_, err = fmt.Fprintf(w, "%s: skipped, a schema is no lesson\n", l.File)
	case l.OK && l.Proven == 1:
		_, err = fmt.Fprintf(w, "%s: ok, 1 step proven\n", l.File)
	case l.OK:
		_, err = fmt.Fprintf(w, "%s: ok, %d steps proven\n", l.File, l.Proven)
	default:
		_, err = fmt.Fprintln(w, l.Faults.Error())
	}
	return err
}
