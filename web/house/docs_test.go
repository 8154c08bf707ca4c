package house

import (
	"encoding/json"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/codelab"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
)

func readDoc(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// section gives the text under a heading of the second level, "" if there is none.
func section(doc, heading string) string {
	_, after, _ := strings.Cut(doc, "\n## "+heading+"\n")
	body, _, _ := strings.Cut(after, "\n## ")
	return body
}

// codeRow is a row of a table whose first cell is a code.
var codeRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// TestGlossaryCodes: the tables of codes in the glossary hold exactly the codes that the program has.
func TestGlossaryCodes(t *testing.T) {
	glossary := readDoc(t, "docs/GLOSSARY.md")
	for heading, codes := range map[string][]string{
		"Reasons of decisions": names(decision.Reasons()),
		"Kinds of events":      names(event.Kinds()),
		"Rows of receipts":     names(decision.Names()),
		"Faults":               names(event.Faults()),
		"Kinds of checks":      names(lesson.CheckKinds()),
		"Problems of links":    names(link.Problems()),
		"Codes of verdicts":    names(codelab.Codes()),
	} {
		var rows []string
		for _, m := range codeRow.FindAllStringSubmatch(section(glossary, heading), -1) {
			rows = append(rows, m[1])
		}
		for _, code := range codes {
			if !slices.Contains(rows, code) {
				t.Errorf("docs/GLOSSARY.md, %q: there is no row for %s", heading, code)
			}
		}
		for i, row := range rows {
			switch {
			case !slices.Contains(codes, row):
				t.Errorf("docs/GLOSSARY.md, %q: the program has no %s (any more)", heading, row)
			case slices.Contains(rows[:i], row):
				t.Errorf("docs/GLOSSARY.md, %q: %s stands twice", heading, row)
			}
		}
	}
}

func names[T interface{ String() string }](codes []T) []string {
	var list []string
	for _, c := range codes {
		list = append(list, c.String())
	}
	return list
}

// TestEachDependencyIsExplained: what the code imports, the checks run and npm installs has its line of why.
func TestEachDependencyIsExplained(t *testing.T) {
	why := section(readDoc(t, "docs/ARCHITECTURE.md"), "Why is each dependency there?")
	for _, name := range dependencies(t) {
		if !strings.Contains(why, "| `"+name+"` |") {
			t.Errorf("docs/ARCHITECTURE.md does not say why %s is there", name)
		}
	}
}

// dependencies gives the modules that some file of the project imports, with any build tag, the tools of the checks,
// and the packages of npm.
func dependencies(t *testing.T) []string {
	t.Helper()
	var modules []string
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v`).FindAllStringSubmatch(readDoc(t, "go.mod"), -1) {
		modules = append(modules, m[1])
	}
	found := map[string]bool{}
	for _, path := range sourceFiles(t, ".go") {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value) // the parser has read it
			for _, m := range modules {
				if imported == m || strings.HasPrefix(imported, m+"/") {
					found[m] = true
				}
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^tool (\S+)$`).FindAllStringSubmatch(readDoc(t, ".ci/tools/go.mod"), -1) {
		found[m[1]] = true
	}
	var npm struct {
		Dependencies, DevDependencies map[string]string
	}
	if err := json.Unmarshal([]byte(readDoc(t, "web/npm/package.json")), &npm); err != nil {
		t.Fatal(err)
	}
	for _, list := range []map[string]string{npm.Dependencies, npm.DevDependencies} {
		for name := range list {
			found[name] = true
		}
	}
	if len(found) < 5 {
		t.Errorf("only %d dependencies were found: %v", len(found), found)
	}
	return slices.Sorted(maps.Keys(found))
}

// localLink is a link of Markdown to another file of the project.
var localLink = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

// TestDocLinks: what the documents link to is there, and the decision records have numbers without a gap.
func TestDocLinks(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	records, err := filepath.Glob("../../docs/adr/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range slices.Concat(pages, records, []string{"../../README.md"}) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range localLink.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			}
		}
	}
	for i, record := range records {
		if number, _, _ := strings.Cut(filepath.Base(record), "-"); number != strconv.Itoa(10001 + i)[1:] {
			t.Errorf("%s: record %d should have the number %s", record, i+1, strconv.Itoa(10001 + i)[1:])
		}
	}
}

// TestGoDoc: each package says what it is, and in core each exported name too: an engineer reads it with go doc.
func TestGoDoc(t *testing.T) {
	for _, env := range targets {
		for _, p := range list(t, env...) {
			documented := len(p.GoFiles) == 0 // tests only
			for _, name := range p.GoFiles {
				fset := token.NewFileSet()
				f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
				if err != nil {
					t.Fatal(err)
				}
				documented = documented || f.Doc != nil
				if strings.HasPrefix(p.name(), "core/") {
					for _, n := range undocumented(f) {
						at := fset.Position(n.Pos())
						t.Errorf("%s:%d: %s has no doc comment", at.Filename, at.Line, n.Name)
					}
				}
			}
			if !documented {
				t.Errorf("%s has no package comment", p.ImportPath)
			}
		}
	}
}

// undocumented gives the exported names of a file that have no comment. In a list of constants, variables or types
// the comment of the list is enough.
func undocumented(f *ast.File) (found []*ast.Ident) {
	need := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		if name.IsExported() && !slices.ContainsFunc(docs, func(d *ast.CommentGroup) bool { return d != nil }) {
			found = append(found, name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if receiverIsExported(d) {
				need(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					need(s.Name, s.Doc, d.Doc)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						need(name, s.Doc, s.Comment, d.Doc)
					}
				}
			}
		}
	}
	return found
}

// receiverIsExported tells whether go doc shows a function: a method of a type that it does not show is none.
func receiverIsExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	receiver := d.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported()
}

// TestTheDocRuleBites: a missing comment is seen, and what go doc does not show needs none.
func TestTheDocRuleBites(t *testing.T) {
	for code, want := range map[string]string{
		"func F() {}":                               "F",
		"// F does.\nfunc F() {}":                   "",
		"func f() {}":                               "",
		"type T int":                                "T",
		"type t int; func (t) String() string":      "",
		"// T is.\ntype T int\nfunc (t *T) Do() {}": "Do",
		"const C = 1":                               "C",
		"// Bounds.\nconst (\nA = 1\nB = 2\n)":      "",
		"var (\nA = 1\nB = 2 // B is two.\n)":       "A",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+code, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range undocumented(f) {
			got = append(got, n.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %v, want %q", code, got, want)
		}
	}
}

// noExample are the packages of core that need no example of their own, each with the reason.
var noExample = map[string]string{
	"core/decision/decisiontest": "tests only",
	"core/differ":                "tests only",
	"core/event":                 "facts without behaviour: the example of core/sim prints them",
	"core/golden":                "fixed runs for tests and the browser program, nothing to build on",
	"core/schema":                "the table behind lesson.schema.json and docs/LESSONS.md, which show what it is for",
	"core/vectors":               "tests only",
}

// TestExamples: go doc shows for each package of core how it is used, in an example that is run.
func TestExamples(t *testing.T) {
	packages := list(t)
	for _, p := range packages {
		if !strings.HasPrefix(p.name(), "core/") {
			continue
		}
		names, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		for _, name := range names {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		_, excepted := noExample[p.name()]
		switch has := hasExample(files); {
		case !has && !excepted:
			t.Errorf("%s has no example with an output that go doc could show; write one into example_test.go", p.ImportPath)
		case has && excepted:
			t.Errorf("%s has an example: take it off the list noExample", p.ImportPath)
		}
	}
	for name := range noExample {
		if !slices.ContainsFunc(packages, func(p pkg) bool { return p.name() == name }) {
			t.Errorf("the list noExample has %s, which is not there", name)
		}
	}
}

// hasExample tells whether test files of a package hold an example that says what it prints: without that go test only
// compiles it. Each file is asked alone, as helpers beside it do not matter here.
func hasExample(files []*ast.File) bool {
	return slices.ContainsFunc(files, func(f *ast.File) bool {
		return strings.HasSuffix(f.Name.Name, "_test") && // outside of the package, as an engineer who uses it
			slices.ContainsFunc(doc.Examples(f), func(e *doc.Example) bool { return e.Output != "" })
	})
}

// TestTheExampleRuleBites: an example counts if it is written from outside and says what it prints.
func TestTheExampleRuleBites(t *testing.T) {
	for code, want := range map[string]bool{
		"package x_test\nfunc ExampleF() {\n// Output: 1\n}": true,
		"package x_test\nfunc ExampleF() {\n// Output:\n}":   false,
		"package x_test\nfunc ExampleF() {}":                 false,
		"package x_test\nfunc TestF() {\n// Output: 1\n}":    false,
		"package x\nfunc ExampleF() {\n// Output: 1\n}":      false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x_test.go", code, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := hasExample([]*ast.File{f}); got != want {
			t.Errorf("%q: got %v", code, got)
		}
	}
}
