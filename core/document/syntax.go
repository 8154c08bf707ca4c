package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// syntax returns the fault of a text that is not JSON. The tokenizer's own errors count only the bytes of scalars, so
// the place is taken from a check of the whole text.
func (d *Document) syntax() error {
	var whole json.RawMessage
	err := json.Unmarshal(d.data, &whole)
	var syntax *json.SyntaxError
	end := len(bytes.TrimRight(d.data, " \t\r\n"))
	if end == 0 {
		return d.fatal(0, "", "write an object: {…}", "the document is empty")
	}
	offset := end
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		offset = int(syntax.Offset) - 1
	}
	r, _ := utf8.DecodeRune(d.data[min(offset, end):])
	// At the end the tokenizer tries a space, to close a number or a word.
	if syntax == nil || strings.HasPrefix(syntax.Error(), "unexpected end") || strings.Contains(syntax.Error(), "' '") && r != ' ' {
		return d.fatal(end, "", "close the open text, lists and objects", "the document ends too early")
	}
	if offset > 0 && d.data[offset-1] == '0' && strings.Contains(syntax.Error(), " after ") && (unicode.IsDigit(r) || r|0x20 == 'x') {
		return d.fatal(offset, "", "write it in decimal digits without the 0", "a longer number does not begin with 0")
	}
	problem, mend := explain(syntax.Error(), r)
	var args []any
	switch {
	case strings.Contains(problem, "%04X"):
		args = []any{r}
	case strings.Contains(problem, "%s"):
		args = []any{shown(r)}
	}
	return d.fatal(offset, "", mend, problem, args...)
}

// shown returns a character as a fault shows it.
func shown(r rune) string {
	if r == '\'' {
		return `"'"`
	}
	return fmt.Sprintf("%q", r)
}

// grammar says what the tokenizer's contexts mean for a writer; %s is the character that it met.
var grammar = []struct{ context, problem, mend string }{
	{"beginning of object key string", "the name of a field is missing before %s", `write it in double quotes, or remove the comma before it`},
	{"after object key:value pair", "a comma or a closing brace is missing before %s", "add it"},
	{"after object key", "a colon is missing before %s", "write a colon between the name of a field and its value"},
	{"after array element", "a comma or a closing bracket is missing before %s", "add it"},
	{"after top-level value", "%s follows the end of the document", "remove it"},
	{"in string escape code", `\ and %s is no escape`, `write \\ for a backslash`},
	{`in \u hexadecimal`, `%s is no digit of a \u escape`, `write four hexadecimal digits, as in \u00e9`},
	{"in literal", "%s does not belong here: the words without quotes are true, false and null", "write one of them, or a text in double quotes"},
	{"numeric literal", "%s does not belong in a number", "write digits, as in 250 or -1; anything else in double quotes"},
}

// explain puts an error of the tokenizer into words: what is wrong with the character, which is %s or %04X, and how to mend
// it.
func explain(message string, r rune) (problem, mend string) {
	switch {
	case strings.Contains(message, "in string literal") && (r == '\n' || r == '\r'):
		return "the text does not end on its line", `close it with ", or write \n for a new line`
	case strings.Contains(message, "in string literal"):
		return "the control character U+%04X stands inside a text", `write it as an escape, such as \n, or remove it`
	case r == '/' && !strings.Contains(message, "escape"):
		return "JSON has no comments", "remove it"
	case strings.Contains(message, "beginning of value"):
		return noValue(r)
	}
	for _, g := range grammar {
		if strings.Contains(message, g.context) {
			return g.problem, g.mend
		}
	}
	return "the JSON is broken here", "check the commas, quotes and brackets just before"
}

func noValue(r rune) (problem, mend string) {
	switch {
	case r == ']' || r == '}':
		return "a value is missing before %s", "add one, or remove the comma before it"
	case r == ',':
		return "a value is missing before %s", "add one, or remove the comma"
	case r == '#':
		return "JSON has no comments", "remove it"
	case r == '\'' || r == '“' || r == '`':
		return "a text does not begin with %s", `use double quotes: "…"`
	case r == '+' || r == '.':
		return "a number does not begin with %s", "begin it with a digit or -"
	case unicode.IsLetter(r):
		return "a word that begins with %s is no value", "write a text in double quotes, a number, true, false or null"
	}
	return "%s is no value", "write a text in double quotes, a number, true, false, null, a list or an object"
}

// loneSurrogate returns where in a string literal a \u escape gives half of a pair, -1 if nowhere. The tokenizer would
// turn it into U+FFFD without a word.
func loneSurrogate(literal []byte) int {
	for i := 0; i+1 < len(literal); i++ {
		if literal[i] != '\\' {
			continue
		}
		if literal[i+1] != 'u' {
			i++ // an escape of two characters
			continue
		}
		switch surrogate(literal[i:]) {
		case 0:
			i += 5
		case high:
			if surrogate(literal[i+6:]) != low {
				return i
			}
			i += 11
		default:
			return i
		}
	}
	return -1
}

const high, low = 1, 2

// surrogate returns which half of a pair the escape at the beginning of b gives: high, low, or 0.
func surrogate(b []byte) int {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' || b[2]|0x20 != 'd' {
		return 0
	}
	switch b[3] | 0x20 {
	case '8', '9', 'a', 'b':
		return high
	case 'c', 'd', 'e', 'f':
		return low
	}
	return 0
}
