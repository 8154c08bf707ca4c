package site

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

var errLayout = errors.New("the runtime's tables have another layout")

func (m memory) u32(at int) int { return int(binary.LittleEndian.Uint32(m[at:])) }
func (m memory) u64(at int) int { return int(binary.LittleEndian.Uint64(m[at:])) }

func (m memory) put32(at int, v uint32) { binary.LittleEndian.PutUint32(m[at:], v) }

// span is a part of the memory.
type span struct{ from, to int }

func (m memory) clear(s span) { clear(m[s.from:s.to]) }

// tables says where the runtime's tables of functions lie.
type tables struct {
	funcs                     int // how many functions there are
	units, files, pc, entries span
	find, data                int // the table that finds a function, and the data of functions
}

// tableMagic begins the tables: the number of the format, two zeros, the smallest size of an instruction, and that of a
// pointer.
var tableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// shrink empties what is not needed. What stays, stays where it is.
func (m memory) shrink() (finder, error) {
	t, err := m.tables()
	if err != nil {
		return finder{}, err
	}
	used := make([]bool, t.pc.to-t.pc.from)
	used[0] = true // the place that means none
	for i := range t.funcs {
		if err := m.shrinkFunc(t, t.entries.from+m.u32(t.entries.from+8*i+4), used); err != nil {
			return finder{}, err
		}
	}
	for i, u := range used {
		if !u {
			m[t.pc.from+i] = 0
		}
	}
	m.clear(t.units)
	m.clear(t.files)
	return m.finder(t)
}

// tables finds the tables: by how they begin, and then by the record of the module that points to them.
func (m memory) tables() (tables, error) {
	for at := 0; ; at += 8 {
		i := bytes.Index(m[at:], tableMagic)
		if i < 0 {
			return tables{}, errLayout
		}
		at += i
		if at%8 != 0 || at+72 > len(m) {
			continue
		}
		record := make([]byte, 16)
		binary.LittleEndian.PutUint64(record, uint64(at))
		binary.LittleEndian.PutUint64(record[8:], uint64(at+m.u64(at+32)))
		module := bytes.Index(m, record)
		if module < 0 || module+400 > len(m) {
			continue
		}
		return m.tablesOf(at, module)
	}
}

// tablesOf reads the record of the module, and compares it with the head of the tables.
func (m memory) tablesOf(head, module int) (tables, error) {
	word := func(i int) int { return m.u64(module + 8*i) }
	list := func(i, size int) span { return span{word(i), word(i) + size*word(i+1)} }
	t := tables{
		funcs: m.u64(head + 8), units: list(4, 4), files: list(7, 1), pc: list(10, 1), entries: list(13, 1),
		find: word(19), data: word(39),
	}
	entries := list(16, 8)
	begins := []int{t.units.from, t.files.from, t.pc.from, t.entries.from}
	for i, begin := range begins {
		if begin != head+m.u64(head+40+8*i) {
			return t, errLayout
		}
	}
	ends := []span{t.units, t.files, t.pc, t.entries, {t.find, t.find + bucketSize*(t.funcs-1)*bucketsPerFunc}, {t.data, t.data}}
	for _, s := range ends {
		if s.from <= 0 || s.to < s.from || s.to > len(m) {
			return t, errLayout
		}
	}
	if entries.from != t.entries.from || entries.to != entries.from+8*(t.funcs+1) || t.pc.from == t.pc.to {
		return t, errLayout
	}
	return t, nil
}

// Where the fields of a function's record are, and how long it is without its lists.
const (
	funcStack, funcFile, funcLine, funcLists, funcUnit, funcStart = 16, 20, 24, 28, 32, 36
	funcDataLists, funcSize                                       = 43, 44
)

// What the lists of a function hold by index: tables by place in the code, and data.
const (
	pcUnsafePoint, pcArgLive = 0, 3
	dataArgs, dataArgLive    = 5, 6
)

// none means that a function has no such data.
const none = 1<<32 - 1

// shrinkFunc empties the fields of one function that only a trace looks at, and those about pre-emption, which does not
// occur in a browser. It notes which of the tables by place are still used.
func (m memory) shrinkFunc(t tables, at int, used []bool) error {
	if at+funcSize > t.entries.to {
		return errLayout
	}
	lists, dataLists := m.u32(at+funcLists), int(m[at+funcDataLists])
	if lists > 8 || dataLists > 16 || at+funcSize+4*(lists+dataLists) > t.entries.to {
		return errLayout
	}
	for _, field := range []int{funcFile, funcLine, funcUnit, funcStart} {
		m.put32(at+field, 0)
	}
	places := []int{at + funcStack}
	for i := range lists {
		place := at + funcSize + 4*i
		if i == pcUnsafePoint || i == pcArgLive {
			m.put32(place, 0)
		}
		places = append(places, place)
	}
	for i := range dataLists {
		if i == dataArgs || i == dataArgLive {
			m.put32(at+funcSize+4*(lists+i), none)
		}
	}
	for _, place := range places {
		if err := mark(m[t.pc.from:t.pc.to], m.u32(place), used); err != nil {
			return err
		}
	}
	return nil
}

// mark notes the bytes of one table by place: pairs of numbers, until a difference of zero that is not the first.
func mark(table []byte, from int, used []bool) error {
	if from == 0 {
		return nil
	}
	for at, first := from, true; ; first = false {
		if at >= len(table) {
			return errLayout
		}
		value, n := binary.Uvarint(table[at:])
		if n <= 0 {
			return errLayout
		}
		size := n
		if value != 0 || first {
			_, k := binary.Uvarint(table[at+n:])
			if k <= 0 {
				return errLayout
			}
			size += k
		}
		for i := range size {
			used[at+i] = true
		}
		at += size
		if value == 0 && !first {
			return nil
		}
	}
}

// The table that finds a function has a bucket for 4096 places, and a function is given 65536.
const (
	bucketSize     = 20
	bucketShift    = 4
	bucketsPerFunc = 1 << bucketShift
)

// finder empties the table that finds a function, which can be computed, and returns what that takes. The last bucket stays
// as it is: it is cut short where the last function ends, and what follows it in its place is other data.
func (m memory) finder(t tables) (finder, error) {
	f := finder{t.find, (t.funcs - 1) * bucketsPerFunc}
	for i := range f.buckets {
		at := t.find + bucketSize*i
		if m.u32(at) != i>>bucketShift || bytes.Count(m[at+4:at+bucketSize], []byte{0}) != bucketSize-4 {
			return f, fmt.Errorf("%w: place %d is found at %d", errLayout, i, m.u32(at))
		}
		clear(m[at : at+bucketSize])
	}
	return f, nil
}
