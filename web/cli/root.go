// Package cli is the command line, retrylab. Each command has a file of its own and one line in commands.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// commands makes all commands. A command reads cmd.InOrStdin(), writes results to cmd.OutOrStdout() and notes for
// people to cmd.ErrOrStderr(), and returns its error.
var commands = []func() *cobra.Command{
	newServe,
	newSite,
	newRun,
	newCompare,
	newOpen,
	newNew,
	newLint,
	newCheck,
	newStart,
	newGrade,
	newRetryAfter,
	newDecide,
}

// Exit statuses.
const (
	statusOK     = 0
	statusFailed = 1 // the command ran and failed, or found a fault
	statusUsage  = 2 // the command line itself is wrong
)

// errReported ends a command with status 1 whose faults have been printed already.
var errReported = errors.New("reported")

// usageError is a fault of the command line; it ends with status 2.
type usageError struct{ error }

// usagef makes a usageError.
func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// Streams are the standard streams of a command line.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs a command line and gives its exit status. The first SIGINT or SIGTERM ends the command's context, which
// stops it cleanly; a second one kills.
func Main(args []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, args, streams)
}

func run(ctx context.Context, args []string, streams Streams) int {
	root := newRoot()
	root.SetArgs(keepNegatives(args))
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errReported):
		return statusFailed
	case errors.As(err, &usage):
		fmt.Fprintf(streams.Err, "retrylab: %v\nTry: retrylab help\n", err)
		return statusUsage
	default:
		fmt.Fprintf(streams.Err, "retrylab: %v\n", err)
		return statusFailed
	}
}

// newRoot makes the command line. Without a command it serves, so it takes serve's flags too.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "retrylab",
		Short: "Retries, idempotency and limits on a clock that is stepped by hand",
		Long: "Retry Lab shows why a client retried, waited or gave up, on a clock that is stepped by hand.\n" +
			"Without a command it serves the page.",
		SilenceErrors: true, // run prints them, once
		SilenceUsage:  true,
		Args:          knownCommand,
	}
	makeServe(root)
	for _, newCommand := range commands {
		cmd := newCommand()
		cmd.Args = usageArgs(cmd.Args)
		root.AddCommand(cmd)
	}
	root.Example = examples(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s: %w", cmd.CommandPath(), err)
	})
	return root
}

// knownCommand refuses what is not the name of a command, and names the ones that look like it.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("there is no command %q; did you mean %q?", args[0], near[0])
	}
	return usagef("there is no command %q", args[0])
}

// usageArgs makes the faults that a command finds in its arguments usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	if check == nil {
		check = cobra.NoArgs
	}
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usagef("%s: %w", cmd.CommandPath(), err)
		}
		return nil
	}
}
