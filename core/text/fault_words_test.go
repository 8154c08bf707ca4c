package text

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// faultCalls are the functions that tell a fault, with the places of its problem and its mend among their arguments.
var faultCalls = map[string][2]int{
	"Fault": {0, 1}, "Faultf": {1, 0}, "FaultHere": {1, 0}, "found": {2, 1}, "Match": {2, 1}, "NeedItems": {3, 2},
	"add": {2, 3}, "addf": {3, 2}, "fatal": {3, 2},
}

// TestEveryFaultHasWords: what the readers of files write in their code about a fault is said in every language. Lists,
// numbers and examples in it are parameters; what is put together when it is told is held by TestFileFaults.
func TestEveryFaultHasWords(t *testing.T) {
	found := 0
	for _, pkg := range []string{"core/document", "core/scenario", "core/lesson", "core/link", "web/watch"} {
		files, err := filepath.Glob(filepath.Join("..", "..", pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pkg, len(files), err)
		}
		var parsed []*ast.File
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		consts := textConstants(parsed)
		for _, file := range parsed {
			for _, words := range faultWordsIn(file, consts) {
				found++
				name := "problem." + words.problem
				if words.mend != "" {
					form, _ := mendForm(words.mend)
					name = "mend." + form
				}
				if !Has(name) {
					t.Errorf("%s: nobody has said in every language %q", pkg, name)
				}
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d problems and mends were found", found)
	}
}

type faultText struct{ problem, mend string }

// textConstants returns the texts of the constants of a package, by their names.
func textConstants(files []*ast.File) map[string]string {
	all := map[string]string{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, name := range spec.Names {
				if i < len(spec.Values) {
					if s, ok := literalOf(spec.Values[i], nil); ok {
						all[name.Name] = s
					}
				}
			}
			return true
		})
	}
	return all
}

func literalOf(e ast.Expr, consts map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		s, ok := consts[e.Name]
		return s, ok
	}
	return "", false
}

// faultWordsIn returns the texts of faults that a file writes as constants.
func faultWordsIn(f *ast.File, consts map[string]string) (all []faultText) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, before := "", ""
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.Ident: // what a proof has found, it tells of a step
			name, before = f.Name, consts["inStep"]
		}
		places, ok := faultCalls[name]
		if !ok || len(call.Args) <= max(places[0], places[1]) {
			return true
		}
		if s, ok := literalOf(call.Args[places[0]], consts); ok {
			all = append(all, faultText{problem: before + s})
		}
		if s, ok := literalOf(call.Args[places[1]], consts); ok && s != "" && !slices.Contains([]string{"mend", "problem"}, s) {
			all = append(all, faultText{mend: s})
		}
		return true
	})
	return all
}
