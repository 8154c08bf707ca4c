// Package effect names what a page wants done outside of itself. A page's Update returns effects as values; the shell
// does them. So a page is tested without a browser.
package effect

import "retrylab.example/core/text"

// Effect is one of the types of this package.
type Effect any

// Store keeps a text in the browser under a key; an empty one removes it.
type Store struct{ Key, Value string }

// Go opens an address of the program, such as "#/lesson/lost-replies/begin".
type Go struct{ Hash string }

// Focus moves the keyboard's focus to the element with the id, and the view with it.
type Focus struct{ ID string }

// SetValue writes a text into an input, also an empty one.
type SetValue struct{ ID, Value string }

// Announce speaks a sentence in the live region.
type Announce struct{ Text string }

// Reveal scrolls the element with the id into view, inside of its own box.
type Reveal struct{ ID string }

// SetLanguage changes the language of the whole program.
type SetLanguage struct{ Lang text.Lang }

// CycleTheme goes from the system's colours to light to dark.
type CycleTheme struct{}

// CycleContrast goes from the system's contrast to more to normal.
type CycleContrast struct{}

// Dialog opens or closes a dialog of the page.
type Dialog struct {
	ID   string
	Open bool
}
