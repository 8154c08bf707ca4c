package text

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

var param = regexp.MustCompile(`\{[a-z-]+\}`)

func sortedNames() []string {
	names := make([]string, 0, len(catalog))
	for n := range catalog {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// TestMessagesAreComplete holds every message to all languages, with the same parameters in each.
func TestMessagesAreComplete(t *testing.T) {
	for _, name := range sortedNames() {
		texts := catalog[name]
		if len(texts) != len(Langs()) {
			t.Errorf("%s has %d languages, want %d", name, len(texts), len(Langs()))
		}
		want := params(texts[English])
		for _, l := range Langs() {
			s := texts[l]
			if s == "" {
				t.Errorf("%s has no %s text", name, l)
			}
			if got := params(s); !slices.Equal(got, want) {
				t.Errorf("%s: parameters in %s %v, in English %v", name, l, got, want)
			}
			if strings.Count(s, "**")%2 != 0 {
				t.Errorf("%s: %s has an odd number of marks: %s", name, l, s)
			}
			if strings.ContainsAny(param.ReplaceAllString(s, ""), "{}") {
				t.Errorf("%s: %s has a brace that is no parameter: %s", name, l, s)
			}
		}
	}
}

// TestNoMessageStandsTwice reads the names in the files one by one: the later of two would hide the first.
func TestNoMessageStandsTwice(t *testing.T) {
	entries, err := files.ReadDir("messages")
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, e := range entries {
		data, err := files.ReadFile("messages/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		dec, depth := json.NewDecoder(bytes.NewReader(data)), 0
		for {
			token, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", e.Name(), err)
			}
			switch token := token.(type) {
			case json.Delim:
				depth += map[json.Delim]int{'{': 1, '}': -1}[token]
			case string:
				if depth != 1 {
					continue
				}
				if first, twice := in[token]; twice {
					t.Errorf("%s stands in %s and in %s", token, first, e.Name())
				}
				in[token] = e.Name()
			}
		}
	}
}

func params(s string) []string {
	list := param.FindAllString(s, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// TestUnitsStandAfterTheirNumbers holds seconds in English to a no-break space.
func TestUnitsStandAfterTheirNumbers(t *testing.T) {
	plain := regexp.MustCompile(`\} s($|[^a-z])`)
	for _, name := range sortedNames() {
		if name == "timeline.seconds" {
			continue // drawn in one piece, never broken into lines
		}
		if s := catalog[name][English]; plain.MatchString(s) {
			t.Errorf("%s: a plain space before the unit: %q", name, s)
		}
	}
}

// unit is what may follow a parameter in Korean: a unit or a counter, which carries the particle.
var unit = regexp.MustCompile(`^(초|번째|건|개|회|분|단계)`)

// withUnit are messages whose parameter brings its unit along, because the caller has the time as a text already.
var withUnit = []string{
	"timeline.place.long", "timeline.place.short", "lab.http-sent", "lab.http-arrived", "lab.http-reset",
	"lab.http-timed-out",
}

// TestNoParticleFollowsAParameter holds the Korean texts to their rule: which form a particle has depends on the sound
// before it, and a parameter's sound is not known. Marks do not count as something between; a unit or a parenthesis
// after a noun does, because the particle then belongs to that.
func TestNoParticleFollowsAParameter(t *testing.T) {
	for _, name := range sortedNames() {
		s := strings.ReplaceAll(catalog[name][Korean], "**", "")
		for _, at := range param.FindAllStringIndex(s, -1) {
			rest := strings.TrimLeft(s[at[1]:], "”’\"'")
			first, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
			if slices.Contains(withUnit, name) {
				continue
			}
			if isHangul(rest) && !unit.MatchString(rest) {
				t.Errorf("%s: %q follows a parameter in %q", name, rest, s)
			}
			if rest != "" && rest[0] == ' ' && slices.Contains(particles, strings.Trim(first, ".,:")) {
				t.Errorf("%s: the particle %q only has a space before it in %q", name, first, s)
			}
		}
	}
}

var particles = strings.Fields("은 는 이 가 을 를 과 와 로 으로 에 의 도 만 에서 부터 까지 에게 께 보다 라 이라 입니다 이며 이고")

func isHangul(s string) bool {
	for _, r := range s {
		return r >= 0xac00 && r <= 0xd7a3
	}
	return false
}

// TestPoliteEndings holds sentences to the polite style of each language.
func TestPoliteEndings(t *testing.T) {
	for _, name := range sortedNames() {
		if prefix, _, _ := strings.Cut(name, "."); !slices.Contains([]string{"verdict", "then", "reason"}, prefix) {
			continue
		}
		ko, ja := catalog[name][Korean], catalog[name][Japanese]
		for _, s := range strings.Split(strings.TrimSuffix(ko, "."), ". ") {
			if s = strings.TrimSuffix(Plain(s), "."); !regexp.MustCompile(`(니다|니다\(.*\))$`).MatchString(s) {
				t.Errorf("%s: Korean does not end politely: %q", name, s)
			}
		}
		for _, s := range strings.Split(strings.TrimSuffix(ja, "。"), "。") {
			if !regexp.MustCompile(`(ます|です|ました|ません|ですか|ますか)$`).MatchString(s) {
				t.Errorf("%s: Japanese does not end politely: %q", name, s)
			}
		}
	}
}

// TestNoTextNamesAColour holds the texts to meaning that does not need to be seen.
func TestNoTextNamesAColour(t *testing.T) {
	colour := regexp.MustCompile(`(?i)\b(red|green|blue|orange|purple|gr[ea]y|yellow)\b|` +
		`빨간|파란|초록|녹색|노란|주황|보라|회색|赤|青|緑|黄色|紫|灰色`)
	for _, name := range sortedNames() {
		for _, l := range Langs() {
			if colour.MatchString(catalog[name][l]) {
				t.Errorf("%s names a colour in %s: %s", name, l, catalog[name][l])
			}
		}
	}
}

// TestEveryCodeHasItsWords holds each reason, row, verdict, kind and fault to a message.
func TestEveryCodeHasItsWords(t *testing.T) {
	some := func(prefix string) bool {
		return slices.ContainsFunc(sortedNames(), func(n string) bool {
			return n == prefix || strings.HasPrefix(n, prefix+".")
		})
	}
	need := func(prefix string) {
		if !some(prefix) {
			t.Errorf("no message %s", prefix)
		}
	}
	for _, r := range decision.Reasons() {
		need("reason." + r.String())
		need("verdict." + r.String())
		if d := (decision.Decision{Reason: r}); mechanismOf(&d) == byNothing {
			t.Errorf("the reason %s belongs to no mechanism", r)
		}
	}
	for _, n := range decision.Names() {
		need("term." + n.String())
	}
	for _, v := range decision.Verdicts() {
		need("verdict." + v.String())
		need("then." + v.String())
		need("total." + v.String())
	}
	for _, k := range event.Kinds() {
		need("event." + k.String())
		need("due." + k.String())
	}
	for _, f := range event.Faults() {
		need("fault." + f.String())
	}
}

func TestFillLeavesValuesAlone(t *testing.T) {
	got := fill("{a}, {b}, {c}", []string{"a", "{b}", "b", "}{"})
	if want := "{b}, }{, {c}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
