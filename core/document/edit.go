package document

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Edit is a change of a document's text: the bytes From to To become Text. All else stays as it was written, with its
// spaces, its order, and the fields that nobody knows.
type Edit struct {
	From, To int
	Text     string
}

// Apply returns a text after the edit.
func (e Edit) Apply(text string) string { return text[:e.From] + e.Text + text[e.To:] }

// Span returns where the value stands in the text, in bytes.
func (n *Node) Span() (from, to int) { return n.offset, n.end }

// Written returns the value as it is written.
func (n *Node) Written() string { return string(n.doc.data[n.offset:n.end]) }

// Child returns the value of a field, nil if the value is no object or has no such field.
func (n *Node) Child(name string) *Node {
	for _, f := range n.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// Replace puts another value, as JSON, in the place of this one.
func (n *Node) Replace(value string) Edit {
	return Edit{n.offset, n.end, layOut(value, n.doc.indent(n.offset))}
}

// SetField puts a value, as JSON, into the object: in the place of the field's old one, or as its last field.
func (n *Node) SetField(name, value string) Edit {
	if old := n.Child(name); old != nil {
		return old.Replace(value)
	}
	return n.insert(len(n.Fields), Quote(name)+": ", value)
}

// Insert puts a value, as JSON, before the element i of the list, or at its end.
func (n *Node) Insert(i int, value string) Edit { return n.insert(i, "", value) }

// Remove takes the value out of its list or, with its name, out of its object. The document itself cannot be taken out.
func (n *Node) Remove() Edit {
	spans := n.parent.spans()
	i := n.among()
	switch {
	case len(spans) == 1:
		return Edit{n.parent.offset + 1, n.parent.end - 1, ""}
	case i == len(spans)-1:
		return Edit{spans[i-1].to, spans[i].to, ""}
	}
	return Edit{spans[i].from, spans[i+1].from, ""}
}

// Swap lets the elements i and i+1 of the list change places.
func (n *Node) Swap(i int) Edit {
	a, b, text := n.Items[i], n.Items[i+1], n.doc.data
	return Edit{a.offset, b.end, string(text[b.offset:b.end]) + string(text[a.end:b.offset]) + string(text[a.offset:a.end])}
}

type span struct{ from, to int }

// spans returns where the elements stand, or the fields with their names.
func (n *Node) spans() []span {
	var list []span
	for _, item := range n.Items {
		list = append(list, span{item.offset, item.end})
	}
	for _, f := range n.Fields {
		list = append(list, span{f.offset, f.Value.end})
	}
	return list
}

// among returns which one the value is of those in its parent.
func (n *Node) among() int {
	if n.parent.Kind == Array {
		return n.index
	}
	for i, f := range n.parent.Fields {
		if f.Value == n {
			return i
		}
	}
	return 0
}

// insert writes a value before the element i as its neighbours are written: each on a line of its own, or all on one.
func (n *Node) insert(i int, name, value string) Edit {
	spans := n.spans()
	outer := n.doc.indent(n.offset)
	if len(spans) == 0 {
		text := name + layOut(value, outer)
		if len(text)+len(outer) > lineWidth || strings.Contains(text, "\n") {
			text = "\n" + outer + oneIndent + name + layOut(value, outer+oneIndent) + "\n" + outer
		}
		return Edit{n.offset + 1, n.end - 1, text}
	}
	near := spans[min(i, len(spans)-1)]
	gap, indent := " ", outer
	if n.doc.beginsLine(near.from) {
		indent = n.doc.indent(near.from)
		gap = "\n" + indent
	}
	text := name + layOut(value, indent)
	if i >= len(spans) {
		return Edit{near.to, near.to, "," + gap + text}
	}
	return Edit{near.from, near.from, text + "," + gap}
}

// indent returns the spaces with which the line of a place begins.
func (d *Document) indent(offset int) string {
	line := string(d.data[:offset])
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// beginsLine reports whether nothing but spaces stands before a place on its line.
func (d *Document) beginsLine(offset int) bool {
	before := strings.TrimRight(string(d.data[:offset]), " \t")
	return strings.HasSuffix(before, "\n")
}

const (
	// lineWidth is how long a line may be on which a whole list or object stands.
	lineWidth = 100
	oneIndent = "  "
)

// layOut writes a JSON value for a person: on one line if it is short, else each element on its own. Text that is not
// JSON stays as it is.
func layOut(value, indent string) string {
	_, root, err := Read("", []byte(value))
	if err != nil {
		return value
	}
	var b strings.Builder
	root.write(&b, indent)
	return b.String()
}

func (n *Node) write(b *strings.Builder, indent string) {
	if n.Kind < Array {
		b.Write(n.doc.data[n.offset:n.end])
		return
	}
	var line strings.Builder
	n.writeLine(&line)
	if utf8.RuneCountInString(line.String())+len(indent) <= lineWidth {
		b.WriteString(line.String())
		return
	}
	open, closing := n.brackets()
	b.WriteString(open)
	n.each(func(i int, name string, value *Node) {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n" + indent + oneIndent + name)
		value.write(b, indent+oneIndent)
	})
	b.WriteString("\n" + indent + closing)
}

// writeLine writes the value on one line.
func (n *Node) writeLine(b *strings.Builder) {
	if n.Kind < Array {
		b.Write(n.doc.data[n.offset:n.end])
		return
	}
	open, closing := n.brackets()
	b.WriteString(open)
	n.each(func(i int, name string, value *Node) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
		value.writeLine(b)
	})
	b.WriteString(closing)
}

func (n *Node) brackets() (open, closing string) {
	if n.Kind == Array {
		return "[", "]"
	}
	return "{", "}"
}

// each visits the elements, or the fields with their written names and colons.
func (n *Node) each(visit func(i int, name string, value *Node)) {
	for i, item := range n.Items {
		visit(i, "", item)
	}
	for i, f := range n.Fields {
		visit(i, Quote(f.Name)+": ", f.Value)
	}
}

// Quote returns a text as JSON. Characters that are no text become U+FFFD.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20:
			const hex = "0123456789abcdef"
			b.WriteString(`\u00` + string(hex[r>>4]) + string(hex[r&15]))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// At returns the value at a JSON pointer below this one, nil where there is none.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if n == nil {
			return nil
		}
		if n.Kind != Array {
			n = n.Child(step)
			continue
		}
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(n.Items) {
			return nil
		}
		n = n.Items[i]
	}
	return n
}
