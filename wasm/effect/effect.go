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

// Forget removes everything that the browser keeps under keys that begin so.
type Forget struct{ Prefix string }

// SaveProgress hands the reader a file of everything that is kept of the course; its name comes as a frame.Saved.
type SaveProgress struct{}

// TakeProgress takes up the text of such a file: in the place of what is kept, or beside it. Where that fails, why comes
// as a frame.NotTaken.
type TakeProgress struct {
	Text    string
	Replace bool
}

// Go goes to an address, such as "#/author".
type Go struct{ Hash string }

// After sends a message to the page when that many milliseconds have passed.
type After struct {
	Ms  int
	Msg any
}

// Splice puts a text in the place of the characters From to To of a field. Places count UTF-16 units, as the browser
// does.
type Splice struct {
	ID       string
	From, To int
	Text     string
}

// SelectText selects a part of a field's text and scrolls to it.
type SelectText struct {
	ID       string
	From, To int
}

// Download hands the reader a file.
type Download struct{ Name, Text string }

// Picture draws an SVG element, which the page's style sheet styles, light on white, and hands it to the reader: as SVG,
// or as PNG at twice its size. How it went comes as a frame.Drawn.
type Picture struct {
	Name, SVG string
	PNG       bool
}

// Show opens the dialog with the id, in the place of one that is open.
type Show struct{ ID string }

// SetLink changes where a link leads, before the browser follows it.
type SetLink struct{ ID, Address string }

// Copy puts a text into the clipboard; how it went comes as a frame.Copied. Where the browser refuses, the text of the
// field with the id is selected, so that a key copies it.
type Copy struct{ ID, Text string }

// Fetch asks for a file of the site: it comes as a frame.File.
type Fetch struct{ Name string }

// Job gives the worker a request; what it answers comes as a frame.Answer. An earlier request is ended, unless Keep says
// that this one follows it. An empty request ends the worker.
type Job struct {
	Request string
	Keep    bool
}

// Reveal scrolls the element with the id into view, inside of its own box.
type Reveal struct{ ID string }

// Frame asks for the next frame of the browser: it comes as a frame.Tick, with the time since the frame before. First
// says that there was none before, so that the time counts from now.
type Frame struct{ First bool }

// Ask sends a request to the server that serves the page, to an address from the page's own on; without a method it
// reads. The answer comes as a frame.Asked of that name. A body is JSON.
type Ask struct{ Name, Method, Address, Body string }

// Follow hears a stream of Server-Sent Events of the server that serves the page, in the place of the one before: what
// it tells comes as frame.Told, how it stands as frame.Stream. Without an address nothing is heard any more, nor once
// another page is shown.
type Follow struct{ Address string }
