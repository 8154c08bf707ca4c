package rows

import (
	"math/bits"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Bounds of what is read. They are wider than what can be sent, so that whatever could happen can be read back.
const (
	// MaxCount bounds counts, numbers of slots and amounts; sums of many still fit 64 bits.
	MaxCount = 1 << 50
	maxText  = 64 << 10
)

// Instant reads an instant, which may be clock.Max for never.
func (r *Reader) Instant() clock.Instant { return clock.Instant(r.Int(0, int64(clock.Max))) }

// Duration reads a duration of 0 or more.
func (r *Reader) Duration() time.Duration { return time.Duration(r.Int(0, int64(clock.MaxDuration))) }

// Count reads a number of things.
func (r *Reader) Count() int { return int(r.Int(0, min(MaxCount, 1<<(bits.UintSize-2)))) }

// Request adds the values of a request.
func (w *Writer) Request(r *call.Request) {
	w.Int(int64(r.Client))
	w.Int(int64(r.Call))
	w.Int(int64(r.Attempt))
	w.Text(r.ClientID)
	w.Text(r.Method)
	w.Text(r.Path)
	w.Bool(r.Keyed)
	w.Text(r.Key)
	w.Int(r.Amount)
	w.Int(r.Slot)
	w.Text(r.IfMatch)
}

// Request reads the values of a request.
func (r *Reader) Request() call.Request {
	return call.Request{
		Client: r.Count(), Call: r.Count(), Attempt: r.Count(),
		ClientID: r.Text(maxText), Method: r.Text(maxText), Path: r.Text(maxText), Keyed: r.Bool(), Key: r.Text(maxText),
		Amount: r.Int(-MaxCount, MaxCount), Slot: r.Int(-MaxCount, MaxCount), IfMatch: r.Text(maxText),
	}
}

// Response adds the values of a response.
func (w *Writer) Response(r *call.Response) {
	w.Int(int64(r.Status))
	if r.Status == 0 {
		return
	}
	w.Bool(r.HasRetryAfter)
	w.Text(r.RetryAfter)
	w.Text(r.Fields)
	w.Bool(r.Replayed)
	w.Text(r.Location)
	b := &r.Body
	w.Text(b.Code)
	w.Int(int64(b.Flag))
	w.Text(b.Message)
	w.Bool(b.HasTotal)
	w.Int(b.Total)
	w.Text(b.Text)
}

// Response reads the values of a response.
func (r *Reader) Response() call.Response {
	v := call.Response{Status: int(r.Int(0, 999))}
	if v.Status == 0 {
		return v
	}
	v.HasRetryAfter, v.RetryAfter, v.Fields = r.Bool(), r.Text(maxText), r.Text(maxText)
	v.Replayed, v.Location = r.Bool(), r.Text(maxText)
	v.Body = call.Body{
		Code: r.Text(maxText), Flag: call.Flag(r.Int(0, int64(call.FlagTrue))), Message: r.Text(maxText),
		HasTotal: r.Bool(), Total: r.Int(-1<<62, 1<<62), Text: r.Text(maxText),
	}
	return v
}

// Decision writes a receipt: a line of its own, and one for each of its rows and flips.
func (w *Writer) Decision(d *decision.Decision) {
	w.Row("decision")
	w.Text(d.Verdict.String())
	w.Text(d.Reason.String())
	w.Int(int64(d.Wait))
	for _, t := range d.Terms() {
		w.Row("term")
		w.Text(t.Name.String())
		w.Text(t.Mark.String())
		w.Int(t.Value)
		w.Int(t.A)
		w.Int(t.B)
		w.Text(t.Text)
	}
	for _, f := range d.Flips() {
		w.Row("flip")
		w.Text(f.Name.String())
		w.Text(f.Bound.String())
		w.Int(f.Value)
		w.Text(f.Verdict.String())
		w.Text(f.Reason.String())
		w.Int(int64(f.Wait))
	}
}

// Decision reads the lines of a receipt.
func (r *Reader) Decision() (d decision.Decision) {
	r.Need("decision")
	d.Verdict, d.Reason, d.Wait = One(r, decision.ParseVerdict), One(r, parseReason), r.Duration()
	r.Next()
	for r.Is("term") {
		if len(d.Terms()) == decision.MaxTerms {
			r.Fault("the receipt has too many rows")
			return d
		}
		d.Add(decision.Term{
			Name: One(r, decision.ParseName), Mark: One(r, decision.ParseMark),
			Value: r.any(), A: r.any(), B: r.any(), Text: r.Text(maxText),
		})
		r.Next()
	}
	for r.Is("flip") {
		d.AddFlip(decision.Flip{
			Name: One(r, decision.ParseName), Bound: One(r, decision.ParseBound), Value: r.any(),
			Verdict: One(r, decision.ParseVerdict), Reason: One(r, parseReason), Wait: r.Duration(),
		})
		r.Next()
	}
	return d
}

// parseReason reads the name of a reason, or of none.
func parseReason(name string) (decision.Reason, bool) {
	if name == decision.NoReason.String() {
		return decision.NoReason, true
	}
	return decision.ParseReason(name)
}

func (r *Reader) any() int64 { return r.Int(int64(clock.Min), int64(clock.Max)) }
