// Package codelab grades small Python functions against the core.
//
// A function of a contract is data: how its cases are made, and what the core answers to each. The learner's program runs
// outside, behind a Runner, and gives outcomes; they are compared here, and a case that fails is made smaller. A Verdict
// holds codes, numbers and Python literals, and is the same bytes wherever it is reached.
//
// Times are nanoseconds here and floats of seconds in Python. They are compared as the vectors of the contracts are:
// rounded to whole nanoseconds.
package codelab

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/call"
)

// Kind is the kind of a Value.
type Kind uint8

// The kinds. The last six are no plain data: a Reply is the numbered answer of the world, a Response is what a server
// answers (status, body, headers), a Request what it is asked (method, path, headers), a Var a value of the case that
// all of its calls share, a Fake a function of the world, and Other anything else, by the name of its type.
const (
	None Kind = iota
	Bool
	Int
	Dec
	Odd
	Str
	List
	Tuple
	Dict
	Reply
	Response
	Request
	Var
	Fake
	Other
)

// Value is a value of Python. The zero value is None.
type Value struct {
	Kind Kind
	// Int is the number of an Int, the nanoseconds of a Dec (a float), 0 or 1 of a Bool, the number of a Reply from 1.
	Int int64
	// Text is the text of a Str; nan, inf, -inf, large or -large of an Odd float; the name of a Var, Fake or Other.
	Text string
	// Items are the elements; of a Dict key and value in turns.
	Items []Value
}

func truth(b bool) Value {
	if b {
		return Value{Kind: Bool, Int: 1}
	}
	return Value{Kind: Bool}
}

func whole(n int64) Value           { return Value{Kind: Int, Int: n} }
func seconds(d time.Duration) Value { return Value{Kind: Dec, Int: int64(d)} }
func odd(text string) Value         { return Value{Kind: Odd, Text: text} }
func text(s string) Value           { return Value{Kind: Str, Text: s} }
func list(items ...Value) Value     { return Value{Kind: List, Items: items} }
func tuple(items ...Value) Value    { return Value{Kind: Tuple, Items: items} }
func dict(items ...Value) Value     { return Value{Kind: Dict, Items: items} }
func variable(name string) Value    { return Value{Kind: Var, Text: name} }
func fake(name string) Value        { return Value{Kind: Fake, Text: name} }
func replyNumber(n int) Value       { return Value{Kind: Reply, Int: int64(n)} }
func (v Value) duration() time.Duration {
	if v.Kind == Int {
		return time.Duration(v.Int) * time.Second
	}
	return time.Duration(v.Int)
}

// accepts reports whether another value is as wanted: of the same kind and equal, except that an int may stand for a
// float, and that a float may miss by one nanosecond or by one part in 10⁹. The order of a dict does not matter.
func (v Value) accepts(got Value) bool {
	if v.Kind == Dec && got.Kind == Int && v.Int%int64(time.Second) == 0 {
		return got.Int == v.Int/int64(time.Second)
	}
	if v.Kind != got.Kind || v.Text != got.Text || len(v.Items) != len(got.Items) {
		return false
	}
	switch v.Kind {
	case Dec:
		diff, slack := max(v.Int-got.Int, got.Int-v.Int), max(v.Int, -v.Int)/1_000_000_000
		return diff <= max(slack, 1)
	case Dict:
		return sameItems(v.sorted(), got.sorted())
	}
	return v.Int == got.Int && sameItems(v.Items, got.Items)
}

func sameItems(want, got []Value) bool {
	for i := range want {
		if !want[i].accepts(got[i]) {
			return false
		}
	}
	return true
}

// sorted returns the items of a dict in the order of its keys as literals.
func (v Value) sorted() []Value {
	pairs := slices.Collect(slices.Chunk(v.Items, 2))
	slices.SortStableFunc(pairs, func(a, b []Value) int { return strings.Compare(a[0].String(), b[0].String()) })
	return slices.Concat(pairs...)
}

// String returns the value as a literal of Python.
func (v Value) String() string {
	switch v.Kind {
	case None:
		return "None"
	case Bool:
		return [...]string{"False", "True"}[v.Int&1]
	case Int:
		return strconv.FormatInt(v.Int, 10)
	case Dec:
		return Decimal(v.Int)
	case Odd:
		return "float('" + v.Text + "')"
	case Str:
		return quote(v.Text)
	case List:
		return "[" + join(v.Items) + "]"
	case Tuple:
		if len(v.Items) == 1 {
			return "(" + join(v.Items) + ",)"
		}
		return "(" + join(v.Items) + ")"
	case Dict:
		return dictText(v.sorted())
	case Reply:
		return "<reply " + strconv.FormatInt(v.Int, 10) + ">"
	case Response:
		return "JSONResponse(" + join(v.Items) + ")"
	case Request:
		return "Request(" + join(v.Items) + ")"
	case Other:
		return "<" + v.Text + ">"
	}
	return v.Text
}

func dictText(items []Value) string {
	var parts []string
	for pair := range slices.Chunk(items, 2) {
		parts = append(parts, pair[0].String()+": "+pair[1].String())
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func join(items []Value) string {
	parts := make([]string, len(items))
	for i, v := range items {
		parts[i] = v.String()
	}
	return strings.Join(parts, ", ")
}

// Decimal writes nanoseconds as seconds, with at least one digit behind the point, as Python writes a float.
func Decimal(ns int64) string {
	sign, n := "", uint64(ns)
	if ns < 0 {
		sign, n = "-", -n
	}
	fraction := strings.TrimRight(strconv.FormatUint(1_000_000_000+n%1_000_000_000, 10)[1:], "0")
	if fraction == "" {
		fraction = "0"
	}
	return sign + strconv.FormatUint(n/1_000_000_000, 10) + "." + fraction
}

// quote writes a text as Python does.
func quote(s string) string {
	if strings.Contains(s, "'") {
		return escaped(s)
	}
	q := escaped(strings.ReplaceAll(s, `"`, "'"))
	return "'" + strings.ReplaceAll(q[1:len(q)-1], "'", `"`) + "'"
}

func escaped(s string) string {
	q := string(call.AppendJSONString(nil, s))
	return strings.ReplaceAll(strings.ReplaceAll(q, `\u000a`, `\n`), `\u0009`, `\t`)
}
