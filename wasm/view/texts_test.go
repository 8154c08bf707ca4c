package view_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"retrylab.example/core/call"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

const root = "../.."

// sources parses the program's files, without its tests, under some folders.
func sources(t *testing.T, folders ...string) (*token.FileSet, []*ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			files = append(files, f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return fset, files
}

// messages are the names of all messages.
func messages(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	paths, err := filepath.Glob(filepath.Join(root, "core/text/messages/*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no messages: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]any
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for name := range all {
			names[name] = true
		}
	}
	return names
}

// families are the names that the pages make of a prefix and a value, with all values that there are.
var families = map[string][]string{
	"author.pane-":    {"form", "json", "preview"},
	"live.state-":     {"connecting", "live", "lost", "gone"},
	"live.note-":      {"curl", "go", "retryablehttp", "node", "requests"},
	"lab.pane-":       {"lesson", "timeline", "events"},
	"lab.preset-":     {"contract-a", "contract-c", "contract-d", "contract-e"},
	"lab.plus-":       {"10", "100", "1000"},
	"lab.switch-":     {"true", "false"},
	"lab.http-":       {call.TimedOut.String(), call.Reset.String(), call.NeverSent.String(), call.Garbled.String()},
	"lab.count-":      {"sent", "arrived", "applied", "replayed", "refused", "local", "dup"},
	"lab.":            {"solved", "seen"},
	"circuit.":        {"closed", "open", "half-open"},
	"share.as-":       {"scenario", "csv", "markdown", "go-test", "svg", "png"},
	"tour.":           {"send", "send-p", "clock", "clock-p", "timeline", "timeline-p", "why", "why-p", "totals", "totals-p"},
	"code.part-":      {"replies", "draws", "oversleep", "status", "outcome", "takes", "after"},
	"frame.theme-":    {"light", "dark"},
	"goal.":           {"equals", "min", "max"},
	"frame.contrast-": {"more", "normal"},
}

var messageName = regexp.MustCompile(`^[a-z][a-z0-9.-]*$`)

// said returns the names that a file says: those that are written out, and the prefixes of those that are put together.
func said(f *ast.File) (names, prefixes map[string]token.Pos) {
	names, prefixes = map[string]token.Pos{}, map[string]token.Pos{}
	inSum := map[ast.Expr]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if s, ok := literal(n.X); ok && n.Op == token.ADD {
				inSum[n.X] = true
				if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "-") {
					prefixes[s] = n.Pos()
				}
			}
		case *ast.BasicLit:
			if s, ok := literal(n); ok && !inSum[n] && messageName.MatchString(s) {
				names[s] = n.Pos()
			}
		}
		return true
	})
	return names, prefixes
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// Every message that a page says is there: those that are named, and every one of those that are put together.
func TestEveryMessageOfThePagesIsThere(t *testing.T) {
	all := messages(t)
	begins := map[string]bool{}
	for name := range all {
		first, _, _ := strings.Cut(name, ".")
		begins[first] = true
	}
	fset, files := sources(t, "wasm/guide", "wasm/page", "wasm/view", "wasm/shell")
	for _, f := range files {
		names, prefixes := said(f)
		for name, at := range names {
			first, _, ok := strings.Cut(name, ".")
			if ok && begins[first] && !all[name] && !strings.HasSuffix(name, ".html") { // else it is a page
				t.Errorf("%s: there is no message %s", fset.Position(at), name)
			}
		}
		for prefix, at := range prefixes {
			first, _, ok := strings.Cut(prefix, ".")
			if _, known := families[prefix]; ok && begins[first] && !known && first != "timeline" {
				t.Errorf("%s: what follows %q? Name all values in families", fset.Position(at), prefix)
			}
		}
	}
	for prefix, values := range families {
		for _, v := range values {
			if !all[prefix+v] {
				t.Errorf("there is no message %s%s", prefix, v)
			}
		}
	}
	for _, knob := range lesson.Knobs() {
		if name := "knob." + text.Dashed(knob); !all[name] {
			t.Errorf("there is no message %s", name)
		}
	}
}

// Every message is said somewhere: by its name, as a variant of a name, or as one of those that begin as a sum does.
func TestEveryMessageIsSaid(t *testing.T) {
	_, files := sources(t, "wasm", "core/export", "core/text", "web/cli", "web/site", "web/server")
	names, prefixes := map[string]bool{}, []string{}
	for _, f := range files {
		n, p := said(f)
		for name := range n {
			names[name] = true
		}
		for prefix := range p {
			if prefix != "lab." { // that one has its values in families
				prefixes = append(prefixes, prefix)
			}
		}
	}
	for prefix, values := range families {
		for _, v := range values {
			names[prefix+v] = true
		}
	}
	for name := range messages(t) {
		dot := max(strings.LastIndex(name, "."), 0)
		variant := names[name[:dot]] && names[name[min(dot+1, len(name)):]]
		if !names[name] && !variant && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			t.Errorf("nothing says the message %s", name)
		}
	}
}

// sameEverywhere are the words in code that are the same in every language, with the reason.
var sameEverywhere = map[string]string{
	"Retry Lab":       "the name of the product",
	" · Retry Lab":    "the name of the product",
	"Retry-After":     "a header's name",
	"retrylab check ": "a command",
	" inputs.json":    "the command's file",
	" (Home)":         "what stands on a key", "Space": "a key", "F": "a key", "N": "a key", "R": "a key", "Ctrl+Z": "keys", "Ctrl+Enter": "keys", "Ctrl+Shift+Z": "keys",
}

// spoken are the attributes that people read or hear.
var spoken = []string{"aria-label", "aria-valuetext", "aria-roledescription", "alt", "title", "placeholder", "summary", "label"}

// No text of a page stands in code: an element's texts, and attributes that are read to people, come from messages.
func TestNoTextStandsInCode(t *testing.T) {
	fset, files := sources(t, "wasm/guide", "wasm/page", "wasm/view", "wasm/shell")
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, arg := range shown(c) {
				for _, s := range words(arg) {
					if sameEverywhere[s] == "" {
						t.Errorf("%s: the text %q stands in code; make it a message", fset.Position(arg.Pos()), s)
					}
				}
			}
			return true
		})
	}
}

// shown returns the arguments of a call that people get to read.
func shown(c *ast.CallExpr) []ast.Expr {
	switch calledAs(c) {
	case "El":
		return c.Args[min(1, len(c.Args)):]
	case "Text":
		return c.Args
	case "A":
		if attr, _ := literal(c.Args[0]); len(c.Args) == 2 && slices.Contains(spoken, attr) {
			return c.Args[1:]
		}
	}
	return nil
}

func calledAs(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "view" {
			return f.Sel.Name
		}
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// words returns the texts with letters that stand in an expression itself, not in what it calls.
func words(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, ok := literal(e); ok && strings.ContainsFunc(s, unicode.IsLetter) {
			return []string{s}
		}
	case *ast.BinaryExpr:
		return append(words(e.X), words(e.Y)...)
	case *ast.ParenExpr:
		return words(e.X)
	}
	return nil
}
