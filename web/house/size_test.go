package house

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	maxFunction = 70  // lines from func to its closing brace: what one screen shows
	maxFile     = 500 // lines: what one can look through
)

// longFiles are the files that may be longer, each with its reason. They hold data, not code.
var longFiles = map[string]string{}

func TestFileSizes(t *testing.T) {
	for _, path := range sourceFiles(t, ".go", ".js", ".css", ".mjs") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		if lines := bytes.Count(data, []byte("\n")); lines > maxFile && longFiles[name] == "" {
			t.Errorf("%s has %d lines, at most %d are allowed: split it by what its parts do", name, lines, maxFile)
		}
	}
}

func TestFunctionSizes(t *testing.T) {
	for _, path := range sourceFiles(t, ".go") {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			begin, end := fset.Position(fn.Pos()), fset.Position(fn.End())
			if lines := end.Line - begin.Line + 1; lines > maxFunction {
				t.Errorf("%s:%d: %s has %d lines, at most %d are allowed: give its parts names", begin.Filename, begin.Line, fn.Name.Name, lines, maxFunction)
			}
		}
	}
}
