// Package document reads JSON that people write: every fault at once, each with its place and how to mend it.
//
// The standard tokenizer does the lexing; this package keeps where each value stands and turns wrong shapes into
// faults. Its input is untrusted: size, depth and numbers are bounded.
package document

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a document.
const (
	// MaxBytes is more than a hundred times a long lesson.
	MaxBytes = 4 << 20
	// MaxDepth is how deep objects and lists may nest.
	MaxDepth = 32
	// MaxValues is how many values a document may hold; each takes a hundred times its bytes in memory.
	MaxValues = 100_000
	// MaxFaults is how many faults are kept; further ones are only counted.
	MaxFaults = 200
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"null", "true or false", "a number", "a text", "a list", "an object"}

// String returns the kind in words.
func (k Kind) String() string { return kindNames[k] }

// Node is a JSON value and its place.
type Node struct {
	Kind Kind
	// Text is the content of a String, the literal of a Number.
	Text string
	Bool bool
	// Items are the elements of an Array; Fields those of an Object, in their order.
	Items  []*Node
	Fields []Field

	doc *Document
	// offset is where the value begins, end where it ends, in bytes.
	offset, end int
	// parent, with name or index, makes the pointer when a fault needs it.
	parent *Node
	name   string
	index  int
}

// Field is one member of an object.
type Field struct {
	Name  string
	Value *Node
	// offset is where the name stands.
	offset int
}

// Document is a read file with the faults found so far.
type Document struct {
	file   string
	data   []byte
	values int
	faults []placed
	left   int // faults beyond MaxFaults
}

// Read reads the value that the whole file is. Faults of syntax, size and encoding are returned at once; those that
// are found later are added to the document.
func Read(file string, data []byte) (*Document, *Node, error) {
	d := &Document{file: file, data: data}
	if len(data) > MaxBytes {
		return nil, nil, Faults{NewFault(file, "keep it shorter", "the file is longer than %d bytes", MaxBytes)}
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, nil, d.fatal(0, "", "save it as UTF-8 without one", "the file begins with a byte order mark")
	}
	if i := firstInvalid(data); i >= 0 {
		return nil, nil, d.fatal(i, "", "save the file as UTF-8", "this byte is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	root := &Node{doc: d}
	if err := d.value(dec, root, 0); err != nil {
		return nil, nil, err
	}
	if rest := bytes.TrimLeft(data[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		r, _ := utf8.DecodeRune(rest)
		return nil, nil, d.fatal(len(data)-len(rest), "", "remove it", "%s follows the end of the document", shown(r))
	}
	return d, root, nil
}

func firstInvalid(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// skip moves an offset over spaces and separators to where the next token begins.
func (d *Document) skip(offset int) int {
	for offset < len(d.data) && strings.IndexByte(" \t\r\n,:", d.data[offset]) >= 0 {
		offset++
	}
	return offset
}

// fault makes a fault at a place in bytes.
func (d *Document) fault(offset int, pointer, problem, mend string) Fault {
	before := d.data[:min(offset, len(d.data))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return Fault{
		File: d.file, Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(line) + 1,
		Pointer: pointer, Problem: problem, Mend: mend,
	}
}

// value reads one value into n. It recurses at most MaxDepth deep.
func (d *Document) value(dec *json.Decoder, n *Node, depth int) error {
	err := d.contents(dec, n, depth)
	n.end = int(dec.InputOffset())
	return err
}

func (d *Document) contents(dec *json.Decoder, n *Node, depth int) error {
	n.offset = d.skip(int(dec.InputOffset()))
	tok, err := dec.Token()
	if err != nil {
		return d.syntax()
	}
	if d.values++; d.values > MaxValues {
		return d.fatal(n.offset, n.Pointer(), "keep it shorter", "the document holds more than %d values", MaxValues)
	}
	switch tok := tok.(type) {
	case json.Delim:
		if depth == MaxDepth {
			return d.fatal(n.offset, n.Pointer(), "make it flatter", "values nest deeper than %d", MaxDepth)
		}
		if tok == '[' {
			return d.array(dec, n, depth)
		}
		return d.object(dec, n, depth)
	case string:
		n.Kind, n.Text = String, tok
		d.checkText(dec, n.offset, n)
	case json.Number:
		n.Kind, n.Text = Number, tok.String()
	case bool:
		n.Kind, n.Bool = Bool, tok
	}
	return nil
}

// checkText adds a fault if the string literal that ends here gives half of a surrogate pair.
func (d *Document) checkText(dec *json.Decoder, from int, n *Node) {
	if i := loneSurrogate(d.data[from:dec.InputOffset()]); i >= 0 {
		d.add(from+i, n.Pointer(), "this escape is half of a character", "write the character itself, or both halves")
	}
}

func (d *Document) array(dec *json.Decoder, n *Node, depth int) error {
	n.Kind = Array
	for dec.More() {
		item := &Node{doc: d, parent: n, index: len(n.Items)}
		if err := d.value(dec, item, depth+1); err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	return d.end(dec)
}

func (d *Document) object(dec *json.Decoder, n *Node, depth int) error {
	n.Kind = Object
	seen := map[string]bool{}
	for dec.More() {
		offset := d.skip(int(dec.InputOffset()))
		tok, err := dec.Token()
		name, isText := tok.(string)
		if err != nil || !isText {
			return d.syntax()
		}
		value := &Node{doc: d, parent: n, name: name}
		d.checkText(dec, offset, value)
		if err := d.value(dec, value, depth+1); err != nil {
			return err
		}
		if seen[name] {
			d.add(offset, value.Pointer(), "the field stands twice", "keep one of them")
			continue
		}
		seen[name] = true
		n.Fields = append(n.Fields, Field{name, value, offset})
	}
	return d.end(dec)
}

func (d *Document) end(dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil {
		return d.syntax()
	}
	return nil
}

// Pointer returns the JSON pointer of the value. Long names are cut.
func (n *Node) Pointer() string {
	if n.parent == nil {
		return ""
	}
	step := strconv.Itoa(n.index)
	if n.parent.Kind == Object {
		step = escapePointer(shorten(n.name))
	}
	return n.parent.Pointer() + "/" + step
}

// Find returns the value at a JSON pointer below this one; where there is none, the value that comes nearest.
func (n *Node) Find(pointer string) *Node {
	rest, ok := strings.CutPrefix(pointer, "/")
	if !ok {
		return n
	}
	step, rest, more := strings.Cut(rest, "/")
	if more {
		rest = "/" + rest
	}
	for _, f := range n.Fields {
		if escapePointer(f.Name) == step {
			return f.Value.Find(rest)
		}
	}
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Items) {
		return n.Items[i].Find(rest)
	}
	return n
}

func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Err returns the faults of the document that the value is a part of.
func (n *Node) Err() error { return n.doc.Err() }
