package lesson

import "retrylab.example/core/document"

// migration brings a lesson from one format to the next: it renames and moves fields of the file's value, in memory.
// The values keep their places, so that faults point into the file as it was written.
type migration func(root *document.Node)

// migrations holds at i what brings format i+1 to format i+2. There has been one format only; docs/LESSONS.md says how
// another is brought in.
var migrations = []migration{}

// migrate brings a lesson of a format to the newest one.
func migrate(root *document.Node, format int64, steps []migration) {
	for _, step := range steps[format-1:] {
		step(root)
	}
}
