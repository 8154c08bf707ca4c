package site

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"retrylab.example/core/text"
)

// Renderer makes what is derived from the lessons when the site is built. The lessons come by file name.
type Renderer interface {
	// Index gives lessons/index.json: what the page needs to know of each lesson before it fetches one.
	Index(lessons map[string][]byte) ([]byte, error)
	// Fragments gives static texts, which the page shows before the program runs, by their names:
	// fragments/<lesson>/<step>.<lang>.html and fragments/course.<lang>.html. A text that exists in one language exists
	// in all of Langs: where the lesson lacks one, in the lesson's own.
	Fragments(lessons map[string][]byte) (map[string][]byte, error)
	// Readings gives read.<lang>.html for each of Langs, pages that need no script; none where there is nothing to read.
	Readings(lessons map[string][]byte) (map[string][]byte, error)
}

// Langs are the languages of the page.
var Langs = []string{"en", "ko", "ja"}

// DefaultRenderer is the renderer of a Config without one.
func DefaultRenderer() Renderer { return pages{} }

// readLessons reads the lessons, without their schema. A missing folder has no lessons.
func readLessons(dir string) (map[string][]byte, error) {
	names, err := fs.Glob(os.DirFS(dir), "*.json")
	if err != nil {
		return nil, err
	}
	code, err := fs.Glob(os.DirFS(dir), "code/*.json") // their names come behind those of the others
	if err != nil {
		return nil, err
	}
	lessons := map[string][]byte{}
	for _, name := range append(names, code...) {
		if name == "lesson.schema.json" {
			continue
		}
		if lessons[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return nil, err
		}
	}
	return lessons, nil
}

// readStarters gives the starting situations of the sandbox as one list. A missing folder has none.
func readStarters(dir string) ([]byte, error) {
	names, err := fs.Glob(os.DirFS(dir), "*.json")
	if err != nil {
		return nil, err
	}
	var all [][]byte
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		all = append(all, bytes.TrimSpace(data))
	}
	return append(append([]byte("["), bytes.Join(all, []byte(",\n"))...), "]\n"...), nil
}

// render gives the lessons, their index and their texts by the names that they have in the site.
func render(r Renderer, lessons map[string][]byte) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, data := range lessons {
		files["lessons/"+name] = data
	}
	files["messages.txt"] = text.Catalog()
	index, err := r.Index(lessons)
	if err != nil {
		return nil, fmt.Errorf("lesson index: %w", err)
	}
	files["lessons/index.json"] = index
	fragments, err := r.Fragments(lessons)
	if err != nil {
		return nil, fmt.Errorf("lesson texts: %w", err)
	}
	for name, data := range fragments {
		m := fragmentName.FindStringSubmatch(name)
		if m == nil {
			return nil, fmt.Errorf("lesson texts: %q is not a name of a fragment", name)
		}
		for _, lang := range Langs { // the page asks for its own language without knowing what there is
			if other := m[1] + "." + lang + ".html"; fragments["fragments/"+other] == nil {
				return nil, fmt.Errorf("lesson texts: %s is there, %s is not", name, other)
			}
		}
		files[name] = data
	}
	readings, err := r.Readings(lessons)
	if err != nil {
		return nil, fmt.Errorf("pages to read: %w", err)
	}
	for _, lang := range Langs {
		if page := readings[readingName(lang)]; page != nil {
			files[readingName(lang)] = page
		}
	}
	return files, nil
}

var fragmentName = regexp.MustCompile(`^fragments/(course|[a-z0-9-]+/[a-z0-9-]+)\.(en|ko|ja)\.html$`)

// fragmentNames gives the texts that there are, for the page to ask for no other: "course", "lost-replies/first".
func fragmentNames(assets map[string][]byte) []string {
	var names []string
	for name := range assets {
		if m := fragmentName.FindStringSubmatch(name); m != nil && m[2] == Langs[0] {
			names = append(names, strings.TrimSpace(m[1]))
		}
	}
	slices.Sort(names)
	return names
}
