package text

import (
	"fmt"
	"slices"
	"strings"
)

// packed holds the texts of a message by its name, one behind the other as Catalog writes them. Taking all of them apart
// costs more than a start has time for, and most are never said.
type packed map[string]string

// end stands behind each part of the written messages.
const end = "\x00"

// unpack reads what Catalog wrote.
func unpack(data string) (packed, error) {
	fields := len(Langs()) + 1
	n := strings.Count(data, end)
	if n == 0 || n%fields != 0 || !strings.HasSuffix(data, end) {
		return nil, fmt.Errorf("the messages cannot be read: %d parts, where each has %d: load the page again", n, fields)
	}
	all := make(packed, n/fields)
	for data != "" {
		name, rest, _ := strings.Cut(data, end)
		length := 0
		for range Langs() {
			length += strings.Index(rest[length:], end) + len(end)
		}
		all[name], data = rest[:length], rest[length:]
	}
	return all, nil
}

// message returns the text of a message.
func (p packed) message(name string, l Lang) (string, bool) {
	texts, ok := p[name]
	for range slices.Index(Langs(), l) {
		_, texts, _ = strings.Cut(texts, end)
	}
	s, _, _ := strings.Cut(texts, end)
	return s, ok
}
