package cli

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
	"retrylab.example/lessons"
)

func newCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check LESSON STEP INPUTS.json|-",
		Short: "Judge what was played in a step of a lesson",
		Long: "Run inputs in a step of a lesson and print for each check whether it holds, with what was expected, what is,\n" +
			"and the event that decides. LESSON is the id of a lesson of the course, or a file; STEP is the id of a step.\n" +
			"Inputs that the step does not offer are refused. The status is 0 if the step is solved, 1 if not.\n\n" +
			"With --seeds the answer is tried on so many other seeds too: on how many it holds, the first on which it fails,\n" +
			"and what the checks measured. The status does not depend on that.",
		Example: "  retrylab check lost-replies third-attempt inputs.json\n" +
			"  retrylab check my-lesson.json first-step - --lang ja < inputs.json\n" +
			"  retrylab check retry-budget spread-the-herd inputs.json --seeds 1000",
		Args: wantArgs(3, 3, "one of LESSON, STEP and INPUTS.json"),
	}
	lang := langFlag(cmd)
	seeds := cmd.Flags().Int("seeds", 0, "try the answer on so many other seeds too")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := parseLang(*lang)
		if err != nil {
			return err
		}
		if *seeds < 0 || *seeds > lesson.MaxSeeds {
			return usagef("--seeds: write a whole number from 0 to %d", lesson.MaxSeeds)
		}
		if args[0] == stdinName && args[2] == stdinName {
			return usagef("only one of LESSON and INPUTS.json can come from standard input")
		}
		les, err := openLesson(cmd, args[0])
		if err != nil {
			return err
		}
		step, err := playedStep(&les, args[1])
		if err != nil {
			return err
		}
		file, data, err := readInput(cmd, args[2])
		if err != nil {
			return err
		}
		answer, err := step.ReadPlay(file, data)
		if err != nil {
			return printFaults(cmd, err)
		}
		return judge(cmd, l, step, file, answer, *seeds)
	}
	return cmd
}

// openLesson reads a lesson of the course by its id, else a file.
func openLesson(cmd *cobra.Command, name string) (lesson.Lesson, error) {
	l, ids, err := builtIn(name)
	if err != nil || l.ID != "" {
		return l, err
	}
	file, data, err := readInput(cmd, name)
	if errors.Is(err, fs.ErrNotExist) {
		return l, usagef("there is no file %s, and no lesson of that id; the lessons are: %s", name, strings.Join(ids, ", "))
	}
	if err != nil {
		return l, err
	}
	if l, err = lesson.Read(file, data); err != nil {
		return l, printFaults(cmd, err)
	}
	return l, nil
}

// builtIn reads the lesson of that id, or one without an id and the ids that there are.
func builtIn(id string) (lesson.Lesson, []string, error) {
	files, err := readCourse()
	if err != nil {
		return lesson.Lesson{}, nil, err
	}
	var ids []string
	for _, f := range files {
		l, err := lesson.Read(f.name, f.data)
		if err != nil {
			return lesson.Lesson{}, nil, fmt.Errorf("the lesson %s in this program is broken:\n%w", f.name, err)
		}
		if l.ID == id {
			return l, nil, nil
		}
		ids = append(ids, l.ID)
	}
	return lesson.Lesson{}, ids, nil
}

// courseFile is a lesson of the course in this program.
type courseFile struct {
	name string
	data []byte
}

// readCourse reads all lessons in their order, those of code exercises last.
func readCourse() (all []courseFile, err error) {
	for _, part := range [...]struct {
		files   embed.FS
		pattern string
	}{{lessons.Files, "[0-9]*.json"}, {lessons.Labs, "code/[0-9]*.json"}} {
		names, err := fs.Glob(part.files, part.pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			data, err := part.files.ReadFile(name)
			if err != nil {
				return nil, err
			}
			all = append(all, courseFile{name, data})
		}
	}
	return all, nil
}

// playedStep finds a step that has a run.
func playedStep(l *lesson.Lesson, id string) (*lesson.Step, error) {
	var ids []string
	for i := range l.Steps {
		s := &l.Steps[i]
		switch {
		case s.ID != id && s.Plays():
			ids = append(ids, s.ID)
		case s.ID == id && !s.Plays():
			return nil, usagef("the step %s is of the kind %s: nothing is played in it", id, s.Kind)
		case s.ID == id:
			return s, nil
		}
	}
	return nil, usagef("the lesson %s has no step %q; the played ones are: %s", l.ID, id, strings.Join(ids, ", "))
}

// judge prints the verdict on an answer.
func judge(cmd *cobra.Command, l text.Lang, s *lesson.Step, file string, a lesson.Answer, seeds int) error {
	if problems := s.Forbidden(a); len(problems) > 0 {
		for _, p := range problems {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s in the step %s\n", file, p, s.ID)
		}
		return errReported
	}
	g, events := s.Grade(a)
	var b strings.Builder
	for i, r := range g.Results {
		goal, _ := s.Checks[i].Text.In(string(l))
		fmt.Fprintf(&b, "%s: %s (%s)\n", holds(l, r), goal, reasons(l, r, events))
	}
	b.WriteString(verdict(l, s, a, g) + "\n" + swept(l, s, a, seeds))
	if _, err := io.WriteString(cmd.OutOrStdout(), b.String()); err != nil {
		return fmt.Errorf("cannot write the verdict: %w", err)
	}
	if !g.Solved {
		return errReported
	}
	return nil
}

// swept says how an answer does on other seeds, one line for all and one for each check that measures a number.
func swept(l text.Lang, s *lesson.Step, a lesson.Answer, seeds int) string {
	switch {
	case seeds == 0:
		return ""
	case !s.Scenario.NeedsDraw(a.Inputs):
		return l.Say("sweep.no-draw") + "\n"
	}
	w := s.Sweep(a, seeds)
	w.Run(seeds)
	so := w.So()
	lines := l.Sweep(&so) + "\n"
	for i := range so.Numbers {
		if numbers := l.SweepNumbers(&so.Numbers[i]); numbers != "" {
			goal, _ := s.Checks[i].Text.In(string(l))
			lines += "  " + goal + ": " + numbers + "\n"
		}
	}
	return lines
}

// holds says how a check stands at the end of a run: what is still open then does not hold.
func holds(l text.Lang, r lesson.Result) string {
	if r.State == lesson.Holds {
		return l.Say("command.holds")
	}
	return l.Say("command.does-not-hold")
}

// reasons says what was expected and what is; with the events of the run, also which of them decides.
func reasons(l text.Lang, r lesson.Result, events []event.Event) string {
	args := []string{"expected", l.CheckValue(r.Expected), "actual", l.CheckValue(r.Actual)}
	if r.Seq == 0 || len(events) == 0 {
		return l.Say("command.compared", args...)
	}
	at := trace.Seconds(events[r.Seq-1].At.Sub(clock.Start))
	return l.Say("command.compared-at", append(args, "seq", strconv.Itoa(r.Seq), "at", at)...)
}

// verdict is the overall line.
func verdict(l text.Lang, s *lesson.Step, a lesson.Answer, g lesson.Grade) string {
	failed := 0
	for _, r := range g.Results {
		if r.State != lesson.Holds {
			failed++
		}
	}
	switch {
	case g.Solved:
		return l.Say("command.solved")
	case failed > 0:
		return l.Say("command.failed", "failed", strconv.Itoa(failed), "all", strconv.Itoa(len(g.Results)))
	case s.Kind == lesson.Predict && a.Prediction == "":
		return l.Say("command.no-prediction")
	case !g.Right:
		return l.Say("command.wrong-prediction", "prediction", a.Prediction)
	case g.FailedSeed != 0:
		return l.Say("command.failed-seed", "seed", strconv.FormatUint(g.FailedSeed, 10))
	case !g.Settled:
		return l.Say("command.stopped")
	}
	return l.Say("command.nothing-done")
}
