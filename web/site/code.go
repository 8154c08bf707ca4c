package site

import (
	_ "embed" // for the editor
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"retrylab.example/web/codelab"
)

// editorSource is the editor of code steps, which is bundled with what it imports from npm.
//
//go:embed code/editor.mjs
var editorSource string

// The parts of the code steps that come from npm, as the page is told of them.
const (
	pythonPart = "python"
	editorPart = "editor"
)

// codeFiles returns what code steps need, by its name under b/<hash>/, and which parts there are. Without the packages
// of npm there are none: the page says so. All of it is loaded when a code step is opened, never before.
//
// The scripts are named .js, whatever npm calls them: some hosts know no type for .mjs, and a browser runs no module
// without one.
func codeFiles(npm string) (files map[string][]byte, parts []string, err error) {
	files = map[string][]byte{}
	licenses := map[string]string{}
	python := filepath.Join(npm, filepath.FromSlash(codelab.PackageName))
	if has(filepath.Join(python, codelab.Glue)) {
		parts = append(parts, pythonPart)
		if err := addPython(files, python); err != nil {
			return nil, nil, err
		}
		licenses[codelab.PackageName] = python
	}
	if has(filepath.Join(npm, "@codemirror", "view", "package.json")) {
		parts = append(parts, editorPart)
		bundled, err := addEditor(files, npm)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range bundled {
			licenses[name] = filepath.Join(npm, filepath.FromSlash(name))
		}
	}
	if len(parts) > 0 {
		files["LICENSES.txt"], err = licensesOf(licenses)
	}
	return files, parts, err
}

func has(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// addPython adds MicroPython, and what runs programs in it.
func addPython(files map[string][]byte, dir string) error {
	for name, from := range map[string]string{"micropython.js": codelab.Glue, "micropython.wasm": "micropython.wasm"} {
		data, err := os.ReadFile(filepath.Join(dir, from))
		if err != nil {
			return err
		}
		files["python/"+name] = data
	}
	for name, from := range map[string]string{"worker.js": codelab.WorkerFile, "harness.py": codelab.HarnessFile} {
		data, err := codelab.Engine.ReadFile(from)
		if err != nil {
			return err
		}
		files["python/"+name] = data
	}
	return nil
}

// addEditor adds the editor in one file, and returns the packages that it is made of.
func addEditor(files map[string][]byte, npm string) ([]string, error) {
	dir, err := filepath.Abs(filepath.Dir(npm))
	if err != nil {
		return nil, err
	}
	built := api.Build(api.BuildOptions{
		Stdin:         &api.StdinOptions{Contents: editorSource, Sourcefile: "editor.mjs", ResolveDir: dir},
		AbsWorkingDir: dir, Bundle: true, Format: api.FormatESModule, Target: api.ES2020, Metafile: true,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
	})
	if len(built.Errors) > 0 {
		e := built.Errors[0]
		return nil, fmt.Errorf("bundling the editor: %s; make npm brings its packages to what web/npm/package.json asks for", e.Text)
	}
	files["editor.js"] = built.OutputFiles[0].Contents
	return packagesOf(built.Metafile)
}

// packagesOf returns the names of the packages that esbuild says are in a bundle.
func packagesOf(metafile string) ([]string, error) {
	var meta struct{ Inputs map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("bundling the editor: %w", err)
	}
	names := map[string]bool{}
	for input := range meta.Inputs {
		_, rest, found := strings.Cut(input, "node_modules/")
		if !found {
			continue // our own
		}
		parts := strings.Split(rest, "/")
		name := parts[0]
		if strings.HasPrefix(name, "@") {
			name += "/" + parts[1]
		}
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// licensesOf returns the licenses of packages, whose folders are given by their names, in one text.
func licensesOf(dirs map[string]string) ([]byte, error) {
	var b strings.Builder
	b.WriteString("Retry Lab's code steps contain these packages.\n")
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		var about struct{ Version, License string }
		data, err := os.ReadFile(filepath.Join(dirs[name], "package.json"))
		if err == nil {
			err = json.Unmarshal(data, &about)
		}
		if err != nil {
			return nil, fmt.Errorf("the license of %s: %w", name, err)
		}
		terms, err := os.ReadFile(filepath.Join(dirs[name], "LICENSE"))
		if errors.Is(err, fs.ErrNotExist) && unnamed[name] != "" && about.License == "MIT" {
			terms, err = []byte("Copyright (c) "+unnamed[name]+"\n\n"+mit), nil
		}
		if err != nil {
			return nil, fmt.Errorf("the license of %s: %w", name, err)
		}
		fmt.Fprintf(&b, "\n%s\n%s %s, %s\n\n%s\n", strings.Repeat("-", 80), name, about.Version, about.License, strings.TrimSpace(string(terms)))
	}
	return []byte(b.String()), nil
}

// unnamed are the holders of packages that come without a file of their license.
var unnamed = map[string]string{codelab.PackageName: "2013-2025 Damien P. George and the authors of MicroPython"}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

// isLate reports whether a file of the build is loaded and kept only once a code step was opened.
func isLate(name string) bool {
	return name == "editor.js" || name == "LICENSES.txt" || path.Dir(name) == "python"
}
