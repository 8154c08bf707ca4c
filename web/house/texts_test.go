package house

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reviewed notes that somebody has read the translations beside their English, and finds them right.
var reviewed = flag.Bool("reviewed", false, "note all translations as read beside their English")

// text is a text in all languages, as a file of messages, a lesson or boot.js holds it.
type text struct{ en, ko, ja string }

// line is what the notes keep of a text: which Korean and which Japanese were made from which English.
func (s text) line() string { return digest(s.en) + " " + digest(s.ko) + " " + digest(s.ja) }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// TestTranslations: each translation was read beside the English that it stands beside now. The notes of that,
// testdata/reviewed, hold a line of digests for each text; they are written by a command of its own, so that nobody
// takes an old translation along by refreshing golden files.
func TestTranslations(t *testing.T) {
	for name, texts := range translated(t) {
		path := filepath.Join("testdata", "reviewed", strings.ReplaceAll(name, "/", "_")+".txt")
		if *reviewed {
			noteReviewed(t, path, texts)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s: nobody has noted its translations as read: %v", name, err)
			continue
		}
		for _, problem := range stale(texts, strings.Fields(string(data))) {
			t.Errorf("%s: %s\nWhen Korean and Japanese say it too: go test ./web/house -run TestTranslations -reviewed", name, problem)
		}
	}
}

// stale compares texts with the digests of those that were read, three of each.
func stale(texts []text, noted []string) []string {
	english := map[string]string{} // of a translation
	known := map[string]bool{}
	for i := 0; i+2 < len(noted); i += 3 {
		english[noted[i+1]], english[noted[i+2]] = noted[i], noted[i]
		known[strings.Join(noted[i:i+3], " ")] = true
	}
	var problems []string
	for _, s := range texts {
		was, old := english[digest(s.ko)]
		if !old {
			was, old = english[digest(s.ja)]
		}
		switch {
		case known[s.line()]:
		case old && was != digest(s.en):
			problems = append(problems, "stale: the English has changed since "+s.ko+" / "+s.ja+" were read beside it; it is now: "+s.en)
		default:
			problems = append(problems, "nobody has noted as read: "+s.en+" / "+s.ko+" / "+s.ja)
		}
	}
	return problems
}

func noteReviewed(t *testing.T, path string, texts []text) {
	t.Helper()
	var lines []string
	for _, s := range texts {
		lines = append(lines, s.line())
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestStaleTexts: a changed English text, a translation that was changed, and a new text are told apart.
func TestStaleTexts(t *testing.T) {
	was := text{"wait", "기다립니다", "待ちます"}
	noted := strings.Fields(was.line())
	for _, tt := range []struct {
		now  text
		says string
	}{
		{was, ""},
		{text{"wait longer", was.ko, was.ja}, "stale"},
		{text{"wait longer", "더 기다립니다", was.ja}, "stale"},
		{text{"wait", "더 기다립니다", was.ja}, "nobody"},
		{text{"send", "보냅니다", "送ります"}, "nobody"},
	} {
		got := strings.Join(stale([]text{tt.now}, noted), "\n")
		if (got == "") != (tt.says == "") || !strings.HasPrefix(got, tt.says) {
			t.Errorf("%v: %q, want %q", tt.now, got, tt.says)
		}
	}
}

// translated returns the texts of each file that holds some, by the file's name.
func translated(t *testing.T) map[string][]text {
	t.Helper()
	all := map[string][]text{"web/static/boot.js": bootTexts(t)}
	for _, pattern := range []string{"core/text/messages/*.json", "lessons/0*.json", "lessons/starters/*.json", "lessons/code/*.json", "web/glossary/*.json"} {
		paths, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
			if all[name] = textsIn(v, nil); len(all[name]) == 0 {
				t.Errorf("%s holds no text", name)
			}
		}
	}
	return all
}

// textsIn collects the objects that have texts in all languages.
func textsIn(v any, found []text) []text {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			found = textsIn(e, found)
		}
	case map[string]any:
		in := func(lang string) string { return joined(v[lang]) }
		if s := (text{in("en"), in("ko"), in("ja")}); s.en != "" && s.ko != "" && s.ja != "" {
			return append(found, s)
		}
		for _, e := range v {
			found = textsIn(e, found)
		}
	}
	return found
}

// joined returns a text that may be written as a list of paragraphs.
func joined(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, joined(e))
		}
		return strings.Join(parts, "\n")
	}
	return ""
}

// bootTable is the table of texts in boot.js, and the entries of one language in it.
var (
	bootTable = regexp.MustCompile(`(?s)const TEXT = \{\n(.*?)\n  \};`)
	bootEntry = regexp.MustCompile("(\\w+): (?:\\([^)]*\\) => )?(\"[^\"]*\"|`[^`]*`)")
)

func bootTexts(t *testing.T) []text {
	t.Helper()
	table := bootTable.FindStringSubmatch(readDoc(t, "web/static/boot.js"))
	if table == nil {
		t.Fatal("web/static/boot.js: there is no table of texts")
	}
	byLang := map[string]map[string]string{}
	for _, lang := range []string{"en", "ko", "ja"} {
		_, block, _ := strings.Cut(table[1], "    "+lang+": {\n")
		block, _, _ = strings.Cut(block, "\n    },")
		byLang[lang] = map[string]string{}
		for _, m := range bootEntry.FindAllStringSubmatch(block, -1) {
			byLang[lang][m[1]] = m[2]
		}
	}
	var texts []text
	for name, en := range byLang["en"] {
		s := text{en, byLang["ko"][name], byLang["ja"][name]}
		if s.ko == "" || s.ja == "" {
			t.Errorf("web/static/boot.js: %s is not said in every language: %q", name, s)
		}
		texts = append(texts, s)
	}
	if len(byLang["en"]) == 0 || len(byLang["ko"]) != len(texts) || len(byLang["ja"]) != len(texts) {
		t.Errorf("web/static/boot.js: %d English texts, %d Korean, %d Japanese", len(texts), len(byLang["ko"]), len(byLang["ja"]))
	}
	return texts
}

// inBootCode are the words that may stand in the code of boot.js, each with its reason.
var inBootCode = map[string]string{
	"storage is switched off": "an error that the program catches",
	"Retry Lab crash report":  "the report is read by who mends the program",
	"the program ended":       "a reason in the report", "fatal error": "a pattern in the report", "not readable: ": "in the report",
	"wasm_exec.js is missing": "an error with the name of a file", "works online only: ": "on the console",
	"use strict": "a word of the language", "btn btn--primary": "classes",
}

var (
	scriptComment = regexp.MustCompile(`(?m)(^|\s)//.*$`)
	scriptText    = regexp.MustCompile("\"[^\"\n]*\"|`[^`]*`|'[^'\n]*'")
	twoWords      = regexp.MustCompile(`[A-Za-z]{2,} [a-z]{2,}|\p{Hangul}|\p{Hiragana}|\p{Katakana}|\p{Han}`)
)

// TestNoTextStandsInBootCode: what boot.js says to people stands in its table.
func TestNoTextStandsInBootCode(t *testing.T) {
	code := bootTable.ReplaceAllString(readDoc(t, "web/static/boot.js"), "")
	found := 0
	for _, s := range scriptText.FindAllString(scriptComment.ReplaceAllString(code, ""), -1) {
		if s = s[1 : len(s)-1]; !twoWords.MatchString(s) {
			continue
		}
		if found++; inBootCode[s] == "" {
			t.Errorf("web/static/boot.js: the text %q stands in code; put it into the table", s)
		}
	}
	if found == 0 {
		t.Error("web/static/boot.js: not even the title of the report is found")
	}
}
