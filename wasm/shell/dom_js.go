package shell

import (
	"runtime"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// The typed DOM, by its concrete types. The package's own look-ups, such as GetElementByID, try some seventy types for
// each element that they wrap: 0.2 ms a call, and a program that links all of them is 0.2 MB larger over the wire. Here
// it is known which type it is.

var (
	window   = js.Global()
	document = js.Global().Get("document")
)

// htmlElement gives an element the type of all HTML elements.
func htmlElement(v js.Value) *dom.BasicHTMLElement {
	return &dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}}
}

// root is the document's own element: language, theme and what tests wait for stand on it.
func root() *dom.BasicHTMLElement { return htmlElement(document.Get("documentElement")) }

// byID returns an element, nil if there is none.
func byID(id string) *dom.BasicHTMLElement {
	v := document.Call("getElementById", id)
	if v.IsNull() {
		return nil
	}
	return htmlElement(v)
}

// inputByID returns an input or a larger field, nil if there is none.
func inputByID(id string) *dom.HTMLInputElement {
	if e := byID(id); e != nil && (e.TagName() == "INPUT" || e.TagName() == "TEXTAREA") {
		return &dom.HTMLInputElement{BasicHTMLElement: e}
	}
	return nil
}

// on hears an event of the window for as long as the program runs.
func on(event string, listener func(*dom.BasicEvent)) {
	window.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		listener(&dom.BasicEvent{Value: args[0]})
		return nil
	}))
}

// makeRoom lets the stack grow while little is on it: a deep one would be copied again and again while the first page is
// drawn.
//
//go:noinline
func makeRoom() {
	var room [64 << 10]byte
	for i := 0; i < len(room); i += 4096 {
		room[i] = byte(i)
	}
	runtime.KeepAlive(&room)
}
