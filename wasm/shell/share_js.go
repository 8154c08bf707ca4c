package shell

import (
	"errors"
	"path"
	"slices"
	"strings"
	"syscall/js"

	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/view/frame"
)

// prepareLink makes the page of what a link holds, or says what is wrong with the link. The link's language holds for
// as long as the page is open.
func (p *program) prepareLink(s frame.Settings, hash string) page {
	whole, query, _ := strings.Cut(hash, "?")
	_ = guarded(func() { whole = window.Call("decodeURIComponent", whole).String() }) // mail writes blanks as %20
	sealed, err := link.Read(whole)
	if err != nil {
		return badLink(s, err, "")
	}
	if l, known := text.Parse(sealed.Lang); known && sealed.Lang != "" && query == "" {
		s.Lang = l
	}
	if sealed.Lesson == "" {
		opened, err := sealed.Open(lesson.Step{})
		if err != nil {
			return badLink(s, err, "")
		}
		return lab.NewScenario(s, p.size, &opened)
	}
	return p.prepareShared(s, sealed)
}

// prepareShared makes the page of a link into a lesson of the course.
func (p *program) prepareShared(s frame.Settings, sealed *link.Sealed) page {
	i := p.catalog.Find(sealed.Lesson)
	if i < 0 {
		return badLink(s, &link.Error{Problem: link.NoLesson, Lesson: sealed.Lesson}, "")
	}
	l, err := p.lesson(&p.catalog.Lessons[i])
	if err != nil {
		return newFault(s, err)
	}
	for step := range l.Steps {
		st := &l.Steps[step]
		if st.ID == sealed.Step && st.Kind == lesson.Code && sealed.Code != "" {
			place := p.place(i)
			place.Kept = p.kept(p.book, l)
			return lab.NewSharedCode(s, p.size, place, l, step, p.book, load(p.book.HistoryKey(l.ID, st.ID)), sealed.Code)
		}
		if st.ID != sealed.Step || !st.Plays() {
			continue
		}
		opened, err := sealed.Open(*st)
		if err != nil {
			return badLink(s, err, l.ID)
		}
		return lab.NewShared(s, p.size, p.place(i), l, step, p.book, load(p.book.HistoryKey(l.ID, st.ID)), &opened)
	}
	return badLink(s, &link.Error{Problem: link.NoStep, Lesson: sealed.Lesson, Step: sealed.Step}, l.ID)
}

func badLink(s frame.Settings, err error, lesson string) page {
	var e *link.Error
	if !errors.As(err, &e) {
		return newFault(s, err)
	}
	return newBadLink(s, e, lesson)
}

// show opens a dialog in the place of one that is open: closing gives the focus back to what had it first.
func show(id string) {
	open := document.Call("querySelectorAll", "dialog[open]")
	for i := range open.Length() {
		open.Index(i).Call("close")
	}
	dialog(id, true)
}

// copyText puts a text into the clipboard. A page that is not served over TLS has none, and the browser may refuse.
func (p *program) copyText(e effect.Copy) {
	go func() { // the browser may ask, and the engine must not wait
		done := false
		_ = guarded(func() {
			_, err := await(window.Get("navigator").Get("clipboard").Call("writeText", e.Text))
			done = err == nil
		})
		if field := byID(e.ID); !done && field != nil {
			field.Focus()
			field.Underlying().Call("select")
		}
		p.update(frame.Copied{OK: done})
	}()
}

// mediaTypes are of the files that are handed out, by the ends of their names.
var mediaTypes = map[string]string{
	".json": "application/json", ".csv": "text/csv;charset=utf-8", ".md": "text/markdown;charset=utf-8",
	".go": "text/plain;charset=utf-8", ".svg": "image/svg+xml",
}

// download hands a text to the reader as a file.
func download(name, text string) {
	hand(name, window.Get("Blob").New([]any{text}, map[string]any{"type": mediaTypes[path.Ext(name)]}))
}

// hand gives the reader a file.
func hand(name string, blob js.Value) {
	url := window.Get("URL").Call("createObjectURL", blob)
	a := document.Call("createElement", "a")
	a.Set("href", url)
	a.Set("download", name)
	a.Call("click")
	window.Get("URL").Call("revokeObjectURL", url)
}

// picture makes a picture of an SVG element: it stands on the page for as long as the style sheet's values are read.
func (p *program) picture(e effect.Picture) {
	holder := document.Call("createElement", "div")
	holder.Set("className", "paperbox")
	holder.Set("innerHTML", e.SVG)
	document.Get("body").Call("append", holder)
	svg := holder.Get("firstElementChild")
	inline(svg, nil)
	styled := holder.Call("querySelectorAll", "[class]")
	for i := range styled.Length() {
		styled.Index(i).Call("removeAttribute", "class") // only now: of a mark's parts the sheet speaks by the mark's class
	}
	holder.Call("remove")
	svg.Call("setAttribute", "xmlns", "http://www.w3.org/2000/svg")
	source := window.Get("XMLSerializer").New().Call("serializeToString", svg).String()
	if !e.PNG {
		download(e.Name, source)
		p.update(frame.Drawn{Name: e.Name, OK: true})
		return
	}
	go func() { // decoding waits, and the engine must not
		blob := paint(source, svg)
		if blob.Truthy() {
			hand(e.Name, blob)
		}
		p.update(frame.Drawn{Name: e.Name, OK: blob.Truthy()})
	}()
}

// paint draws an SVG at twice its size and returns it as PNG, null if the browser cannot.
func paint(source string, svg js.Value) (blob js.Value) {
	const scale = 2
	blob = js.Null()
	_ = guarded(func() {
		image := window.Get("Image").New()
		image.Set("src", "data:image/svg+xml;charset=utf-8,"+window.Call("encodeURIComponent", source).String())
		if _, err := await(image.Call("decode")); err != nil {
			return
		}
		width, height := number(svg, "width")*scale, number(svg, "height")*scale
		canvas := document.Call("createElement", "canvas")
		canvas.Set("width", width)
		canvas.Set("height", height)
		canvas.Call("getContext", "2d").Call("drawImage", image, 0, 0, width, height)
		done := make(chan js.Value, 1)
		take := js.FuncOf(func(_ js.Value, args []js.Value) any {
			done <- args[0]
			return nil
		})
		defer take.Release()
		canvas.Call("toBlob", take, "image/png")
		blob = <-done
	})
	return blob
}

func number(e js.Value, attribute string) float64 {
	return window.Call("parseFloat", e.Call("getAttribute", attribute)).Float()
}

// inherited are the properties that a drawing uses and that an element has from the one around it; single are those
// that it does not, with the value that needs no saying.
var (
	inherited = []string{
		"fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
		"stroke-opacity", "paint-order", "font-family", "font-size", "font-weight", "font-style", "letter-spacing",
		"text-anchor", "visibility", "shape-rendering",
	}
	single = [][2]string{{"opacity", "1"}, {"display", "inline"}, {"vector-effect", "none"}, {"transform", "none"}}
)

// inline writes what the style sheet says of an element, and of all inside of it, into attributes: the page's policy
// allows those, and another program reads them. What an element has from around it is not said, for a mark takes its
// colours from where it is used.
func inline(e js.Value, around []string) {
	style := window.Call("getComputedStyle", e)
	values := make([]string, len(inherited))
	for i, name := range inherited {
		values[i] = style.Call("getPropertyValue", name).String()
		if around == nil || values[i] != around[i] {
			e.Call("setAttribute", name, values[i])
		}
	}
	for _, s := range single {
		tag := e.Get("tagName").String()
		if slices.Contains([]string{"svg", "defs", "pattern"}, tag) || s[0] == "transform" && e.Call("hasAttribute", s[0]).Bool() {
			continue
		}
		if v := style.Call("getPropertyValue", s[0]).String(); v != s[1] && v != "" {
			e.Call("setAttribute", s[0], v)
		}
	}
	kids := e.Get("children")
	for i := range kids.Length() {
		inline(kids.Index(i), values)
	}
}
