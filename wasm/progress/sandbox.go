package progress

import "encoding/json"

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
