package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"retrylab.example/core/document"
	"retrylab.example/core/text"
)

// stdinName stands for standard input where the name of a file is wanted; faults call it "stdin".
const stdinName = "-"

// readInput reads a file, or standard input for "-". It stops one byte above what a document may hold, so that neither
// a huge file nor an endless stream is read whole: the document then says that it is too long. It reads in the
// background, so that an interrupt ends a command that waits for a pipe, or for somebody to type.
func readInput(cmd *cobra.Command, name string) (label string, data []byte, err error) {
	label = name
	if name == stdinName {
		label = "stdin"
	}
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := readBounded(cmd, name)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return label, r.data, r.err
	case <-cmd.Context().Done():
		return label, nil, fmt.Errorf("interrupted while reading %s", label)
	}
}

func readBounded(cmd *cobra.Command, name string) ([]byte, error) {
	in := cmd.InOrStdin()
	if name != stdinName {
		f, err := os.Open(name)
		if err != nil {
			return nil, fileError(name, err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, document.MaxBytes+1))
	if err != nil && name == stdinName {
		name = "standard input"
	}
	return data, fileError(name, err)
}

// missingFile is an error that says it in one sentence, and is fs.ErrNotExist.
type missingFile string

func (f missingFile) Error() string { return "there is no file " + string(f) }

// Is reports whether the error is this one in general words.
func (f missingFile) Is(target error) bool { return target == fs.ErrNotExist }

// fileError says in one sentence why a file cannot be read; nil for no error.
func fileError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return missingFile(name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("there is no permission to read %s", name)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%s is a folder, not a file", name)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot read %s: %w", name, err)
}

// wantArgs wants from least to most arguments (most < 0: any number) and says what they are.
func wantArgs(least, most int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing", what)
		case most >= 0 && len(args) > most:
			return fmt.Errorf("there is one argument too many: %q", args[most])
		}
		return nil
	}
}

// langFlag adds the flag --lang.
func langFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("lang", string(text.English), "language of the sentences: en, ko or ja")
}

func parseLang(tag string) (text.Lang, error) {
	l, ok := text.Parse(tag)
	if !ok {
		return l, usagef("--lang: there is no language %q; use en, ko or ja", tag)
	}
	return l, nil
}

// formatFlag adds the flag --format, whose first value is the default.
func formatFlag(cmd *cobra.Command, values [2]string, meaning string) *string {
	return cmd.Flags().String("format", values[0], values[0]+" or "+values[1]+": "+meaning)
}

// parseFormat reports whether the second value was chosen.
func parseFormat(value string, values [2]string) (second bool, err error) {
	if value != values[0] && value != values[1] {
		return false, usagef("--format: %q is not known; use %s or %s", value, values[0], values[1])
	}
	return value == values[1], nil
}
