package idemkey

import (
	"strings"
	"testing"

	"retrylab.example/core/sfv"
)

// standards.md section 5 and the rows of section 6 on the field itself (I06, I07, I19, I20, I24).
func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		note            string
		lines           []string
		draft, raw, lab string // the key, or - and the reason
	}{
		{"I06: not sent", nil, "-missing", "-missing", "-missing"},
		{"empty is not missing", []string{""}, "-parse-failure", "-empty-value", "-empty-value"},
		{"blanks only", []string{" \t"}, "-parse-failure", "-empty-value", "-empty-value"},
		{"I19: quoted", []string{`"a"`}, "a", `"a"`, "a"},
		{"I19: the same without quotes", []string{"a"}, "-not-a-string", "a", "a"},
		{"I20: another letter case is another key", []string{`"A"`}, "A", `"A"`, "A"},
		{"I24: two lines", []string{`"a"`, `"a"`}, "-parse-failure", "-repeated", "-repeated"},
		{"I24: two lines that join to a String", []string{`"a`, `b"`}, "a, b", "-repeated", "-repeated"},
		{"tabs around", []string{"\ta\t"}, "-not-a-string", "a", "a"},
		{"255 bytes", []string{strings.Repeat("1", 255)}, "-parse-failure", strings.Repeat("1", 255), strings.Repeat("1", 255)},
		{"256 bytes", []string{strings.Repeat("1", 256)}, "-parse-failure", "-too-long", "-too-long"},
		{"what programs print", []string{"[object Object]"}, "-parse-failure", "-bad-byte", "-bad-byte"},
		{"quoted", []string{`"[object Object]"`}, "[object Object]", "-bad-byte", "-client-bug"},
		{"null", []string{"null"}, "-not-a-string", "null", "-client-bug"},
		{"a String of blanks", []string{`" "`}, " ", "-bad-byte", " "},
		{"not UTF-8", []string{"\xff"}, "-parse-failure", "-bad-byte", "-bad-byte"},
	} {
		for p, want := range map[Profile]string{Draft: c.draft, Raw: c.raw, Lab: c.lab} {
			k := Read(p, c.lines)
			got := k.Text
			if k.Result != Given {
				got = "-" + k.Reason.String()
			}
			if got != want || (k.Status == 400) != (k.Result == Refused) || (k.Result == Given) != (k.Reason == NoReason) {
				t.Errorf("%s, %s: got %q (%s, %d), want %q", c.note, p, got, k.Result, k.Status, want)
			}
		}
	}
}

func TestWhatStandsBesideTheKey(t *testing.T) {
	if k := Read(Draft, []string{`"a"; v=1;w`}); strings.Join(k.Ignored, " ") != "v w" || k.Kind != sfv.String {
		t.Errorf("got %+v", k)
	}
	if k := Read(Lab, []string{`abc`}); !k.Unquoted || k.Kind != sfv.Token {
		t.Errorf("got %+v", k)
	}
	if k := Read(Lab, []string{`"abc"`}); k.Unquoted || k.Quoted {
		t.Errorf("got %+v", k)
	}
	if k := Read(Raw, []string{`"abc"`}); !k.Quoted {
		t.Errorf("got %+v", k)
	}
	for _, name := range ProfileNames() {
		if p, ok := ParseProfile(name); !ok || p.String() != name {
			t.Errorf("%s reads back as %s", name, p)
		}
	}
	if _, ok := ParseProfile("cooked"); ok {
		t.Error("cooked is no profile")
	}
}

// FuzzRead: a twin of Raw by bytes; Lab gives the draft's key or the raw one, or refuses it by name.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", `"a"`, "a", `"a\"b"`, `"a`, "undefined", `"undefined"`, `""`, `"a"; v=1`, "é", `%"caf%c3%a9"`, " a "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines := []string{s}
		draft, raw, lab := Read(Draft, lines), Read(Raw, lines), Read(Lab, lines)
		trimmed := strings.Trim(s, " \t")
		ok := len(trimmed) >= 1 && len(trimmed) <= 255
		for i := range len(trimmed) {
			ok = ok && trimmed[i] > ' ' && trimmed[i] < 0x7f
		}
		if (raw.Result == Given) != ok || ok && raw.Text != trimmed {
			t.Fatalf("%q: raw %+v", s, raw)
		}
		want := raw.Text
		if draft.Result == Given {
			want = draft.Text
		}
		switch {
		case lab.Result == Given && lab.Text != want, lab.Result == Absent:
			t.Fatalf("%q: lab %+v, draft %+v, raw %+v", s, lab, draft, raw)
		case lab.Result == Refused && lab.Reason != EmptyKey && lab.Reason != ClientBug && raw.Result == Given:
			t.Fatalf("%q: lab %+v, raw %+v", s, lab, raw)
		}
	})
}
