package shell

import (
	"fmt"
	"slices"
	"strings"
	"syscall/js"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view/frame"
)

func currentHash() string { return window.Get("location").Get("hash").String() }

// guarded does something that the browser may refuse with an exception.
func guarded(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			thrown, ok := r.(js.Error)
			if !ok {
				panic(r)
			}
			err = thrown
		}
	}()
	f()
	return nil
}

// storage returns the browser's storage. Reading the property may throw, so it is read by a call: only those are caught.
func storage() js.Value {
	return js.Global().Get("Reflect").Call("get", js.Global(), "localStorage")
}

// load returns a kept text, empty if there is none or the browser keeps nothing.
func load(key string) (value string) {
	if v, ok := unkept[key]; ok {
		return v
	}
	_ = guarded(func() { // a browser that forbids storage: the page works, and begins anew each time
		if v := storage().Call("getItem", key); v.Type() == js.TypeString {
			value = v.String()
		}
	})
	return value
}

// save keeps a text; an empty one removes the key. The error is the browser's: storage that is forbidden or full.
func save(key, value string) error {
	delete(unkept, key)
	err := guarded(func() {
		if value == "" {
			storage().Call("removeItem", key)
			return
		}
		storage().Call("setItem", key, value)
	})
	if err != nil {
		unkept[key] = value
	}
	return err
}

// unkept is what the browser would not keep: it lasts as long as the page.
var unkept = map[string]string{}

// forget removes everything that is kept under keys that begin so.
func forget(prefix string) {
	for _, key := range keptKeys(prefix) {
		_ = save(key, "")
		delete(unkept, key)
	}
}

// keptKeys returns the keys that begin so, of what the browser keeps and of what it would not.
func keptKeys(prefix string) (keys []string) {
	for key := range unkept {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	_ = guarded(func() {
		s := storage()
		for i := range s.Get("length").Int() {
			if key := s.Call("key", i); key.Type() == js.TypeString && strings.HasPrefix(key.String(), prefix) && !slices.Contains(keys, key.String()) {
				keys = append(keys, key.String())
			}
		}
	})
	return keys
}

// isFull reports whether the browser refused to keep something for want of room. Only the name of its error says so.
func isFull(err error) bool {
	thrown, ok := err.(js.Error)
	return ok && strings.Contains(strings.ToLower(thrown.Get("name").String()), "quota")
}

// reload loads the page anew, past what a service worker may have kept of a broken build.
func reload() { window.Call("retrylabLoadAnew") }

// oneOf returns a stored word if it is one of those that there are, else the system's choice.
func oneOf(stored string, known ...string) string {
	if slices.Contains(known, stored) {
		return stored
	}
	return ""
}

func loadSettings() frame.Settings {
	s := frame.Settings{
		Lang: text.English, Theme: oneOf(load("retrylab.theme"), "light", "dark"),
		Contrast: oneOf(load("retrylab.contrast"), "more", "normal"),
	}
	if l, ok := text.Parse(root().Lang()); ok { // boot.js has chosen it
		s.Lang = l
	}
	place := window.Get("location")
	path := place.Get("pathname").String()
	s.Address = place.Get("origin").String() + path[:strings.LastIndexByte(path, '/')+1]
	s.Embed = root().HasAttribute("data-embed")
	s.KeysEverywhere = load("retrylab.keys") == "page"
	parts := strings.Fields(root().GetAttribute("data-code"))
	s.Python, s.Editor = slices.Contains(parts, "python"), slices.Contains(parts, "editor")
	s.PlainEditor = load(plainKey) != ""
	if !s.Embed && load(tourKey) != tourOver && save(tourKey, "begun") == nil {
		s.Tour = 1 // where nothing is kept it would begin at every visit
	}
	return s
}

// fetchError is a file that could not be fetched. gone says that the server does not have it: it serves another build.
type fetchError struct {
	name, why string
	gone      bool
}

// Error says which and why.
func (e fetchError) Error() string { return e.name + ": " + e.why }

// build is the folder of this build's files.
func build() string { return root().GetAttribute("data-build") }

// fetchText fetches a file of this build. It waits, so it must not be called on the engine's goroutine.
func fetchText(name string) (string, error) { return fetchFrom(build(), name) }

// fetchFrom fetches a file from a folder of the server. It waits too.
func fetchFrom(folder, name string) (string, error) {
	response, err := await(request(folder + "/" + name))
	if err != nil {
		return "", fetchError{name: name, why: err.Error()}
	}
	if !response.Get("ok").Bool() {
		return "", fetchError{name: name, why: fmt.Sprintf("HTTP %d", response.Get("status").Int()), gone: response.Get("status").Int() == 404}
	}
	body, err := await(response.Call("arrayBuffer")) // text would hide bytes that are no UTF-8
	if err != nil {
		return "", fetchError{name: name, why: err.Error()}
	}
	bytes := window.Get("Uint8Array").New(body)
	data := make([]byte, bytes.Length())
	js.CopyBytesToGo(data, bytes)
	return string(data), nil
}

// request begins to fetch a file, unless boot.js has done so while the program was loading.
func request(name string) js.Value {
	early := window.Get("retrylabEarly")
	if early.Truthy() && early.Get(name).Truthy() {
		begun := early.Get(name)
		early.Delete(name) // a response is read once
		return begun
	}
	return window.Call("fetch", name, map[string]any{"credentials": "same-origin"})
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	done := make(chan result, 1)
	ok := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{value: args[0]}
		return nil
	})
	bad := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{err: fmt.Errorf("%s", args[0].Call("toString").String())}
		return nil
	})
	defer ok.Release()
	defer bad.Release()
	promise.Call("then", ok, bad)
	r := <-done
	return r.value, r.err
}

func setTitle(title string, l text.Lang) {
	document.Set("title", title)
	root().SetLang(string(l))
}

func focus(id string) {
	if e := byID(id); e != nil {
		e.Focus()
	}
}

// focusHeading puts the focus on what a new page is about, so that the next Tab goes on from there, and shows its top.
func focusHeading() {
	window.Call("scrollTo", 0, 0)
	for _, id := range []string{"lesson-h", "main"} {
		if e := byID(id); e != nil {
			e.Underlying().Call("focus", map[string]any{"preventScroll": true})
			break
		}
	}
	if column := byID("lesson"); column != nil {
		column.Underlying().Set("scrollTop", 0)
	}
}

func setValue(id, value string) {
	if e := inputByID(id); e != nil && e.Value() != value { // setting it lays out, even to the same
		e.SetValue(value)
	}
}

// reveal scrolls an element into view inside of its own box. The page itself moves on a phone only, where it has the
// timeline and the events between the totals and the receipt.
func reveal(id string) {
	e := byID(id)
	if e == nil {
		return
	}
	if narrow() {
		r := e.GetBoundingClientRect()
		revealByPhone(r.Top(), r.Bottom())
		return
	}
	box := e.Underlying().Call("closest", ".events__box, .lesson")
	if box.IsNull() {
		return
	}
	row, frame := e.GetBoundingClientRect(), box.Call("getBoundingClientRect")
	const margin = 28 // the head of the table sticks
	top, bottom := frame.Get("top").Float()+margin, frame.Get("bottom").Float()
	switch {
	case row.Top() < top:
		box.Set("scrollTop", box.Get("scrollTop").Float()-(top-row.Top()))
	case row.Bottom() > bottom:
		box.Set("scrollTop", box.Get("scrollTop").Float()+(row.Bottom()-bottom))
	}
}

func revealByPhone(from, to float64) {
	edge := func(selector, side string) float64 {
		part := document.Call("querySelector", selector)
		if part.IsNull() { // an embedded page has fewer parts
			return 0
		}
		return part.Call("getBoundingClientRect").Get(side).Float()
	}
	const room = 48 // a row or two around it
	top, bottom := max(edge(".totals", "bottom"), edge(".panes", "bottom"))+room, edge(".clock", "top")-room
	if edge(".why", "height") > 0 {
		bottom = min(bottom, edge(".why", "top")-room)
	}
	switch {
	case from == to: // in a part of the page that is not shown
	case from < top:
		window.Call("scrollBy", 0, from-top)
	case to > bottom:
		window.Call("scrollBy", 0, to-bottom)
	}
}

// announce speaks a sentence in the live region, which stands outside of the page.
func announce(s string) {
	e := byID("live")
	if e == nil {
		e = htmlElement(document.Call("createElement", "p"))
		e.SetID("live")
		e.SetAttribute("class", "vh")
		e.SetAttribute("role", "status")
		document.Get("body").Call("append", e.Underlying())
	}
	e.SetTextContent(s)
}

// dialog opens or closes a dialog. A modal one keeps the focus inside and closes on Escape.
func dialog(id string, open bool) {
	e := byID(id)
	if e == nil || e.Underlying().Get("open").Bool() == open {
		return
	}
	if open {
		e.Underlying().Call("showModal")
		return
	}
	e.Underlying().Call("close")
}
