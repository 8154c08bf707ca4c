package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clockFuncs are the ways of package time to ask the machine's clock, or to wait for it.
var clockFuncs = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}

// mapOrders are the ways of package maps to go through a map in its own order.
var mapOrders = []string{"All", "Keys", "Values"}

// coreRules looks for what core must not do in one type-checked package.
type coreRules struct {
	fset   *token.FileSet
	info   *types.Info
	floats bool // the package draws or writes for people, where floats do no harm
	sorted map[ast.Expr]bool
	faults []string
}

func (r *coreRules) fault(n ast.Node, what string) {
	at := r.fset.Position(n.Pos())
	r.faults = append(r.faults, fmt.Sprintf("%s:%d: %s", at.Filename, at.Line, what))
}

// visit is called for each node, outer ones first.
func (r *coreRules) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		r.fault(n, "a goroutine: core has one thread of control, the caller's, so that a run can be repeated")
	case *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
		r.fault(n, "a channel: core has one thread of control, the caller's, so that a run can be repeated")
	case *ast.RangeStmt:
		if r.isMap(n.X) {
			r.fault(n, "a range over a map: its order differs from run to run; keep a sorted slice beside it")
		}
	case *ast.CallExpr:
		if name, ok := r.member(n.Fun, "slices"); ok && strings.HasPrefix(name, "Sorted") && len(n.Args) > 0 {
			r.sorted[n.Args[0]] = true
		}
		if name, ok := r.member(n.Fun, "maps"); ok && slices.Contains(mapOrders, name) && !r.sorted[n] {
			r.fault(n, "maps."+name+" in the order of the map, which differs from run to run; slices.Sorted(maps.Keys(m)) does not")
		}
	case *ast.SelectorExpr:
		if name, ok := r.member(n, "time"); ok && slices.Contains(clockFuncs, name) {
			r.fault(n, "time."+name+": core has no clock but the simulated one; the caller gives the instant")
		}
	}
	if e, ok := n.(ast.Expr); ok && !r.floats && isFloat(r.info.TypeOf(e)) {
		r.fault(n, "a float: its last bits differ between amd64 and WebAssembly; core calculates in integers")
		return false // once is enough
	}
	return true
}

func (r *coreRules) isMap(e ast.Expr) bool {
	t := r.info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// member gives the name of a function of a package that an expression names.
func (r *coreRules) member(e ast.Expr, pkgPath string) (string, bool) {
	if index, ok := e.(*ast.IndexExpr); ok {
		e = index.X // an instance of a generic function
	}
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	f, ok := r.info.Uses[s.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != pkgPath || f.Signature().Recv() != nil {
		return "", false
	}
	return f.Name(), true
}

// isFloat tells typed floats; an untyped constant is exact and becomes what it is used as.
func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0 && b.Info()&types.IsUntyped == 0
}

// exports gives an importer that reads what the compiler has written about packages, which go list names.
func exports(t *testing.T, fset *token.FileSet) types.Importer {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./core/...", "maps", "slices", "time")
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -export: %v", err)
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// coreFaults type-checks a package and gives what core must not do.
func coreFaults(fset *token.FileSet, imports types.Importer, name string, files []*ast.File) ([]string, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports}
	if _, err := config.Check(name, fset, files, info); err != nil {
		return nil, err
	}
	r := &coreRules{fset: fset, info: info, floats: name == "core/text", sorted: map[ast.Expr]bool{}}
	for _, f := range files {
		ast.Inspect(f, r.visit)
	}
	return r.faults, nil
}

func TestCore(t *testing.T) {
	fset := token.NewFileSet()
	imports := exports(t, fset)
	for _, p := range list(t) {
		if !strings.HasPrefix(p.name(), "core/") {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		faults, err := coreFaults(fset, imports, p.name(), files)
		if err != nil {
			t.Errorf("%s: %v", p.name(), err)
		}
		for _, fault := range faults {
			t.Error(fault)
		}
	}
}

// TestTheCoreRulesBite: each rule is broken once and says so.
func TestTheCoreRulesBite(t *testing.T) {
	fset := token.NewFileSet()
	imports := exports(t, fset)
	for _, c := range []struct{ pkg, code, says string }{
		{"core/sim", `func f() { go f() }`, "a goroutine"},
		{"core/sim", `var c chan int`, "a channel"},
		{"core/sim", `func f(m map[int]int) { for range m {} }`, "a range over a map"},
		{"core/sim", `type set map[int]bool; func f(m set) { for k := range m { _ = k } }`, "a range over a map"},
		{"core/sim", `import "maps"; func f(m map[int]int) { for k := range maps.Keys(m) { _ = k } }`, "maps.Keys"},
		{"core/sim", `import ("maps"; "slices"); func f(m map[int]int) []int { return slices.Sorted(maps.Keys(m)) }`, ""},
		{"core/sim", `import "time"; var t = time.Now`, "time.Now"},
		{"core/sim", `import "time"; func f() { time.Sleep(1) }`, "time.Sleep"},
		{"core/sim", `import "time"; func f(a, b time.Time) bool { return a.After(b) }`, ""},
		{"core/sim", `import "time"; const d = 2 * time.Second`, ""},
		{"core/sim", `import "time"; func f(d time.Duration) any { return d.Seconds() }`, "a float"},
		{"core/sim", `var x float64`, "a float"},
		{"core/sim", `var x = 0.5`, "a float"},
		{"core/sim", `const x int64 = 1e9`, ""},
		{"core/text", `var x float64`, ""},
	} {
		f, err := parser.ParseFile(fset, "x.go", "package x; "+c.code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		faults, err := coreFaults(fset, imports, c.pkg, []*ast.File{f})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(faults, "\n")
		if (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s in %s: got %q, want %q", c.code, c.pkg, got, c.says)
		}
	}
}
