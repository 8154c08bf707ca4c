package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"retrylab.example/core/lesson"
)

func newNew() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a small lesson to begin with",
		Long: "Write NAME.json: a small proven lesson with one step to read, one to play and one to predict. NAME is the id of\n" +
			"the lesson: 1 to 40 lower-case letters, digits and hyphens. A file that exists is never written over.",
		Example: "  retrylab new my-lesson\n" +
			"  retrylab new my-lesson --dir course --languages en,ko",
		Args: wantArgs(1, 1, "the name of the lesson"),
	}
	dir := cmd.Flags().String("dir", ".", "folder of the file")
	languages := cmd.Flags().String("languages", strings.Join(lesson.TemplateLanguages(), ","),
		"languages of the texts, the lesson's own first")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		data, err := lesson.New(args[0], splitList(*languages))
		if err != nil {
			return usagef("new: %w", err)
		}
		file := filepath.Join(*dir, args[0]+".json")
		if err := create(file, data); err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: written; edit it, and then: retrylab lint %s\n", file, file)
		return err
	}
	return cmd
}

// splitList splits at commas; blanks around the parts do not count.
func splitList(s string) (parts []string) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// create writes a file that does not exist yet.
func create(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return createError(name, err)
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func createError(name string, err error) error {
	dir := filepath.Dir(name)
	switch _, missing := os.Stat(dir); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists already and is left as it is; choose another name, or another --dir", name)
	case errors.Is(missing, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s; make it, or choose another --dir", dir)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("there is no permission to write %s; choose another --dir", name)
	}
	return fmt.Errorf("cannot write %s: %w", name, err)
}
