// Package problem reads the bodies of errors: problem details (RFC 9457) and contract E's envelope.
package problem

import (
	"encoding/json"
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/field"
)

// MediaType is the type of a body of problem details in JSON.
const MediaType = "application/problem+json"

// Blank is the type of a problem that says no more than its status does.
const Blank = "about:blank"

// MaxBody is the longest body that is read, in bytes: what is longer says nothing.
const MaxBody = 64 << 10

// Details are problem details. A member of the wrong JSON type, or with an impossible value, is ignored (section 3.1).
type Details struct {
	// Type tells problems apart: a URI, Blank where there is none.
	Type string
	// Status is what the body says of the status, 0 for nothing. It is advice: the status of the response counts.
	Status                  int
	Title, Detail, Instance string
	// Retryable is the extension member of that name, a boolean. No standard has it.
	Retryable call.Flag
	// Violated are the names of the policies that were violated (draft-ietf-httpapi-ratelimit-headers-10 section 5).
	Violated []string
}

// Contradicts reports whether the body says another status than the response has, which its generator must not do.
func (d Details) Contradicts(status int) bool { return d.Status != 0 && d.Status != status }

// Read reads problem details. ok is false for a body of another media type, however alike, and for one that is no JSON
// object or longer than MaxBody.
func Read(contentType, body string) (d Details, ok bool) {
	if !isType(contentType, MediaType) {
		return Details{}, false
	}
	o, ok := readObject(body)
	if !ok {
		return Details{}, false
	}
	d = Details{Title: o.text("title"), Detail: o.text("detail"), Instance: o.text("instance"), Retryable: o.flag("retryable")}
	if d.Type = o.text("type"); d.Type == "" {
		d.Type = Blank
	}
	if n, err := strconv.Atoi(string(o["status"])); err == nil && n >= 100 && n <= 599 {
		d.Status = n
	}
	if err := json.Unmarshal(o["violated-policies"], &d.Violated); err != nil {
		d.Violated = nil
	}
	return d, true
}

// Body returns what a policy looks at in the body of an error: its code and its flag.
//
//	{"error": {"code": "x", "message": "…", "retryable": true}}   code x, flag true: contract E's envelope
//	{"error": "x"}                                                code x
//	problem details                                               their type is the code, unless it is about:blank;
//	                                                              their member retryable the flag
//	anything else                                                 neither: the status alone decides
//
// RFC 9457 knows no retryable and has unknown members ignored (section 3.2); contract E does know it, so the contract's
// client does not ignore it. An envelope inside problem details is the contract's too, and wins over them.
func Body(contentType, body string) (b call.Body) {
	d, isProblem := Read(contentType, body)
	if !isProblem && !isType(contentType, "application/json") {
		return call.Body{}
	}
	if o, ok := readObject(body); ok {
		b.Code = o.text("error")
		if e, ok := readObject(string(o["error"])); ok {
			b = call.Body{Code: e.text("code"), Message: e.text("message"), Flag: e.flag("retryable")}
		}
	}
	if isProblem && b.Code == "" && d.Type != Blank {
		b.Code = d.Type
	}
	if b.Flag == call.NoFlag {
		b.Flag = d.Retryable
	}
	return b
}

// isType reports whether a Content-Type is the media type, in whatever letter case and with whatever parameters.
func isType(contentType, media string) bool {
	name, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(field.Trim(name), media)
}

// object holds the members of a JSON object as they are written; of two with one name the last.
type object map[string]json.RawMessage

func readObject(text string) (o object, ok bool) {
	if len(text) > MaxBody {
		return nil, false
	}
	err := json.Unmarshal([]byte(text), &o)
	return o, err == nil && o != nil
}

// text returns a member that is a string, "" for any other.
func (o object) text(name string) (s string) {
	if raw := o[name]; len(raw) > 0 && raw[0] == '"' {
		_ = json.Unmarshal(raw, &s) // it was read before
	}
	return s
}

// flag returns a member that is a boolean, NoFlag for any other.
func (o object) flag(name string) call.Flag {
	switch string(o[name]) {
	case "true":
		return call.FlagTrue
	case "false":
		return call.FlagFalse
	}
	return call.NoFlag
}
