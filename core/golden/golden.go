// Package golden holds fixed runs whose digests are committed. The same digests must come out natively, under js/wasm
// in Node and in a browser: then a run that someone sees in the page is the run that a test saw.
package golden

import (
	"crypto/sha256"
	"encoding/hex"

	"retrylab.example/core/event"
	"retrylab.example/core/trace"
)

// Run is one fixed run.
type Run struct {
	// Name says what the run covers, in kebab-case.
	Name string
	play func() []event.Event
}

// Events plays the run and returns its events.
func (r Run) Events() []event.Event { return r.play() }

// Digest plays the run and returns the digest of its trace.
func (r Run) Digest() string { return trace.Digest(r.play()) }

// Runs returns all runs in the order of the committed digests.
func Runs() []Run {
	return []Run{
		{"lost-replies", lostReplies},
		{"retry-budget", retryBudget},
		{"jitter-draws", jitterDraws},
		{"sliding-log", slidingLog},
		{"every-fault", everyFault},
		{"timeouts", timeouts},
		{"people", people},
		{"fleet", fleet},
		{"limiters", limiters},
		{"breakers", breakers},
		{"bulkheads", bulkheads},
		{"policies", policies},
		{"wire", wire},
		{"leases", leases},
		{"reservations", reservations},
		{"busy-partner", busyPartner},
		{"guards", guards},
		{"changes", changes},
	}
}

// Table returns the names and digests of all runs, one line each, as they are committed.
func Table() string {
	table := ""
	for _, r := range Runs() {
		table += r.Name + " " + r.Digest() + "\n"
	}
	return table
}

// Digest returns the SHA-256 of the table, in hexadecimal: one value for all runs.
func Digest() string {
	sum := sha256.Sum256([]byte(Table()))
	return hex.EncodeToString(sum[:])
}
