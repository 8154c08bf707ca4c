package site

import (
	"encoding/binary"
	"errors"
	"slices"
)

// addStart adds a function without parameters that is run before anything else.
func addStart(sections []section, code []byte) ([]section, error) {
	place := func(id byte) int { return slices.IndexFunc(sections, func(s section) bool { return s.id == id }) }
	types, funcs, bodies, elements := place(typeSection), place(funcSection), place(codeSection), place(elementSection)
	if types < 0 || funcs < 0 || bodies < 0 || elements < 0 || place(startSection) >= 0 {
		return nil, errors.New("the program has other sections than Go writes")
	}
	imported := 0
	if i := place(importSection); i >= 0 {
		var err error
		if imported, err = importedFuncs(sections[i].body); err != nil {
			return nil, err
		}
	}
	kind, err := sections[types].add([]byte{0x60, 0, 0}) // no parameters, no results
	if err != nil {
		return nil, err
	}
	own, err := sections[funcs].add(binary.AppendUvarint(nil, uint64(kind)))
	if err != nil {
		return nil, err
	}
	if _, err := sections[bodies].add(append(binary.AppendUvarint(nil, uint64(len(code))), code...)); err != nil {
		return nil, err
	}
	start := section{startSection, binary.AppendUvarint(nil, uint64(imported+own))}
	return slices.Insert(sections, elements, start), nil
}

// add puts an item behind the others of a section, and returns how many those are.
func (s *section) add(item []byte) (before int, err error) {
	r := reader{rest: s.body}
	before = r.number()
	if r.failed {
		return 0, errors.New("a section of the program cannot be read")
	}
	s.body = slices.Concat(binary.AppendUvarint(nil, uint64(before+1)), r.rest, item)
	return before, nil
}

// importedFuncs counts the imports, which are functions all.
func importedFuncs(body []byte) (int, error) {
	r := reader{rest: body}
	n := r.number()
	for range n {
		r.take(r.number()) // the name of the module
		r.take(r.number()) // and of the function
		if kind := r.number(); r.failed || kind != 0 {
			return 0, errors.New("the program imports something other than functions")
		}
		r.number()
	}
	return n, nil
}

// finder is the table that finds a function by its place: buckets, each of which begins with the number of a function.
type finder struct{ at, buckets int }

// code returns the body of a function that writes the table: 16 buckets for each function, one after the other.
func (f finder) code() []byte {
	const (
		get, tee, store, i32                = 0x20, 0x22, 0x36, 0x41
		less, add, times, right, loop, jump = 0x49, 0x6a, 0x6c, 0x76, 0x03, 0x0d
		nothing, end                        = 0x40, 0x0b
	)
	number := func(v int) []byte { return appendSigned([]byte{i32}, v) }
	return slices.Concat(
		[]byte{1, 1, 0x7f, loop, nothing}, // one local number i, from 0
		[]byte{get, 0}, number(bucketSize), []byte{times},
		[]byte{get, 0}, number(bucketShift), []byte{right},
		[]byte{store, 2}, binary.AppendUvarint(nil, uint64(f.at)), // memory[at + 20*i] = i >> 4
		[]byte{get, 0}, number(1), []byte{add, tee, 0},
		number(f.buckets), []byte{less, jump, 0, end, end})
}
