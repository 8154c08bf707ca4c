// Package rows writes a state down as lines of JSON, each an array that begins with the name of its kind, and reads such
// lines back:
//
//	["ledger",2,7]
//	["key","shop","POST","/add","k-1",10,0]
//
// One line at a time is in memory as more than text, so that a state of megabytes is read in little more than its own size.
// What is read is untrusted: every number has bounds, every text a greatest length, and the first fault names its line and
// its value.
package rows

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"retrylab.example/core/call"
)

// Writer writes lines. The zero value is ready.
type Writer struct {
	b    []byte
	open bool
}

// Row begins the next line.
func (w *Writer) Row(kind string) {
	w.end()
	w.b, w.open = call.AppendJSONString(append(w.b, '['), kind), true
}

func (w *Writer) end() {
	if w.open {
		w.b = append(w.b, "]\n"...)
	}
	w.open = false
}

// Int adds a number to the line.
func (w *Writer) Int(n int64) { w.b = strconv.AppendInt(append(w.b, ','), n, 10) }

// Uint adds a number that may need all of 64 bits.
func (w *Writer) Uint(n uint64) { w.b = strconv.AppendUint(append(w.b, ','), n, 10) }

// Bool adds 1 or 0.
func (w *Writer) Bool(v bool) {
	if v {
		w.Int(1)
		return
	}
	w.Int(0)
}

// Text adds a text.
func (w *Writer) Text(s string) { w.b = call.AppendJSONString(append(w.b, ','), s) }

// Bytes ends the line and returns all lines.
func (w *Writer) Bytes() []byte {
	w.end()
	return w.b
}

// Fault is what is wrong with lines, and where: both count from 1, and the name of a line's kind is its value 1.
type Fault struct {
	Line, Value int
	Problem     string
}

// Error tells the place, the problem, and what to do.
func (f *Fault) Error() string {
	return fmt.Sprintf("line %d, value %d: %s; use a copy that was not changed", f.Line, f.Value, f.Problem)
}

// Reader reads lines. It stands at one line; after the first fault everything that it reads is zero, and no line has any
// kind. Use NewReader.
type Reader struct {
	rest  string
	kind  string
	line  int
	value int
	more  bool // the line has further values
	fault *Fault
}

// NewReader returns a reader that stands at the first line.
func NewReader(data []byte) *Reader {
	r := &Reader{rest: string(data)}
	if !utf8.ValidString(r.rest) {
		r.line, r.value = 1, 1
		r.Fault("this is not UTF-8")
		return r
	}
	r.begin()
	return r
}

// Err returns the first fault, nil if there is none.
func (r *Reader) Err() error {
	if r.fault == nil {
		return nil
	}
	return r.fault
}

// Fault adds a fault at the value that was read last. Only the first one is kept.
func (r *Reader) Fault(problem string) {
	if r.fault == nil {
		r.fault = &Fault{r.line, r.value, problem}
	}
	r.kind, r.rest, r.more = "", "", false
}

// Is reports whether the line is of a kind.
func (r *Reader) Is(kind string) bool { return r.kind == kind }

// Need adds a fault unless the line is of a kind.
func (r *Reader) Need(kind string) {
	if r.fault == nil && r.kind != kind {
		r.Fault("here should be a line of " + strconv.Quote(kind))
	}
}

// End adds a fault unless the last line was read.
func (r *Reader) End() {
	if r.fault == nil && r.kind != "" {
		r.Fault("nothing should follow here")
	}
}

// More reports whether the line has further values.
func (r *Reader) More() bool { return r.more }

// Next ends the line, of which every value must have been read, and goes to the next one.
func (r *Reader) Next() {
	if r.fault != nil {
		return
	}
	if r.more {
		r.value++
		r.Fault("the line has too many values")
		return
	}
	r.begin()
}

// begin reads the beginning of a line.
func (r *Reader) begin() {
	r.line, r.value, r.kind, r.more = r.line+1, 0, "", false
	if r.rest == "" {
		r.value = 1
		return
	}
	if r.rest[0] != '[' {
		r.value = 1
		r.Fault("a line begins with [")
		return
	}
	r.rest, r.more = r.rest[1:], true
	if kind := r.Text(40); r.fault == nil {
		if r.kind = kind; kind == "" {
			r.Fault("the line has no kind")
		}
	}
}

// token cuts the next value out of the line, as it is written.
func (r *Reader) token() string {
	r.value++
	if r.fault != nil {
		return ""
	}
	if !r.more {
		r.Fault("the line has too few values")
		return ""
	}
	i := valueEnd(r.rest)
	if i >= len(r.rest) || r.rest[i] != ',' && r.rest[i] != ']' {
		r.Fault("the line breaks off")
		return ""
	}
	value := r.rest[:i]
	r.more = r.rest[i] == ','
	r.rest = r.rest[i+1:]
	if !r.more {
		if r.rest == "" || r.rest[0] != '\n' {
			r.Fault("the line goes on after its end")
			return ""
		}
		r.rest = r.rest[1:]
	}
	return value
}

// valueEnd returns where the first value of a text ends.
func valueEnd(s string) int {
	if s == "" || s[0] != '"' {
		for i := range len(s) {
			if c := s[i]; c == ',' || c == ']' || c == '\n' {
				return i
			}
		}
		return len(s)
	}
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// Int reads a number from lo to hi.
func (r *Reader) Int(lo, hi int64) int64 {
	t := r.token()
	if r.fault != nil {
		return 0
	}
	n, err := strconv.ParseInt(t, 10, 64)
	switch {
	case err != nil || strconv.FormatInt(n, 10) != t:
		r.Fault("this is not a whole number of 64 bits")
		return 0
	case n < lo || n > hi:
		r.Fault(fmt.Sprintf("%d is not from %d to %d", n, lo, hi))
		return 0
	}
	return n
}

// Uint reads a number of 64 bits without a sign.
func (r *Reader) Uint() uint64 {
	t := r.token()
	if r.fault != nil {
		return 0
	}
	n, err := strconv.ParseUint(t, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != t {
		r.Fault("this is not a whole number of 64 bits without a sign")
		return 0
	}
	return n
}

// Bool reads 1 or 0.
func (r *Reader) Bool() bool { return r.Int(0, 1) == 1 }

// Text reads a text of at most so many bytes.
func (r *Reader) Text(most int) string {
	t := r.token()
	if r.fault != nil {
		return ""
	}
	s, ok := unquote(t)
	if !ok {
		r.Fault("this is not a text")
		return ""
	}
	if len(s) > most {
		r.Fault(fmt.Sprintf("the text has %d bytes, more than %d", len(s), most))
		return ""
	}
	return s
}

// unquote returns the text that a literal stands for. Most have no escape.
func unquote(t string) (s string, ok bool) {
	if len(t) < 2 || t[0] != '"' || t[len(t)-1] != '"' {
		return "", false
	}
	s = t[1 : len(t)-1]
	for _, c := range []byte(s) {
		if c < 0x20 || c == '\\' || c == '"' {
			return s, json.Unmarshal([]byte(t), &s) == nil
		}
	}
	return strings.Clone(s), true // or the whole state would stay in memory for it
}

// One reads a text that parse knows.
func One[T any](r *Reader, parse func(string) (T, bool)) T {
	name := r.Text(100)
	v, ok := parse(name)
	if r.fault == nil && !ok {
		r.Fault(strconv.Quote(name) + " is not known here")
	}
	if r.fault != nil {
		var zero T
		return zero
	}
	return v
}
