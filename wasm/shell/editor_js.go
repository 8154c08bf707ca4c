package shell

import (
	"maps"
	"slices"
	"strings"
	"syscall/js"
	"unicode/utf16"

	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// plainKey is under which the browser keeps that Python is written in a plain field.
const plainKey = "retrylab.editor"

// quiet is for how many milliseconds nothing must be typed until the page is told.
const quiet = 250

// editors are the places on the page where Python is written. Each is a field as of any form until the script of the
// real editor has come, and stays one where it does not come. The zero value is none.
type editors struct {
	of     map[string]*editor // by the ids of the places
	asked  bool               // for the script
	create js.Value           // what it leaves: makes an editor
}

// editor is one place.
type editor struct {
	place js.Value  // what the page has drawn
	host  js.Value  // inside of it: the field, or what holds the real editor
	rich  js.Value  // the real editor, undefined where there is a field
	shown view.Edit // as it was brought here last; after that, somebody may have typed
	told  string    // the text that the page has
	timer js.Value  // of the next telling
	seen  bool      // in the tree that is painted now

	typed, still, run, key js.Func
}

// edit brings the editor in a place to what the page says.
func (p *program) edit(n view.Node) {
	id := n.ID()
	place := document.Call("getElementById", id)
	want := *n.Edit
	rich := !want.Plain && p.editors.script(p)
	e := p.editors.of[id]
	if e == nil {
		e = p.newEditor(want, rich)
		p.editors.of[id] = e
	} else if rich != e.rich.Truthy() {
		p.exchange(e, rich)
	}
	e.seen = true
	if !e.place.Equal(place) {
		e.place = place
		place.Call("replaceChildren", e.host)
	}
	e.bring(want)
}

// script reports whether the script of the real editor is there, and asks for it the first time.
func (s *editors) script(p *program) bool {
	if s.asked || !p.settings.Editor {
		return s.create.Truthy()
	}
	s.asked = true
	window.Call("retrylabKeepLate")
	script := document.Call("createElement", "script")
	script.Set("type", "module")
	script.Set("src", build()+"/editor.js")
	var come js.Func
	come = js.FuncOf(func(js.Value, []js.Value) any {
		come.Release()
		s.create = window.Get("retrylabEditor")
		p.change(func() {})
		return nil
	})
	script.Set("onload", come) // where it does not come the fields stay
	document.Get("head").Call("append", script)
	return false
}

func (p *program) newEditor(want view.Edit, rich bool) *editor {
	e := &editor{told: want.Text, shown: view.Edit{Key: want.Key, Text: want.Text}}
	hear := func(do func(event js.Value)) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			event := js.Undefined()
			if len(args) > 0 {
				event = args[0]
			}
			do(event)
			return nil
		})
	}
	e.still = hear(func(js.Value) { p.update(frame.Typed{}) })
	e.typed = hear(func(js.Value) {
		window.Call("clearTimeout", e.timer)
		e.timer = window.Call("setTimeout", e.still, quiet)
	})
	e.run = hear(func(js.Value) {
		if msg := e.shown.Run; msg != nil {
			p.update(msg)
		}
	})
	e.key = hear(func(event js.Value) {
		if event.Get("key").String() == "Enter" && (event.Get("ctrlKey").Bool() || event.Get("metaKey").Bool()) {
			event.Call("preventDefault")
			e.run.Invoke()
		}
	})
	if p.editors.of == nil {
		p.editors.of = map[string]*editor{}
	}
	p.make(e, want.Text, rich)
	return e
}

// make makes what stands in the place.
func (p *program) make(e *editor, text string, rich bool) {
	if rich {
		e.host = document.Call("createElement", "div")
		e.rich = p.editors.create.Invoke(e.host.Call("attachShadow", map[string]any{"mode": "open"}), text, e.typed, e.run)
		return
	}
	e.rich, e.host = js.Undefined(), document.Call("createElement", "textarea")
	for _, attr := range [...][2]string{{"class", "code__field"}, {"rows", "14"}, {"spellcheck", "false"}, {"autocapitalize", "off"}, {"autocomplete", "off"}} {
		e.host.Call("setAttribute", attr[0], attr[1])
	}
	e.host.Set("value", text)
	e.host.Call("addEventListener", "input", e.typed)
	e.host.Call("addEventListener", "keydown", e.key)
}

// exchange puts the other kind of editor in the place of one, with what was typed and the focus.
func (p *program) exchange(e *editor, rich bool) {
	focused, text, place := document.Get("activeElement").Equal(e.host), e.text(), e.place
	at := 0
	if focused && rich {
		at = e.host.Get("selectionStart").Int()
	}
	e.drop()
	p.make(e, text, rich)
	place.Call("replaceChildren", e.host)
	e.shown = view.Edit{Key: e.shown.Key, Text: e.shown.Text}
	if focused && rich {
		e.rich.Call("cursor", at)
	}
}

// drop ends what stands in the place.
func (e *editor) drop() {
	if e.rich.Truthy() {
		e.rich.Call("end")
	}
}

// bring shows what has changed since the last time.
func (e *editor) bring(want view.Edit) {
	was := e.shown
	e.shown = want
	if want.Key != was.Key || want.Text != was.Text && want.Text != e.told {
		e.told = want.Text
		e.set(want.Text, want.Key != was.Key)
	}
	if want.Label != was.Label || want.Hint != was.Hint || want.ReadOnly != was.ReadOnly {
		if e.rich.Truthy() {
			e.rich.Call("describe", want.Label, want.Hint, want.ReadOnly)
		} else {
			e.host.Call("setAttribute", "aria-label", want.Label)
			e.host.Call("setAttribute", "aria-description", want.Hint)
			e.host.Set("readOnly", want.ReadOnly)
		}
	}
	if e.rich.Truthy() && !slices.Equal(want.Lines, was.Lines) {
		lines := make([]any, len(want.Lines))
		for i, n := range want.Lines {
			lines[i] = n
		}
		e.rich.Call("mark", lines)
	}
}

func (e *editor) text() string {
	if e.rich.Truthy() {
		return e.rich.Call("text").String()
	}
	return e.host.Get("value").String()
}

func (e *editor) set(text string, anew bool) {
	if e.rich.Truthy() {
		e.rich.Call("set", text, anew)
		return
	}
	e.host.Set("value", text)
}

// tell tells the page what was typed since it was told last. Whatever it does next, it does with that.
func (p *program) tell() {
	for _, id := range slices.Sorted(maps.Keys(p.editors.of)) {
		e := p.editors.of[id]
		text := e.text()
		if text == e.told || e.shown.Changed == nil {
			continue
		}
		e.told = text
		p.do(p.page.Update(e.shown.Changed(text)))
	}
}

// focus moves the focus into the editor with the id, if there is one.
func (s *editors) focus(id string) bool {
	e := s.of[id]
	if e == nil {
		return false
	}
	if e.rich.Truthy() {
		e.rich.Call("focus")
	} else {
		e.host.Call("focus")
	}
	return true
}

// toLine puts the cursor of an editor into a line.
func (s *editors) toLine(to frame.ToLine) {
	e := s.of[to.ID]
	if e == nil {
		return
	}
	text := e.text()
	at := 0
	for range to.Line - 1 {
		line, _, more := strings.Cut(text[at:], "\n")
		if !more {
			break
		}
		at += len(line) + 1
	}
	places := len(utf16.Encode([]rune(text[:at]))) // as the browser counts
	if e.rich.Truthy() {
		e.rich.Call("cursor", places)
		return
	}
	e.host.Call("focus")
	e.host.Call("setSelectionRange", places, places)
}

// sweep ends the editors whose places are not on the page any more.
func (s *editors) sweep() {
	for id, e := range s.of {
		if e.seen {
			e.seen = false
			continue
		}
		window.Call("clearTimeout", e.timer)
		e.drop()
		for _, f := range [...]js.Func{e.typed, e.still, e.run, e.key} {
			f.Release()
		}
		delete(s.of, id)
	}
}
