// Package effect names what a page wants done outside of itself. A page's Update returns effects as values; the shell
// does them. So a page is tested without a browser.
package effect

// Effect is one of the types of this package.
type Effect any

// Store keeps a text in the browser under a key; an empty one removes it.
type Store struct{ Key, Value string }

// Focus moves the keyboard's focus to the element with the id, and the view with it.
type Focus struct{ ID string }

// SetValue writes a text into an input, also an empty one.
type SetValue struct{ ID, Value string }

// Announce speaks a sentence in the live region.
type Announce struct{ Text string }

// Reveal scrolls the element with the id into view, inside of its own box.
type Reveal struct{ ID string }
