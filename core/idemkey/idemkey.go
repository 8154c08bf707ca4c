// Package idemkey reads the field Idempotency-Key into the key that a ledger stores.
//
// It is a package of its own and no part of the ledger, because a ledger asks only whether two keys are equal, while
// what the bytes on the wire mean is a choice between profiles, which a page can show without any ledger. Nothing here
// looks inside a key: two are the same only if they are equal byte for byte.
package idemkey

import (
	"strings"

	"retrylab.example/core/field"
	"retrylab.example/core/sfv"
)

// Profile says how the field is read.
type Profile uint8

const (
	// Draft is draft-ietf-httpapi-idempotency-key-header-07 section 2.1 with RFC 9651: an Item whose value is a String.
	// Anything else is ignored, as if the field were missing.
	Draft Profile = iota
	// Raw is what most servers do: the bytes as they are, quotes included; one line of 1 to 255 bytes of %x21-7E.
	Raw
	// Lab is the rule of Retry Lab: a String gives its content, and any other text is read as Raw and warned about, so
	// that a client that forgets the quotes in one attempt is not charged twice. It refuses keys that can only be a
	// mistake: the empty one, and what programs print for nothing.
	Lab
)

var profileNames = [...]string{"draft", "raw", "lab"}

// String returns the name.
func (p Profile) String() string { return profileNames[p] }

// ProfileNames returns the names in their order.
func ProfileNames() []string { return profileNames[:] }

// ParseProfile returns the profile of that name.
func ParseProfile(name string) (Profile, bool) {
	for i, n := range profileNames {
		if n == name {
			return Profile(i), true
		}
	}
	return Draft, false
}

// Result says what the field gives.
type Result uint8

const (
	// Absent: there is no key, as if the field were not sent. Where a key is required, the answer is 400.
	Absent Result = iota
	// Given: Text is the key.
	Given
	// Refused: the request is refused with Status.
	Refused
)

var resultNames = [...]string{"absent", "given", "refused"}

// String returns the kebab-case name.
func (r Result) String() string { return resultNames[r] }

// Reason says why there is no key.
type Reason uint8

const (
	// NoReason: there is one.
	NoReason Reason = iota
	// Missing: the field was not sent.
	Missing
	// EmptyValue: it was sent with nothing in it, which is another mistake than leaving it out.
	EmptyValue
	// ParseFailure: it is no structured field.
	ParseFailure
	// NotAString: it is a structured field of another type, often an unquoted Token.
	NotAString
	// Repeated: it was sent more than once.
	Repeated
	// TooLong: it has more than 255 bytes.
	TooLong
	// BadByte: it holds a byte outside %x21-7E.
	BadByte
	// EmptyKey: the String is empty, so every request would have the same key.
	EmptyKey
	// ClientBug: the key is what a program prints for nothing, as undefined.
	ClientBug
)

var reasonNames = [...]string{
	"none", "missing", "empty-value", "parse-failure", "not-a-string", "repeated", "too-long", "bad-byte", "empty-key",
	"client-bug",
}

// String returns the kebab-case name.
func (r Reason) String() string { return reasonNames[r] }

// MaxRaw is the greatest length of a key in the profile Raw, in bytes: the limit of the most common service.
const MaxRaw = 255

// Key is what the field gives.
type Key struct {
	Result Result
	// Text is the key to store, if one is given.
	Text string
	// Status is that of the refusal: 400.
	Status int
	Reason Reason
	// Kind is the type that the value has as a structured field; none if it is no Item.
	Kind sfv.Kind
	// Quoted says that the quotes are part of the key: to such a server "a" and a are two keys.
	Quoted bool
	// Unquoted says that Lab took a text that the draft would have ignored.
	Unquoted bool
	// Ignored are the names of the parameters, which mean nothing.
	Ignored []string
}

// Read reads the lines of Idempotency-Key; none means that it was not sent.
func Read(p Profile, lines []string) Key {
	if len(lines) == 0 {
		return Key{Reason: Missing}
	}
	switch p {
	case Draft:
		return readDraft(lines)
	case Raw:
		return readRaw(lines)
	}
	return readLab(lines)
}

func readDraft(lines []string) Key {
	item, fault := sfv.ParseItem(lines)
	if fault != nil {
		return Key{Reason: ParseFailure}
	}
	k := Key{Result: Given, Text: item.Value.Text, Kind: item.Value.Kind}
	for _, param := range item.Params {
		k.Ignored = append(k.Ignored, param.Key)
	}
	if k.Kind != sfv.String {
		return Key{Reason: NotAString, Kind: k.Kind}
	}
	return k
}

func readRaw(lines []string) Key {
	if len(lines) > 1 {
		return refuse(Repeated)
	}
	text := field.Trim(lines[0])
	switch {
	case text == "":
		return refuse(EmptyValue)
	case len(text) > MaxRaw:
		return refuse(TooLong)
	case strings.ContainsFunc(text, func(r rune) bool { return r < 0x21 || r > 0x7e }):
		return refuse(BadByte)
	}
	return Key{Result: Given, Text: text, Quoted: text[0] == '"'}
}

func readLab(lines []string) Key {
	k := readDraft(lines)
	if k.Result != Given || len(lines) > 1 { // two lines are two keys, even if joined they make a String
		kind := k.Kind
		k = readRaw(lines)
		k.Kind, k.Unquoted = kind, k.Result == Given
	}
	switch {
	case k.Result != Given:
		return k
	case k.Text == "":
		return refuse(EmptyKey)
	case isClientBug(k.Text):
		return refuse(ClientBug)
	}
	return k
}

func refuse(r Reason) Key { return Key{Result: Refused, Status: 400, Reason: r} }

// isClientBug knows what JavaScript, Python, Go and Java print where there is no value. It is ours.
func isClientBug(text string) bool {
	switch text {
	case "undefined", "null", "NaN", "None", "nil", "<nil>", "%!s(<nil>)", "[object Object]":
		return true
	}
	return false
}
