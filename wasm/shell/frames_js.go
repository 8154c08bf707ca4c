package shell

import (
	"syscall/js"
	"time"

	"retrylab.example/wasm/view/frame"
)

// frames tells a page of the browser's frames, one for each time that it asks. The zero value is ready.
type frames struct {
	last float64 // when the last one came, in milliseconds since the page was loaded
}

// longestFrame is what a frame may count as: a tab that was out of sight gets none for as long as that takes.
const longestFrame = 100.0

// next sends the next frame to the page.
func (f *frames) next(p *program, first bool) {
	if first {
		f.last = window.Get("performance").Call("now").Float()
	}
	var hear js.Func
	hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		hear.Release()
		now := args[0].Float()
		passed := min(max(now-f.last, 0), longestFrame)
		f.last = now
		still := window.Call("matchMedia", "(prefers-reduced-motion: reduce)").Get("matches").Bool()
		p.update(frame.Tick{Passed: time.Duration(passed * float64(time.Millisecond)), Still: still})
		return nil
	})
	window.Call("requestAnimationFrame", hear)
}
