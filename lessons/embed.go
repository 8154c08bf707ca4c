// Package lessons holds the course: one JSON file a lesson, in the order of their names.
package lessons

import "embed"

// Files holds every lesson file; their schema lies beside them and is none.
//
//go:embed [0-9]*.json
var Files embed.FS

// Labs holds the lessons of code exercises, under code/. They are a part of the command line's course; the page leaves
// them out until it can play their steps, as the site takes what lies in lessons/ itself.
//
//go:embed code/[0-9]*.json
var Labs embed.FS

// Starters holds the situations with which the sandbox can begin, each with its texts and its scenario.
//
//go:embed starters/*.json
var Starters embed.FS
