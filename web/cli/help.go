package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples gathers the examples of all commands, for the help of the whole.
func examples(root *cobra.Command) string {
	var all []string
	for _, cmd := range root.Commands() {
		if cmd.Example != "" {
			all = append(all, cmd.Example)
		}
	}
	return strings.Join(all, "\n")
}
