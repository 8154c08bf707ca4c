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

func lint(cmd *cobra.Command, files []string, asJSON bool) error {
	out := cmd.OutOrStdout()
	all := []lesson.Report{}
	ok := true
	for _, name := range files {
		l := lintFile(cmd, name)
		ok = ok && l.OK
		if asJSON {
			all = append(all, l)
		} else if err := printLinted(out, l); err != nil {
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

func lintFile(cmd *cobra.Command, name string) lesson.Report {
	if strings.HasSuffix(filepath.Base(name), ".schema.json") {
		return lesson.Report{File: name, OK: true, Skipped: true, Faults: document.Faults{}}
	}
	file, data, err := readInput(cmd, name)
	if err != nil {
		return lesson.Report{File: file, Faults: document.Faults{{File: file, Problem: err.Error()}}}
	}
	return lesson.ReportOf(file, data)
}

func printLinted(w io.Writer, l lesson.Report) (err error) {
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
