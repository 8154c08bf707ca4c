package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	node "retrylab.example/web/codelab"
	"retrylab.example/web/site"
)

var gradeFormats = [2]string{"text", "json"}

func newStart() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "start LESSON DIR",
		Short: "Write the file in which the functions of a lesson are begun",
		Long: "Write into DIR a Python file with the starters of all code steps of a lesson, to be filled in one after the other.\n" +
			"LESSON is the id of a lesson of the course, or a file. A file that exists is never written over.",
		Example: "  retrylab start code-retry-budget .",
		Args:    wantArgs(2, 2, "one of LESSON and DIR"),
	}
	lang := langFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := parseLang(*lang)
		if err != nil {
			return err
		}
		les, err := openLesson(cmd, args[0])
		if err != nil {
			return err
		}
		steps := codeSteps(&les)
		if len(steps) == 0 {
			return usagef("the lesson %s has no code steps", les.ID)
		}
		file := filepath.Join(args[1], strings.ReplaceAll(les.ID, "-", "_")+".py")
		if err := create(file, []byte(les.Starters(string(l)))); err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: written; fill it in, and then: retrylab grade %s %s %s\n", file, args[0], steps[0], file)
		return err
	}
	return cmd
}

func newGrade() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "grade LESSON STEP FILE.py|-",
		Short: "Judge a function that was written for a step",
		Long: "Run a Python program in Node on the cases of a code step, and say how it was judged: the verdict of the page on the\n" +
			"file that it hands out. If a case fails, the smallest one that was found is shown. Functions of earlier steps that the\n" +
			"program does not define, or only begins, are given. LESSON is the id of a lesson of the course, or a file; STEP is the id of a\n" +
			"step. The status is 0 if the function passes, 1 if not.",
		Example: "  retrylab grade code-retry-budget backoff code_retry_budget.py\n" +
			"  retrylab grade code-retry-budget backoff - --format json < backoff.py",
		Args: wantArgs(3, 3, "one of LESSON, STEP and FILE.py"),
	}
	lang := langFlag(cmd)
	format := formatFlag(cmd, gradeFormats, "sentences, or the verdict as one object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := parseLang(*lang)
		if err != nil {
			return err
		}
		asJSON, err := parseFormat(*format, gradeFormats)
		if err != nil {
			return err
		}
		if args[0] == stdinName && args[2] == stdinName {
			return usagef("only one of LESSON and FILE.py can come from standard input")
		}
		les, err := openLesson(cmd, args[0])
		if err != nil {
			return err
		}
		step, err := codeStep(&les, args[1])
		if err != nil {
			return err
		}
		_, source, err := readInput(cmd, args[2])
		if err != nil {
			return err
		}
		return grade(cmd.OutOrStdout(), l, &les, step, string(source), asJSON)
	}
	return cmd
}

func codeSteps(l *lesson.Lesson) (ids []string) {
	for _, s := range l.Steps {
		if s.Kind == lesson.Code {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// codeStep finds a step that asks for a function.
func codeStep(l *lesson.Lesson, id string) (int, error) {
	for i, s := range l.Steps {
		switch {
		case s.ID == id && s.Kind != lesson.Code:
			return 0, usagef("the step %s is of the kind %s: nothing is written in it", id, s.Kind)
		case s.ID == id:
			return i, nil
		}
	}
	ids := codeSteps(l)
	if len(ids) == 0 {
		return 0, usagef("the lesson %s has no code steps", l.ID)
	}
	return 0, usagef("the lesson %s has no step %q; those with code are: %s", l.ID, id, strings.Join(ids, ", "))
}

func grade(out io.Writer, l text.Lang, les *lesson.Lesson, step int, source string, asJSON bool) error {
	engine, err := newEngine()
	if err != nil {
		return err
	}
	v, err := les.GradeCode(step, source, engine)
	if err = errors.Join(err, engine.Close()); err != nil {
		return err
	}
	if asJSON {
		_, err = out.Write(append(v.AppendJSON(nil), '\n'))
	} else {
		_, err = io.WriteString(out, l.Judged(&v).String())
	}
	if err != nil {
		return fmt.Errorf("cannot write the verdict: %w", err)
	}
	if !v.Passed() {
		return errReported
	}
	return nil
}

// newEngine starts Node with the MicroPython of this checkout.
func newEngine() (*node.Node, error) {
	root, err := site.FindRoot(".")
	if err != nil {
		return nil, fmt.Errorf("%w; it is taken from a checkout of the project: %w", node.ErrNoPython, err)
	}
	return node.New(root)
}

// python proves code steps in one engine, one after the other.
type python struct {
	one     sync.Mutex
	started bool
	engine  *node.Node
	err     error
}

func (p *python) prove(r *lesson.Reading, i int) lesson.Proof {
	p.one.Lock()
	defer p.one.Unlock()
	if !p.started {
		p.started = true
		p.engine, p.err = newEngine()
	}
	if p.err != nil {
		return r.Unproven(i, p.err)
	}
	proof, err := r.ProveCode(i, p.engine)
	if err != nil {
		return r.Unproven(i, err)
	}
	return proof
}

func (p *python) close() {
	if p.engine != nil {
		p.engine.Close() // what stays is a folder in the system's place for such
	}
}
