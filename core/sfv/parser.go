package sfv

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// parser reads a text from its beginning. After the first fault nothing is left to read, so every loop ends.
type parser struct {
	text  string
	at    int
	fault *Fault
}

func (p *parser) fail(problem string) {
	if p.fault == nil {
		p.fault = &Fault{At: p.at, Problem: problem}
	}
	p.at = len(p.text)
}

func (p *parser) rest() string { return p.text[p.at:] }

// peek returns the next byte, 0 at the end. A NUL in the text is no part of any value, so it fails all the same.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) take(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// while takes the longest run of bytes that belong.
func (p *parser) while(belongs func(byte) bool) string {
	begin := p.at
	for p.at < len(p.text) && belongs(p.text[p.at]) {
		p.at++
	}
	return p.text[begin:p.at]
}

func (p *parser) spaces() { p.while(func(c byte) bool { return c == ' ' }) }
func (p *parser) blanks() { p.while(func(c byte) bool { return c == ' ' || c == '\t' }) }

func (p *parser) end() {
	p.spaces()
	if p.rest() != "" {
		p.fail("there is something behind the value")
	}
}

// comma takes the comma between two members, and reports whether another member follows.
func (p *parser) comma() bool {
	p.blanks()
	if p.rest() == "" {
		return false
	}
	if !p.take(',') {
		p.fail("a comma is missing between two members")
		return false
	}
	p.blanks()
	if p.rest() == "" {
		p.fail("a comma stands at the end")
	}
	return p.fault == nil
}

func (p *parser) member() Member {
	if p.peek() != '(' {
		return Member{Item: p.item()}
	}
	p.at++
	m := Member{Item: Item{Value: Value{Kind: InnerList}}}
	for p.fault == nil {
		p.spaces()
		if p.take(')') {
			m.Params = p.params()
			return m
		}
		m.Inner = append(m.Inner, p.item())
		if c := p.peek(); c != ' ' && c != ')' {
			p.fail("an inner list is not closed")
		}
	}
	return Member{}
}

func (p *parser) item() Item {
	v := p.bare()
	return Item{Value: v, Params: p.params()}
}

func (p *parser) params() []Param {
	var list []Param
	for p.take(';') {
		p.spaces()
		one := Param{Key: p.key(), Value: isTrue}
		if p.take('=') {
			one.Value = p.bare()
		}
		list = putParam(list, one)
	}
	return list
}

func putParam(list []Param, one Param) []Param {
	for i := range list {
		if list[i].Key == one.Key {
			list[i] = one
			return list
		}
	}
	return append(list, one)
}

func (p *parser) key() string {
	if c := p.peek(); !isLower(c) && c != '*' {
		p.fail("a key begins with a small letter or *")
		return ""
	}
	return p.while(func(c byte) bool { return isLower(c) || isDigit(c) || strings.IndexByte("_-.*", c) >= 0 })
}

// bare reads a bare item: its first byte tells its type (RFC 9651 section 4.2.3.1).
func (p *parser) bare() Value {
	switch c := p.peek(); {
	case c == '-' || isDigit(c):
		return p.number()
	case c == '"':
		return p.str()
	case c == '*' || isLetter(c):
		return Value{Kind: Token, Text: p.while(isTokenByte)}
	case c == ':':
		return p.bytes()
	case c == '?':
		return p.boolean()
	case c == '@':
		p.at++
		v := p.number()
		if v.Kind != Integer {
			p.fail("a date is a whole number of seconds")
		}
		v.Kind = Date
		return v
	case c == '%':
		return p.display()
	}
	p.fail("a value of no known type")
	return Value{}
}

func (p *parser) number() Value {
	sign := int64(1)
	if p.take('-') {
		sign = -1
	}
	whole := p.while(isDigit)
	pointed := p.take('.')
	fraction := ""
	if pointed {
		fraction = p.while(isDigit)
	}
	switch {
	case whole == "":
		p.fail("a digit is missing")
	case !pointed && len(whole) > 15:
		p.fail("an integer has more than 15 digits")
	case !pointed:
		return Value{Kind: Integer, Int: sign * digits(whole)}
	case len(whole) > 12 || len(fraction) < 1 || len(fraction) > 3:
		p.fail("a decimal has at most 12 digits before its point, and 1 to 3 behind it")
	default:
		return Value{Kind: Decimal, Int: sign * digits(whole+(fraction + "00")[:3])}
	}
	return Value{}
}

// digits returns the number that at most 15 digits make.
func digits(s string) (n int64) {
	for _, c := range []byte(s) {
		n = n*10 + int64(c-'0')
	}
	return n
}

func (p *parser) str() Value {
	p.at++
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return Value{Kind: String, Text: b.String()}
		case c == '\\':
			c = p.peek()
			if c != '"' && c != '\\' {
				p.fail(`a backslash stands before something else than " and \`)
				return Value{}
			}
			p.at++
		case c < 0x20 || c > 0x7e:
			p.at--
			p.fail("a string holds a byte that is not printable ASCII")
			return Value{}
		}
		b.WriteByte(c)
	}
	p.fail("a string is not closed")
	return Value{}
}

func (p *parser) bytes() Value {
	p.at++
	coded := p.while(func(c byte) bool { return isLetter(c) || isDigit(c) || strings.IndexByte("+/=", c) >= 0 })
	if !p.take(':') {
		p.fail("a byte sequence is not closed, or is not in base64")
		return Value{}
	}
	decoded, err := base64.StdEncoding.DecodeString(coded)
	if err != nil { // section 4.2.7: missing padding should not fail
		if decoded, err = base64.RawStdEncoding.DecodeString(coded); err != nil {
			p.fail("a byte sequence is not in base64")
			return Value{}
		}
	}
	return Value{Kind: ByteSequence, Text: string(decoded)}
}

func (p *parser) boolean() Value {
	p.at++
	switch {
	case p.take('1'):
		return isTrue
	case p.take('0'):
		return Value{Kind: Boolean}
	}
	p.fail("a boolean is neither ?0 nor ?1")
	return Value{}
}

// display reads %"…" with %xx for each byte that is not printable ASCII, in small letters.
func (p *parser) display() Value {
	p.at++
	if !p.take('"') {
		p.fail("a display string is not opened")
		return Value{}
	}
	var b []byte
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c < 0x20 || c > 0x7e:
			p.fail("a display string holds a byte that is not printable ASCII")
			return Value{}
		case c == '"' && utf8.Valid(b):
			return Value{Kind: DisplayString, Text: string(b)}
		case c == '"':
			p.fail("a display string is not UTF-8")
			return Value{}
		case c == '%':
			hi, ok1 := hexDigit(p.peek())
			p.at = min(p.at+1, len(p.text))
			lo, ok2 := hexDigit(p.peek())
			if !ok1 || !ok2 {
				p.fail("a percent sign stands before something else than two digits 0-9, a-f")
				return Value{}
			}
			p.at++
			c = hi<<4 | lo
		}
		b = append(b, c)
	}
	p.fail("a display string is not closed")
	return Value{}
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isLetter(c byte) bool { return isLower(c | 0x20) }

func isTokenByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c != 0 && strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
}
