package lab

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/field"
	"retrylab.example/core/partner"
	"retrylab.example/core/scenario"
)

// ErrPrefer is returned for a preference of ours that is malformed.
var ErrPrefer = errors.New("write Prefer: fault=lost-reply, or reply=503;retry-after=7, or fail=502, each with ;delay=2s " +
	"if it is to be late; the faults are none, " + strings.Join(faultNames(), ", "))

func faultNames() (names []string) {
	for _, f := range event.Faults() {
		if f != event.Reply && f != event.Fail {
			names = append(names, f.String())
		}
	}
	return names
}

// Prefer reads what befalls a request from the lines of its field Prefer (RFC 7240), and returns the preference as it is
// told in Preference-Applied. Preferences that are not ours are passed over, as the RFC has it; of two of ours the first
// counts.
//
//	fault=lost-reply              one of the faults that a script may name; none turns the script's fault away
//	reply=503; retry-after=7      an answer in the place of the partner's own
//	fail=502                      the partner's work ends in an error
//	…; delay=250ms                the answer is held back, at most MaxWait
func Prefer(lines []string) (fate partner.Fate, applied string, err error) {
	for _, one := range splitQuoted(strings.Join(lines, ","), ',') {
		parts := splitQuoted(one, ';')
		name, value, ok := pair(parts[0])
		if !ok || !slices.Contains([]string{"fault", "reply", "fail"}, name) {
			continue
		}
		if fate, err = begin(name, value); err != nil {
			return partner.Fate{}, "", err
		}
		for _, p := range parts[1:] {
			if err := param(&fate, p); err != nil {
				return partner.Fate{}, "", err
			}
		}
		return fate, name + "=" + value, nil
	}
	return partner.Fate{}, "", nil
}

// begin reads the preference itself.
func begin(name, value string) (partner.Fate, error) {
	if name == "fault" {
		f, known := event.ParseFault(value)
		if !known && value != event.NoFault.String() || f == event.Reply || f == event.Fail {
			return partner.Fate{}, ErrPrefer
		}
		return partner.Fate{Fault: f}, nil
	}
	status, err := strconv.Atoi(value)
	least, f := 200, event.Reply
	if name == "fail" {
		least, f = 400, event.Fail
	}
	if err != nil || status < least || status > 599 || len(value) != 3 {
		return partner.Fate{}, ErrPrefer
	}
	return partner.Fate{Fault: f, Response: scenario.ScriptedResponse(status)}, nil
}

// param reads one parameter of it.
func param(f *partner.Fate, text string) error {
	name, value, ok := pair(text)
	switch {
	case text == "":
	case !ok:
		return ErrPrefer
	case name == "retry-after" && (f.Fault == event.Reply || f.Fault == event.Fail) && scenario.Sendable(value):
		f.Response.RetryAfter, f.Response.HasRetryAfter = value, true
	case name == "delay":
		d, ok := document.ParseDuration(value)
		if !ok || d < 0 || d > MaxWait {
			return ErrPrefer
		}
		f.Delay = d
	default:
		return ErrPrefer
	}
	return nil
}

// pair reads name=value, where the value is a token or a quoted string. Names know no letter case.
func pair(text string) (name, value string, ok bool) {
	name, value, _ = strings.Cut(text, "=")
	name, value = strings.ToLower(field.Trim(name)), field.Trim(value)
	if strings.HasPrefix(value, `"`) {
		inner, found := strings.CutSuffix(value[1:], `"`)
		if !found || strings.Contains(inner, `"`) || strings.Contains(inner, `\`) {
			return "", "", false
		}
		return name, inner, field.IsToken(name)
	}
	return name, value, field.IsToken(name) && (value == "" || field.IsToken(value))
}

// splitQuoted splits a text at a byte that does not stand in quotes, and trims the parts.
func splitQuoted(text string, at byte) (parts []string) {
	quoted, from := false, 0
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == at && !quoted:
			parts = append(parts, field.Trim(text[from:i]))
			from = i + 1
		}
	}
	return append(parts, field.Trim(text[from:]))
}
