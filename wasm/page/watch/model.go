// Package watch is the page of a live lab: a partner that real clients ask over HTTP, drawn as a run is, as requests
// arrive. Without a lab the page makes one on the server that serves it, or leads to one elsewhere.
package watch

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view/frame"
)

// Hash is the address of the page; that of a lab follows after a slash.
const Hash = "#/watch"

// Kept is what the shell knows when the page is opened.
type Kept struct {
	// Labs is where the server takes labs, from the page's own address on; empty where it takes none.
	Labs string
	// Sandbox is the scenario that is open in the sandbox, empty if there is none.
	Sandbox string
	// Lab is the id of the lab, empty for none.
	Lab string
}

// Size is what the shell has measured: the width of the timeline's box in px, and whether the page is as narrow as a
// phone.
type Size struct {
	Stage  int
	Narrow bool
}

// MaxEvents is how many events the page keeps; the earliest go first.
const MaxEvents = 1000

// state is how the page stands with its lab.
type state string

const (
	connecting state = "connecting"
	live       state = "live"
	lost       state = "lost" // the stream broke, and is connected again
	gone       state = "gone" // there is no such lab, or no longer
)

// Model is everything that the page shows.
type Model struct {
	Settings frame.Settings
	Size     Size
	kept     Kept

	starters []starter
	fetching bool
	starter  string // that is chosen
	typed    string // as the address of a lab
	problem  string // what is wrong with what was sent or typed last
	detail   string // of it, as the server says it
	leads    string // to the page of a lab on another server
	asking   bool   // for a lab
	copied   string // what came of copying

	state     state
	following bool // the stream was asked for, and the browser keeps it up
	scenario  scenario.Scenario
	known     bool // the scenario is
	names     []string
	expires   string
	events    []event.Event
	seq       int  // of the last event
	cut       bool // earlier events than those are no longer kept, here or there
	odd       int  // lines that could not be read
	selected  int
	follow    bool // the latest choice is explained
	window    time.Duration
	client    int // that a phone shows
	shown     int // rows of the table
	snippet   int // that is shown
	totals    measure.Totals
	report    []clientReport
	due       bool // the numbers are asked for soon
	noted     text.Lang
}

// starter is a situation to begin with.
type starter struct {
	id           string
	title, about map[string]string // by language; looked up only
}

// clientReport is what the lab says of one client.
type clientReport struct {
	client   string
	counts   [3]int // requests, calls, retries
	findings []finding
}

// finding is the answer to one question about a client.
type finding struct {
	verdict, says string
	seqs          []int // of the events that show it
}

// rows is how many events the table shows at first, and how many more each time.
const rows = 40

// New returns the page.
func New(s frame.Settings, size Size, k Kept) *Model {
	return &Model{Settings: s, Size: size, kept: k, state: connecting, follow: true, window: time.Minute, shown: rows, noted: s.Lang}
}

// Title returns what the browser's tab shows.
func (m *Model) Title() string { return m.say("live.title") + " · Retry Lab" }

func (m *Model) lang() text.Lang                        { return m.Settings.Lang }
func (m *Model) say(name string, args ...string) string { return m.Settings.Lang.Say(name, args...) }

// address returns the address of the lab on the server.
func (m *Model) address() string { return m.kept.Labs + "/" + m.kept.Lab }

// base is the same for programs elsewhere.
func (m *Model) base() string { return m.Settings.Address + m.address() }

// allNames returns a name for every client that an event names.
func (m *Model) allNames() text.Names {
	names := m.names
	for i := range m.events {
		for r := &m.events[i].Request; r.Call > 0 && r.Client >= len(names); {
			names = append(names[:len(names):len(names)], m.say("live.client", "n", strconv.Itoa(len(names)+1)))
		}
	}
	return names
}

// now is the latest instant that is known of.
func (m *Model) now() clock.Instant {
	if n := len(m.events); n > 0 {
		return m.events[n-1].At
	}
	return clock.Start
}

// find returns the index of an event, −1 if it is not kept.
func (m *Model) find(seq int) int {
	for i := len(m.events) - 1; i >= 0 && seq > 0; i-- {
		if m.events[i].Seq == seq {
			return i
		}
	}
	return -1
}

// labOf returns the server and the id of a lab's address as people have it: the address of its page or of its API, or
// the id alone. The server is empty where none is named.
func labOf(typed string) (server, id string, ok bool) {
	s := strings.TrimSpace(typed)
	for _, scheme := range []string{"http://", "https://"} {
		if rest, has := strings.CutPrefix(s, scheme); has {
			host, path, _ := strings.Cut(rest, "/")
			server, s = scheme+host, path
		}
	}
	switch page, api := strings.LastIndex(s, "#/watch/"), strings.LastIndex(s, "v1/labs/"); {
	case page >= 0:
		server, s = withPath(server, s[:page]), s[page+len("#/watch/"):]
	case api >= 0:
		server, s = withPath(server, s[:api]), s[api+len("v1/labs/"):]
	case server != "":
		return "", "", false
	}
	id, _, _ = strings.Cut(s, "/")
	id, _, _ = strings.Cut(id, "?")
	return server, id, validID(id)
}

func withPath(server, path string) string {
	if server == "" {
		return ""
	}
	return server + "/" + strings.TrimPrefix(path, "/")
}

func validID(id string) bool {
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return len(id) >= 16 && len(id) <= 64
}
