// Package lessons holds the course: one JSON file a lesson, in the order of their names.
package lessons

import "embed"

// Files holds every lesson file.
//
//go:embed *.json
var Files embed.FS
