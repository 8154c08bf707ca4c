package author

import (
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/wasm/effect"
)

// typed is the value that the form has written last: as long as nothing else changes, the next letter in the same field
// needs no reading of the text.
type typed struct {
	pointer  string
	from, to int
}

// at returns the value at a JSON pointer of the text as it was read last, nil if there is none.
func (m *Model) at(pointer string) *document.Node {
	if m.form == nil {
		return nil
	}
	return m.form.Root.At(pointer)
}

// fresh reads the text if it has changed, and reports whether it is JSON, so that it can be changed in its places.
func (m *Model) fresh() bool {
	if m.stale {
		m.read()
	}
	return m.r.Root != nil
}

// set puts a value, as JSON, at a JSON pointer. Objects that lack on the way are made.
func (m *Model) set(pointer, value string) []effect.Effect {
	if m.typed.pointer == pointer && m.typed.pointer != "" {
		e := document.Edit{From: m.typed.from, To: m.typed.to, Text: value}
		m.typed.to = e.From + len(value)
		return m.edit(e)
	}
	if !m.fresh() {
		return nil
	}
	m.past.open = false
	n := m.at(pointer)
	var e document.Edit
	switch {
	case n != nil:
		e = n.Replace(value)
	default:
		parent, name := cut(pointer)
		p := m.at(parent)
		if p == nil {
			return m.set(parent, "{"+document.Quote(name)+": "+value+"}")
		}
		if p.Kind != document.Object {
			return nil
		}
		e = p.SetField(name, value)
	}
	effects := m.edit(e)
	m.typed = typed{}
	if n != nil && e.Text == value {
		m.typed = typed{pointer, e.From, e.From + len(value)}
	}
	return effects
}

// cut splits a JSON pointer into that of the object and the name of the field.
func cut(pointer string) (parent, name string) {
	i := strings.LastIndexByte(pointer, '/')
	return pointer[:i], pointer[i+1:]
}

// alter does an edit that is more than a value that is typed, and shows its outcome at once.
func (m *Model) alter(make func() (document.Edit, bool)) []effect.Effect {
	if !m.fresh() {
		return nil
	}
	e, ok := make()
	if !ok {
		return nil
	}
	m.past.open, m.typed = false, typed{}
	effects := m.edit(e)
	m.past.open = false
	m.read()
	return effects
}

// insert puts a value at the end of a list, which is made if it lacks.
func (m *Model) insert(list, value string) []effect.Effect {
	if !m.fresh() {
		return nil
	}
	n := m.at(list)
	if n == nil || n.Kind != document.Array {
		effects := m.set(list, "["+value+"]")
		m.typed, m.past.open = typed{}, false
		m.read()
		return effects
	}
	return m.alter(func() (document.Edit, bool) { return m.at(list).Insert(len(n.Items), value), true })
}

func (m *Model) remove(pointer string) []effect.Effect {
	return m.alter(func() (document.Edit, bool) {
		n := m.at(pointer)
		if n == nil || pointer == "" {
			return document.Edit{}, false
		}
		return n.Remove(), true
	})
}

// move lets an element change places with its neighbour.
func (m *Model) move(list string, i, by int) []effect.Effect {
	return m.alter(func() (document.Edit, bool) {
		n, first := m.at(list), min(i, i+by)
		if n == nil || first < 0 || first+1 >= len(n.Items) {
			return document.Edit{}, false
		}
		return n.Swap(first), true
	})
}

// toggle puts a word into a list of words, or takes it out.
func (m *Model) toggle(list, word string) []effect.Effect {
	if !m.fresh() {
		return nil
	}
	if n := m.at(list); n != nil {
		for i, item := range n.Items {
			if item.Text == word {
				return m.remove(list + "/" + strconv.Itoa(i))
			}
		}
	}
	return m.insert(list, document.Quote(word))
}

// words writes a list of what stands between commas, as numbers or as texts. A hyphen is the empty text, which among
// keys means none.
func words(value string, numbers bool) string {
	var list []string
	if strings.TrimSpace(value) != "" {
		for w := range strings.SplitSeq(value, ",") {
			w = strings.TrimSpace(w)
			switch {
			case numbers:
				w = scalar(w)
			case w == "-":
				w = `""`
			default:
				w = document.Quote(w)
			}
			list = append(list, w)
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// scalar writes a whole number as a number, and all else as a text.
func scalar(value string) string {
	v := strings.TrimSpace(value)
	if n, err := strconv.ParseInt(v, 10, 64); err == nil && strconv.FormatInt(n, 10) == v {
		return v
	}
	return document.Quote(value)
}

// shown returns a list as words reads it.
func shown(n *document.Node) string {
	if n == nil {
		return ""
	}
	var list []string
	for _, item := range n.Items {
		w := item.Text
		if w == "" {
			w = "-"
		}
		list = append(list, w)
	}
	return strings.Join(list, ", ")
}
