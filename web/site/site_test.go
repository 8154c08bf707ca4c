package site

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"retrylab.example/web/server"
)

// shell is the smallest page shell with all templates.
func shell() fstest.MapFS {
	files := fstest.MapFS{}
	for name, content := range map[string]string{
		"index.html":           `<html data-build="%BUILD%" data-fragments="%FRAGMENTS%" data-bytes="%WASM_BYTES%">%CSP%`,
		"embed.html":           `<html data-embed data-build="%BUILD%">`,
		"sw.js":                `const HASH = "%HASH%", FILES = %FILES%;`,
		"manifest.webmanifest": `{"src": "%BUILD%/icon.svg"}`,
		"css/2.css":            "b{}\n",
		"css/1.css":            "a{}\n",
		"boot.js":              strings.Repeat("boot();\n", 100),
	} {
		files[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return files
}

// testConfig builds into a fresh folder, from a source tree with one lesson and without compiling anything.
func testConfig(t *testing.T) Config {
	t.Helper()
	root := t.TempDir()
	put(t, filepath.Join(root, "lessons", "001-one.json"), `{"id":"one"}`)
	put(t, filepath.Join(root, "lessons", "lesson.schema.json"), `{}`)
	program := bytes.Repeat([]byte("program "), 1000)
	return Config{
		Root: root, Out: filepath.Join(root, "out"), Static: shell(), Renderer: texts{},
		Wasm: func(string) ([]byte, error) { return program, nil },
	}
}

func put(t *testing.T, name, content string) {
	t.Helper()
	if err := writeFile(name, []byte(content)); err != nil {
		t.Fatal(err)
	}
}

func mustBuild(t *testing.T, c Config) Report {
	t.Helper()
	r, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readOut(t *testing.T, c Config, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(c.Out, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestLayout(t *testing.T) {
	c := testConfig(t)
	r := mustBuild(t, c)
	b := "b/" + r.Hash + "/"
	var got []string
	for _, f := range r.Files {
		got = append(got, strings.TrimPrefix(f.Name, b))
	}
	want := []string{"app.wasm", "boot.js", "form.json", "lessons/001-one.json", "lessons/index.json", "messages.txt", "starters.json", "style.css", "wasm_exec.js", "words.txt",
		"embed.html", "index.html", "lessons/lesson.schema.json", "manifest.webmanifest", "sw.js"}
	if !slices.Equal(got, want) {
		t.Errorf("files: got %q, want %q", got, want)
	}
	index := `<html data-build="b/` + r.Hash + `" data-fragments="" data-bytes="8000">` + server.MetaPolicy
	if got := readOut(t, c, "index.html"); got != index {
		t.Errorf("index.html: got %q, want %q", got, index)
	}
	if got := readOut(t, c, b+"style.css"); got != "a{}\nb{}\n" {
		t.Errorf("style.css: got %q, want the sheets in the order of their names", got)
	}
	if got := readOut(t, c, "sw.js"); !strings.Contains(got, `"`+b+`lessons/001-one.json"`) || strings.Contains(got, "%") {
		t.Errorf("sw.js does not list the build's files: %s", got)
	}
}

// TestVariantsHoldTheSame: what a browser unpacks is what an old one loads plain; small files have no variants.
func TestVariantsHoldTheSame(t *testing.T) {
	for _, release := range []bool{false, true} {
		c := testConfig(t)
		c.Release = release
		r := mustBuild(t, c)
		name := "b/" + r.Hash + "/app.wasm"
		want := readOut(t, c, name)
		br, err := io.ReadAll(brotli.NewReader(strings.NewReader(readOut(t, c, name+".br"))))
		if err != nil || string(br) != want {
			t.Errorf("release %v: brotli holds something else (%v)", release, err)
		}
		z, err := gzip.NewReader(strings.NewReader(readOut(t, c, name+".gz")))
		if err != nil {
			t.Fatal(err)
		}
		if gz, err := io.ReadAll(z); err != nil || string(gz) != want {
			t.Errorf("release %v: gzip holds something else (%v)", release, err)
		}
		if _, err := os.Stat(filepath.Join(c.Out, "manifest.webmanifest.br")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file of a few bytes was compressed (%v)", err)
		}
	}
}

// TestHashCoversEverything: any change of any file moves the whole build to another folder, and nothing of the old
// build stays; the same input gives the same folder.
func TestHashCoversEverything(t *testing.T) {
	c := testConfig(t)
	seen := map[string]string{mustBuild(t, c).Hash: "the first"}
	if again := mustBuild(t, c); seen[again.Hash] == "" {
		t.Errorf("the same input gave another hash, %s", again.Hash)
	}
	put(t, filepath.Join(c.Out, "CNAME"), "lab.test")
	for _, name := range slices.Sorted(maps.Keys(shell())) {
		static := shell()
		static[name] = &fstest.MapFile{Data: append(static[name].Data, ' ')}
		c.Static = static
		hash := mustBuild(t, c).Hash
		if old := seen[hash]; old != "" {
			t.Errorf("a change of %s has the hash of %s", name, old)
		}
		seen[hash] = name
	}
	put(t, filepath.Join(c.Root, "lessons", "001-one.json"), `{"id":"two"}`)
	r := mustBuild(t, c)
	if old := seen[r.Hash]; old != "" {
		t.Errorf("a change of a lesson has the hash of %s", old)
	}
	builds, err := os.ReadDir(filepath.Join(c.Out, "b"))
	if err != nil || len(builds) != 1 || builds[0].Name() != r.Hash {
		t.Errorf("b/ holds %v, %v; want only %s", builds, err, r.Hash)
	}
	if readOut(t, c, "CNAME") != "lab.test" {
		t.Error("a file of the folder's owner is gone")
	}
}

// TestWarmBuildWritesNothing: a second build finds all files in place and compresses nothing again.
func TestWarmBuildWritesNothing(t *testing.T) {
	c := testConfig(t)
	mustBuild(t, c)
	stamps := func() (out []string) {
		err := filepath.WalkDir(c.Root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			out = append(out, name+" "+info.ModTime().String())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := stamps()
	mustBuild(t, c)
	if after := stamps(); !slices.Equal(before, after) {
		t.Errorf("files were written again:\n%s\nbefore:\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
}

// texts renders what a test wants it to.
type texts map[string]string

func (texts) Index(lessons map[string][]byte) ([]byte, error) {
	return json.Marshal(slices.Sorted(maps.Keys(lessons)))
}

func (x texts) Readings(map[string][]byte) (map[string][]byte, error) { return nil, nil }

// readable renders pages to read, and nothing else.
type readable struct{ texts }

func (readable) Readings(map[string][]byte) (map[string][]byte, error) {
	return map[string][]byte{"read.en.html": []byte("x"), "read.ko.html": []byte("x"), "read.ja.html": []byte("x")}, nil
}

func (x texts) Fragments(map[string][]byte) (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, html := range x {
		out[name] = []byte(html)
	}
	return out, nil
}

func TestFragments(t *testing.T) {
	c := testConfig(t)
	c.Renderer = texts{
		"fragments/course.en.html": "x", "fragments/course.ko.html": "x", "fragments/course.ja.html": "x",
		"fragments/one/first.en.html": "x", "fragments/one/first.ko.html": "x", "fragments/one/first.ja.html": "x",
	}
	r := mustBuild(t, c)
	if got := readOut(t, c, "index.html"); !strings.Contains(got, `data-fragments="course one/first"`) {
		t.Errorf("index.html does not name the texts: %s", got)
	}
	if got := readOut(t, c, "b/"+r.Hash+"/fragments/one/first.ko.html"); got != "x" {
		t.Errorf("the text: got %q, want %q", got, "x")
	}
	for _, bad := range []texts{
		{"fragments/course.en.html": "x"}, // two languages are missing
		{"fragments/../x.en.html": "x", "fragments/../x.ko.html": "x", "fragments/../x.ja.html": "x"},
		{"course.html": "x"},
	} {
		c.Renderer = bad
		if _, err := Build(c); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestMissingFolders(t *testing.T) {
	c := testConfig(t)
	if err := os.RemoveAll(filepath.Join(c.Root, "lessons")); err != nil {
		t.Fatal(err)
	}
	r := mustBuild(t, c)
	if got := readOut(t, c, "b/"+r.Hash+"/lessons/index.json"); got != "null" {
		t.Errorf("without lessons: got %s", got)
	}
	c.Static = fstest.MapFS{}
	if _, err := Build(c); err == nil || !strings.Contains(err.Error(), "index.html") {
		t.Errorf("without a shell: got %v, want an error that names index.html", err)
	}
	if _, err := FindRoot(t.TempDir()); !errors.Is(err, ErrNoSource) {
		t.Errorf("outside a source tree: got %v, want ErrNoSource", err)
	}
}

// TestRealShell: the project's own shell has no inline script or style and only relative addresses, since the policy
// forbids the first and a subfolder the second.
func TestRealShell(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	c := testConfig(t)
	c.Static = os.DirFS(filepath.Join(root, "web", "static"))
	c.Renderer = readable{}
	r := mustBuild(t, c)
	for _, name := range []string{"index.html", "embed.html"} {
		checkShell(t, c, name)
	}
	if !strings.Contains(readOut(t, c, "sw.js"), r.Hash) {
		t.Error("sw.js does not know its build")
	}
}

func checkShell(t *testing.T, c Config, name string) {
	t.Helper()
	page := readOut(t, c, name)
	for _, bad := range []string{`<style`, ` style=`, `<script>`, ` on[a-z]+=`, `(href|src)="(/|[a-z]+:)`, `%[A-Z_]+%`} {
		if m := regexp.MustCompile(bad).FindString(page); m != "" {
			t.Errorf("%s has %q", name, m)
		}
	}
	for _, m := range regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if m[1] != "./" {
			readOut(t, c, m[1]) // fails the test when the file is missing
		}
	}
}
