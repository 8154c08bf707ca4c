package site

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// shrink takes out of a linked program what no visitor needs: the tables of files and lines, and of arguments, that only
// serve the traces of a crash, and the table that finds a function, which a new first function of the program computes. A
// trace then has the names of its functions and no lines. See docs/adr/0017-shrinking-after-the-link.md.
//
// It knows the layout of the runtime's tables and checks all that it relies on. An error means that this release of Go has
// another one.
func shrink(program []byte) ([]byte, error) {
	sections, err := readSections(program)
	if err != nil {
		return nil, err
	}
	for i, s := range sections {
		if s.id != dataSection {
			continue
		}
		m, err := readMemory(s.body)
		if err != nil {
			return nil, err
		}
		finds, err := m.shrink()
		if err != nil {
			return nil, err
		}
		sections[i].body = m.section()
		if sections, err = addStart(sections, finds.code()); err != nil {
			return nil, err
		}
		return join(sections), nil
	}
	return nil, errors.New("the program has no data")
}

func join(sections []section) []byte {
	out := []byte(wasmHeader)
	for _, s := range sections {
		out = append(out, s.id)
		out = binary.AppendUvarint(out, uint64(len(s.body)))
		out = append(out, s.body...)
	}
	return out
}

const wasmHeader = "\x00asm\x01\x00\x00\x00"

// The kinds of sections that are looked at.
const (
	typeSection, importSection, funcSection, startSection, elementSection, codeSection, dataSection = 1, 2, 3, 8, 9, 10, 11
)

// section is one section of a WebAssembly module.
type section struct {
	id   byte
	body []byte
}

func readSections(program []byte) ([]section, error) {
	if !bytes.HasPrefix(program, []byte(wasmHeader)) {
		return nil, errors.New("this is no WebAssembly program")
	}
	var sections []section
	r := reader{rest: program[len(wasmHeader):]}
	for len(r.rest) > 0 && !r.failed {
		id := r.take(1)
		body := r.take(r.number())
		if !r.failed {
			sections = append(sections, section{id[0], body})
		}
	}
	if r.failed {
		return nil, errors.New("the WebAssembly program ends too early")
	}
	return sections, nil
}

// reader reads the numbers and bytes of a section.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.failed = true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > 1<<32 {
		r.failed = true
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// address reads i32.const ADDRESS end.
func (r *reader) address() int {
	if op := r.take(1); r.failed || op[0] != 0x41 {
		r.failed = true
		return 0
	}
	v := 0
	for shift := 0; shift < 35; shift += 7 {
		b := r.take(1)
		if r.failed {
			return 0
		}
		v |= int(b[0]&0x7f) << shift
		if b[0] < 0x80 {
			break
		}
	}
	if end := r.take(1); r.failed || end[0] != 0x0b {
		r.failed = true
	}
	return v // a negative one would lie beyond what a program of ours has
}

// memory is what the program finds in its memory when it starts.
type memory []byte

// maxMemory is more than a program of ours begins with.
const maxMemory = 64 << 20

func readMemory(body []byte) (memory, error) {
	var m memory
	r := reader{rest: body}
	for range r.number() {
		if kind := r.number(); kind != 0 {
			return nil, fmt.Errorf("a piece of data is of the kind %d", kind)
		}
		at := r.address()
		data := r.take(r.number())
		end := at + len(data)
		if r.failed || end > maxMemory {
			return nil, errors.New("the data of the program cannot be read")
		}
		if end > len(m) {
			m = append(m, make([]byte, end-len(m))...)
		}
		copy(m[at:], data)
	}
	return m, nil
}

// gap is how many zeros are worth a new piece of data. The linker takes 8, and cuts the program into 100,000 pieces.
const gap = 1024

// section writes the memory as pieces without the long runs of zeros.
func (m memory) section() []byte {
	type piece struct{ from, to int }
	var pieces []piece
	for from := 0; from < len(m); {
		if m[from] == 0 {
			from++
			continue
		}
		to := from + 1
		for i := to; i < len(m) && i < to+gap; i++ {
			if m[i] != 0 {
				to = i + 1
			}
		}
		pieces = append(pieces, piece{from, to})
		from = to
	}
	b := binary.AppendUvarint(nil, uint64(len(pieces)))
	for _, p := range pieces {
		b = append(b, 0, 0x41)
		b = appendSigned(b, p.from)
		b = append(b, 0x0b)
		b = binary.AppendUvarint(b, uint64(p.to-p.from))
		b = append(b, m[p.from:p.to]...)
	}
	return b
}

// appendSigned writes a positive number as WebAssembly writes signed ones.
func appendSigned(b []byte, v int) []byte {
	for v >= 0x40 {
		b = append(b, byte(v&0x7f)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}
