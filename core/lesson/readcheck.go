package lesson

import (
	"slices"
	"time"

	"retrylab.example/core/decision"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
)

// maxNumber bounds the numbers of checks.
const maxNumber = 1_000_000_000_000

// maxChecks is the most checks that a step has.
const maxChecks = 20

func (l *Lesson) readCheck(n *document.Node, s *Step) Check {
	r := n.Object()
	id := readID(r)
	if id == prediction {
		r.Field("id").Fault("a check cannot have the id of the prediction", "choose another id")
	}
	text := l.need(r, "text")
	c := l.readTest(r, s)
	c.ID, c.Text = id, text
	return c
}

// readTest reads what is tested, and closes the reader.
func (l *Lesson) readTest(r *document.Reader, s *Step) Check {
	c := Check{Call: 1}
	f := r.Need("kind")
	if f == nil {
		return c
	}
	c.Kind = document.OneOf(f, checkKindNames[:], ParseCheckKind)
	if _, ok := ParseCheckKind(f.Text); !ok {
		return c // which fields it should have is not known
	}
	switch c.Kind {
	case Count, Total:
		readOf(r, &c)
		readNumber(r, &c)
	case Waits:
		readCall(r, &c, s)
		r.Need("equals")
		for _, item := range r.Items("equals", 50) {
			c.Waits = append(c.Waits, item.Duration(0, 0, 24*time.Hour))
		}
	case Outcome:
		readCall(r, &c, s)
		readOutcome(r, &c)
	case Ends, Starts:
		readCall(r, &c, s)
		if c.Kind == Starts {
			r.Need("attempt")
			c.Attempt = int(r.Int("attempt", 1, 1, 1000))
		}
		readTime(r, &c)
		if f := r.Field("after"); f != nil {
			c.First = readMomentOf(f, s)
		}
	case Decided:
		if f := r.Need("reason"); f != nil {
			c.Reason = document.OneOf(f, reasonNames(), decision.ParseReason)
		}
		c.Attempt = int(r.Int("attempt", 0, 0, 1000))
		c.Number = r.Int("times", 1, 1, 1000)
	case FiredCheck:
		readFired(r, &c)
	case Injected:
		readInjected(r, &c)
	case Retries:
		readCall(r, &c, s)
		readNumber(r, &c)
	case Order:
		readOrder(r, &c, s)
	case Happens:
		c.Then = readMoment(r, s)
		readNumber(r, &c)
	case StateCheck:
		readState(r, &c, s)
	}
	r.Done()
	return c
}

func reasonNames() []string { return namesOf(decision.Reasons()) }

func namesOf[T interface{ String() string }](list []T) []string {
	var names []string
	for _, v := range list {
		names = append(names, v.String())
	}
	return names
}

func readOf(r *document.Reader, c *Check) {
	counts, totals := TotalNames()
	names := counts
	if c.Kind == Total {
		names = totals
	}
	if f := r.Need("of"); f != nil {
		c.Of = document.OneOf(f, names, func(s string) (string, bool) { return s, slices.Contains(names, s) })
	}
}

// readBound finds which of "equals", "min" and "max" is there; exactly one must be.
func readBound(r *document.Reader, c *Check) *document.Node {
	var found *document.Node
	for _, b := range []Bound{Equals, AtLeast, AtMost} {
		f := r.Field(b.String())
		if f == nil {
			continue
		}
		if found != nil {
			f.Faultf("keep one; write a second check for the other", "a check compares with one bound")
			continue
		}
		found, c.Bound = f, b
	}
	if found == nil {
		r.Faultf(`add one of "equals", "min" and "max"`, "the check does not say what it wants")
	}
	return found
}

func readNumber(r *document.Reader, c *Check) {
	if f := readBound(r, c); f != nil {
		c.Number = f.Int(0, -maxNumber, maxNumber)
	}
}

func readTime(r *document.Reader, c *Check) {
	if f := readBound(r, c); f != nil {
		c.Time = f.Duration(0, 0, 1000*time.Hour)
	}
}

// readCall reads which call a check is about: the first of the first client, unless said otherwise.
func readCall(r *document.Reader, c *Check, s *Step) {
	c.Call = int(r.Int("call", 1, 1, 1000))
	if f := r.Field("client"); f != nil {
		c.Client = s.Scenario.ReadClient(f)
	}
}

func readOutcome(r *document.Reader, c *Check) {
	if f := r.Need("is"); f != nil {
		names := []string{"succeeded", "gave-up"}
		c.Outcome = document.OneOf(f, names, func(s string) (string, bool) { return s, slices.Contains(names, s) })
	}
	c.Status = int(r.Int("status", 0, 100, 599))
	if f := r.Field("reason"); f != nil {
		c.Reason = document.OneOf(f, reasonNames(), decision.ParseReason)
	}
}

func readFired(r *document.Reader, c *Check) {
	c.Fired.Method = r.String("method", "")
	c.Fired.Key = r.String("key", "")
	if f := r.Field("keyed"); f != nil {
		keyed := r.Bool("keyed")
		c.Fired.Keyed = &keyed
	}
	c.Fired.Amount = r.Int("amount", 0, 1, 1_000_000_000)
	c.Number = r.Int("times", 1, 1, 1000)
}

func readInjected(r *document.Reader, c *Check) {
	c.Fault, c.Number = event.Reply, r.Int("times", 1, 1, 1000)
	reply, fault := r.Field("reply"), r.Field("fault")
	c.Distinct = r.Bool("distinct")
	switch {
	case c.Distinct && (reply != nil || fault != nil && fault.Text != event.Reply.String()):
		r.Faultf(`keep neither, or "fault": "reply" for replies of different statuses`, "orders that are all like this cannot be distinct")
	case c.Distinct:
		if fault == nil {
			c.Fault = event.NoFault
		}
	case (reply == nil) == (fault == nil):
		r.Faultf(`write "reply": 503 or "fault": "lost-reply"`, `one of "reply" and "fault" is needed`)
	case reply != nil:
		c.Status = int(reply.Int(503, 200, 599))
	default:
		c.Fault = document.OneOf(fault, namesOf(event.Faults()), event.ParseFault)
	}
}
