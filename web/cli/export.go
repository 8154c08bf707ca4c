package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"retrylab.example/core/export"
	"retrylab.example/core/link"
	"retrylab.example/core/text"
)

// runFormats are the formats of a run; exportFormats those of them that need the whole of it.
var (
	runFormats    = append([]string{"json", "text"}, exportFormats...)
	exportFormats = []string{"csv", "markdown", "go-test", "scenario", "link"}
)

const exportHelp = "The formats: json is JSON Lines; text is columns for people; csv is a table, as RFC 4180 has it; markdown is a\n" +
	"document with sentences; go-test is a Go test that repeats the run against the core, and says where it is put;\n" +
	"scenario is the file with everything that was done; link is a share link to the run, for the page and for\n" +
	"retrylab open."

// runFormatFlag adds the flag --format of a run.
func runFormatFlag(cmd *cobra.Command, value string) *string {
	return cmd.Flags().String("format", value, "what to print: "+strings.Join(runFormats, ", "))
}

func checkRunFormat(value string) error {
	if !slices.Contains(runFormats, value) {
		return usagef("--format: %q is not known; use one of: %s", value, strings.Join(runFormats, ", "))
	}
	return nil
}

// exports reports whether a format needs the whole run.
func exports(format string) bool { return slices.Contains(exportFormats, format) }

// writeExport prints the run of a link in one of the export formats.
func writeExport(cmd *cobra.Command, l text.Lang, format string, shared *link.Link) error {
	r, err := export.Of(&shared.Scenario, shared.Goals, shared.Tree.Path())
	if err != nil {
		return err
	}
	var out []byte
	switch format {
	case "csv":
		out = r.CSV()
	case "markdown":
		out = r.Markdown(l)
	case "go-test":
		out, err = r.GoTest()
	case "scenario":
		out, err = r.File()
	case "link":
		out, err = fragment(shared)
	}
	var problem *link.Error
	switch {
	case errors.Is(err, export.ErrTooManyInputs):
		return errors.New(l.Say("export.too-many-inputs"))
	case errors.As(err, &problem):
		return errors.New(l.LinkProblem(problem))
	case err != nil:
		return err
	}
	if _, err := cmd.OutOrStdout().Write(out); err != nil {
		return fmt.Errorf("cannot write the run: %w", err)
	}
	if n := len(r.Events); n > 0 && format != "link" {
		noteStop(cmd.ErrOrStderr(), &shared.Scenario, &r.Events[n-1])
	}
	return nil
}

// fragment returns the fragment of a link, with the # before it.
func fragment(shared *link.Link) ([]byte, error) {
	text, err := shared.Fragment()
	return []byte("#" + text + "\n"), err
}
