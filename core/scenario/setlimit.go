package scenario

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/document"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// maxLiteral bounds what may stand in the place of a number, so that a receipt can show it.
const maxLiteral = 40

type setLimitJSON struct {
	Count  json.RawMessage `json:"count"`
	Window json.RawMessage `json:"window"`
}

// readSetLimit reads {"count": 2, "window": "10s"}; the window may be a number of seconds too. What is no limit is no
// fault of the file: the partner refuses it, which is what a person may want to see.
func readSetLimit(n *document.Node) sim.Action {
	r := n.Object()
	a := sim.Action{Kind: sim.SetLimit}
	if f := r.Need("count"); f != nil {
		a.Limit.Count = literal(f)
	}
	if f := r.Need("window"); f != nil {
		a.Limit.Window = windowLiteral(literal(f), f.Text)
	}
	r.Done()
	return a
}

// literal returns a value that is no list and no object as JSON writes it.
func literal(n *document.Node) (s string) {
	switch n.Kind {
	case document.Null:
		return "null"
	case document.Bool:
		return strconv.FormatBool(n.Bool)
	case document.Number:
		s = n.Text
	case document.String:
		s = string(call.AppendJSONString(nil, n.Text))
	default:
		n.Faultf("write a number, or any other single value", "this is %s", n.Kind)
		return "null"
	}
	if len(s) > maxLiteral {
		n.Faultf("keep it shorter", "this is longer than %d bytes", maxLiteral)
		return "null"
	}
	return s
}

// windowLiteral turns a duration with its unit into seconds; anything else stays.
func windowLiteral(s, text string) string {
	d, ok := document.ParseDuration(text)
	if !ok || s == text {
		return s
	}
	return seconds(d)
}

// seconds writes a duration as a JSON number of seconds, exactly.
func seconds(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	s := strconv.FormatInt(int64(d/time.Second), 10)
	if rest := d % time.Second; rest > 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(int64(time.Second+rest), 10)[1:], "0")
	}
	return sign + s
}

// ReadSetting reads a setting of the limit as somebody typed it: JSON where it is some, else a text. A window may be a
// duration, as in 10 s.
func ReadSetting(count, window string) limit.Setting {
	return limit.Setting{
		Count: typedLiteral(count), Window: windowLiteral(typedLiteral(window), strings.ReplaceAll(window, " ", "")),
	}
}

func typedLiteral(s string) string {
	if _, n, err := document.Read("", []byte(s)); err == nil && n.Kind != document.Array && n.Kind != document.Object {
		return literal(n)
	}
	return string(call.AppendJSONString(nil, s[:min(len(s), maxLiteral/2)]))
}
