package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/text"
)

// newOpen makes the command that plays a share link.
func newOpen() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "open LINK|-",
		Short: "Say what a share link or a crash report holds, and play it",
		Long: "Read a share link, or - for one from standard input, print what it holds, and play its run to the end. A line\n" +
			"shows how far the link's clock had come. LINK is the whole address, or what stands in it from the # on. A crash\n" +
			"report of the page holds a link too, and is read from standard input.\n\n" +
			exportHelp + "\n\n" +
			"The status is 1 if the link cannot be opened; then it is said why, and what to do.",
		Example: "  retrylab run scenario.json --format link | retrylab open -\n" +
			"  retrylab open '#/open/1.24.…' --format csv",
		Args: wantArgs(1, 1, "the LINK, or - for standard input,"),
	}
	format := runFormatFlag(cmd, "text")
	lang := cmd.Flags().String("lang", "", "language of the sentences: en, ko or ja (default the link's)")
	file := cmd.Flags().String("lesson", "", "file of the link's lesson, if it is none of the course")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkRunFormat(*format); err != nil {
			return err
		}
		l, err := parseLang(cmp.Or(*lang, string(text.English)))
		if err != nil {
			return err
		}
		address := args[0]
		if address == stdinName {
			_, data, err := readInput(cmd, stdinName)
			if err != nil {
				return err
			}
			address = string(data)
		}
		sealed, err := link.Read(address)
		if err != nil {
			return printProblem(cmd, l, err)
		}
		if own, ok := text.Parse(sealed.Lang); ok && *lang == "" {
			l = own
		}
		if sealed.Code != "" {
			return printCode(cmd, *format, sealed)
		}
		step, err := linkedStep(cmd, sealed, *file)
		if err != nil {
			return printProblem(cmd, l, err)
		}
		o, err := sealed.Open(step)
		if err != nil {
			return printProblem(cmd, l, err)
		}
		return printOpened(cmd, l, *format, &o)
	}
	return cmd
}

// printCode prints the code of a link, so that it can go into a file. It is never run here.
func printCode(cmd *cobra.Command, format string, s *link.Sealed) error {
	if format != "text" {
		return usagef("the link holds code of the step %s of %s, and no run that could be written as %s", s.Step, s.Lesson, format)
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSuffix(s.Code, "\n"))
	return err
}

// printProblem prints why a link cannot be opened; another error is returned.
func printProblem(cmd *cobra.Command, l text.Lang, err error) error {
	var problem *link.Error
	if !errors.As(err, &problem) {
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "retrylab: "+l.LinkProblem(problem))
	if len(problem.Faults) > 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), problem.Faults)
	}
	return errReported
}

// linkedStep finds a link's step: in the course, or in a lesson file. A link to a scenario needs none.
func linkedStep(cmd *cobra.Command, s *link.Sealed, file string) (none lesson.Step, err error) {
	if s.Lesson == "" {
		return none, nil
	}
	var les lesson.Lesson
	if file != "" {
		les, err = openLesson(cmd, file)
	} else {
		les, _, err = builtIn(s.Lesson)
	}
	switch {
	case err != nil:
		return none, err
	case les.ID != s.Lesson:
		return none, &link.Error{Problem: link.NoLesson, Lesson: s.Lesson}
	}
	for i := range les.Steps {
		if step := &les.Steps[i]; step.ID == s.Step && step.Plays() {
			return *step, nil
		}
	}
	return none, &link.Error{Problem: link.NoStep, Lesson: s.Lesson, Step: s.Step}
}

// printOpened prints what a link holds and its run: for people both, in the other formats the run alone.
func printOpened(cmd *cobra.Command, l text.Lang, format string, o *link.Opened) error {
	if format != "text" && !o.Same {
		fmt.Fprintln(cmd.ErrOrStderr(), "retrylab: "+l.Say("link.changed"))
	}
	if exports(format) {
		return writeExport(cmd, l, format, &o.Link)
	}
	s := o.Scenario.With(o.Tree.Path())
	p := newPrinter(cmd.OutOrStdout(), &s, s.Digest())
	if format == "text" {
		line := p.columns(l)
		here := "  ──── " + l.Say("link.here") + "\n"
		p.buf = append(p.buf, strings.Join(l.LinkHolds(o), "\n")+"\n\n"...)
		if o.At.Count == 0 {
			p.buf = append(p.buf, here...)
		}
		p.line = func(b []byte, e *event.Event) []byte {
			if b = line(b, e); e.Seq == o.At.Count {
				b = append(b, here...)
			}
			return b
		}
	}
	if o.Lesson == "" { // in a lesson, retrylab check judges
		p.ask(o.Of.Checks, l, format == "text")
	}
	if err := p.run(cmd.ErrOrStderr(), &s); err != nil || p.held() {
		return err
	}
	return errReported
}
