// Package catalog holds what the page knows of each lesson before it fetches one.
package catalog

import (
	"encoding/json"
	"fmt"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
)

// Catalog is the course: its lessons in their order. The site's build writes it, the page reads it. A server that
// watches a folder of lessons writes one of its own.
type Catalog struct {
	Lessons []Entry `json:"lessons"`
	// Faults is what is wrong with the form of files in a watched folder; their last versions without faults stay in the
	// course. Unproven is what the proof of those versions found.
	Faults   document.Faults `json:"faults,omitempty"`
	Unproven document.Faults `json:"unproven,omitempty"`
}

// Entry is one lesson of the course.
type Entry struct {
	ID      string      `json:"id"`
	File    string      `json:"file"`
	Title   lesson.Text `json:"title"`
	Summary lesson.Text `json:"summary"`
	Minutes int         `json:"minutes"`
	After   []string    `json:"after,omitempty"`
	Steps   []Step      `json:"steps"`
	// Code says that functions are written in it.
	Code bool `json:"code,omitempty"`
	// Version changes with the content of a file in a watched folder; it is empty for a lesson of the site.
	Version string `json:"version,omitempty"`
}

// Step is one step of a lesson.
type Step struct {
	ID    string      `json:"id"`
	Title lesson.Text `json:"title"`
	// Plays: there is a run in it.
	Plays bool `json:"plays,omitempty"`
}

// Of returns the entry of a lesson.
func Of(file string, l *lesson.Lesson) Entry {
	e := Entry{ID: l.ID, File: file, Title: l.Title, Summary: l.Summary, Minutes: l.Minutes, After: l.After}
	for i := range l.Steps {
		e.Steps = append(e.Steps, Step{l.Steps[i].ID, l.Steps[i].Title, l.Steps[i].Plays()})
		e.Code = e.Code || l.Steps[i].Kind == lesson.Code
	}
	return e
}

// Read reads a written catalog.
func Read(data []byte) (Catalog, error) {
	var c Catalog
	if err := json.Unmarshal(data, &c); err != nil {
		return Catalog{}, fmt.Errorf("the list of lessons cannot be read: %w", err)
	}
	return c, nil
}

// Write returns the catalog as JSON.
func (c *Catalog) Write() ([]byte, error) { return json.Marshal(c) }

// Find returns the place of a lesson in the course, -1 if it has none.
func (c *Catalog) Find(id string) int {
	for i := range c.Lessons {
		if c.Lessons[i].ID == id {
			return i
		}
	}
	return -1
}

// Step returns the place of a step in the lesson, -1 if it has none.
func (e *Entry) Step(id string) int {
	for i := range e.Steps {
		if e.Steps[i].ID == id {
			return i
		}
	}
	return -1
}
