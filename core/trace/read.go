package trace

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
)

const (
	least = -1 << 63
	most  = 1<<63 - 1
)

var (
	actors = []event.Actor{event.Client, event.Partner, event.Network, event.Person, event.Simulation}
	marks  = []decision.Mark{decision.Plain, decision.Decided, decision.Ignored, decision.Off}
	bounds = []decision.Bound{decision.AtLeast, decision.AtMost, decision.MoreThan, decision.Exactly}
)

// Read reads a line that AppendJSON has written: the event that is written so. What no line holds is as AppendJSON
// leaves it out; of the client's name only what a field clientId says. The error tells every fault with its place.
func Read(line []byte) (event.Event, error) {
	doc, root, err := document.Read("trace", line)
	if err != nil {
		return event.Event{}, err
	}
	e := readEvent(root.Object())
	return e, doc.Err()
}

func readEvent(r *document.Reader) (e event.Event) {
	e.Seq = int(r.Int("seq", 0, 0, 1<<31-1))
	e.At = clock.Instant(r.Int("at", 0, 0, most))
	e.Kind = one(r.Need("event"), event.Kinds())
	e.Who = one(r.Need("who"), actors)
	readRequest(r, &e.Request)
	e.Pool = int(r.Int("pool", 0, 0, 1<<31-1))
	if n := r.Field("response"); n != nil {
		e.Response = readResponse(n.Object())
	}
	if n := r.Field("failure"); n != nil {
		e.Failure = one(n, call.Failures())
	}
	if n := r.Field("fault"); n != nil {
		e.Fault = one(n, event.Faults())
	}
	never := int64(0)
	if hasUntil(e.Kind) {
		never = int64(clock.Max)
	}
	e.Until = clock.Instant(r.Int("until", never, least, most))
	e.Delta, e.Total = r.Int("delta", 0, least, most), r.Int("total", 0, least, most)
	if n := r.Field("decision"); n != nil {
		readDecision(n.Object(), &e.Decision)
	}
	r.Done()
	return e
}

func readRequest(r *document.Reader, q *call.Request) {
	q.Client = int(r.Int("client", 0, 0, 1<<31-1))
	q.Call = int(r.Int("call", 0, 0, 1<<31-1))
	q.Attempt = int(r.Int("attempt", 0, 0, 1<<31-1))
	q.ClientID = r.String("clientId", "")
	q.Method, q.Path = r.String("method", ""), r.String("path", "")
	if n := r.Field("key"); n != nil {
		q.Key, q.Keyed = n.Str(), true
	}
	q.IfMatch = r.String("ifMatch", "")
	q.Amount, q.Slot = r.Int("amount", 0, least, most), r.Int("slot", 0, least, most)
}

func readResponse(r *document.Reader) (a call.Response) {
	a.Status = int(r.Int("status", 0, 1, 999))
	if n := r.Field("retryAfter"); n != nil {
		a.RetryAfter, a.HasRetryAfter = n.Str(), true
	}
	a.Fields, a.Replayed = r.String("fields", ""), r.Bool("replayed")
	a.Location, a.Body = r.String("location", ""), readBody(r.String("body", ""))
	r.Done()
	return a
}

// readBody returns the body whose text this is.
func readBody(text string) (b call.Body) {
	if _, root, err := document.Read("body", []byte(text)); err == nil && root.Kind == document.Object {
		r := root.Object()
		if n := r.Field("error"); n != nil && n.Kind == document.String {
			b.Code = n.Text
		} else if n != nil {
			e := n.Object()
			b.Code, b.Message, b.Flag = e.String("code", ""), e.String("message", ""), call.FlagFalse
			if e.Bool("retryable") {
				b.Flag = call.FlagTrue
			}
		} else if n := r.Field("total"); n != nil {
			b.HasTotal, b.Total = true, n.Int(0, least, most)
		}
	}
	if b.String() != text {
		return call.Body{Text: text}
	}
	return b
}

func readDecision(r *document.Reader, d *decision.Decision) {
	d.Verdict, d.Reason = one(r.Need("verdict"), decision.Verdicts()), one(r.Need("reason"), decision.Reasons())
	d.Wait = time.Duration(r.Int("wait", 0, least, most))
	for _, n := range r.Items("terms", decision.MaxTerms) {
		t := n.Object()
		d.Add(decision.Term{Name: one(t.Need("name"), decision.Names()), Mark: one(t.Need("mark"), marks),
			Value: t.Int("value", 0, least, most), A: t.Int("a", 0, least, most), B: t.Int("b", 0, least, most), Text: t.String("text", "")})
		t.Done()
	}
	for _, n := range r.Items("flips", decision.MaxFlips) {
		f := n.Object()
		d.AddFlip(decision.Flip{Name: one(f.Need("name"), decision.Names()), Bound: one(f.Need("bound"), bounds),
			Value: f.Int("value", 0, least, most), Verdict: one(f.Need("verdict"), decision.Verdicts()),
			Reason: one(f.Need("reason"), decision.Reasons()), Wait: time.Duration(f.Int("wait", 0, least, most))})
		f.Done()
	}
	r.Done()
}

// one returns the value whose name the text is; an unknown one is a fault. A missing text is told of already.
func one[T interface{ String() string }](n *document.Node, all []T) (v T) {
	if n == nil {
		return v
	}
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = x.String()
	}
	return document.OneOf(n, names, func(name string) (T, bool) {
		for i, x := range all {
			if names[i] == name {
				return x, true
			}
		}
		return v, false
	})
}

// hasUntil reports whether a line of the kind says when what began ends by itself; one that does not say so means never.
func hasUntil(k event.Kind) bool {
	switch k {
	case event.CallStarted, event.AttemptSent, event.RequestAdmitted, event.WorkBegan, event.RetryScheduled,
		event.RunStopped, event.TaskQueued, event.TaskStarted, event.AttemptHeld, event.CircuitOpened:
		return true
	}
	return false
}
