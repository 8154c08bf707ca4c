package site

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"retrylab.example/web/codelab"
)

// shellWithCode is a shell that names the parts of code steps, and the two lists of files.
func shellWithCode() fstest.MapFS {
	files := shell()
	files["index.html"] = &fstest.MapFile{Data: []byte(`<html data-build="%BUILD%" data-code="%CODE%">`)}
	files["sw.js"] = &fstest.MapFile{Data: []byte("FILES = %FILES%;\nLATE = %LATE%;")}
	return files
}

// listsOf gives the two lists of a service worker, without the build's folder.
func listsOf(t *testing.T, c Config, r Report) (first, late []string) {
	t.Helper()
	for name, list := range map[string]*[]string{"FILES": &first, "LATE": &late} {
		m := regexp.MustCompile(name + ` = (.*);`).FindStringSubmatch(readOut(t, c, "sw.js"))
		if m == nil {
			t.Fatalf("sw.js has no %s", name)
		}
		if err := json.Unmarshal([]byte(m[1]), list); err != nil {
			t.Fatal(err)
		}
		for i, file := range *list {
			(*list)[i] = strings.TrimPrefix(file, "b/"+r.Hash+"/")
		}
	}
	return first, late
}

// TestCode: with the packages of npm the site has the editor and Python, which the service worker leaves until they are
// wanted, with the license of every package that is in them; the same packages give the same bytes.
func TestCode(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	c := testConfig(t)
	c.Static, c.Npm = shellWithCode(), filepath.Join(root, "web", "npm", "node_modules")
	r := mustBuild(t, c)
	if page := readOut(t, c, "index.html"); !strings.Contains(page, `data-code="python editor"`) {
		t.Errorf("the page is not told of its parts (make npm installs the packages): %s", page)
	}
	want := []string{"LICENSES.txt", "editor.js", "python/harness.py", "python/micropython.js", "python/micropython.wasm", "python/worker.js"}
	first, late := listsOf(t, c, r)
	if !slices.Equal(late, want) {
		t.Errorf("kept late are %q, want %q", late, want)
	}
	for _, file := range want {
		if slices.Contains(first, file) {
			t.Errorf("%s is kept at once", file)
		}
		if len(readOut(t, c, "b/"+r.Hash+"/"+file)) == 0 {
			t.Errorf("%s is empty", file)
		}
	}
	licenses := readOut(t, c, "b/"+r.Hash+"/LICENSES.txt")
	for _, name := range []string{codelab.PackageName, "@codemirror/view", "@codemirror/lang-python", "@lezer/lr", "style-mod", "w3c-keyname"} {
		if !strings.Contains(licenses, "\n"+name+" ") {
			t.Errorf("LICENSES.txt does not name %s", name)
		}
	}
	if n := strings.Count(licenses, "WITHOUT WARRANTY OF ANY KIND"); n < 10 {
		t.Errorf("LICENSES.txt holds %d licenses", n)
	}
	if editor := readOut(t, c, "b/"+r.Hash+"/editor.js"); strings.Contains(editor, "node_modules") || strings.Contains(editor, "eval(") {
		t.Error("the editor names a folder of this machine, or evaluates text")
	}
	c.Out = filepath.Join(c.Root, "again")
	if again := mustBuild(t, c); again.Hash != r.Hash {
		t.Errorf("the same packages gave %s and %s", r.Hash, again.Hash)
	}
}

// TestWithoutCode: without npm, or with a part of its packages, the site is built and says what it has.
func TestWithoutCode(t *testing.T) {
	c := testConfig(t)
	c.Static = shellWithCode()
	r := mustBuild(t, c)
	if page := readOut(t, c, "index.html"); !strings.Contains(page, `data-code=""`) {
		t.Errorf("without npm the page says %s", page)
	}
	if _, late := listsOf(t, c, r); len(late) != 0 {
		t.Errorf("without npm there is something to be kept late: %q", late)
	}
	python := map[string]string{"package.json": `{"version": "1.2.3", "license": "MIT"}`, codelab.Glue: "glue", "micropython.wasm": "engine"}
	for name, content := range python {
		put(t, filepath.Join(c.Root, filepath.FromSlash(codelab.Package), name), content)
	}
	r = mustBuild(t, c)
	if page := readOut(t, c, "index.html"); !strings.Contains(page, `data-code="python"`) {
		t.Errorf("with Python alone the page says %s", page)
	}
	if licenses := readOut(t, c, "b/"+r.Hash+"/LICENSES.txt"); !strings.Contains(licenses, codelab.PackageName+" 1.2.3, MIT") {
		t.Errorf("LICENSES.txt: %s", licenses)
	}
	put(t, filepath.Join(c.Root, "web", "npm", "node_modules", "@codemirror", "view", "package.json"), "{}")
	if _, err := Build(c); err == nil || !strings.Contains(err.Error(), "make npm") {
		t.Errorf("with a broken editor: got %v, want what mends it", err)
	}
	for name := range maps.Keys(python) {
		if name == codelab.Glue {
			continue
		}
		if err := os.Remove(filepath.Join(c.Root, filepath.FromSlash(codelab.Package), name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Build(c); err == nil {
			t.Errorf("without %s of MicroPython: no error", name)
		}
	}
}
