package shell

import (
	"strings"
	"syscall/js"
	"unicode"

	"honnef.co/go/js/dom/v2"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/author"
	"retrylab.example/wasm/page/course"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/page/sandbox"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// visited is a page that does something when it is shown.
type visited interface{ Visit() []effect.Effect }

// openedFile is the lesson from a file that was read last.
type openedFile struct {
	text   string
	lesson *lesson.Lesson
}

// prepareFile makes the page of a step of the lesson that was opened from a file. It is not trusted: it is read anew,
// and nothing of it is shown but what its reader let through.
func (p *program) prepareFile(s frame.Settings, rest []string) page {
	f, ok := progress.ReadFile(load(progress.OpenedKey))
	if !ok {
		return newMessage(s, "file.none", "")
	}
	if p.file.lesson == nil || p.file.text != f.Text {
		l, err := lesson.Read(f.Name, []byte(f.Text))
		if err != nil {
			return newFault(s, err)
		}
		p.file = openedFile{f.Text, &l}
	}
	step := stepOf(p.fileBook, p.file.lesson, rest)
	if step < 0 {
		return newMessage(s, "shell.no-lesson", "")
	}
	p.fileBook.OfFile = true
	return p.bench(s, lab.Place{Base: "#/file/", Mark: "file.mark"}, p.file.lesson, step, p.fileBook)
}

// prepareAuthor makes the author's page, with the lab page as its preview.
func (p *program) prepareAuthor(s frame.Settings) page {
	draft, _ := progress.ReadFile(load(progress.DraftKey))
	return author.New(s, p.catalog, draft, func(c author.Preview) author.Bench {
		return lab.New(c.Settings, p.size, lab.Place{Base: author.Base, Mark: "author.preview-mark", Part: true},
			c.Lesson, c.Step, &progress.Book{}, c.History)
	})
}

// lab returns the lab page that is shown, also where it is a part of the author's page; nil if none is.
func (p *program) lab() *lab.Model {
	switch m := p.page.(type) {
	case *lab.Model:
		return m
	case *author.Model:
		l, _ := m.Bench().(*lab.Model)
		return l
	case *sandbox.Model:
		return m.Bench().(freeBench).Model
	}
	return nil
}

// stays does an address that belongs to the page that is shown: a step in the author's preview.
func (p *program) stays(hash string) bool {
	m, ok := p.page.(*author.Model)
	if !ok || !strings.HasPrefix(hash, author.Base) {
		return false
	}
	p.hash = hash
	p.do(m.Update(author.ShowStep{ID: strings.TrimPrefix(hash, author.Base)}))
	p.later(func() {
		p.measure()
		root().SetAttribute("data-page", hash)
	})
	return true
}

// leave keeps what the page that is shown has not kept yet.
func (p *program) leave() {
	p.stream.follow(p, "")
	if m, ok := p.page.(*author.Model); ok {
		p.do(m.Leave())
	}
}

// authorKey does the keys of the author's page: undo and redo, in the fields too, for they all are one text.
func (p *program) authorKey(m *author.Model, k *dom.KeyboardEvent) {
	if !k.CtrlKey() && !k.MetaKey() {
		return
	}
	var msg any
	switch key := strings.ToLower(k.Key()); {
	case key == "z" && k.ShiftKey(), key == "y":
		msg = author.Redo{}
	case key == "z":
		msg = author.Undo{}
	default:
		return
	}
	k.PreventDefault()
	p.update(msg)
}

// takesFiles reports whether the page that is shown does something with a file.
func (p *program) takesFiles() bool {
	switch p.page.(type) {
	case *course.Model, *author.Model, *sandbox.Model:
		return true
	}
	return false
}

// listenFiles hears files that are dropped, and the end of the page.
func (p *program) listenFiles() {
	on("dragover", func(e *dom.BasicEvent) {
		if p.takesFiles() {
			e.PreventDefault() // else the browser would leave the page and show the file
		}
	})
	on("drop", func(e *dom.BasicEvent) {
		if p.takesFiles() {
			e.PreventDefault()
			p.readFile(e.Get("dataTransfer").Get("files"), "")
		}
	})
	on("pagehide", func(*dom.BasicEvent) { p.leave() })
	on("beforeunload", func(e *dom.BasicEvent) {
		p.leave()
		if _, lost := unkept[progress.DraftKey]; lost {
			e.PreventDefault() // the browser asks, for it would not keep the draft
		}
	})
}

// picked reads the file that was chosen; the same one may then be chosen again.
func (p *program) picked(input js.Value) {
	p.readFile(input.Get("files"), input.Get("id").String())
	input.Set("value", "")
}

// readFile reads the first of some files, at most as much as a file of progress may have and one byte, which is more than
// a lesson may have, and gives it to the page.
func (p *program) readFile(files js.Value, picker string) {
	if !files.Truthy() || files.Length() == 0 {
		return
	}
	f := files.Index(0)
	name := fileName(f.Get("name").String())
	part := f.Call("slice", 0, progress.MaxBytes+1)
	go func() { // reading waits, and the engine must not
		msg := frame.File{Name: name, Picker: picker}
		body, err := await(part.Call("arrayBuffer"))
		if err != nil {
			msg.Trouble = err.Error()
		} else {
			msg.Text = bytesOf(body)
		}
		p.update(msg)
	}()
}

// fetch fetches a file of the site for the page.
func (p *program) fetch(name string) {
	go func() {
		msg := frame.File{Name: fileName(name[strings.LastIndexByte(name, '/')+1:])}
		var err error
		if msg.Text, err = fetchText(name); err != nil {
			msg.Trouble = err.Error()
		}
		p.update(msg)
	}()
}

// fileName returns the name of a file as it can be shown: short, and without marks that turn the direction of writing.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == '/' || r == '\\' {
			return '_'
		}
		return r
	}, name)
	if r := []rune(name); len(r) > 60 {
		name = string(r[:40]) + "…" + string(r[len(r)-19:])
	}
	if name == "" {
		name = "lesson.json"
	}
	return name
}

func bytesOf(buffer js.Value) string {
	bytes := window.Get("Uint8Array").New(buffer)
	data := make([]byte, bytes.Length())
	js.CopyBytesToGo(data, bytes)
	return string(data)
}

// after sends a message to the page, if it is still the one that is shown.
func (p *program) after(e effect.After) {
	asked := p.page
	var f js.Func
	f = js.FuncOf(func(js.Value, []js.Value) any {
		f.Release()
		p.change(func() {
			if p.page == asked {
				p.update(e.Msg)
			}
		})
		return nil
	})
	window.Call("setTimeout", f, e.Ms)
}

// splice changes a part of a field's text; the cursor stays with the text that it stood in.
func splice(e effect.Splice) {
	if field := byID(e.ID); field != nil {
		field.Underlying().Call("setRangeText", e.Text, e.From, e.To, "preserve")
	}
}

// selectText selects a part of a field's text. A browser scrolls to it only when the field gets the focus.
func selectText(e effect.SelectText) {
	field := byID(e.ID)
	if field == nil {
		return
	}
	field.Underlying().Call("setSelectionRange", e.From, e.To)
	field.Blur()
	field.Focus()
}
