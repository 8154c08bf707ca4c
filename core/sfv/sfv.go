// Package sfv reads structured field values (RFC 9651): Items, Lists and Dictionaries, in integers.
//
// It is as strict as section 4.2 asks: one fault makes the whole field fail, and nothing is repaired.
package sfv

import "strings"

// Kind is the type of a value (RFC 9651 section 3.3).
type Kind uint8

const (
	// NoKind is the zero value: there is no value.
	NoKind Kind = iota
	// Integer: Int, of at most 15 digits.
	Integer
	// Decimal: Int thousandths.
	Decimal
	// String: Text, of printable ASCII.
	String
	// Token: Text.
	Token
	// ByteSequence: Text holds the decoded bytes.
	ByteSequence
	// Boolean: Int is 1 for true, 0 for false.
	Boolean
	// Date: Int seconds since 1970.
	Date
	// DisplayString: Text, of any Unicode.
	DisplayString
	// InnerList: the member's Inner.
	InnerList
)

var kindNames = [...]string{
	"none", "Integer", "Decimal", "String", "Token", "Byte Sequence", "Boolean", "Date", "Display String", "Inner List",
}

// String returns the name in RFC 9651.
func (k Kind) String() string { return kindNames[k] }

// Value is a bare item.
type Value struct {
	Kind Kind
	Int  int64
	Text string
}

// Param is a parameter of an item. One without a value is the Boolean true.
type Param struct {
	Key   string
	Value Value
}

// Item is a bare item with its parameters, in their order; a key stands once, with its last value.
type Item struct {
	Value  Value
	Params []Param
}

// Param returns the value of a parameter, of NoKind if there is none.
func (i Item) Param(key string) Value {
	for _, p := range i.Params {
		if p.Key == key {
			return p.Value
		}
	}
	return Value{}
}

// Member is a member of a List: an item, or an inner list of items with parameters of its own.
type Member struct {
	Item
	Inner []Item
}

// Entry is a member of a Dictionary.
type Entry struct {
	Key string
	Member
}

// Fault says where a text stops being a structured field.
type Fault struct {
	// At is the byte offset in the lines joined by ", ".
	At      int
	Problem string
}

// Error returns the problem in a few words.
func (f *Fault) Error() string { return f.Problem }

// ParseItem reads a field that holds one Item. The lines of the field are joined first, so two lines are a fault.
func ParseItem(lines []string) (Item, *Fault) {
	p := newParser(lines)
	item := p.item()
	p.end()
	if p.fault != nil {
		return Item{}, p.fault
	}
	return item, nil
}

// ParseList reads a field that holds a List. An empty field is a List without members.
func ParseList(lines []string) ([]Member, *Fault) {
	p := newParser(lines)
	var list []Member
	for more := p.rest() != ""; more; more = p.comma() {
		list = append(list, p.member())
	}
	if p.fault != nil {
		return nil, p.fault
	}
	return list, nil
}

// ParseDictionary reads a field that holds a Dictionary; a key stands once, with its last member.
func ParseDictionary(lines []string) ([]Entry, *Fault) {
	p := newParser(lines)
	var list []Entry
	for more := p.rest() != ""; more; more = p.comma() {
		e := Entry{Key: p.key()}
		if p.take('=') {
			e.Member = p.member()
		} else {
			e.Value, e.Params = isTrue, p.params()
		}
		list = putEntry(list, e)
	}
	if p.fault != nil {
		return nil, p.fault
	}
	return list, nil
}

func putEntry(list []Entry, e Entry) []Entry {
	for i := range list {
		if list[i].Key == e.Key {
			list[i] = e
			return list
		}
	}
	return append(list, e)
}

var isTrue = Value{Kind: Boolean, Int: 1}

// newParser joins the lines as RFC 9110 section 5.2 has it. The blanks around each are no part of it (section 5.5).
func newParser(lines []string) *parser {
	trimmed := make([]string, len(lines))
	for i, line := range lines {
		trimmed[i] = strings.Trim(line, " \t")
	}
	p := &parser{text: strings.Join(trimmed, ", ")}
	p.spaces()
	return p
}
