// Package regexp is what the browser program links in place of regexp, for the dozen patterns of the Markdown parser and
// for the one route. The real package knows all of Unicode, at 0.09 MB as brotli; this one knows what those patterns use,
// and panics on any other when it is compiled, at the start of the program. See docs/adr/0014-stand-ins.md.
//
// A pattern matches at the start of the text only, so it begins with ^ or with .*; it is ASCII. It may have groups,
// alternatives, classes, the quantifiers *, +, ? and {n,m}, all greedy, $ for the end of the text, and (?i) in front for
// ASCII letters alike. The text is read as bytes: what matches a byte outside ASCII matches a part of a letter, which is
// the same as long as it is repeated without a limit, and that is checked.
package regexp

import (
	"io"
	"unicode/utf8"
)

// Regexp is a compiled pattern.
type Regexp struct {
	prog []step
	caps int // positions that a match notes, two for each group and two for the whole
}

// MustCompile reads a pattern. It panics on what this package does not know.
func MustCompile(pattern string) *Regexp {
	p := parser{rest: pattern, all: pattern, caps: 2}
	if p.take("(?i)") {
		p.fold = true
	}
	if !p.take("^") && p.rest != ".*" {
		p.fail("a start other than ^")
	}
	body := p.alternatives()
	if p.rest != "" {
		p.fail("what follows: " + p.rest)
	}
	return &Regexp{append(body, step{op: done}), p.caps}
}

// Match says whether the pattern matches at the start of b.
func (r *Regexp) Match(b []byte) bool { return r.FindSubmatchIndex(b) != nil }

// MatchString says whether the pattern matches at the start of s.
func (r *Regexp) MatchString(s string) bool { return r.Match([]byte(s)) }

// FindSubmatchIndex returns where the match and its groups begin and end, -1 for a group that took no part, or nil.
func (r *Regexp) FindSubmatchIndex(b []byte) []int { return r.run(&input{b: b}) }

// FindReaderSubmatchIndex does the same for the letters of a reader, and reads only as many as decide.
func (r *Regexp) FindReaderSubmatchIndex(from io.RuneReader) []int { return r.run(&input{from: from}) }

// input is a text that is read as far as it is looked at.
type input struct {
	b    []byte
	from io.RuneReader // nil when b is all
}

// at returns the byte at i, or false at the end.
func (in *input) at(i int) (byte, bool) {
	for i >= len(in.b) {
		if in.from == nil {
			return 0, false
		}
		r, _, err := in.from.ReadRune()
		if err != nil {
			in.from = nil
			return 0, false
		}
		in.b = utf8.AppendRune(in.b, r)
	}
	return in.b[i], true
}

// state is a place in the program and in the text from which a match is still to be tried. With undo it is none: the
// position of a group is to be as it was.
type state struct {
	pc, at int
	undo   bool
}

// run tries the alternatives in their order. A place in program and text that has been tried once has failed, or the run
// would be over, so the time is at most the length of one times that of the other, whatever the text.
func (r *Regexp) run(in *input) []int {
	found := make([]int, r.caps)
	for i := range found {
		found[i] = -1
	}
	found[0] = 0
	words := (len(r.prog) + 63) / 64
	var tried []uint64
	todo := []state{{}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.undo {
			found[s.pc] = s.at
			continue
		}
		for {
			for len(tried) <= s.at*words+words {
				tried = append(tried, 0)
			}
			bit := &tried[s.at*words+s.pc/64]
			if *bit>>(s.pc%64)&1 != 0 {
				break
			}
			*bit |= 1 << (s.pc % 64)
			st := &r.prog[s.pc]
			if st.op == done {
				found[1] = s.at
				return found
			}
			if st.op == note {
				todo = append(todo, state{st.to, found[st.to], true})
				found[st.to] = s.at
				s.pc++
				continue
			}
			if st.op == fork {
				todo = append(todo, state{s.pc + st.other, s.at, false})
				s.pc += st.to
				continue
			}
			c, more := in.at(s.at)
			if st.op == end && more || st.op == one && (!more || !st.set.has(c)) {
				break
			}
			if st.op == one {
				s.at++
			}
			s.pc++
		}
	}
	return nil
}
