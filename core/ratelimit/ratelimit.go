// Package ratelimit reads the fields RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-10, a work in
// progress), and the fields of its forerunners that partners really send.
//
// The draft's rule is: what is malformed is ignored, the whole field of it, and an unknown parameter is a comment. What
// the fields say is a hint: there is no promise that a request passes while something remains, nor that one fails when
// nothing does (sections 4.1.1 and 7).
package ratelimit

import (
	"retrylab.example/core/sfv"
)

// Status says what became of a field.
type Status uint8

const (
	// Absent: it was not sent, or is an empty List, which means the same.
	Absent Status = iota
	// OK: it was read.
	OK
	// Malformed: it is a List and breaks the draft. It is ignored.
	Malformed
	// NotAList: it is no structured field of the type List. It is ignored.
	NotAList
)

var statusNames = [...]string{"absent", "ok", "malformed", "not-a-list"}

// String returns the kebab-case name.
func (s Status) String() string { return statusNames[s] }

// Mode says which forms are read.
type Mode uint8

const (
	// Draft reads the form of draft-10 only.
	Draft Mode = iota
	// Compatible also reads what earlier drafts had: Integers for policies (03 to 06), one Dictionary for a limit (up
	// to 07).
	Compatible
)

// Most is the greatest count, and the greatest number of seconds, that is acted on: 31 bits, the least that RFC 9111
// section 1.2.2 asks of arithmetic on seconds. Section 8 of the draft wants absurd numbers capped.
const Most = 1<<31 - 1

// Limit is what remains under one policy.
type Limit struct {
	// Name is the policy's.
	Name string
	// Remaining is r, as sent, ≥ 0.
	Remaining int64
	// Reset is t, as sent: seconds from receipt, ≥ 0. HasReset false: it is not known.
	Reset    int64
	HasReset bool
	// Partition is pk, the decoded key of the part of the quota that is counted; HasPartition false: none was sent.
	Partition    string
	HasPartition bool
}

// Limits is a RateLimit field.
type Limits struct {
	Status Status
	// Problem says why the field is ignored, "" if it is not.
	Problem string
	Items   []Limit
	// Capped says that a number is beyond Most.
	Capped bool
}

// ReadLimits reads the lines of RateLimit.
func ReadLimits(m Mode, lines []string) Limits {
	list, fault := sfv.ParseList(lines)
	l := Limits{Status: statusOf(len(list), fault != nil)}
	if fault != nil {
		l.Problem = fault.Problem
	}
	for _, member := range list {
		var one Limit
		if one, l.Problem = readLimit(member); l.Problem != "" {
			l = Limits{Status: Malformed, Problem: l.Problem}
			break
		}
		l.Items = append(l.Items, one)
		l.Capped = l.Capped || one.Remaining > Most || one.Reset > Most
	}
	if m == Compatible && l.Status > OK {
		if one, ok := readDictionary(lines); ok {
			return Limits{Status: OK, Items: []Limit{one}, Capped: one.Remaining > Most || one.Reset > Most}
		}
	}
	return l
}

func statusOf(members int, failed bool) Status {
	switch {
	case failed:
		return NotAList
	case members == 0:
		return Absent
	}
	return OK
}

func readLimit(m sfv.Member) (l Limit, problem string) {
	r, t, pk := m.Param("r"), m.Param("t"), m.Param("pk")
	l = Limit{Name: m.Value.Text, Remaining: r.Int, Reset: t.Int, HasReset: t.Kind != sfv.NoKind}
	l.Partition, l.HasPartition = pk.Text, pk.Kind != sfv.NoKind
	switch {
	case m.Value.Kind != sfv.String:
		return l, "the name must be a String"
	case r.Kind == sfv.NoKind:
		return l, "r is required"
	case r.Kind != sfv.Integer || r.Int < 0:
		return l, "r must be an Integer of 0 or more"
	case l.HasReset && (t.Kind != sfv.Integer || t.Int < 0):
		return l, "t must be an Integer of 0 or more"
	case l.HasPartition && pk.Kind != sfv.ByteSequence:
		return l, "pk must be a Byte Sequence"
	}
	return l, ""
}

// readDictionary reads limit=100, remaining=50, reset=30 (drafts up to 07). Its numbers are Integers of 0 or more.
func readDictionary(lines []string) (l Limit, ok bool) {
	entries, fault := sfv.ParseDictionary(lines)
	if fault != nil {
		return l, false
	}
	for _, e := range entries {
		switch e.Key {
		case "remaining":
			l.Remaining, ok = e.Value.Int, true
		case "reset":
			l.Reset, l.HasReset = e.Value.Int, true
		case "limit":
		default:
			continue // unknown keys are comments here too
		}
		if e.Value.Kind != sfv.Integer || e.Value.Int < 0 {
			return Limit{}, false
		}
	}
	return l, ok
}

// Binding returns the limit that binds a client now: the one with the least remaining, and of several the one that
// resets last, or does not say when. ok is false if there is none.
func (l Limits) Binding() (binding Limit, ok bool) {
	for i, one := range l.Items {
		if i == 0 || one.Remaining < binding.Remaining || one.Remaining == binding.Remaining && one.resets() > binding.resets() {
			binding = one
		}
	}
	return binding, len(l.Items) > 0
}

// resets returns the seconds to the reset, more than any if it is not known.
func (l Limit) resets() int64 {
	if l.HasReset {
		return min(l.Reset, Most)
	}
	return Most + 1
}

// Wait returns the seconds after which every exhausted limit that says when has reset, at most Most. ok is false if
// none is exhausted, or none says when.
func (l Limits) Wait() (seconds int64, ok bool) {
	for _, one := range l.Items {
		if one.Remaining == 0 && one.HasReset {
			seconds, ok = max(seconds, one.resets()), true
		}
	}
	return seconds, ok
}
