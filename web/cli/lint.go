package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

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
			"each wrong answer fails with its named check, the goals hold on other seeds where anything is drawn, and no\n" +
			"answer does what the step does not offer. The solution and the wrong programs of a code step are run in Node. The\n" +
			"status is 1 if there is any fault. A *.schema.json is no lesson\n" +
			"and is skipped. docs/LESSONS.md lists the fields of --format json.",
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
	all := lintFiles(cmd, files)
	ok := true
	for _, l := range all {
		ok = ok && l.OK
		if !asJSON {
			if err := printLinted(out, l); err != nil {
				return err
			}
		}
	}
	if asJSON {
		for _, l := range all {
			inWords(l.Faults)
			for _, p := range l.Steps {
				inWords(p.Faults)
			}
		}
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

// inWords takes out of faults what says them in other languages: a tool reads the words.
func inWords(faults document.Faults) {
	for i := range faults {
		faults[i].Form, faults[i].Args = "", ""
	}
}

// lintFiles reads the files one after the other, so that standard input is read once, and proves their steps side by
// side. The reports stand in the order of the files.
func lintFiles(cmd *cobra.Command, files []string) []lesson.Report {
	reports := make([]lesson.Report, len(files))
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0)) // one at a time for each processor
	python := &python{}
	defer python.close()
	for i, name := range files {
		if strings.HasSuffix(filepath.Base(name), ".schema.json") {
			reports[i] = lesson.Report{File: name, OK: true, Skipped: true, Faults: document.Faults{}, Steps: []lesson.Proof{}}
			continue
		}
		file, data, err := readInput(cmd, name)
		if err != nil {
			reports[i] = lesson.Report{File: file, Faults: document.Faults{{File: file, Problem: err.Error()}}, Steps: []lesson.Proof{}}
			continue
		}
		all.Go(func() { reports[i] = prove(file, data, free, python) })
	}
	all.Wait()
	return reports
}

// prove lints one file, whose steps are proven independently of each other.
func prove(file string, data []byte, free chan struct{}, python *python) lesson.Report {
	free <- struct{}{}
	r := lesson.Inspect(file, data)
	<-free
	if len(r.Faults()) > 0 {
		return r.Report(file, nil)
	}
	proofs := make([]lesson.Proof, len(r.Lesson.Steps))
	var all sync.WaitGroup
	for i := range proofs {
		all.Go(func() {
			free <- struct{}{}
			if r.Lesson.Steps[i].Kind == lesson.Code {
				proofs[i] = python.prove(r, i)
			} else {
				proofs[i] = r.Prove(i)
			}
			<-free
		})
	}
	all.Wait()
	return r.Report(file, proofs)
}

func printLinted(w io.Writer, l lesson.Report) (err error) {
	switch {
	case l.Skipped:
		_, err = fmt.Fprintf(w, "%s: skipped, a schema is no lesson\n", l.File)
	case l.OK:
		_, err = fmt.Fprintf(w, "%s: ok, %s proven; %s\n", l.File, counted(l.Proven, "step"), drawn(l.Steps))
	default:
		_, err = fmt.Fprintln(w, l.Faults.Error())
	}
	return err
}

// drawn says which steps were tried on other seeds.
func drawn(steps []lesson.Proof) string {
	var ids []string
	for _, p := range steps {
		if p.Seeds > 0 {
			ids = append(ids, p.Step)
		}
	}
	if len(ids) == 0 {
		return "no draw is used"
	}
	return fmt.Sprintf("those that draw on %d other seeds too: ", lesson.HiddenSeeds) + strings.Join(ids, ", ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
