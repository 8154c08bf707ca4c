package shell

import (
	"errors"
	"syscall/js"
	"time"

	"retrylab.example/wasm/batch"
)

// python starts workers that run the Python of learners, each of the same compiled engine. It is for the program as a
// worker, which starts them from the folder that it lies in itself.
type python struct {
	module  js.Value
	harness string
}

// startLimit is how long the engine may take to start, on a busy machine.
const startLimit = 30 * time.Second

var (
	errNoPython = errors.New("the Python engine does not start")
	errEnded    = errors.New("the Python engine has ended")
)

// start starts a worker. What it is made of is fetched the first time.
func (y *python) start() (batch.Engine, error) {
	if err := y.fetch(); err != nil {
		return nil, err
	}
	t := &thread{lines: make(chan []byte, room)}
	t.worker = window.Get("Worker").New("python/worker.js", map[string]any{"type": "module"})
	t.hear = js.FuncOf(t.answered)
	t.worker.Set("onmessage", t.hear)
	t.worker.Set("onerror", t.hear)
	t.worker.Call("postMessage", map[string]any{"glue": "./micropython.js", "harness": y.harness, "module": y.module})
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	select {
	case line, ok := <-t.lines:
		if ok && string(line) == "ready" {
			return t, nil
		}
	case <-limit.C:
	}
	t.End()
	return nil, errNoPython
}

func (y *python) fetch() (err error) {
	if y.module.Truthy() {
		return nil
	}
	if y.harness, err = fetchFrom("python", "harness.py"); err != nil {
		return err
	}
	engine, err := fetchFrom("python", "micropython.wasm")
	if err != nil {
		return err
	}
	bytes := window.Get("Uint8Array").New(len(engine))
	js.CopyBytesToJS(bytes, []byte(engine))
	y.module, err = await(window.Get("WebAssembly").Call("compile", bytes))
	return err
}

// thread is a worker that runs.
type thread struct {
	worker js.Value
	lines  chan []byte
	hear   js.Func
	ended  bool
}

// room is for more lines than a batch has cases: whoever hears them must not wait.
const room = 1024

// answered hears a line of the worker, or that it has broken.
func (t *thread) answered(_ js.Value, args []js.Value) any {
	if t.ended {
		return nil
	}
	if args[0].Get("type").String() != "message" {
		args[0].Call("preventDefault") // it is told in the verdict, not on the console
		t.ended = true
		close(t.lines)
		return nil
	}
	select {
	case t.lines <- []byte(args[0].Get("data").String()):
	default: // nobody reads: it is none of our scripts any more
		t.ended = true
		close(t.lines)
	}
	return nil
}

// Send posts a batch.
func (t *thread) Send(request []byte) error {
	if t.ended {
		return errEnded
	}
	t.worker.Call("postMessage", string(request))
	return nil
}

// Lines are what it answers.
func (t *thread) Lines() <-chan []byte { return t.lines }

// End terminates it.
func (t *thread) End() {
	t.ended = true
	t.worker.Set("onmessage", js.Null())
	t.worker.Set("onerror", js.Null())
	t.worker.Call("terminate")
	t.hear.Release()
}
