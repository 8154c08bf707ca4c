package regexp_test

import (
	"fmt"
	real "regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"retrylab.example/web/site/standin/regexp"
)

// What the patterns of HTML in goldmark are made of.
const (
	attribute = `(?:[\r\n \t]+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:[\r\n \t]*=[\r\n \t]*(?:[^\"'=<>` + "`" + `\x00-\x20]+|'[^']*'|"[^"]*"))?)`
	space     = `(?:[ \t]|(?:\r\n|\n){0,1})`
	label     = `[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`
)

// patterns are of the kinds that the program's dependencies compile.
var patterns = []string{
	`.*`,
	`^` + label + `(?:\.` + label + `)*`,
	`^<([A-Za-z][A-Za-z0-9-]*)` + attribute + `*` + space + `*/?>`,
	`^</([A-Za-z][A-Za-z0-9-]*)` + space + `*>`,
	`(?i)^[ ]{0,3}<(script|pre|style|textarea)(?:\s.*|>.*|/>.*|)(?:\r\n|\n)?$`,
	`(?i)^.*</(?:script|pre|style|textarea)>.*`,
	`^[ ]{0,3}<!\-\-`,
	`^[ ]{0,3}<\?`,
	`^[ ]{0,3}<![A-Z]+.*(?:\r\n|\n)?$`,
	`^[ ]{0,3}<\!\[CDATA\[`,
	`^[ ]{0,3}<(?:/[ ]*)?([a-zA-Z]+[a-zA-Z0-9\-]*)(?:[ ].*|>.*|/>.*|)(?:\r\n|\n)?$`,
	`^[ ]{0,3}<(/[ ]*)?([a-zA-Z]+[a-zA-Z0-9\-]*)(` + attribute + `*)[ ]*(?:>|/>)[ ]*(?:\r\n|\n)?$`,
}

var texts = []string{
	"", "a", "<b>", "</b>", "<b c d='e' f=\"g\"\n h=i />", "<b c=>", "<script>", "  <SCRIPT src=x>\n", "a</Style>b", "<!-- x", "   <?php",
	"    <?", "<!DOCTYPE html>\r\n", "<![CDATA[", "< /b>", "</ b>", "<b  \n>", "example.com", "a-b.c-.d", "-a", "日<b>本", "<b c='日本' d=語>",
	"</日本>", "<b 日>", "x\n</pre>", strings.Repeat("a", 64) + ".b", strings.Repeat("a.", 40), "<b" + strings.Repeat(" a", 50) + "=",
	"<pre/>日", "<scripts>", "\xff<b>", "<b \xff='\xff'>",
}

// compare says where the stand-in finds something else than the real package.
func compare(t *testing.T, pattern, text string) {
	t.Helper()
	want := real.MustCompile(pattern)
	got := regexp.MustCompile(pattern)
	if g, w := got.FindSubmatchIndex([]byte(text)), want.FindSubmatchIndex([]byte(text)); !slices.Equal(g, w) {
		t.Errorf("%s\nin %q: %v, want %v", pattern, text, g, w)
	}
	if g, w := got.MatchString(text), want.MatchString(text); g != w {
		t.Errorf("%s\nmatches %q: %v, want %v", pattern, text, g, w)
	}
	if !utf8.ValidString(text) {
		return // no reader of letters gives half of one
	}
	g, w := got.FindReaderSubmatchIndex(strings.NewReader(text)), want.FindReaderSubmatchIndex(strings.NewReader(text))
	if !slices.Equal(g, w) {
		t.Errorf("%s\nin a reader of %q: %v, want %v", pattern, text, g, w)
	}
}

func TestSameAsReal(t *testing.T) {
	for _, p := range patterns {
		for _, s := range texts {
			compare(t, p, s)
		}
	}
}

func FuzzSameAsReal(f *testing.F) {
	for i := range patterns {
		for _, s := range texts {
			f.Add(i, s)
		}
	}
	f.Fuzz(func(t *testing.T, i int, s string) {
		if strings.ContainsRune(s, 'ſ') || strings.ContainsRune(s, '\u212a') {
			return // letters that Unicode, but not HTML, takes for s and k
		}
		compare(t, patterns[uint(i)%uint(len(patterns))], s)
	})
}

// TestLong looks at how often a reader is asked for a text on which a plain search by trial would not end.
func TestLong(t *testing.T) {
	in := strings.NewReader("<b" + strings.Repeat(" a=a", 20_000) + "=")
	if got := regexp.MustCompile(patterns[2]).FindReaderSubmatchIndex(in); got != nil {
		t.Errorf("found %v in a tag without end", got)
	}
	in = strings.NewReader("<b>" + strings.Repeat("x", 1000))
	if got := regexp.MustCompile(patterns[2]).FindReaderSubmatchIndex(in); got == nil || in.Len() < 990 {
		t.Errorf("found %v, with %d letters left; want a match that leaves what follows it", got, in.Len())
	}
}

func TestUnknown(t *testing.T) {
	for _, p := range []string{
		"a", "^[[:alpha:]]", `^[\s-x]`, `^\d`, `^\bx`, "^x??", "^x**", "^(?P<n>x)", "^(?i)x", "^日", "^.", "^[^x]", "^(x", "^x)", "^[x", "^x{2}", "^x{2,}", `^\`, "^*",
		"^a^", "(?s)^.*",
	} {
		if said := refusal(p); !strings.Contains(said, "does not know") {
			t.Errorf("%q is refused with %q; want it refused with what is wrong", p, said)
		}
	}
}

// refusal returns what compiling panics with.
func refusal(pattern string) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprint(r)
		}
	}()
	regexp.MustCompile(pattern)
	return ""
}
