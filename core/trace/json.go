// Package trace writes a run down: JSON Lines for programs, columns for people, a digest for tests.
//
// The bytes are made by hand so that they are the same on every platform and in every Go release.
package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// AppendJSON appends one event as one line of JSON. Fields that an event does not have are left out; instants and
// durations are nanoseconds.
func AppendJSON(b []byte, e *event.Event) []byte {
	o := object{b: append(b, '{')}
	o.int("seq", int64(e.Seq))
	o.int("at", int64(e.At))
	o.str("event", e.Kind.String())
	o.str("who", e.Who.String())
	if e.Request.Call > 0 {
		o.request(e.Request)
	} else if e.Kind == event.PolicyChanged || e.Kind == event.GuardsChanged {
		o.int("client", int64(e.Request.Client))
	}
	if e.Pool > 0 {
		o.int("pool", int64(e.Pool))
	}
	if e.Response.Status > 0 {
		o.response(e.Response)
	}
	if e.Failure != call.None {
		o.str("failure", e.Failure.String())
	}
	if e.Fault != event.NoFault {
		o.str("fault", e.Fault.String())
	}
	if hasUntil(e.Kind) && e.Until != clock.Max {
		o.int("until", int64(e.Until))
	}
	switch e.Kind {
	case event.EffectApplied, event.ReplyReplayed:
		o.int("delta", e.Delta)
		o.int("total", e.Total)
	}
	if e.Decides() {
		o.decision(&e.Decision)
	}
	return append(o.b, '}', '\n')
}

// Digest returns the SHA-256 of the events' JSON Lines, in hexadecimal.
func Digest(events []event.Event) string {
	h := sha256.New()
	var line []byte
	for i := range events {
		line = AppendJSON(line[:0], &events[i])
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// AppendDecision appends a receipt as one JSON object, as it stands in the line of its event.
func AppendDecision(b []byte, d *decision.Decision) []byte {
	o := object{b: append(b, '{')}
	o.receipt(d)
	return append(o.b, '}')
}

// object writes the fields of one JSON object; its caller closes it.
type object struct{ b []byte }

func (o *object) name(n string) {
	if last := o.b[len(o.b)-1]; last != '{' && last != '[' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, n...)
	o.b = append(o.b, '"', ':')
}

func (o *object) int(n string, v int64) {
	o.name(n)
	o.b = strconv.AppendInt(o.b, v, 10)
}

func (o *object) str(n, v string) {
	o.name(n)
	o.b = call.AppendJSONString(o.b, v)
}

func (o *object) bool(n string, v bool) {
	o.name(n)
	o.b = strconv.AppendBool(o.b, v)
}

func (o *object) open(n string)  { o.name(n); o.b = append(o.b, '{') }
func (o *object) close()         { o.b = append(o.b, '}') }
func (o *object) array(n string) { o.name(n); o.b = append(o.b, '[') }
func (o *object) endArray()      { o.b = append(o.b, ']') }

// element opens the next object of an array.
func (o *object) element() {
	if o.b[len(o.b)-1] == '}' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '{')
}

func (o *object) request(r call.Request) {
	o.int("client", int64(r.Client))
	o.int("call", int64(r.Call))
	o.int("attempt", int64(r.Attempt))
	o.str("method", r.Method)
	o.str("path", r.Path)
	if r.Keyed {
		o.str("key", r.Key)
	}
	if r.IfMatch != "" {
		o.str("ifMatch", r.IfMatch)
	}
	if r.Amount != 0 {
		o.int("amount", r.Amount)
	}
	if r.Slot != 0 {
		o.int("slot", r.Slot)
	}
}

func (o *object) response(r call.Response) {
	o.open("response")
	o.int("status", int64(r.Status))
	if r.HasRetryAfter {
		o.str("retryAfter", r.RetryAfter)
	}
	if r.Fields != "" {
		o.str("fields", r.Fields)
	}
	if r.Replayed {
		o.bool("replayed", true)
	}
	if r.Location != "" {
		o.str("location", r.Location)
	}
	o.str("body", r.Body.String())
	o.close()
}

func (o *object) decision(d *decision.Decision) {
	o.open("decision")
	o.receipt(d)
	o.close()
}

func (o *object) receipt(d *decision.Decision) {
	o.str("verdict", d.Verdict.String())
	o.str("reason", d.Reason.String())
	o.int("wait", int64(d.Wait))
	o.array("terms")
	for _, t := range d.Terms() {
		o.element()
		o.str("name", t.Name.String())
		o.str("mark", t.Mark.String())
		o.int("value", t.Value)
		o.int("a", t.A)
		o.int("b", t.B)
		if t.Text != "" {
			o.str("text", t.Text)
		}
		o.close()
	}
	o.endArray()
	if len(d.Flips()) > 0 {
		o.array("flips")
		for _, f := range d.Flips() {
			o.element()
			o.str("name", f.Name.String())
			o.str("bound", f.Bound.String())
			o.int("value", f.Value)
			o.str("verdict", f.Verdict.String())
			o.str("reason", f.Reason.String())
			o.int("wait", int64(f.Wait))
			o.close()
		}
		o.endArray()
	}
}

// Seconds returns d with a unit and three decimals, rounded towards 0, as in "1.850 s".
func Seconds(d time.Duration) string {
	sign, ms := "", uint64(d)
	if d < 0 {
		sign, ms = "-", -ms // as unsigned, so that the most negative duration has an opposite
	}
	ms /= uint64(time.Millisecond)
	frac := strconv.FormatUint(ms%1000+1000, 10)[1:]
	return sign + strconv.FormatUint(ms/1000, 10) + "." + frac + " s"
}
