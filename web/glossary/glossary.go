// Package glossary holds the words of the project, once: docs/GLOSSARY.md, the page and the text to read are made from
// its file.
package glossary

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"

	"retrylab.example/core/text"
	page "retrylab.example/wasm/page/glossary"
)

//go:embed glossary.json
var file []byte

// section and entry are what the file holds.
type section struct {
	ID    string
	Title map[text.Lang]string
	Terms []entry
}

type entry struct {
	ID, Source string
	Met        []string
	Word, Is   map[text.Lang]string
}

func read() []section {
	var all []section
	if err := json.Unmarshal(file, &all); err != nil {
		panic("glossary.json: " + err.Error())
	}
	return all
}

// Sections returns the words as the page shows them.
func Sections() []page.Section {
	var all []page.Section
	for _, s := range read() {
		out := page.Section{Title: words(s.Title)}
		for _, e := range s.Terms {
			out.Terms = append(out.Terms, page.Term{ID: e.ID, Met: e.Met, Source: sources(e.Source), Word: words(e.Word), Is: words(e.Is)})
		}
		all = append(all, out)
	}
	return all
}

func words(m map[text.Lang]string) (w page.Words) {
	for i, l := range text.Langs() {
		w[i] = m[l]
	}
	return w
}

// contracts are the parts of sources that are said in each language; the rest are titles and names.
var contracts = regexp.MustCompile(`\bcontracts? ([A-E](?: \([^)]*\))?(?:(?:, | and )[A-E](?: \([^)]*\))?)*)`)

func sources(en string) page.Words {
	in := func(contract, list, page, strict string) string {
		s := strings.NewReplacer("strict contract", strict, "the page", page).Replace(en)
		return contracts.ReplaceAllStringFunc(s, func(m string) string {
			_, letters, _ := strings.Cut(m, " ")
			return contract + " " + strings.ReplaceAll(letters, " and ", list)
		})
	}
	return page.Words{en, in("계약", ", ", "페이지", "엄격한 계약"), in("契約", "、", "ページ", "厳格な契約")}
}

// Tables returns the tables of docs/GLOSSARY.md, by the headings that they stand under.
func Tables() map[string]string {
	tables := map[string]string{}
	for _, s := range read() {
		var b strings.Builder
		b.WriteString("| word | meaning | source |\n| --- | --- | --- |\n")
		for _, e := range s.Terms {
			b.WriteString("| " + e.Word[text.English] + " | " + e.Is[text.English] + " | " + e.Source + " |\n")
		}
		tables[s.Title[text.English]] = b.String()
	}
	return tables
}
