// Package batch waits for an engine that runs the Python of learners: natively a child process, in the browser a worker.
// A program may do anything but answer, so whatever it does ends here: after Limit the engine is ended with it, and the
// next batch begins with a fresh one.
package batch

import (
	"bytes"
	"time"
)

// Limit is how long one case may take, and the reading of its batch. All of a batch may take five times as long: on a
// busy machine a right program must not fail, and a wrong one must not go on for minutes.
const Limit = 2 * time.Second

// Engine is one engine that has started.
type Engine interface {
	// Send gives it a batch. An error says that it has ended.
	Send(request []byte) error
	// Lines are its answers, a line for each case. They are closed when it has ended by itself.
	Lines() <-chan []byte
	// End ends it, and whatever it is doing.
	End()
}

// Runner is a codelab.Runner on engines that are started when they are needed, and again after each program that had to
// be ended. It is for one goroutine.
type Runner struct {
	// Start starts an engine.
	Start func() (Engine, error)
	// Tried, if set, hears of each case that ended.
	Tried func()

	engine Engine
}

// Warm starts the engine, so that the first batch need not wait for it.
func (r *Runner) Warm() (err error) {
	if r.engine == nil {
		r.engine, err = r.Start()
	}
	return err
}

// Run gives a batch to the engine.
func (r *Runner) Run(request []byte, cases int) (lines [][]byte, stopped string, err error) {
	if err := r.Warm(); err != nil {
		return nil, "", err
	}
	if err := r.engine.Send(request); err != nil {
		r.Stop()
		return nil, "crash", nil
	}
	whole := time.NewTimer(5 * Limit)
	defer whole.Stop()
	one := time.NewTimer(Limit)
	defer one.Stop()
	for len(lines) < cases {
		select {
		case line, ok := <-r.engine.Lines():
			if !ok {
				r.Stop()
				return lines, "crash", nil
			}
			lines = append(lines, line)
			one.Reset(Limit)
			if r.Tried != nil {
				r.Tried()
			}
			if endsBatch(line) {
				r.Stop() // what went beyond a limit may have left anything behind
				return lines, "", nil
			}
		case <-one.C:
			r.Stop()
			return lines, "time", nil
		case <-whole.C:
			r.Stop()
			return lines, "time", nil
		}
	}
	return lines, "", nil
}

// endsBatch reports whether a line tells of a limit, after which the harness goes on with no further case. Quotes inside
// of its texts are escaped.
func endsBatch(line []byte) bool { return bytes.Contains(line, []byte(`"limit": "`)) }

// Stop ends the engine, if there is one.
func (r *Runner) Stop() {
	if r.engine != nil {
		r.engine.End()
		r.engine = nil
	}
}
