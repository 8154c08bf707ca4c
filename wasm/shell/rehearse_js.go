package shell

import (
	"syscall/js"

	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/view"
)

// rehearsals is how many steps are drawn unseen: enough that the browser has compiled all that a step calls.
const rehearsals = 16

// rehearse plays the first step that is shown once more on a page that nobody sees, while the browser has nothing else to
// do. A browser compiles a function of the program only when it is first called; else the reader's own first steps would
// wait for that.
func (p *program) rehearse() {
	m, ok := p.page.(*lab.Model)
	if !ok || p.rehearsed || !window.Get("requestIdleCallback").Truthy() {
		return
	}
	p.rehearsed = true
	unseen := m.Rehearsal()
	if unseen == nil {
		return
	}
	turns := []any{lab.Next{}, lab.Next{}, lab.NextDecision{}, lab.Back{}}
	tree, done := view.El("div"), 0
	var turn js.Func
	turn = js.FuncOf(func(js.Value, []js.Value) any {
		unseen.Update(turns[done%len(turns)])
		var changes view.Changes
		next := unseen.View()
		view.Patch(&changes, tree, next)
		_ = changes.String()
		if tree, done = next, done+1; done == rehearsals || p.page != m {
			turn.Release()
			return nil
		}
		window.Call("requestIdleCallback", turn)
		return nil
	})
	window.Call("requestIdleCallback", turn)
}
