package ratelimit

import "retrylab.example/core/sfv"

// Policy is a quota that a partner keeps to.
type Policy struct {
	// Name is its name; in the Integer form of earlier drafts there is none.
	Name string
	// Quota is q, as sent, ≥ 0.
	Quota int64
	// Window is w, as sent: seconds, > 0. HasWindow false: it is not known.
	Window    int64
	HasWindow bool
	// Unit is qu, what is counted; "requests" if it was not sent, which HasUnit says.
	Unit    string
	HasUnit bool
	// Partition is pk, decoded; HasPartition false: none was sent.
	Partition    string
	HasPartition bool
}

// units are those that section 3.1 registers.
var units = [...]string{"requests", "content-bytes", "concurrent-requests"}

// UnitKnown reports whether a client knows what is counted. With another unit the policy is not acted on.
func (p Policy) UnitKnown() bool {
	for _, u := range units {
		if p.Unit == u {
			return true
		}
	}
	return false
}

// Policies is a RateLimit-Policy field.
type Policies struct {
	Status Status
	// Problem says why the field is ignored, "" if it is not.
	Problem string
	Items   []Policy
	// Capped says that a number is beyond Most.
	Capped bool
}

// ReadPolicies reads the lines of RateLimit-Policy.
func ReadPolicies(m Mode, lines []string) Policies {
	list, fault := sfv.ParseList(lines)
	p := Policies{Status: statusOf(len(list), fault != nil)}
	if fault != nil {
		p.Problem = fault.Problem
	}
	for _, member := range list {
		var one Policy
		if one, p.Problem = readPolicy(m, member); p.Problem != "" {
			return Policies{Status: Malformed, Problem: p.Problem}
		}
		p.Items = append(p.Items, one)
		p.Capped = p.Capped || one.Quota > Most || one.Window > Most
	}
	return p
}

func readPolicy(mode Mode, m sfv.Member) (p Policy, problem string) {
	q, w, qu, pk := m.Param("q"), m.Param("w"), m.Param("qu"), m.Param("pk")
	p = Policy{Name: m.Value.Text, Quota: q.Int, Window: w.Int, HasWindow: w.Kind != sfv.NoKind, Unit: units[0]}
	p.Partition, p.HasPartition = pk.Text, pk.Kind != sfv.NoKind
	if p.HasUnit = qu.Kind != sfv.NoKind; p.HasUnit {
		p.Unit = qu.Text
	}
	if mode == Compatible && m.Value.Kind == sfv.Integer { // 100;w=60, the form of drafts 03 to 06
		p.Quota, q = m.Value.Int, m.Value
		m.Value.Kind = sfv.String
	}
	switch {
	case m.Value.Kind != sfv.String:
		return p, "the name must be a String"
	case q.Kind == sfv.NoKind:
		return p, "q is required"
	case q.Kind != sfv.Integer || q.Int < 0:
		return p, "q must be an Integer of 0 or more"
	case p.HasWindow && (w.Kind != sfv.Integer || w.Int < 1):
		return p, "w must be an Integer of 1 or more"
	case p.HasUnit && qu.Kind != sfv.String:
		return p, "qu must be a String"
	case p.HasPartition && pk.Kind != sfv.ByteSequence:
		return p, "pk must be a Byte Sequence"
	}
	return p, ""
}
