package shell

import (
	"math"
	"syscall/js"

	"retrylab.example/wasm/page/lab"
)

// hands are the pointers that hold the timeline: one drags the axis, two pinch it. What they do is sent once a frame.
type hands struct {
	held  []pointer
	zoom  float64 // how long the part is to become, not sent yet; 1 is as long as it is
	drag  float64 // px
	x, y  float64 // what is zoomed about
	moved bool    // a click that follows is none
	due   bool    // a frame was asked for
}

type pointer struct {
	id   int
	x, y float64
}

// slack is how far a pointer may move and still click, in px.
const slack = 5

// hold begins to hear wheels and pointers of the timeline, where the page has a new one. A listener of the window could
// not keep the browser from zooming the page.
func (p *program) hold(box js.Value) {
	if box.Get("retrylabHeld").Truthy() {
		return
	}
	box.Set("retrylabHeld", true)
	hear := func(event string, f func(e js.Value)) {
		box.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
			if p.lab() != nil {
				f(args[0])
			}
			return nil
		}), map[string]any{"passive": false})
	}
	hear("wheel", p.wheel)
	hear("pointerdown", p.press)
	hear("pointermove", p.drag)
	hear("pointerup", p.release)
	hear("pointercancel", p.release)
}

// wheel zooms with Ctrl, which a pinch on a touchpad sends too, and moves what is zoomed sideways.
func (p *program) wheel(e js.Value) {
	h := &p.hands
	dx, dy := e.Get("deltaX").Float(), e.Get("deltaY").Float()
	if e.Get("deltaMode").Int() > 0 { // lines
		dx, dy = dx*16, dy*16
	}
	switch {
	case e.Get("ctrlKey").Bool():
		h.x, h.y = p.placeOf(e)
		h.zoom *= math.Exp2(min(max(dy, -240), 240) / 240)
	case math.Abs(dx) > math.Abs(dy) && p.lab().Zoomed() && !p.lab().Down():
		h.drag += dx
	default:
		return
	}
	e.Call("preventDefault")
	p.handsMoved()
}

// placeOf returns where in the drawing a pointer is.
func (p *program) placeOf(e js.Value) (x, y float64) {
	r := byID("timeline").Underlying().Call("querySelector", "svg.tl").Call("getBoundingClientRect")
	return e.Get("clientX").Float() - r.Get("left").Float(), e.Get("clientY").Float() - r.Get("top").Float()
}

func (p *program) press(e js.Value) {
	h := &p.hands
	if len(h.held) == 0 {
		h.moved = false
	}
	if len(h.held) < 2 && e.Get("button").Int() == 0 {
		x, y := p.placeOf(e)
		h.held = append(h.held, pointer{e.Get("pointerId").Int(), x, y})
	}
}

// drag moves the axis with one pointer, unless that scrolls the page, and zooms it with two.
func (p *program) drag(e js.Value) {
	h := &p.hands
	id, i := e.Get("pointerId").Int(), -1
	for k := range h.held {
		if h.held[k].id == id {
			i = k
		}
	}
	if i < 0 {
		return
	}
	if e.Get("buttons").Int() == 0 { // it was released outside
		p.release(e)
		return
	}
	was := h.held[i]
	x, y := p.placeOf(e)
	down, along := p.lab().Down(), was.x-x
	if down {
		along = was.y - y
	}
	if len(h.held) == 1 {
		if !p.lab().Zoomed() || down && e.Get("pointerType").String() == "touch" || !h.moved && math.Abs(along) < slack {
			return
		}
		if !h.moved {
			h.moved = true
			e.Get("currentTarget").Call("setPointerCapture", id)
		}
		h.drag += along
	} else {
		other := h.held[1-i]
		before, after := math.Hypot(was.x-other.x, was.y-other.y), math.Hypot(x-other.x, y-other.y)
		h.x, h.y, h.moved = (x+other.x)/2, (y+other.y)/2, true
		h.zoom *= max(before, 1) / max(after, 1)
		h.drag += along / 2
	}
	h.held[i] = pointer{id, x, y}
	p.handsMoved()
}

func (p *program) release(e js.Value) {
	h := &p.hands
	id := e.Get("pointerId").Int()
	for k := range h.held {
		if h.held[k].id == id {
			h.held = append(h.held[:k], h.held[k+1:]...)
			break
		}
	}
	if h.moved && len(h.held) == 0 {
		p.update(lab.KeepPart{})
	}
}

// handsMoved sends what the hands have done, in the next frame.
func (p *program) handsMoved() {
	h := &p.hands
	if h.due {
		return
	}
	h.due = true
	var frame js.Func
	frame = js.FuncOf(func(js.Value, []js.Value) any {
		frame.Release()
		h.due = false
		percent := int(math.Round(100 * h.zoom))
		drag := h.drag
		h.drag = 0
		h.zoom *= 100 / float64(max(percent, 1)) // a little is not lost
		p.change(func() {
			if p.lab() == nil {
				return
			}
			if drag != 0 {
				p.update(lab.Drag{Px: drag})
			}
			if percent != 100 {
				p.update(lab.ZoomAt{X: h.x, Y: h.y, Percent: percent})
			}
		})
		return nil
	})
	window.Call("requestAnimationFrame", frame)
}
