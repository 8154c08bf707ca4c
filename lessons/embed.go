// Package lessons holds the course: one JSON file a lesson, in the order of their names.
package lessons

import "embed"

// Files holds every lesson file; their schema lies beside them and is none.
//
//go:embed [0-9]*.json
var Files embed.FS
