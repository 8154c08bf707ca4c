package sfv

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// written writes a value with its type, and its parameters behind it.
func written(i Item) string {
	s := i.Value.Kind.String() + " " + strconv.Quote(i.Value.Text)
	switch i.Value.Kind {
	case Integer, Decimal, Boolean, Date:
		s = i.Value.Kind.String() + " " + strconv.FormatInt(i.Value.Int, 10)
	case InnerList:
		s = i.Value.Kind.String()
	}
	for _, p := range i.Params {
		s += "; " + p.Key + "=" + written(Item{Value: p.Value})
	}
	return s
}

// The types of RFC 9651 section 3.3, with their bounds, and what each fails on.
func TestItems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0", "Integer 0"}, {"-0", "Integer 0"}, {"007", "Integer 7"}, {"999999999999999", "Integer 999999999999999"},
		{"-999999999999999", "Integer -999999999999999"}, {"1000000000000000", "an integer has more than 15 digits"},
		{"-", "a digit is missing"}, {"--1", "a digit is missing"}, {"+1", "a value of no known type"},
		{"1.5", "Decimal 1500"}, {"-1.005", "Decimal -1005"}, {"999999999999.999", "Decimal 999999999999999"},
		{"1234567890123.1", "a decimal has at most 12"}, {"1.1234", "a decimal has at most 12"}, {"1.", "a decimal has at most 12"},
		{".5", "a value of no known type"}, {"1e3", "there is something behind"},
		{`"a b"`, `String "a b"`}, {`""`, `String ""`}, {`"\\\""`, `String "\\\""`}, {`"a`, "a string is not closed"},
		{`"a\`, "a backslash stands before"}, {`"\n"`, "a backslash stands before"}, {"\"\t\"", "a string holds a byte"}, {`"é"`, "a string holds a byte"},
		{"abc", `Token "abc"`}, {"*", `Token "*"`}, {"a/b:c!#$%&'*+-.^_`|~9", "Token \"a/b:c!#$%&'*+-.^_`|~9\""}, {"a@b", "there is something behind"},
		{":YWJj:", `Byte Sequence "abc"`}, {"::", `Byte Sequence ""`}, {":YWI=:", `Byte Sequence "ab"`}, {":YWI:", `Byte Sequence "ab"`},
		{":YWI", "a byte sequence is not closed"}, {":Y W:", "a byte sequence is not closed"}, {":Y:", "a byte sequence is not in base64"}, {":=:", "a byte sequence is not in base64"},
		{"?1", "Boolean 1"}, {"?0", "Boolean 0"}, {"?", "a boolean is neither"}, {"?2", "a boolean is neither"}, {"?10", "there is something behind"},
		{"@1796040120", "Date 1796040120"}, {"@-1", "Date -1"}, {"@1.5", "a date is a whole number"}, {"@", "a digit is missing"},
		{`%"caf%c3%a9"`, `Display String "café"`}, {`%""`, `Display String ""`}, {`%"%C3%a9"`, "a percent sign stands before"}, {`%"%c3"`, "a display string is not UTF-8"},
		{`%"%`, "a percent sign stands before"}, {`%"%c`, "a percent sign stands before"}, {`%"a`, "a display string is not closed"}, {`%a`, "a display string is not opened"}, {`%"é"`, "a display string holds a byte"},
		{"", "a value of no known type"}, {"a\x00", "there is something behind"}, {"\x00", "a value of no known type"}, {"(1)", "a value of no known type"},
		{`  "a"  `, `String "a"`}, {"\t1\t", "Integer 1"},
		{`1;a`, `Integer 1; a=Boolean 1`}, {`1;  a=?0;b="x"`, `Integer 1; a=Boolean 0; b=String "x"`}, {`1;a=1;b;a=2`, `Integer 1; a=Integer 2; b=Boolean 1`},
		{`1 ;a`, "there is something behind"}, {`1;A`, "a key begins with"}, {`1;`, "a key begins with"}, {`1;a=`, "a value of no known type"}, {`1;a =1`, "there is something behind"},
		{"1;\ta", "a key begins with"}, {`1;*a-b_c.9*=x`, `Integer 1; *a-b_c.9*=Token "x"`},
	} {
		item, fault := ParseItem([]string{c.text})
		got := written(item)
		if fault != nil {
			got = fault.Error()
		}
		if got != c.want && (fault == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestLists(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  []string // of each member; nil for a fault
	}{
		{nil, []string{}}, {[]string{"", ""}, nil}, {[]string{" \t"}, []string{}},
		{[]string{"1 ,\t2", `"a,b"`}, []string{"Integer 1", "Integer 2", `String "a,b"`}},
		{[]string{`"a`, `b"`}, []string{`String "a, b"`}}, // lines are joined before they are read
		{[]string{"1,"}, nil}, {[]string{",1"}, nil}, {[]string{"1,,2"}, nil}, {[]string{"1 2"}, nil}, {[]string{"1", ""}, nil},
		{[]string{"(1 2);a, ()"}, []string{"Inner List; a=Boolean 1 [Integer 1 Integer 2]", "Inner List []"}},
		{[]string{"( 1  x;b )"}, []string{`Inner List [Integer 1 Token "x"; b=Boolean 1]`}},
		{[]string{"(1"}, nil}, {[]string{"(1,2)"}, nil}, {[]string{"("}, nil}, {[]string{"(1))"}, nil}, {[]string{"((1))"}, nil}, {[]string{"(1(2))"}, nil},
	} {
		list, fault := ParseList(c.lines)
		got := []string{}
		for _, m := range list {
			s := written(m.Item)
			if m.Value.Kind == InnerList {
				var inner []string
				for _, i := range m.Inner {
					inner = append(inner, written(i))
				}
				s += " [" + strings.Join(inner, " ") + "]"
			}
			got = append(got, s)
		}
		if (fault != nil) != (c.want == nil) || !slices.Equal(got, c.want) && fault == nil {
			t.Errorf("%q: got %q, fault %v; want %q", c.lines, got, fault, c.want)
		}
	}
	if _, fault := ParseList([]string{"1,"}); fault == nil || fault.Problem != "a comma stands at the end" {
		t.Errorf("a comma at the end: got %v", fault)
	}
	_, fault := ParseList([]string{"1", "é"})
	if fault == nil || fault.At != 3 {
		t.Errorf("the fault is at byte 3 of the joined lines, got %+v", fault)
	}
}

func TestDictionaries(t *testing.T) {
	list, fault := ParseDictionary([]string{"a=1, b;x, c=(1 2)", "a=2.5;y"})
	var got []string
	for _, e := range list {
		got = append(got, e.Key+": "+written(e.Item))
	}
	want := []string{"a: Decimal 2500; y=Boolean 1", "b: Boolean 1; x=Boolean 1", "c: Inner List"}
	if fault != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, fault, want)
	}
	for _, text := range []string{"a=", "A=1", "a=1,", `"a"=1`, "a=1 b=2", "a = 1"} {
		if list, fault := ParseDictionary([]string{text}); fault == nil {
			t.Errorf("%q is read as %v", text, list)
		}
	}
}

// FuzzParse: nothing panics or goes on for ever; a fault points into the text; an Item is a List of one member.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`"default";r=50;t=30`, `"a";q=1;w=1; "b"`, `(1 "b";c);d, ?0, @5, :YQ==:, %"%c3%a9"`, `a=1, b;x, c=(1 2)`, "\"\\", "%\"%", "((", "1;a=;",
	} {
		f.Add(s, "")
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, lines := range [][]string{{a}, {a, b}} {
			item, itemFault := ParseItem(lines)
			list, listFault := ParseList(lines)
			_, dictFault := ParseDictionary(lines)
			for _, fault := range []*Fault{itemFault, listFault, dictFault} {
				if fault != nil && (fault.At < 0 || fault.At > len(a)+len(b)+2 || fault.Problem == "") {
					t.Fatalf("%q: fault %+v", lines, fault)
				}
			}
			if itemFault == nil && (listFault != nil || len(list) != 1 || written(list[0].Item) != written(item)) {
				t.Fatalf("%q is the Item %s and the List %v", lines, written(item), list)
			}
		}
	})
}
