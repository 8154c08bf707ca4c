package text

import (
	"fmt"
	"slices"
	"strings"
)

// packed holds the messages as Catalog writes them, one behind the other in the order of their names. Taking all of them
// apart costs more than a start has time for, and most are never said: one is looked for when it is said first.
type packed struct {
	all   string
	found map[string]string // the texts of the messages that were looked for, one behind the other
}

// begin stands before each written message, and end behind each part of it.
const begin, end = "\x01", "\x00"

// unpack reads what Catalog wrote.
func unpack(data string) (packed, error) {
	fields := len(Langs()) + 1
	n, names := strings.Count(data, end), strings.Count(data, begin)
	if n == 0 || n != names*fields || !strings.HasPrefix(data, begin) || !strings.HasSuffix(data, end) {
		return packed{}, fmt.Errorf("the messages cannot be read: %d parts, where %d have %d each: load the page again", n, names, fields)
	}
	return packed{data, map[string]string{}}, nil
}

// message returns the text of a message.
func (p packed) message(name string, l Lang) (string, bool) {
	texts, ok := p.found[name]
	if !ok {
		if texts, ok = p.find(name); !ok {
			return "", false
		}
		p.found[name] = texts
	}
	for range slices.Index(Langs(), l) {
		_, texts, _ = strings.Cut(texts, end)
	}
	s, _, _ := strings.Cut(texts, end)
	return s, true
}

// find halves what is left until it has the message.
func (p packed) find(name string) (texts string, ok bool) {
	for rest := p.all; rest != ""; {
		middle := rest[strings.LastIndex(rest[:len(rest)/2+1], begin):]
		next := len(middle)
		if i := strings.Index(middle[1:], begin); i >= 0 {
			next = i + 1
		}
		found, texts, _ := strings.Cut(middle[1:next], end)
		switch {
		case found == name:
			return texts, true
		case found < name:
			rest = middle[next:]
		default:
			rest = rest[:len(rest)-len(middle)]
		}
	}
	return "", false
}
