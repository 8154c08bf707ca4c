package author

import (
	"strings"
	"unicode/utf8"

	"retrylab.example/core/document"
	"retrylab.example/wasm/effect"
)

// change is one edit of the text, and how it is taken back.
type change struct {
	at       int
	old, new string
}

// past holds the edits that were done, and those that were undone.
type past struct {
	done, undone []change
	// open: the next edit may become one with the last, as the letters of a word do.
	open bool
}

// Bounds of what can be undone.
const (
	mostChanges = 500
	mostBytes   = 16 << 20
)

// record adds an edit. Edits without a pause between them, each within what the one before wrote, become one.
func (p *past) record(c change) {
	p.undone = nil
	if n := len(p.done); n > 0 && p.open {
		last := &p.done[n-1]
		if i := c.at - last.at; i >= 0 && i+len(c.old) <= len(last.new) {
			last.new = last.new[:i] + c.new + last.new[i+len(c.old):]
			return
		}
	}
	p.done = append(p.done, c)
	p.open = true
	size := 0
	for i := len(p.done) - 1; i >= 0; i-- {
		size += len(p.done[i].old) + len(p.done[i].new)
		if i < len(p.done)-1 && (size > mostBytes || len(p.done)-i > mostChanges) {
			p.done = p.done[i+1:]
			break
		}
	}
}

// units counts a text in UTF-16 units, as a browser's fields do.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// difference returns the one edit that makes b of a.
func difference(a, b string) change {
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for from > 0 && (from < len(a) && !utf8.RuneStart(a[from]) || from < len(b) && !utf8.RuneStart(b[from])) {
		from--
	}
	end := 0
	for end < len(a)-from && end < len(b)-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	for end > 0 && !utf8.RuneStart(a[len(a)-end]) {
		end--
	}
	return change{from, a[from : len(a)-end], b[from : len(b)-end]}
}

// quiet is how long nobody must have typed before the text is read, and quietLong the same for a text that takes long.
const (
	quiet     = 300
	quietLong = 2000
	longText  = 512 << 10
)

// changed notes that the text is another one, and asks to be told when no more comes.
func (m *Model) changed() effect.Effect {
	m.stale, m.unkept = true, true
	m.edits++
	wait := quiet
	if len(m.text) > longText {
		wait = quietLong
	}
	return effect.After{Ms: wait, Msg: Quiet{m.edits}}
}

// write takes what was typed into the JSON field, which shows it already.
func (m *Model) write(text string) []effect.Effect {
	if text == m.text {
		return nil
	}
	m.past.record(difference(m.text, text))
	m.text = text
	m.typed = typed{}
	return []effect.Effect{m.changed()}
}

// edit changes the text in its place, and the JSON field with it.
func (m *Model) edit(e document.Edit) []effect.Effect {
	c := change{e.From, m.text[e.From:e.To], e.Text}
	if c.old == c.new {
		return nil
	}
	m.past.record(c)
	return m.splice(c)
}

// replace puts another text in the place of all of it: undo brings the former back.
func (m *Model) replace(name, text string) []effect.Effect {
	m.past.open = false
	m.name = name
	text, m.crlf = unixLines(text)
	effects := m.edit(document.Edit{From: 0, To: len(m.text), Text: text})
	m.past.open = false
	m.step, m.proof = 0, proof{}
	m.unkept = true
	m.read()
	return append(append(effects, effect.Job{}), m.Leave()...)
}

func (m *Model) splice(c change) []effect.Effect {
	from := units(m.text[:c.at])
	to := from + units(c.old)
	m.text = m.text[:c.at] + c.new + m.text[c.at+len(c.old):]
	return []effect.Effect{effect.Splice{ID: jsonID, From: from, To: to, Text: c.new}, m.changed()}
}

// undo takes the last edit back, redo does it again.
func (m *Model) undo() []effect.Effect {
	n := len(m.past.done)
	if n == 0 {
		return nil
	}
	c := m.past.done[n-1]
	m.past.done, m.past.undone = m.past.done[:n-1], append(m.past.undone, c)
	return m.travel(change{c.at, c.new, c.old})
}

func (m *Model) redo() []effect.Effect {
	n := len(m.past.undone)
	if n == 0 {
		return nil
	}
	c := m.past.undone[n-1]
	m.past.undone, m.past.done = m.past.undone[:n-1], append(m.past.done, c)
	return m.travel(c)
}

func (m *Model) travel(c change) []effect.Effect {
	m.past.open, m.typed = false, typed{}
	effects := m.splice(c)
	m.read()
	return effects
}

// place returns where a line and a column, both from 1, stand in the text, in bytes. A column counts characters.
func place(text string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	for ; column > 1 && at < len(text) && text[at] != '\n'; column-- {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return at
}

// jump selects a value, or the rest of a line, in the JSON field.
func (m *Model) jump(from, to int) []effect.Effect {
	m.pane = "json" // where there is room the form stays beside it
	if to <= from {
		to = from
		if i := strings.IndexByte(m.text[from:], '\n'); i >= 0 {
			to = from + i
		} else {
			to = len(m.text)
		}
	}
	at := units(m.text[:from])
	return []effect.Effect{effect.SelectText{ID: jsonID, From: at, To: at + units(m.text[from:to])}}
}
