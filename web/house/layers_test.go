// Package house holds the rules of the house: who may import what, what core must not do, and how long things may be.
package house

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "retrylab.example"

// layers are all packages in order: a package imports only what stands before it. Packages of one line are equals and
// never import each other.
var layers = [][]string{
	{"core/clock"},
	{"core/rng"},
	{"core/document"},
	{"core/call"},
	{"core/decision"},
	{"core/decision/decisiontest"}, // tests only
	{"core/event"},
	{"core/rows"},              // how states are written down
	{"core/field", "core/sfv"}, // how the fields of messages are written
	{"core/ratelimit", "core/idemkey", "core/problem"}, // what single fields, and bodies, say
	{"core/backoff", "core/retryafter", "core/budget", "core/limit", "core/breaker", "core/bulkhead", "core/ledger"},
	{"core/retry"},
	{"core/partner"},
	{"core/sim"},
	{"core/trace"},
	{"core/measure"},
	{"core/compare"},
	{"core/scenario"},
	{"core/lab"},
	{"core/codelab"},
	{"core/lesson"},
	{"core/link"},
	{"core/schema"}, // of lesson files, for editors and tests
	{"core/text"},
	{"core/export"},
	{"core/golden"},                 // runs that other tests and the browser program repeat
	{"core/vectors", "core/differ"}, // tests only
	{"lessons"},
	{"wasm/view"},
	{"wasm/view/..."},
	{"wasm/batch"}, // waits for the Python of learners
	{"wasm/catalog", "wasm/effect", "wasm/guide", "wasm/job", "wasm/progress"},
	{"wasm/page/..."},
	{"wasm/shell"},
	{"web/live"}, // the partner over HTTP, of which the edge is one
	{"web/live/sqlstore"},
	{"web/live/sqlite"},
	{"web/live/storetest", "web/live/conformance"}, // tests only
	{"wasm/edge/bridge", "wasm/edge/dosql", "wasm/edge/object"},
	{"wasm/app", "wasm/edge"},
	{"web/server", "web/watch"},
	{"web/site/standin/..."}, // stand in for packages of Go in the browser program
	{"web/glossary"},
	{"web/codelab"}, // Node for the command line and tests
	{"web/site"},
	{"web/cli"},
	{"web/e2e", "web/e2e/testdata/stops", "web/clients", "web/house"},
	{""},         // serve.go
	{"exported"}, // where somebody may put runs that were exported as Go tests
}

// ban says what a group of packages must not import, and why.
type ban struct {
	who     string // a package, or a pattern that ends in /...
	imports []string
	except  []string
	because string
}

var bans = []ban{
	{"core/trace", []string{module + "/core/sim"}, nil, "views and measures read events only, so that a saved trace is as good as a run"},
	{"core/measure", []string{module + "/core/sim"}, nil, "views and measures read events only, so that a saved trace is as good as a run"},
	{"core/...", []string{"net/...", "net"}, nil, "core does no I/O: the same bytes must come out in a browser, a test and a server"},
	{"core/...", []string{"os/...", "os", "syscall/...", "syscall", "io/ioutil", "log/...", "log", "plugin", "runtime/...", "runtime"}, nil, "core does no I/O and knows no machine"},
	{"core/...", []string{"math", "math/cmplx"}, nil, "math gives different bits on amd64 and WebAssembly; core calculates in integers"},
	{"core/...", []string{"math/rand/...", "math/rand", "crypto/rand"}, nil, "a draw depends on seed, client, call and attempt (core/rng), never on a shared stream"},
	{"core/...", []string{"sync/...", "sync", "context"}, nil, "core has one thread of control, the caller's"},
	{"web/...", []string{"github.com/syumai/workers", "github.com/syumai/workers/..."}, nil, "the partner over HTTP is one handler for all homes; what is a Worker's stands in wasm/edge"},
	{"wasm/edge/...", []string{"github.com/syumai/workers", "github.com/syumai/workers/..."}, nil, "the bridge is plain Go, so that it runs in a plain test; the program's main knows the host"},
	{"wasm/...", []string{"crypto/aes", "crypto/cipher", "crypto/md5", "crypto/rand", "crypto/sha1", "net/http", "regexp"}, []string{"wasm/edge", "wasm/edge/bridge"}, "the browser program has stand-ins for these, which know what its dependencies ask of them (web/site/standin)"},
	{"core/...", []string{"unsafe", "reflect"}, []string{"core/document", "core/scenario", "core/lesson"}, "core says what it means in types"},
}

// browserPackages are the ways to touch the browser.
var browserPackages = []string{"syscall/js", "honnef.co/go/js/..."}

// browserUsers are the only packages that may.
var browserUsers = []string{"wasm/shell", "wasm/app", "wasm/edge", "web/e2e/testdata/stops"}

// pkg is what go list says about a package.
type pkg struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

// name is the package's path in the module.
func (p pkg) name() string { return local(p.ImportPath) }

func local(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}

func inModule(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// targets are the two worlds that the packages are built for.
var targets = map[string][]string{"native": nil, "js/wasm": {"GOOS=js", "GOARCH=wasm"}}

// list gives the module's packages for a target.
func list(t *testing.T, env ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Imports,GoFiles", "./...")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

// matches tells whether a path is the pattern or lies under one that ends in /....
func matches(path, pattern string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(path, prefix+"/")
	}
	return path == pattern
}

func matchesAny(path string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(path, pattern) })
}

// layerOf gives the number of a package's layer; an exact name wins over a pattern.
func layerOf(name string) (int, bool) {
	for i, layer := range layers {
		if slices.Contains(layer, name) {
			return i, true
		}
	}
	for i, layer := range layers {
		if matchesAny(name, layer) {
			return i, true
		}
	}
	return 0, false
}

// layerFaults gives what is wrong with a package's imports between layers.
func layerFaults(p pkg) (faults []string) {
	mine, ok := layerOf(p.name())
	if !ok {
		return []string{p.ImportPath + " has no layer; give it a place in web/house/layers_test.go"}
	}
	for _, imported := range p.Imports {
		if !inModule(imported) {
			continue
		}
		theirs, ok := layerOf(local(imported))
		switch {
		case !ok:
		case theirs > mine:
			faults = append(faults, p.ImportPath+" imports "+imported+", which stands after it: dependencies point one way, so that each layer can be read and tested without the later ones")
		case theirs == mine:
			faults = append(faults, p.ImportPath+" imports "+imported+", its equal: mechanisms and pages know nothing of each other, so that each can be understood alone")
		}
	}
	return faults
}

// banFaults gives the banned imports of a package.
func banFaults(p pkg) (faults []string) {
	for _, imported := range p.Imports {
		for _, b := range bans {
			if matches(p.name(), b.who) && matchesAny(imported, b.imports) && !slices.Contains(b.except, p.name()) {
				faults = append(faults, p.ImportPath+" imports "+imported+": "+b.because)
			}
		}
		if matchesAny(imported, browserPackages) && !slices.Contains(browserUsers, p.name()) {
			faults = append(faults, p.ImportPath+" imports "+imported+": only wasm/shell and the programs' mains touch the browser, so that everything else runs in a plain test")
		}
		if strings.HasPrefix(p.name(), "core/") && !inModule(imported) && strings.Contains(strings.Split(imported, "/")[0], ".") {
			faults = append(faults, p.ImportPath+" imports "+imported+": core uses the standard library only")
		}
	}
	return faults
}

func TestLayers(t *testing.T) {
	for target, env := range targets {
		for _, p := range list(t, env...) {
			for _, fault := range slices.Concat(layerFaults(p), banFaults(p)) {
				t.Errorf("%s (%s)", fault, target)
			}
		}
	}
}

// TestTheRulesBite: each rule is broken once and says so.
func TestTheRulesBite(t *testing.T) {
	for _, c := range []struct{ name, imports, says string }{
		{"core/clock", "core/event", "stands after it"},
		{"core/backoff", "core/budget", "its equal"},
		{"core/trace", "core/sim", "events only"},
		{"core/lesson", "core/text", "stands after it"},
		{"core/rng", "lessons", "stands after it"},
		{"wasm/page/lesson", "wasm/page/course", "its equal"},
		{"wasm/view", "wasm/shell", "stands after it"},
		{"wasm/page/lesson", "!syscall/js", "only wasm/shell"},
		{"web/site", "!honnef.co/go/js/dom/v2", "only wasm/shell"},
		{"core/retry", "!math", "integers"},
		{"core/retry", "!math/rand/v2", "shared stream"},
		{"core/sim", "!net/http", "no I/O"},
		{"core/sim", "!os", "no I/O"},
		{"core/sim", "!sync/atomic", "one thread"},
		{"core/sim", "!github.com/spf13/cobra", "standard library only"},
		{"web/live", "!github.com/syumai/workers/cloudflare", "all homes"},
		{"wasm/edge/bridge", "!github.com/syumai/workers", "plain test"},
		{"wasm/edge", "!github.com/syumai/workers", ""},
		{"wasm/edge", "web/live", ""},
		{"core/sim", "!math/bits", ""},
		{"core/scenario", "core/document", ""},
		{"core/text", "core/lesson", ""},
		{"wasm/app", "wasm/shell", ""},
		{"nowhere", "core/clock", "has no layer"},
	} {
		imported, foreign := strings.CutPrefix(c.imports, "!")
		if !foreign {
			imported = module + "/" + imported
		}
		p := pkg{ImportPath: module + "/" + c.name, Imports: []string{imported}}
		got := strings.Join(slices.Concat(layerFaults(p), banFaults(p)), "\n")
		if (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s imports %s: got %q, want %q", c.name, imported, got, c.says)
		}
	}
}

// sourceFiles gives the files of the project with one of the endings, without what is built, installed or exported.
func sourceFiles(t *testing.T, endings ...string) []string {
	t.Helper()
	skipped := []string{"bin", "build", "dist", "exported", "node_modules", ".git", "testdata"}
	var files []string
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (slices.Contains(skipped, d.Name()) || strings.HasPrefix(d.Name(), "_")) { // as go itself does
			return filepath.SkipDir
		}
		if !d.IsDir() && slices.Contains(endings, filepath.Ext(path)) {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
