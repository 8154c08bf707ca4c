package shell

import (
	"syscall/js"

	"retrylab.example/wasm/batch"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/view/frame"
)

// serveJobs is the program as a worker: it answers requests, one after the other, until the page ends it.
func serveJobs() {
	post := func(message []byte) { window.Call("postMessage", string(message)) }
	requests := make(chan string, room)
	window.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		requests <- args[0].Get("data").String() // what waits for Python must not do so here, where its answers come in
		return nil
	}))
	post(job.Answer{Ready: true}.Write()) // the page sends work only after this
	engines := &python{}
	runner := &batch.Runner{Start: engines.start}
	for request := range requests {
		job.Serve([]byte(request), runner, post)
	}
}

// worker is the page's side of the one worker. The zero value is none.
type worker struct {
	thread  js.Value
	hear    js.Func
	running bool
	ready   bool
	waiting []string // requests, until it is ready
}

// do gives the worker a request, after it has started. Unless it is to be kept, the worker is ended first, and with it
// what it was doing.
func (w *worker) do(p *program, j effect.Job) {
	if !j.Keep || j.Request == "" {
		w.end()
	}
	switch {
	case j.Request == "":
	case w.ready:
		w.thread.Call("postMessage", j.Request)
	default:
		w.waiting = append(w.waiting, j.Request)
		w.start(p)
	}
}

func (w *worker) start(p *program) {
	if w.running {
		return
	}
	w.thread = window.Get("Worker").New(build() + "/worker.js")
	w.running = true
	w.hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		message := job.Answer{Refused: "the worker does not start"}.Write()
		broken := args[0].Get("type").String() != "message"
		if !broken {
			message = []byte(args[0].Get("data").String())
		}
		a, err := job.Read(message)
		switch {
		case err != nil: // of another build
		case a.Ready:
			w.ready = true
			for _, request := range w.waiting {
				w.thread.Call("postMessage", request)
			}
			w.waiting = nil
		default:
			p.change(func() {
				if broken {
					w.end()
				}
				p.update(frame.Answer{Message: string(message)})
			})
		}
		return nil
	})
	w.thread.Set("onmessage", w.hear)
	w.thread.Set("onerror", w.hear)
}

func (w *worker) end() {
	if w.running {
		w.thread.Set("onmessage", js.Null())
		w.thread.Set("onerror", js.Null())
		w.thread.Call("terminate")
		w.hear.Release()
	}
	*w = worker{}
}
