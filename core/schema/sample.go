package schema

import (
	"slices"
	"strconv"
	"strings"
)

// Samples returns objects of a kind, as JSON, in which every field that they and the objects in them can have stands at
// least once. Those of the kind "lesson" read without a fault; they cannot be proven, as they are about nothing.
func Samples(name string) []string {
	s := sampler{Objects()}
	return s.object(name)
}

type sampler struct{ objects []Object }

// object returns samples of an object: for each variant, and for each of the fields of which one is there.
func (s *sampler) object(name string) (all []string) {
	o := find(s.objects, name)
	common := fieldsOf(s.objects, o)
	if len(o.Variants) == 0 {
		return s.choices("", common, o.OneOf, o.Never)
	}
	for _, v := range o.Variants {
		first := quote(o.By) + ": " + quote(v.Name)
		if len(v.Samples) > 0 {
			for _, members := range v.Samples {
				for _, sample := range s.choices(first, common, nil, nil) {
					all = append(all, strings.TrimSuffix(sample, "}")+", "+members+"}")
				}
			}
			continue
		}
		for _, sample := range s.choices(first, join(common, v.Fields), both(v.OneOf, v.AnyOf), nil) {
			if name == "step" && v.Name != "predict" {
				sample = strings.ReplaceAll(sample, `, "prediction": "option"`, "")
			}
			all = append(all, sample)
		}
	}
	return all
}

func both(a, b []string) []string { return append(slices.Clone(a), b...) }

// choices returns samples with each one of the fields of oneOf, or with all fields that may stand together.
func (s *sampler) choices(first string, fields []Field, oneOf []string, never [][2]string) (all []string) {
	if len(oneOf) > 0 {
		for _, only := range oneOf {
			all = append(all, s.together(first, slices.DeleteFunc(slices.Clone(fields), func(f Field) bool {
				return f.Name != only && (slices.Contains(oneOf, f.Name) || slices.Contains(never, [2]string{only, f.Name}))
			}))...)
		}
		return all
	}
	for drop := range min(len(never), 1) + 1 {
		all = append(all, s.together(first, slices.DeleteFunc(slices.Clone(fields), func(f Field) bool {
			return slices.ContainsFunc(never, func(pair [2]string) bool { return pair[drop] == f.Name })
		}))...)
	}
	return all
}

// together returns samples with all of the fields: as many as the field with the most has.
func (s *sampler) together(first string, fields []Field) (all []string) {
	values := make([][]string, len(fields))
	n := 1
	for i, f := range fields {
		values[i] = s.field(f)
		n = max(n, len(values[i]))
	}
	for k := range n {
		var members []string
		for i, f := range fields {
			members = append(members, quote(f.Name)+": "+values[i][k%len(values[i])])
		}
		if first != "" {
			members = slices.Insert(members, min(1, len(members)), first)
		}
		all = append(all, "{"+strings.Join(members, ", ")+"}")
	}
	return all
}

func (s *sampler) field(f Field) []string {
	if f.Example != "" {
		return []string{f.Example}
	}
	return s.typed(f.Type)
}

func (s *sampler) typed(t Type) []string {
	switch t.kind {
	case object:
		return s.object(t.object)
	case either:
		return append(s.typed(t.of[0]), s.typed(t.of[1])...)
	case texts:
		return []string{`{"en": "Text", "ko": "글"}`}
	case list:
		return s.lists(s.typed(t.of[0]), int(t.lo), int(t.hi))
	}
	panic("a field without an example is an object, a text in all languages, or a list of them")
}

// lists puts samples into short lists, as they are read often. Each gets an id or a name of its own.
func (s *sampler) lists(items []string, lo, hi int) (all []string) {
	for part := range slices.Chunk(items, min(hi, 2)) {
		for len(part) < lo {
			part = append(slices.Clone(part), items[0])
		}
		var numbered []string
		for i, item := range part {
			if at := len(`{"id": "`); i > 0 && strings.HasPrefix(item, `{"id": "`) {
				item = number(item, at, i)
			} else if at := len(`{"name": "`); i > 0 && strings.HasPrefix(item, `{"name": "`) {
				item = number(item, at, i)
			}
			numbered = append(numbered, item)
		}
		all = append(all, "["+strings.Join(numbered, ", ")+"]")
	}
	return all
}

// number puts a number after the text that begins at a place.
func number(item string, at, i int) string {
	end := at + strings.IndexByte(item[at:], '"')
	return item[:end] + "-" + strconv.Itoa(i+1) + item[end:]
}
