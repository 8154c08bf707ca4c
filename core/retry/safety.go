package retry

import (
	"slices"
	"strings"

	"retrylab.example/core/call"
)

// Safety says which requests may be sent again.
//
//	              any  lesson-a             lesson-e            standard
//	GET, DELETE   yes  yes                  yes                 yes
//	HEAD, PUT     yes  yes                  –                   yes
//	OPTIONS, TRACE, QUERY
//	              yes  –                    –                   yes
//	POST          yes  with a key           with a key from the first attempt on, or if it changes nothing;
//	                                                            standard: a key only where it is documented
//	PATCH         yes  –                    –                   as POST, or with a strong If-Match
//	any other     yes  –                    –                   –
//	letter case   –    does not matter      matters             matters
//	not handled   –    –                    –                   whatever the method
//
// "Not handled" is a failure before anything was sent, and 408, 421, 425 and the policy's Unprocessed.
type Safety uint8

const (
	// AnyMethod repeats everything: contract C's caller, and a common mistake.
	AnyMethod Safety = iota
	// LessonA repeats GET, HEAD, PUT and DELETE in any letter case, POST only with a key that is not blank, PATCH and
	// anything else never. A key helps only where the partner deduplicates.
	LessonA
	// LessonE repeats GET and DELETE, a POST that is documented to change nothing, and any other POST only with a key that
	// was sent from the first attempt on.
	LessonE
	// Standard is RFC 9110 section 9.2.2: the idempotent methods, and others only where the client knows that the repeat
	// is harmless or that the first was not handled. QUERY is RFC 10008, PATCH with If-Match RFC 5789 section 2, 408, 421
	// and 425 RFC 9110 sections 15.5.9 and 15.5.20 and RFC 8470 section 5.2; keys are draft-07 section 2.5.1.
	Standard
)

var safetyNames = [...]string{"any", "lesson-a", "lesson-e", "standard"}

// String returns the name used in scenarios.
func (s Safety) String() string { return safetyNames[s] }

// SafetyNames returns the names in their order.
func SafetyNames() []string { return safetyNames[:] }

// ParseSafety returns the safety of that name.
func ParseSafety(name string) (Safety, bool) {
	i := slices.Index(safetyNames[:], name)
	return Safety(max(i, 0)), i >= 0
}

// Grounds say why a request may be sent again. Those after ByMethod are the values of A in the row decision.Method.
type Grounds int8

const (
	// NoGrounds: it may not.
	NoGrounds Grounds = iota
	// ByMethod: the method is harmless by itself.
	ByMethod
	// ByOutcome: the outcome says that the request was not handled.
	ByOutcome
	// ByKey: an Idempotency-Key makes it one request.
	ByKey
	// ByCondition: a strong If-Match fails if the first one came through.
	ByCondition
	// ByRoute: the method changes something as a rule, and is documented to change nothing where it is sent.
	ByRoute
)

// ReplaySafe reports whether r may be sent again by what contract A's replay_safe looks at, method and key, and whether
// its method alone already says so.
func (s Safety) ReplaySafe(r call.Request) (safe, byMethod bool) {
	g := (&Policy{Safety: s}).Grounds(&Input{Request: r})
	return g != NoGrounds, g == ByMethod
}

// Grounds returns why the request of in may be sent again after its outcome.
func (p *Policy) Grounds(in *Input) Grounds {
	switch r := &in.Request; p.Safety {
	case LessonA:
		return lessonA(r)
	case LessonE:
		switch r.Method {
		case "GET", "DELETE":
			return ByMethod
		case "POST":
			return p.known(in, true)
		}
	case Standard:
		return p.standard(in)
	case AnyMethod:
		return ByMethod
	}
	return NoGrounds
}

func lessonA(r *call.Request) Grounds {
	if r.Method == "POST" || strings.EqualFold(r.Method, "POST") {
		if r.HasKey() {
			return ByKey
		}
		return NoGrounds
	}
	for _, idempotent := range [...]string{"GET", "HEAD", "PUT", "DELETE"} {
		if strings.EqualFold(r.Method, idempotent) {
			return ByMethod
		}
	}
	return NoGrounds
}

func (p *Policy) standard(in *Input) (g Grounds) {
	switch in.Request.Method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY":
		return ByMethod
	case "POST":
		g = p.known(in, p.KeysDocumented)
	case "PATCH":
		if g = p.known(in, p.KeysDocumented); g == NoGrounds && strings.HasPrefix(in.Request.IfMatch, `"`) {
			g = ByCondition
		}
	}
	if g == NoGrounds && p.unprocessed(&in.Outcome) {
		g = ByOutcome
	}
	return g
}

// known returns the grounds of a method that changes something as a rule: that this route does not, or that the partner
// knows the request again by its key.
func (p *Policy) known(in *Input, keysCount bool) Grounds {
	switch {
	case in.Request.Method == "POST" && slices.Contains(p.Unchanging, in.Request.Path):
		return ByRoute
	case keysCount && !in.LateKey && in.Request.HasKey():
		return ByKey
	}
	return NoGrounds
}

func (p *Policy) unprocessed(o *call.Outcome) bool {
	if o.Failure != call.None {
		return o.Failure == call.NeverSent
	}
	switch o.Response.Status {
	case 408, 421, 425:
		return true
	}
	return slices.Contains(p.Unprocessed, o.Response.Status)
}

// keyWouldHelp reports whether a key is what the request lacks.
func (p *Policy) keyWouldHelp(r *call.Request) bool {
	switch p.Safety {
	case LessonA:
		return strings.EqualFold(r.Method, "POST")
	case LessonE:
		return r.Method == "POST"
	case Standard:
		return r.Method == "POST" || r.Method == "PATCH"
	}
	return false
}
