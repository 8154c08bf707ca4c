// Package schema says what may stand in a lesson file: as JSON Schema for editors, and as tables for people. One table
// of objects and fields gives both, and samples that use every field. The reader of core/lesson is asked in tests what
// it takes, field by field, so that the table cannot say anything else.
package schema

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/document"
)

// Object is one kind of object in a lesson.
type Object struct {
	Name, Doc string
	Fields    []Field
	// By names the field that decides which of Variants it is; its values are their names.
	By       string
	Variants []Variant
	// OneOf are fields of which exactly one is there, AnyOf those of which at least one is; empty: nothing is asked.
	OneOf, AnyOf []string
	// Never are pairs of fields that cannot stand together, in this order.
	Never [][2]string
	// Like says for people of which other object it differs little, "" for none.
	Like string
	// Base names an object that has further fields of this one, "" for none.
	Base string
}

// Variant is what an object is for one value of its field By.
type Variant struct {
	Name, Doc string
	Fields    []Field
	// OneOf and AnyOf are as those of an Object.
	OneOf, AnyOf []string
	// Samples are the members of samples, where not all fields go together, and Rule says in JSON Schema which do.
	Samples []string
	Rule    string
}

// Field is a field of an object.
type Field struct {
	Name, Doc string
	Type      Type
	// Need: it cannot be left out. Default says what a missing one means, "" if that goes without saying.
	Need    bool
	Default string
	// Example is a value as JSON; "" where Type has samples of its own.
	Example string
}

// Type is what may stand in a field.
type Type struct {
	kind kind
	// names are those of an enumeration; pattern and most bound a text, whose length counts in characters.
	names   []string
	pattern string
	// lo and hi bound a number, the length of a list, or a duration in nanoseconds. Bounds that depend on other fields
	// are said in words.
	lo, hi  int64
	depends bool
	// object is the name of an object; of is the type of a list's elements, or the alternatives.
	object string
	of     []Type
	// words say in short what it is.
	words string
}

type kind uint8

const (
	boolean kind = iota
	whole
	textual
	duration
	enum
	list
	object
	either
	texts // a text in every language of the lesson
	scalar
)

func flagged() Type { return Type{kind: boolean, words: "true or false"} }

func between(lo, hi int64) Type {
	return Type{kind: whole, lo: lo, hi: hi, words: strconv.FormatInt(lo, 10) + " to " + strconv.FormatInt(hi, 10)}
}

// bounded is a whole number whose bounds are tighter where other fields say so.
func bounded(lo, hi int64) Type {
	t := between(lo, hi)
	t.depends = true
	return t
}

func text(pattern, words string) Type { return Type{kind: textual, pattern: pattern, words: words} }

func wait(lo, hi time.Duration) Type {
	return Type{
		kind: duration, lo: int64(lo), hi: int64(hi), pattern: durationPattern,
		words: "a duration, " + document.FormatDuration(lo) + " to " + document.FormatDuration(hi),
	}
}

func boundedWait(lo, hi time.Duration) Type {
	t := wait(lo, hi)
	t.depends = true
	return t
}

func named(names ...string) Type {
	return Type{kind: enum, names: names, words: "one of `" + strings.Join(names, "`, `") + "`"}
}

// oneOfThe is a long enumeration, which people read in a section of its own.
func oneOfThe(what string, names []string) Type {
	return Type{kind: enum, names: names, words: "one of the [" + what + "](#" + what + ")"}
}

func listOf(lo, hi int, of Type) Type {
	words := "a list of up to " + strconv.Itoa(hi)
	if lo > 0 {
		words = "a list of " + strconv.Itoa(lo) + " to " + strconv.Itoa(hi)
	}
	return Type{kind: list, lo: int64(lo), hi: int64(hi), of: []Type{of}, words: words + ": " + of.words}
}

func obj(name string) Type {
	return Type{kind: object, object: name, words: "[" + name + "](#" + anchor(name) + ")"}
}

func oneOrOther(a, b Type) Type {
	return Type{kind: either, of: []Type{a, b}, words: a.words + ", or " + b.words}
}

func translated() Type { return Type{kind: texts, words: "a text in every language"} }

func anchor(name string) string { return strings.ReplaceAll(name, " ", "-") }

// The patterns of texts, as JSON Schema writes them.
const (
	idPattern       = `^[0-9a-z-]{1,40}$`
	tagPattern      = `^[0-9a-z-]{2,12}$`
	namePattern     = `^[0-9A-Za-z-]{1,40}$`
	methodPattern   = `^[A-Za-z]{1,20}$`
	pathPattern     = `^/[ -~]{0,199}$`
	keyPattern      = `^[ -~]{0,255}$`
	valuePattern    = `^[ -~]{0,100}$`
	notEmptyPattern = `^[ -~]{1,100}$`
	fieldPattern    = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,50}$"
	linePattern     = `^[^\x00-\x08\x0a-\x1f\x7f]{0,200}$`
	durationPattern = `^-?[0-9]+(\.[0-9]{1,18})?(ns|us|ms|s|m|h)$`
	ratioPattern    = `^(0?[01](\.0{1,18})?|0?0\.[0-9]{1,18})$`
	tokensPattern   = `^[0-9]+(\.[0-9]{1,9})?$`
	factorPattern   = `^[0-9]+(\.[0-9]{1,9}|/[0-9]+)?$`
)

// Objects returns every kind of object, the lesson first.
func Objects() []Object {
	var all []Object
	for _, part := range [][]Object{lessonObjects(), checkObjects(), scenarioObjects(), partnerObjects(), policyObjects(), inputObjects()} {
		all = append(all, part...)
	}
	return all
}

// find returns the object of that name.
func find(objects []Object, name string) *Object {
	for i := range objects {
		if objects[i].Name == name {
			return &objects[i]
		}
	}
	panic("there is no object " + name)
}

func variantNames(o *Object) (list []string) {
	for _, v := range o.Variants {
		list = append(list, v.Name)
	}
	return list
}
