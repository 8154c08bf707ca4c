package shell

import (
	"syscall/js"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/watch"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// prepareWatch makes the page of live labs. That the server has labs it says in the page that it serves.
func (p *program) prepareWatch(s frame.Settings, rest []string) page {
	k := watch.Kept{Labs: root().GetAttribute("data-labs")}
	if b, ok := progress.ReadBench(load(progress.SandboxKey)); ok {
		k.Sandbox = b.Text
	}
	if len(rest) > 0 {
		k.Lab = rest[0]
	}
	return watch.New(s, watch.Size(firstSize()), k)
}

// ask sends a request, and gives the page what comes back. Answers to a page that was left are for nobody.
func (p *program) ask(e effect.Ask) {
	asked := p.page
	options := map[string]any{"credentials": "same-origin", "cache": "no-store"}
	if e.Method != "" {
		options["method"] = e.Method
	}
	if e.Body != "" {
		options["body"], options["headers"] = e.Body, map[string]any{"Content-Type": "application/json"}
	}
	go func() {
		answer := frame.Asked{Name: e.Name}
		if response, err := await(window.Call("fetch", e.Address, options)); err == nil {
			if body, err := await(response.Call("text")); err == nil {
				answer.Status, answer.Text = response.Get("status").Int(), body.String()
			}
		}
		p.change(func() {
			if p.page == asked {
				p.update(answer)
			}
		})
	}()
}

const (
	// pause is how many ms what a stream tells is gathered, so that many events are drawn once.
	pause = 120
	// mostLines bounds what is gathered while the page is busy: of more, the earliest go.
	mostLines = 2 * watch.MaxEvents
)

// stream hears Server-Sent Events for the page that asked for them.
type stream struct {
	source js.Value
	heard  []js.Func
	lines  []string
	gap    bool
	due    bool
}

// follow hears the stream of an address from now on, none if it is empty.
func (s *stream) follow(p *program, address string) {
	if s.source.Truthy() {
		s.source.Call("close")
		for _, f := range s.heard {
			f.Release()
		}
	}
	*s = stream{due: s.due}
	if address == "" {
		return
	}
	page := p.page
	tell := func(msg func() any) {
		p.change(func() {
			if m := msg(); p.page == page && m != nil {
				p.update(m)
			}
		})
	}
	s.source = window.Get("EventSource").New(address)
	source := s.source
	hear := func(name string, f func(e js.Value)) {
		fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
			if s.source.Equal(source) {
				f(args[0])
			}
			return nil
		})
		s.heard = append(s.heard, fn)
		source.Call("addEventListener", name, fn)
	}
	hear("open", func(js.Value) { tell(func() any { return frame.Stream{State: frame.StreamOpen} }) })
	hear("error", func(js.Value) {
		state := frame.StreamLost
		if source.Get("readyState").Int() == 2 {
			state = frame.StreamClosed
		}
		tell(func() any { return frame.Stream{State: state} })
	})
	hear("gap", func(js.Value) { s.gap = true })
	hear("message", func(e js.Value) {
		s.lines = append(s.lines, e.Get("data").String())
		if len(s.lines) > mostLines {
			s.lines, s.gap = append([]string(nil), s.lines[watch.MaxEvents:]...), true
		}
		if s.due {
			return
		}
		s.due = true
		var flush js.Func
		flush = js.FuncOf(func(js.Value, []js.Value) any {
			flush.Release()
			s.due = false
			tell(s.told)
			return nil
		})
		window.Call("setTimeout", flush, pause)
	})
}

// told takes what was gathered.
func (s *stream) told() any {
	if len(s.lines) == 0 {
		return nil
	}
	t := frame.Told{Lines: s.lines, Gap: s.gap}
	s.lines, s.gap = nil, false
	return t
}
