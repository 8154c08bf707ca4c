// Package text turns codes and numbers into sentences in English, Korean and Japanese. The page and the command line
// share it.
//
// A message stands in messages/*.json with all its languages side by side; {name} is a parameter. Parameters are
// numbers, codes and names that mean the same in every language, so no particle or ending ever depends on one.
package text

import (
	"slices"
	"strings"
	"time"

	"retrylab.example/core/trace"
)

// Lang is a language of the product.
type Lang string

// The languages, English first.
const (
	English  Lang = "en"
	Korean   Lang = "ko"
	Japanese Lang = "ja"
)

// Langs lists all languages.
func Langs() []Lang { return []Lang{English, Korean, Japanese} }

// Name returns the language's own name.
func (l Lang) Name() string {
	switch l {
	case Korean:
		return "한국어"
	case Japanese:
		return "日本語"
	}
	return "English"
}

// Parse returns the language of a tag such as "ko-KR", and false for one that the product does not have.
func Parse(tag string) (Lang, bool) {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	l := Lang(base)
	return l, slices.Contains(Langs(), l)
}

// Has reports whether there is a message of that name.
func Has(name string) bool { _, ok := message(name, English); return ok }

// Say returns the message of that name with its parameters, given as name and value in turn. It panics on a name that
// no file holds: a test calls every one.
func (l Lang) Say(name string, args ...string) string {
	s, ok := message(name, l)
	if !ok {
		panic("no message " + name)
	}
	if len(args) == 0 {
		return s
	}
	return fill(s, args)
}

// fill puts the parameters in, in one pass: a value that looks like a parameter stays as it is.
func fill(s string, args []string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := find(args, name)
		if closed && known {
			b.WriteString(value)
			s = after
		} else {
			b.WriteByte('{')
			s = rest
		}
	}
}

func find(args []string, name string) (value string, ok bool) {
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == name {
			return args[i+1], true
		}
	}
	return "", false
}

// Seconds returns d as seconds with three decimals, rounded down, and the unit after a no-break space.
func Seconds(d time.Duration) string {
	return strings.Replace(trace.Seconds(d), " ", "\u00a0", 1)
}
