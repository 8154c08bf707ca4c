package codelab

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/document"
)

// Code says how a program was judged.
type Code uint8

// The codes. Those from Syntax on come from outside of any comparison: the program did not run, or was ended.
const (
	// Passed says that every case came out as wanted.
	Passed Code = iota
	// WrongValue is another result than wanted.
	WrongValue
	// Raised is an exception where a result was wanted.
	Raised
	// NotRaised is a result where an exception was wanted.
	NotRaised
	// OtherRaised is another exception than wanted.
	OtherRaised
	// OtherCall is another call of the world than wanted, or at another time.
	OtherCall
	// OtherVariable is a variable that is not as wanted after the call.
	OtherVariable
	// Shared is a result that is the very list or dict which a variable holds, where a new one was wanted.
	Shared
	// Syntax is a program that cannot be read.
	Syntax
	// LoadRaised is an exception before any call.
	LoadRaised
	// NotDefined is a program without the function.
	NotDefined
	// RealTime is a question to the real clock, or real waiting.
	RealTime
	// NoModule is a module that is not there.
	NoModule
	// NoFunction is a function of Python that is not there.
	NoFunction
	// TooLong is a program that did not end in time.
	TooLong
	// TooMuchMemory, TooDeep, TooMuchOutput and TooManyCalls are programs that went beyond what one case may use.
	TooMuchMemory
	TooDeep
	TooMuchOutput
	TooManyCalls
	// Crashed is a program that broke its engine.
	Crashed
)

var codeNames = [...]string{
	"passed", "wrong-value", "raised", "not-raised", "other-raised", "other-call", "other-variable", "shared",
	"syntax", "load-raised", "not-defined", "real-time", "no-module", "no-function",
	"too-long", "too-much-memory", "too-deep", "too-much-output", "too-many-calls", "crashed",
}

// String returns the code's name.
func (c Code) String() string { return codeNames[c] }

// Codes returns all codes in their order.
func Codes() []Code {
	all := make([]Code, len(codeNames))
	for i := range all {
		all[i] = Code(i)
	}
	return all
}

// limitCodes are the codes of the harness's and the runner's limits.
var limitCodes = [...]struct {
	limit string
	code  Code
}{
	{"not-defined", NotDefined}, {"real-time", RealTime}, {"no-module", NoModule}, {"no-function", NoFunction},
	{"time", TooLong}, {"memory", TooMuchMemory}, {"recursion", TooDeep}, {"output", TooMuchOutput}, {"calls", TooManyCalls},
}

func codeOfLimit(limit string) Code {
	for _, l := range limitCodes {
		if l.limit == limit {
			return l.code
		}
	}
	return Crashed
}

// Verdict is how a program was judged. What it says of Python is said in Python; sentences are made from it in core/text.
type Verdict struct {
	Function string
	Code     Code
	// Cases is how many cases came out as wanted before the one told of here.
	Cases int
	// Replays is how often that one was tried in smaller forms.
	Replays int
	// Choices are what the case was made of, if it is none of the fixed ones: the same make the same case.
	Choices []int
	// Setup are the lines that make the world of the case, Calls the calls of it up to the one told of here.
	Setup, Calls []string
	// Yours and Wanted are results, exceptions, calls of the world or values, by the Code. An empty one is nothing.
	Yours, Wanted string
	// Number says which call of the world differs, from 1; YoursAt and WantedAt when they happened.
	Number            int
	YoursAt, WantedAt clock.Instant
	// Name is that of the variable, module or function that the Code is about.
	Name string
	// Text is what an exception says; Line where the program was last, 0 if it is not known.
	Text string
	Line int
	// Output is what the program printed in the case, its beginning.
	Output string
}

// Passed reports whether every case came out as wanted.
func (v *Verdict) Passed() bool { return v.Code == Passed }

// Case returns the lines of Python that are the case: what makes its world, and its calls.
func (v *Verdict) Case() []string { return slices.Concat(v.Setup, v.Calls) }

// AppendJSON appends the verdict as one line of JSON, every field in its order: the same verdict is the same bytes.
func (v *Verdict) AppendJSON(b []byte) []byte {
	str := func(name, s string) {
		b = call.AppendJSONString(append(append(append(b, `,"`...), name...), `":`...), s)
	}
	num := func(name string, n int64) {
		b = strconv.AppendInt(append(append(append(b, `,"`...), name...), `":`...), n, 10)
	}
	lines := func(name string, all []string) {
		b = append(append(append(b, `,"`...), name...), `":[`...)
		for i, s := range all {
			b = call.AppendJSONString(comma(b, i), s)
		}
		b = append(b, ']')
	}
	b = strconv.AppendBool(append(b, `{"passed":`...), v.Passed())
	str("function", v.Function)
	str("code", v.Code.String())
	num("cases", int64(v.Cases))
	num("replays", int64(v.Replays))
	b = append(b, `,"choices":[`...)
	for i, n := range v.Choices {
		b = strconv.AppendInt(comma(b, i), int64(n), 10)
	}
	b = append(b, ']')
	lines("setup", v.Setup)
	lines("calls", v.Calls)
	str("yours", v.Yours)
	str("wanted", v.Wanted)
	num("number", int64(v.Number))
	num("yoursAt", int64(v.YoursAt))
	num("wantedAt", int64(v.WantedAt))
	str("name", v.Name)
	str("text", v.Text)
	num("line", int64(v.Line))
	str("output", v.Output)
	return append(b, '}')
}

var errVerdict = errors.New("this is no verdict")

// ReadVerdict reads what AppendJSON has written.
func ReadVerdict(data []byte) (Verdict, error) {
	_, root, err := document.Read("verdict", data)
	if err != nil {
		return Verdict{}, fmt.Errorf("%w: %w", errVerdict, err)
	}
	var v Verdict
	known := false
	for _, f := range root.Fields {
		switch n := f.Value; f.Name {
		case "function":
			v.Function = n.Text
		case "code":
			at := slices.Index(codeNames[:], n.Text)
			if known = at >= 0; known {
				v.Code = Code(at)
			}
		case "cases":
			v.Cases = int(readInt(n))
		case "replays":
			v.Replays = int(readInt(n))
		case "choices":
			for _, item := range n.Items {
				v.Choices = append(v.Choices, int(readInt(item)))
			}
		case "setup":
			v.Setup = readLines(n)
		case "calls":
			v.Calls = readLines(n)
		case "yours":
			v.Yours = n.Text
		case "wanted":
			v.Wanted = n.Text
		case "number":
			v.Number = int(readInt(n))
		case "yoursAt":
			v.YoursAt = clock.Instant(readInt(n))
		case "wantedAt":
			v.WantedAt = clock.Instant(readInt(n))
		case "name":
			v.Name = n.Text
		case "text":
			v.Text = n.Text
		case "line":
			v.Line = int(readInt(n))
		case "output":
			v.Output = n.Text
		}
	}
	if !known {
		return Verdict{}, errVerdict
	}
	return v, nil
}

func readLines(n *document.Node) (lines []string) {
	for _, item := range n.Items {
		lines = append(lines, item.Text)
	}
	return lines
}
