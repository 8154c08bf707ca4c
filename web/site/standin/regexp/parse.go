package regexp

import "strings"

// step is one instruction of a compiled pattern. The next one follows it, except for a fork.
type step struct {
	op        op
	set       set
	to, other int // of a fork: what is tried first and then, counted from the fork; of a note: which position
}

type op byte

const (
	one  op = iota // one byte of the set
	end            // the end of the text
	note           // the beginning or end of a group
	fork
	done
)

// set is a set of bytes.
type set [4]uint64

func (s *set) has(c byte) bool { return s[c/64]>>(c%64)&1 != 0 }

func (s *set) add(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s[c/64] |= 1 << (c % 64)
	}
}

// invert leaves in the set what was not.
func (s *set) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// parser reads a pattern from the front.
type parser struct {
	rest, all string
	fold      bool
	caps      int
}

func (p *parser) fail(what string) {
	panic("the pattern " + p.all + " has " + what + ", which web/site/standin/regexp does not know")
}

func (p *parser) take(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	p.rest = rest
	return ok
}

func (p *parser) next() byte {
	if p.rest == "" {
		p.fail("no end")
	}
	c := p.rest[0]
	if c >= 0x80 {
		p.fail("a letter outside ASCII")
	}
	p.rest = p.rest[1:]
	return c
}

// alternatives reads up to the end of the pattern or of the group.
func (p *parser) alternatives() []step {
	first := p.sequence()
	if !p.take("|") {
		return first
	}
	second := p.alternatives()
	out := append([]step{{op: fork, to: 1, other: len(first) + 2}}, first...)
	out = append(out, jump(len(second)+1))
	return append(out, second...)
}

// jump goes to one place.
func jump(to int) step { return step{op: fork, to: to, other: to} }

func (p *parser) sequence() []step {
	var out []step
	for p.rest != "" && p.rest[0] != '|' && p.rest[0] != ')' {
		out = append(out, p.repeated(p.atom())...)
	}
	return out
}

func (p *parser) atom() []step {
	if p.take("(?:") {
		return p.group()
	}
	if p.take("(") {
		n := p.caps
		p.caps += 2
		body := append([]step{{op: note, to: n}}, p.group()...)
		return append(body, step{op: note, to: n + 1})
	}
	if p.take("$") {
		return []step{{op: end}}
	}
	var s set
	switch c := p.next(); c {
	case '.':
		s.add('\n', '\n')
		s.invert()
	case '[':
		s = p.class()
	case '\\':
		s = p.escape()
	case '*', '+', '?', '{', '^':
		p.fail("a " + string(c) + " here")
	default:
		s.add(c, c)
	}
	return []step{{op: one, set: p.folded(s)}}
}

// group reads what is left of a group.
func (p *parser) group() []step {
	if strings.HasPrefix(p.rest, "?") {
		p.fail("a group with ?")
	}
	body := p.alternatives()
	if !p.take(")") {
		p.fail("no )")
	}
	return body
}

// folded adds the other case of each letter if the pattern wants it.
func (p *parser) folded(s set) set {
	if !p.fold {
		return s
	}
	for c := byte('a'); c <= 'z'; c++ {
		up := c - 'a' + 'A'
		if s.has(c) || s.has(up) {
			s.add(c, c)
			s.add(up, up)
		}
	}
	return s
}

// class reads what is left of a class.
func (p *parser) class() set {
	var s set
	inverted := p.take("^")
	for !p.take("]") {
		from := p.member()
		if len(p.rest) > 1 && p.rest[0] == '-' && p.rest[1] != ']' {
			p.next()
			to := p.member()
			s.add(p.alone(from), p.alone(to))
			continue
		}
		for i := range s {
			s[i] |= from[i]
		}
	}
	if inverted {
		s.invert()
	}
	return s
}

func (p *parser) member() set {
	if p.take(`\`) {
		return p.escape()
	}
	if strings.HasPrefix(p.rest, "[:") {
		p.fail("a named class")
	}
	var s set
	c := p.next()
	s.add(c, c)
	return s
}

// alone returns the one byte of the set.
func (p *parser) alone(s set) byte {
	found := -1
	for c := range 128 {
		if s.has(byte(c)) {
			if found >= 0 {
				p.fail("a range of more than letters")
			}
			found = c
		}
	}
	return byte(found)
}

// escape reads what follows a backslash.
func (p *parser) escape() set {
	var s set
	switch c := p.next(); {
	case c == 's':
		s.add('\t', '\n')
		s.add('\f', '\r')
		s.add(' ', ' ')
	case c == 'n':
		s.add('\n', '\n')
	case c == 'r':
		s.add('\r', '\r')
	case c == 't':
		s.add('\t', '\t')
	case c == 'x':
		v := p.hex()<<4 | p.hex()
		s.add(v, v)
	case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		p.fail(`a \` + string(c))
	default:
		s.add(c, c)
	}
	return s
}

func (p *parser) hex() byte {
	c := p.next()
	i := strings.IndexByte("0123456789abcdef", c)
	if i < 0 {
		p.fail("no two digits")
	}
	return byte(i)
}

// repeated reads the quantifier of an atom, if it has one.
func (p *parser) repeated(body []step) []step {
	n, many := len(body), true
	var out []step
	switch {
	case p.take("*"):
		out = append([]step{{op: fork, to: 1, other: n + 2}}, body...)
		out = append(out, jump(-n-1))
	case p.take("+"):
		out = append(append(out, body...), step{op: fork, to: -n, other: 1})
	case p.take("?"):
		out, many = append([]step{{op: fork, to: 1, other: n + 1}}, body...), false
	case p.take("{"):
		low := p.number(",")
		out, many = times(body, low, p.number("}")), false
	default:
		out, many = body, false
	}
	if !many && len(body) == 1 && body[0].op == one && body[0].set.has(0x80) {
		p.fail("a letter outside ASCII that is not repeated without a limit")
	}
	if strings.HasPrefix(p.rest, "?") || strings.HasPrefix(p.rest, "*") || strings.HasPrefix(p.rest, "+") {
		p.fail("two quantifiers")
	}
	return out
}

// times repeats the body from low to high times.
func times(body []step, low, high int) []step {
	var out []step
	for i := range high {
		if i >= low {
			rest := (high - i) * (len(body) + 1)
			out = append(out, step{op: fork, to: 1, other: rest})
		}
		out = append(out, body...)
	}
	return out
}

// number reads a count of at most three digits, and what follows it.
func (p *parser) number(after string) int {
	n, digits := 0, 0
	for ; digits < 3 && p.rest != "" && '0' <= p.rest[0] && p.rest[0] <= '9'; digits++ {
		n = n*10 + int(p.next()-'0')
	}
	if digits == 0 || !p.take(after) {
		p.fail("a count without " + after)
	}
	return n
}
