package progress

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The keys under which the browser keeps what is made in the sandbox.
const (
	// SandboxKey keeps what is open there, SandboxRun what was done in it.
	SandboxKey = "retrylab.sandbox"
	SandboxRun = "retrylab.sandbox.run"
	// SandboxNext hands over a run of another page; what was open before comes back by undo.
	SandboxNext = "retrylab.sandbox.next"
	// SavedPrefix begins the key of each saved scenario; its name follows.
	SavedPrefix = "retrylab.sandbox.saved."
)

// MaxSaved bounds how many scenarios are kept by name, MaxSandbox the bytes of one.
const (
	MaxSaved   = 50
	MaxSandbox = 1 << 20
	// MaxName is the most characters of a name.
	MaxName = 60
)

// Bench is a scenario of the sandbox with what was done in it.
type Bench struct {
	Name string `json:"name"`
	// Text is the scenario as it is written, Run what the lab page calls its history, empty for none.
	Text string `json:"text"`
	Run  string `json:"run,omitempty"`
}

// ReadBench reads a kept scenario; ok is false if there is none that can be read.
func ReadBench(stored string) (b Bench, ok bool) {
	if len(stored) > 4*MaxSandbox || json.Unmarshal([]byte(stored), &b) != nil || b.Text == "" {
		return Bench{}, false
	}
	return b, true
}

// Write returns the scenario as a text that ReadBench reads.
func (b Bench) Write() string {
	data, err := json.Marshal(b)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(data)
}

// Valid reports whether a scenario can be saved under its name.
func (b Bench) Valid() bool {
	return b.Name != "" && b.Name == strings.TrimSpace(b.Name) && utf8.ValidString(b.Name) && utf8.RuneCountInString(b.Name) <= MaxName &&
		b.Text != "" && len(b.Text) <= MaxSandbox
}

// Put puts a scenario among saved ones, in the order of their names, in the place of the one of its name.
func Put(saved []Bench, b Bench) []Bench {
	at, found := slices.BinarySearchFunc(saved, b, byName)
	if found {
		saved = slices.Clone(saved)
		saved[at] = b
		return saved
	}
	return slices.Insert(slices.Clone(saved), at, b)
}

// Drop takes the scenario of a name out.
func Drop(saved []Bench, name string) []Bench {
	return slices.DeleteFunc(slices.Clone(saved), func(b Bench) bool { return b.Name == name })
}

func byName(a, b Bench) int { return strings.Compare(a.Name, b.Name) }

// Free returns a name that none of the saved scenarios has: the same, or with a number behind it. One with the same text
// keeps the name.
func Free(saved []Bench, b Bench) string {
	for n, name := 2, b.Name; ; n++ {
		at, found := slices.BinarySearchFunc(saved, Bench{Name: name}, byName)
		if !found || saved[at].Text == b.Text {
			return name
		}
		end := " " + strconv.Itoa(n)
		begin := []rune(b.Name)
		name = strings.TrimSpace(string(begin[:min(len(begin), MaxName-len(end))])) + end
	}
}
