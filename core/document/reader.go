package document

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/rng"
)

// Faultf adds a fault at this value. The problem is formatted, with long texts cut; mend says what to do.
func (n *Node) Faultf(mend, problem string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = shorten(s)
		}
	}
	n.doc.addf(n.offset, n.Pointer(), mend, problem, args...)
}

// Fault adds a fault at this value.
func (n *Node) Fault(problem, mend string) { n.doc.add(n.offset, n.Pointer(), problem, mend) }

// FaultHere returns a fault at this value without adding it to the document.
func (n *Node) FaultHere(mend, problem string, args ...any) Fault {
	f := n.doc.fault(n.offset, n.Pointer(), fmt.Sprintf(problem, args...), mend)
	f.told(problem, args)
	return f
}

// Place returns the line and column of the value.
func (n *Node) Place() (line, column int) {
	f := n.doc.fault(n.offset, "", "", "")
	return f.Line, f.Column
}

// is adds a fault unless the value has the kind.
func (n *Node) is(k Kind) bool {
	if n.Kind != k {
		n.Faultf("write "+k.String(), "this is %s, not %s", n.Kind, k)
		return false
	}
	return true
}

// Reader takes the fields of an object one by one and in the end tells of those that nobody asked for.
type Reader struct {
	node  *Node
	known []string
	// void: the value is no object, which was told already, so that nothing is missing in it.
	void bool
	// open: further fields are not told of.
	open bool
}

// Object returns a reader of the object; of another kind it adds a fault and reads nothing.
func (n *Node) Object() *Reader {
	if !n.is(Object) {
		void := *n
		void.Kind, void.Fields, void.Items = Object, nil, nil
		return &Reader{node: &void, void: true}
	}
	return &Reader{node: n}
}

// Node returns the object itself.
func (r *Reader) Node() *Node { return r.node }

// Faultf adds a fault at the object, unless it was told already that it is none.
func (r *Reader) Faultf(mend, problem string, args ...any) {
	if !r.void {
		r.node.Faultf(mend, problem, args...)
	}
}

// Field returns the value of an optional field, nil if it is missing.
func (r *Reader) Field(name string) *Node {
	if !slices.Contains(r.known, name) {
		r.known = append(r.known, name)
	}
	for _, f := range r.node.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// Need returns the value of a field that must be there, nil with a fault if it is missing.
func (r *Reader) Need(name string) *Node {
	f := r.Field(name)
	if f == nil {
		r.Faultf("add it", "the field %q is missing", name)
	}
	return f
}

// Open lets Done pass over fields that nobody asked for: which ones belong there depends on one that is wrong.
func (r *Reader) Open() { r.open = true }

// Done adds a fault for every field that was not asked for, at its name.
func (r *Reader) Done() {
	if r.open {
		return
	}
	for _, f := range r.node.Fields {
		if !slices.Contains(r.known, f.Name) {
			r.node.doc.addf(f.offset, f.Value.Pointer(), "remove it, or use one of: "+strings.Join(r.known, ", "),
				"the field %q is not known", shorten(f.Name))
		}
	}
}

// String returns the text of an optional field, else missing.
func (r *Reader) String(name, missing string) string {
	f := r.Field(name)
	if f == nil || !f.is(String) {
		return missing
	}
	return f.Text
}

// Bool returns the value of an optional field, else false.
func (r *Reader) Bool(name string) bool {
	f := r.Field(name)
	return f != nil && f.is(Bool) && f.Bool
}

// Int returns the whole number of an optional field, else missing; outside lo to hi is a fault.
func (r *Reader) Int(name string, missing, lo, hi int64) int64 {
	f := r.Field(name)
	if f == nil {
		return missing
	}
	return f.Int(missing, lo, hi)
}

// Duration returns the duration of an optional field, else missing; outside lo to hi is a fault.
func (r *Reader) Duration(name string, missing, lo, hi time.Duration) time.Duration {
	f := r.Field(name)
	if f == nil {
		return missing
	}
	return f.Duration(missing, lo, hi)
}

// Items returns the elements of an optional list; more than most is a fault.
func (r *Reader) Items(name string, most int) []*Node {
	f := r.Field(name)
	if f == nil || !f.is(Array) {
		return nil
	}
	if len(f.Items) > most {
		f.Faultf(fmt.Sprintf("keep at most %d", most), "the list has %d elements", len(f.Items))
		return nil
	}
	return f.Items
}

// NeedItems returns the elements of a list that must be there and must not be empty: then mend and problem tell.
func (r *Reader) NeedItems(name string, most int, mend, problem string) []*Node {
	f := r.Need(name)
	if f == nil {
		return nil
	}
	if f.Kind == Array && len(f.Items) == 0 {
		f.Fault(problem, mend)
	}
	return r.Items(name, most)
}

// Format reads and returns the version of a file's format: 1 to known. A missing one, and a wrong one after its fault,
// count as known.
func (r *Reader) Format(known int64) int64 {
	f := r.Field("format")
	if f == nil {
		return known
	}
	mend := fmt.Sprintf("write %d", known)
	if f.Kind != Number {
		f.Faultf(mend, "this is %s, not a number", f.Kind)
		return known
	}
	v, err := strconv.ParseInt(f.Text, 10, 64)
	switch {
	case err != nil || v < 1:
		f.Faultf(mend, "the format %s is not known", f.Text)
	case v > known:
		f.Faultf(fmt.Sprintf("use that one, or %s if nothing in the file is newer", mend),
			"the file is made for a newer Retry Lab: format %s, and this one reads up to %s", f.Text, strconv.FormatInt(known, 10))
	default:
		return v
	}
	return known
}

// Int returns the whole number; anything else or outside lo to hi is a fault and gives missing.
func (n *Node) Int(missing, lo, hi int64) int64 {
	mend := fmt.Sprintf("write a whole number from %d to %d", lo, hi)
	if n.Kind != Number {
		n.Faultf(mend, "this is %s, not a number", n.Kind)
		return missing
	}
	v, err := strconv.ParseInt(n.Text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		n.Faultf(mend, "%s is not a whole number", n.Text)
		return missing
	case err != nil || v < lo || v > hi:
		n.Faultf(mend, "%s is out of range", n.Text)
		return missing
	}
	return v
}

// Str returns the text; another kind is a fault and gives "".
func (n *Node) Str() string {
	if !n.is(String) {
		return ""
	}
	return n.Text
}

// Match returns the text and whether it is one that ok accepts. If not, it adds a fault; the problem may show the text
// with one %q.
func (n *Node) Match(ok func(string) bool, mend, problem string) (string, bool) {
	if !n.is(String) {
		return "", false
	}
	if !ok(n.Text) {
		if strings.Contains(problem, "%q") {
			n.Faultf(mend, problem, n.Text)
		} else {
			n.Fault(problem, mend)
		}
		return n.Text, false
	}
	return n.Text, true
}

// OneOf parses the text with a function that knows the names; an unknown one is a fault that lists them.
func OneOf[T any](n *Node, names []string, parse func(string) (T, bool)) T {
	mend := "use one of: " + strings.Join(names, ", ")
	if n.Kind != String {
		var zero T
		n.Faultf(mend, "this is %s, not a text", n.Kind)
		return zero
	}
	v, ok := parse(n.Text)
	if !ok {
		n.Faultf(mend, "%q is not known here", n.Text)
	}
	return v
}

// Duration returns a duration written as text, such as "250ms", "1.5s" or "24h", read exactly.
func (n *Node) Duration(missing, lo, hi time.Duration) time.Duration {
	if n.Kind != String {
		n.Faultf(`write a duration as text, such as "250ms" or "1.5s"`, "this is %s, not a duration", n.Kind)
		return missing
	}
	d, ok := ParseDuration(n.Text)
	switch {
	case !ok:
		n.Faultf(`write one number with its unit, such as "250ms", "1.5s" or "24h"`, "%q is not a duration", n.Text)
		return missing
	case d < lo || d > hi:
		n.Faultf(fmt.Sprintf("write a duration from %s to %s", FormatDuration(lo), FormatDuration(hi)),
			"%s is out of range", n.Text)
		return missing
	}
	return d
}

// Ratio returns a fraction from 0 to 1 written as a decimal text, such as "0.25", read exactly.
func (n *Node) Ratio() rng.Ratio {
	const mend = `write a decimal from "0" to "1" as text, such as "0.25", with at most 18 digits after the point`
	if n.Kind != String {
		n.Faultf(mend, "this is %s, not a fraction", n.Kind)
		return rng.Ratio{}
	}
	r, ok := ParseRatio(n.Text)
	if !ok {
		n.Faultf(mend, "%q is not a fraction from 0 to 1", n.Text)
	}
	return r
}

// ParseRatio reads a decimal from 0 to 1 exactly.
func ParseRatio(s string) (rng.Ratio, bool) {
	whole, frac, _ := strings.Cut(s, ".")
	if whole == "" || len(frac) > 18 || strings.HasSuffix(s, ".") {
		return rng.Ratio{}, false
	}
	den := uint64(1)
	for range frac {
		den *= 10
	}
	num, err := strconv.ParseUint(whole+frac, 10, 64)
	r := rng.Ratio{Num: num, Den: den}
	return r, err == nil && len(whole) <= 2 && r.Valid()
}

// shorten keeps a fault readable when the input is not.
func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
