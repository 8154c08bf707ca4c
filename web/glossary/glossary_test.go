package glossary

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	page "retrylab.example/wasm/page/glossary"
)

var update = flag.Bool("update", false, "write the tables of docs/GLOSSARY.md anew")

// TestDocs: the tables of docs/GLOSSARY.md are those of the file.
func TestDocs(t *testing.T) {
	const path = "../../docs/GLOSSARY.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	for heading, table := range Tables() {
		_, after, found := strings.Cut(doc, "\n## "+heading+"\n\n")
		if !found {
			t.Errorf("%s has no heading %q", path, heading)
			continue
		}
		old := regexp.MustCompile(`^(?:\|.*\n)+`).FindString(after)
		if old == table {
			continue
		}
		if !*update {
			t.Errorf("%s, %q: the table is not that of glossary.json; -update writes it anew", path, heading)
		}
		doc = strings.Replace(doc, "\n## "+heading+"\n\n"+old, "\n## "+heading+"\n\n"+table, 1)
	}
	if *update {
		if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var termID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// TestWords: every word has a meaning in each language and a source; the steps where it is met are there.
func TestWords(t *testing.T) {
	steps := map[string]bool{}
	paths, err := filepath.Glob("../../lessons/0*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no lessons: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Read(filepath.Base(path), data)
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range l.Steps {
			steps[l.ID+"/"+st.ID] = true
		}
	}
	ids, met := map[string]bool{}, 0
	for _, s := range Sections() {
		for _, term := range s.Terms {
			if !termID.MatchString(term.ID) || ids[term.ID] {
				t.Errorf("%q is no id, or that of two words", term.ID)
			}
			ids[term.ID] = true
			for i, l := range text.Langs() {
				for _, part := range []string{s.Title[i], term.Word[i], term.Is[i], term.Source[i]} {
					if part == "" || strings.ContainsAny(part, "\t\n") || strings.Count(part, "`")%2 == 1 {
						t.Errorf("%s, %s: %q cannot be shown", term.ID, l, part)
					}
				}
			}
			for _, at := range term.Met {
				if met++; !steps[at] {
					t.Errorf("%s: there is no step %s", term.ID, at)
				}
			}
		}
	}
	if len(ids) < 100 || met < 100 {
		t.Errorf("only %d words, met in %d steps", len(ids), met)
	}
}

// TestSources: contracts are said in the reader's language, everything else stays.
func TestSources(t *testing.T) {
	for en, want := range map[string][2]string{
		"RFC 9110 §9.1":                   {"RFC 9110 §9.1", "RFC 9110 §9.1"},
		"gRPC A6 (RPC); contract A":       {"gRPC A6 (RPC); 계약 A", "gRPC A6 (RPC); 契約 A"},
		"contracts A, C and D":            {"계약 A, C, D", "契約 A, C、D"},
		"contracts A (floor), D and E":    {"계약 A (floor), D, E", "契約 A (floor), D、E"},
		"strict contract":                 {"엄격한 계약", "厳格な契約"},
		"Polly (fallback); contract D; x": {"Polly (fallback); 계약 D; x", "Polly (fallback); 契約 D; x"},
	} {
		if got := sources(en); got[1] != want[0] || got[2] != want[1] {
			t.Errorf("%q: %q", en, got)
		}
	}
}

// TestPageReads: what the build writes is what the page reads.
func TestPageReads(t *testing.T) {
	sections, err := page.Read(page.Write(Sections()))
	if err != nil || page.Write(sections) != page.Write(Sections()) {
		t.Errorf("the page reads something else: %v", err)
	}
}
