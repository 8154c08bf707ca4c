package document

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// Fault is one thing that is wrong, where it stands, and how to mend it.
type Fault struct {
	// File is the name that the caller gave.
	File string `json:"file"`
	// Line and Column count from 1; a column counts characters. Line 0 means the file as a whole.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Pointer is the JSON pointer (RFC 6901) of the value; empty for the whole document. Names longer than a fault can
	// show are cut.
	Pointer string `json:"pointer"`
	Problem string `json:"problem"`
	Mend    string `json:"mend"`
	// Form is the problem with verbs of fmt where its parameters stand, empty if it has none; Args are those as they stand
	// in the problem, each but the last with a zero byte behind it. They say the problem in other languages.
	Form string `json:"form,omitempty"`
	Args string `json:"args,omitempty"`
}

// String returns file:line:column: pointer: problem; mend. What a file might do to a terminal is escaped.
func (f Fault) String() string {
	s := f.File + ": "
	if f.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d: ", f.File, f.Line, f.Column)
	}
	if f.Pointer != "" {
		s += f.Pointer + ": "
	}
	s += f.Problem
	if f.Mend != "" {
		s += "; " + f.Mend
	}
	return Visible(s)
}

// Visible escapes what is not printable: control characters, and marks that turn the direction of writing.
func Visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return !unicode.IsPrint(r) && r != '\u00a0' }

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

// FaultsOf returns the faults that an error of this package holds, none for nil.
func FaultsOf(err error) Faults {
	var f Faults
	errors.As(err, &f)
	return f
}

// Err returns the faults found so far in the order of their places, nil if there are none.
func (d *Document) Err() error {
	if len(d.faults) == 0 {
		return nil
	}
	sort.SliceStable(d.faults, func(i, j int) bool { return d.faults[i].offset < d.faults[j].offset })
	faults := make(Faults, 0, len(d.faults)+1)
	for _, f := range d.faults {
		faults = append(faults, f.Fault)
	}
	if d.left > 0 {
		faults = append(faults, NewFault(d.file, "mend these first", "%d more faults are not shown", d.left))
	}
	return faults
}

// NewFault returns a fault of a file as a whole.
func NewFault(file, mend, problem string, args ...any) Fault {
	f := Fault{File: file, Problem: fmt.Sprintf(problem, args...), Mend: mend}
	f.told(problem, args)
	return f
}

// Faults returns how many faults were found so far in the document that the value stands in.
func (n *Node) Faults() int { return len(n.doc.faults) + n.doc.left }

// placed is a fault with its place in bytes.
type placed struct {
	Fault
	offset int
}

// add adds a fault at a place in bytes.
func (d *Document) add(offset int, pointer, problem, mend string) {
	if len(d.faults) == MaxFaults {
		d.left++
		return
	}
	d.faults = append(d.faults, placed{d.fault(offset, pointer, problem, mend), offset})
}

// addf adds a fault whose problem has parameters.
func (d *Document) addf(offset int, pointer, mend, problem string, args ...any) {
	before := len(d.faults)
	if d.add(offset, pointer, fmt.Sprintf(problem, args...), mend); len(d.faults) > before {
		d.faults[before].told(problem, args)
	}
}

// told notes the form of the problem, and its parameters as they stand in it.
func (f *Fault) told(problem string, args []any) {
	if len(args) == 0 {
		return
	}
	var parts []string
	verbs := problem
	for _, a := range args {
		verbs = verbs[strings.IndexByte(verbs, '%'):]
		end := 1 + strings.IndexFunc(verbs[1:], unicode.IsLetter) // past the width
		parts = append(parts, fmt.Sprintf(verbs[:end+1], a))
		verbs = verbs[end:]
	}
	f.Form, f.Args = problem, strings.Join(parts, "\x00")
}

// fatal returns a fault after which nothing can be read, together with those found before it.
func (d *Document) fatal(offset int, pointer, mend, problem string, args ...any) error {
	d.addf(offset, pointer, mend, problem, args...)
	return d.Err()
}
