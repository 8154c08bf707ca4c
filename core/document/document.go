// Package document reads JSON that people write: every fault at once, each with its place and how to mend it.
//
// The standard tokenizer does the lexing; this package keeps where each value stands and turns wrong shapes into
// faults. Its input is untrusted: size, depth and numbers are bounded.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
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
	// MaxFaults ends the reading: more would not be read.
	MaxFaults = 200
)

// Fault is one thing that is wrong, where it stands, and how to mend it.
type Fault struct {
	// File is the name that the caller gave.
	File string
	// Line and Column count from 1; a column counts characters.
	Line, Column int
	// Pointer is the JSON pointer (RFC 6901) of the value; empty for the whole document.
	Pointer string
	Problem string
	Mend    string
}

// String returns file:line:column: pointer: problem; mend.
func (f Fault) String() string {
	s := fmt.Sprintf("%s:%d:%d: ", f.File, f.Line, f.Column)
	if f.Pointer != "" {
		s += f.Pointer + ": "
	}
	s += f.Problem
	if f.Mend != "" {
		s += "; " + f.Mend
	}
	return s
}

// Faults is an error that holds every fault of a document.
type Faults []Fault

// Error returns one line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

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

	doc     *Document
	offset  int
	pointer string
}

// Field is one member of an object.
type Field struct {
	Name  string
	Value *Node
}

// Document is a read file with the faults found so far.
type Document struct {
	file   string
	data   []byte
	lines  []int // offsets of line starts
	faults Faults
	root   *Node
}

// Read reads the value that the whole file is. Faults of syntax, size and encoding are returned at once; those that
// are found later are added to the document.
func Read(file string, data []byte) (*Document, *Node, error) {
	d := &Document{file: file, data: data}
	if len(data) > MaxBytes {
		d.data = nil
		return nil, nil, d.single(0, fmt.Sprintf("the file has %d bytes", len(data)),
			fmt.Sprintf("keep it under %d bytes", MaxBytes))
	}
	d.lines = append(d.lines, 0)
	for i, c := range data {
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	if i := firstInvalid(data); i >= 0 {
		return nil, nil, d.single(i, "this byte is not UTF-8", "save the file as UTF-8")
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, nil, d.single(0, "the file begins with a byte order mark", "save it as UTF-8 without one")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	root, err := d.value(dec, "", 0)
	if err != nil {
		return nil, nil, err
	}
	after := int(dec.InputOffset())
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, d.single(d.skip(after), "something follows the end of the document", "remove it")
	}
	d.root = root
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

func (d *Document) single(offset int, problem, mend string) error {
	return Faults{d.fault(offset, "", problem, mend)}
}

func (d *Document) fault(offset int, pointer, problem, mend string) Fault {
	line := sort.SearchInts(d.lines, offset+1) // lines before or at the offset
	f := Fault{File: d.file, Line: max(line, 1), Column: 1, Pointer: pointer, Problem: problem, Mend: mend}
	if line > 0 {
		f.Column = utf8.RuneCount(d.data[d.lines[line-1]:min(offset, len(d.data))]) + 1
	}
	return f
}

func (d *Document) syntax(err error, dec *json.Decoder) error {
	offset := int(dec.InputOffset())
	problem := "the JSON is broken here: " + err.Error()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		offset = max(int(syntax.Offset)-1, 0)
		problem = "the JSON is broken here: " + syntax.Error()
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		offset, problem = len(d.data), "the document ends too early"
	}
	return d.single(offset, problem, "check the commas, quotes and brackets just before")
}

// value reads one value. It recurses at most MaxDepth deep.
func (d *Document) value(dec *json.Decoder, pointer string, depth int) (*Node, error) {
	offset := d.skip(int(dec.InputOffset()))
	tok, err := dec.Token()
	if err != nil {
		return nil, d.syntax(err, dec)
	}
	n := &Node{doc: d, offset: offset, pointer: pointer}
	switch tok := tok.(type) {
	case json.Delim:
		if depth == MaxDepth {
			return nil, d.single(offset, fmt.Sprintf("values nest deeper than %d", MaxDepth), "make it flatter")
		}
		if tok == '[' {
			return n, d.array(dec, n, depth)
		}
		return n, d.object(dec, n, depth)
	case string:
		n.Kind, n.Text = String, tok
	case json.Number:
		n.Kind, n.Text = Number, tok.String()
	case bool:
		n.Kind, n.Bool = Bool, tok
	}
	return n, nil
}

func (d *Document) array(dec *json.Decoder, n *Node, depth int) error {
	n.Kind = Array
	for dec.More() {
		item, err := d.value(dec, n.pointer+"/"+strconv.Itoa(len(n.Items)), depth+1)
		if err != nil {
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
		if err != nil {
			return d.syntax(err, dec)
		}
		name, isText := tok.(string)
		if !isText {
			return d.single(offset, "the name of a field must be a text", `write it in quotes, as "name"`)
		}
		pointer := n.pointer + "/" + escapePointer(name)
		if seen[name] {
			return Faults{d.fault(offset, pointer, "the field stands twice", "keep one of them")}
		}
		seen[name] = true
		value, err := d.value(dec, pointer, depth+1)
		if err != nil {
			return err
		}
		n.Fields = append(n.Fields, Field{name, value})
	}
	return d.end(dec)
}

func (d *Document) end(dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil {
		return d.syntax(err, dec)
	}
	return nil
}

func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Err returns the faults found so far in the order of their places, nil if there are none.
func (d *Document) Err() error {
	if len(d.faults) == 0 {
		return nil
	}
	sort.SliceStable(d.faults, func(i, j int) bool {
		a, b := d.faults[i], d.faults[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return d.faults
}
