package shell

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"retrylab.example/wasm/job"
	"retrylab.example/wasm/view/frame"
)

// serveJobs is the program as a worker: it answers requests until the page ends it.
func serveJobs() {
	post := func(message []byte) { window.Call("postMessage", string(message)) }
	window.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		job.Serve([]byte(args[0].Get("data").String()), post)
		return nil
	}))
	post(job.Answer{Ready: true}.Write()) // the page sends work only after this
	select {}
}

// worker is the page's side of the one worker. The zero value is none.
type worker struct {
	thread  js.Value
	hear    js.Func
	running bool
}

// do gives the worker a request, after it has started; an empty one ends it, and with it what it was doing.
func (w *worker) do(p *program, request string) {
	w.end()
	if request == "" {
		return
	}
	w.thread = window.Get("Worker").New(root().GetAttribute("data-build") + "/worker.js")
	w.running = true
	w.hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		message := job.Answer{Refused: "the worker does not start"}.Write()
		if args[0].Get("type").String() == "message" {
			message = []byte(args[0].Get("data").String())
		}
		a, err := job.Read(message)
		switch {
		case err != nil: // of another build
		case a.Ready:
			w.thread.Call("postMessage", request)
		default:
			p.ctx.Dispatch(func(app.Context) {
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
		w.thread.Call("terminate")
		w.hear.Release()
		w.running = false
	}
}
