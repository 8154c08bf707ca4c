package codelab

import (
	"errors"
	"fmt"
	"strconv"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/document"
)

// Program is what a learner hands in.
type Program struct {
	// Given is run first: the reference's earlier functions, which those of Source replace by their names.
	Given string
	// Source is the learner's.
	Source string
}

// appendRequest writes a batch of cases as one line of JSON, for the harness.
//
// A value is null, true, a whole number, a text or a list as it is; a float is {"f": nanoseconds}, or {"f": "nan"}; a
// tuple {"t": […]}, a dict {"d": [[key, value], …]}, a request {"q": […]}, a variable {"var": name}, a function of the
// world {"fake": name}. Outcomes also hold a reply {"r": number}, a response {"j": […]} and {"o": type}.
func appendRequest(b []byte, function string, p Program, cases []Case) []byte {
	b = call.AppendJSONString(append(b, `{"function":`...), function)
	b = call.AppendJSONString(append(b, `,"prelude":`...), p.Given)
	b = call.AppendJSONString(append(b, `,"program":`...), p.Source)
	b = append(b, `,"cases":[`...)
	for i := range cases {
		b = comma(b, i)
		b = cases[i].appendTo(b)
	}
	return append(b, "]}"...)
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

func (c *Case) appendTo(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"now":`...), int64(c.Now), 10)
	b = strconv.AppendInt(append(b, `,"over":`...), int64(c.Over), 10)
	b = appendNamed(append(b, `,"vars":`...), c.Vars)
	b = append(b, `,"replies":[`...)
	for i, a := range c.Answers {
		b = a.appendTo(comma(b, i))
	}
	b = appendValues(append(b, `],"draws":`...), c.Draws)
	b = append(b, `,"steps":[`...)
	for i, s := range c.Steps {
		b = append(comma(b, i), '{')
		if s.Sets {
			b = append(strconv.AppendInt(append(b, `"at":`...), int64(s.At), 10), ',')
		}
		if s.On > 0 {
			b = append(strconv.AppendInt(append(b, `"on":`...), int64(s.On-1), 10), ',')
		}
		b = appendValues(append(b, `"args":`...), s.Args)
		b = append(appendNamed(append(b, `,"kw":`...), s.Keys), '}')
	}
	return append(b, "]}"...)
}

func (a Answer) appendTo(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"cost":`...), int64(a.Cost), 10)
	switch {
	case a.Raise != "":
		b = call.AppendJSONString(append(b, `,"raise":`...), a.Raise)
	case a.Status != 0:
		b = strconv.AppendInt(append(b, `,"status":`...), int64(a.Status), 10)
		b = a.After.appendTo(append(b, `,"after":`...))
		b = a.Retryable.appendTo(append(b, `,"retryable":`...))
	default:
		b = a.Value.appendTo(append(b, `,"value":`...))
	}
	return append(b, '}')
}

func appendNamed(b []byte, all []Named) []byte {
	b = append(b, '[')
	for i, n := range all {
		b = call.AppendJSONString(append(comma(b, i), '['), n.Name)
		b = append(n.Value.appendTo(append(b, ',')), ']')
	}
	return append(b, ']')
}

func appendValues(b []byte, all []Value) []byte {
	b = append(b, '[')
	for i, v := range all {
		b = v.appendTo(comma(b, i))
	}
	return append(b, ']')
}

func (v Value) appendTo(b []byte) []byte {
	tagged := func(tag string) []byte { return append(append(append(b, `{"`...), tag...), `":`...) }
	switch v.Kind {
	case None:
		return append(b, "null"...)
	case Bool:
		return strconv.AppendBool(b, v.Int == 1)
	case Int:
		return strconv.AppendInt(b, v.Int, 10)
	case Dec:
		return append(strconv.AppendInt(tagged("f"), v.Int, 10), '}')
	case Odd:
		return append(call.AppendJSONString(tagged("f"), v.Text), '}')
	case Str:
		return call.AppendJSONString(b, v.Text)
	case List:
		return appendValues(b, v.Items)
	case Tuple:
		return append(appendValues(tagged("t"), v.Items), '}')
	case Request:
		return append(appendValues(tagged("q"), v.Items), '}')
	case Var:
		return append(call.AppendJSONString(tagged("var"), v.Text), '}')
	case Dict:
		b = append(tagged("d"), '[')
		for i := 0; i < len(v.Items); i += 2 {
			b = appendValues(comma(b, i), v.Items[i:i+2])
		}
		return append(b, "]}"...)
	}
	return append(call.AppendJSONString(tagged("fake"), v.Text), '}')
}

// answered is the harness's line on one case.
type answered struct {
	steps []Outcome
	// load is what ended the program before any call, nil if nothing did.
	load   *Outcome
	output string
}

var errAnswer = errors.New("the harness's answer cannot be read")

// readAnswer reads the harness's line on a case.
func readAnswer(line []byte) (answered, error) {
	_, root, err := document.Read("answer", line)
	if err != nil {
		return answered{}, fmt.Errorf("%w: %w", errAnswer, err)
	}
	var a answered
	for _, f := range root.Fields {
		switch f.Name {
		case "steps":
			for _, n := range f.Value.Items {
				a.steps = append(a.steps, readOutcome(n))
			}
		case "load":
			o := readOutcome(f.Value)
			a.load = &o
		case "out":
			a.output = f.Value.Text
		}
	}
	if a.steps == nil && a.load == nil {
		return answered{}, errAnswer
	}
	return a, nil
}

func readOutcome(n *document.Node) Outcome {
	var o Outcome
	for _, f := range n.Fields {
		switch v := f.Value; f.Name {
		case "ok":
			o.Result = readValue(v)
		case "raised":
			o.Raised = v.Text
		case "text":
			o.Text = v.Text
		case "limit":
			o.Limit = v.Text
		case "line":
			o.Line = int(readInt(v))
		case "trace":
			for _, c := range v.Items {
				if len(c.Items) == 3 {
					o.Trace = append(o.Trace, Call{c.Items[0].Text, clock.Instant(readInt(c.Items[1])), readValues(c.Items[2])})
				}
			}
		case "shares":
			o.Shares = v.Text
		case "vars":
			o.Vars = readValues(v)
		}
	}
	return o
}

func readInt(n *document.Node) int64 {
	i, _ := strconv.ParseInt(n.Text, 10, 64) // the harness writes what fits
	return i
}

func readValues(n *document.Node) []Value {
	values := make([]Value, len(n.Items))
	for i, item := range n.Items {
		values[i] = readValue(item)
	}
	return values
}

func readValue(n *document.Node) Value {
	switch n.Kind {
	case document.Bool:
		return truth(n.Bool)
	case document.Number:
		return whole(readInt(n))
	case document.String:
		return text(n.Text)
	case document.Array:
		return list(readValues(n)...)
	case document.Object:
		if len(n.Fields) == 1 {
			return readTagged(n.Fields[0].Name, n.Fields[0].Value)
		}
	}
	return Value{}
}

func readTagged(tag string, n *document.Node) Value {
	switch tag {
	case "f":
		if n.Kind == document.String {
			return odd(n.Text)
		}
		return Value{Kind: Dec, Int: readInt(n)}
	case "t":
		return tuple(readValues(n)...)
	case "d":
		var items []Value
		for _, pair := range n.Items {
			items = append(items, readValues(pair)...)
		}
		return dict(items...)
	case "r":
		return replyNumber(int(readInt(n)))
	case "q":
		return Value{Kind: Request, Items: readValues(n)}
	case "j":
		return Value{Kind: Response, Items: readValues(n)}
	}
	return Value{Kind: Other, Text: n.Text}
}
