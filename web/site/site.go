// Package site builds the web site: the page shell, the browser program and the lessons, as files that any host can
// serve from any folder.
//
// Five files have fixed names: index.html, embed.html, sw.js, manifest.webmanifest and lessons/lesson.schema.json, which is
// for editors. Everything else lies under b/<hash>/, where the hash covers the whole build. A page names its own build's folder only, so it can never load a file of another
// build, and one rule of caching is enough: what lies under b/ never changes, the rest is asked for again each time.
package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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

	"retrylab.example/core/schema"
	words "retrylab.example/wasm/page/glossary"
	"retrylab.example/web/glossary"
	"retrylab.example/web/server"
)

// Config says what to build and where to.
type Config struct {
	// Root is the source tree; empty means the one around the working directory.
	Root string
	// Out is the folder to write; what an earlier build left in it is removed.
	Out string
	// Release compresses as well as possible, which takes some twenty seconds once per change of the program. Otherwise
	// the compression is quick.
	Release bool
	// Npm is the folder of packages from npm; empty means web/npm/node_modules of the source tree. Without it the site is
	// built without what code steps need.
	Npm string
	// Renderer makes the lesson index and the static texts; nil means DefaultRenderer.
	Renderer Renderer
	// Static holds the page shell; nil means web/static of the source tree. Tests build a second version with it.
	Static fs.FS
	// Wasm gives the browser program; nil means building wasm/app. Tests replace it where the program does not matter.
	Wasm func(root string) ([]byte, error)
}

// File is one file of the site with its sizes in bytes; Brotli and Gzip are zero where there is no such variant.
type File struct {
	Name              string
	Raw, Brotli, Gzip int
}

// Report says what a build made.
type Report struct {
	Hash  string
	Files []File // sorted by name
}

// File gives the file whose name ends in /base, or the zero File.
func (r Report) File(base string) File {
	for _, f := range r.Files {
		if path.Base(f.Name) == base {
			return f
		}
	}
	return File{}
}

// fixed are the files outside b/<hash>/. They are templates, since each names its build.
var fixed = []string{"index.html", "embed.html", "manifest.webmanifest", "sw.js"}

// Build builds the site.
func Build(c Config) (Report, error) {
	c, err := c.withDefaults()
	if err != nil {
		return Report{}, err
	}
	templates, assets, err := gather(c)
	if err != nil {
		return Report{}, err
	}
	code, parts, err := codeFiles(c.Npm)
	if err != nil {
		return Report{}, err
	}
	maps.Copy(assets, code)
	hash := contentHash(templates, assets)
	files, err := assemble(hash, templates, assets, parts)
	if err != nil {
		return Report{}, err
	}
	if err := addSchema(c.Root, files); err != nil {
		return Report{}, err
	}
	return write(c, hash, files)
}

func (c Config) withDefaults() (Config, error) {
	if c.Out == "" {
		return c, errors.New("no folder to build the site into")
	}
	if c.Root == "" {
		root, err := FindRoot(".")
		if err != nil {
			return c, err
		}
		c.Root = root
	}
	if c.Npm == "" {
		c.Npm = filepath.Join(c.Root, "web", "npm", "node_modules")
	}
	if c.Static == nil {
		c.Static = os.DirFS(filepath.Join(c.Root, "web", "static"))
	}
	if c.Renderer == nil {
		c.Renderer = DefaultRenderer()
	}
	if c.Wasm == nil {
		c.Wasm = buildWasm
	}
	return c, nil
}

// ErrNoSource means that there is no source tree around the folder.
var ErrNoSource = errors.New("no Retry Lab source tree here")

// FindRoot gives the root of the source tree around a folder.
func FindRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for d := abs; ; d = filepath.Dir(d) {
		mod, err := os.ReadFile(filepath.Join(d, "go.mod"))
		if err == nil && bytes.HasPrefix(bytes.TrimSpace(mod), []byte("module retrylab.example")) {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("%w: %s", ErrNoSource, abs)
		}
	}
}

// gather reads and makes everything that the site consists of: the templates by name, and the assets by their name
// under b/<hash>/.
func gather(c Config) (templates, assets map[string][]byte, err error) {
	templates, assets, err = readStatic(c.Static)
	if err != nil {
		return nil, nil, err
	}
	if assets["app.wasm"], err = c.Wasm(c.Root); err != nil {
		return nil, nil, err
	}
	if assets["wasm_exec.js"], err = wasmExec(); err != nil {
		return nil, nil, err
	}
	lessons, err := readLessons(filepath.Join(c.Root, "lessons"))
	if err != nil {
		return nil, nil, err
	}
	texts, err := render(c.Renderer, lessons)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(assets, texts)
	assets["form.json"] = schema.Form()
	assets[words.File] = []byte(words.Write(glossary.Sections()))
	if assets["starters.json"], err = readStarters(filepath.Join(c.Root, "lessons", "starters")); err != nil {
		return nil, nil, err
	}
	return templates, assets, nil
}

// readStatic splits the page shell into the templates and the assets. The style sheets become one style.css, in the
// order of their paths: small files to edit, one file to load.
func readStatic(static fs.FS) (templates, assets map[string][]byte, err error) {
	templates, assets = map[string][]byte{}, map[string][]byte{}
	var css bytes.Buffer
	err = fs.WalkDir(static, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(static, name)
		switch {
		case err != nil:
			return err
		case slices.Contains(fixed, name):
			templates[name] = data
		case path.Ext(name) == ".css":
			css.Write(data)
		default:
			assets[name] = data
		}
		return nil
	})
	assets["style.css"] = css.Bytes()
	for _, name := range fixed {
		if err == nil && templates[name] == nil {
			err = fmt.Errorf("web/static lacks %s", name)
		}
	}
	return templates, assets, err
}

// contentHash covers names and contents of everything, with lengths, so that no two different builds share a hash.
func contentHash(sets ...map[string][]byte) string {
	h := sha256.New()
	for _, set := range sets {
		for _, name := range slices.Sorted(maps.Keys(set)) {
			fmt.Fprintf(h, "%q %d\n", name, len(set[name]))
			h.Write(set[name])
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// assemble gives all files by their final names.
func assemble(hash string, templates, assets map[string][]byte, parts []string) (map[string][]byte, error) {
	build := "b/" + hash
	files := map[string][]byte{}
	first, late := []string{}, []string{}
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		files[build+"/"+name] = assets[name]
		if isLate(name) {
			late = append(late, build+"/"+name)
		} else {
			first = append(first, build+"/"+name)
		}
	}
	firstList, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	lateList, err := json.Marshal(late)
	if err != nil {
		return nil, err
	}
	fill := strings.NewReplacer(
		"%BUILD%", build,
		"%HASH%", hash,
		"%FILES%", string(firstList),
		"%LATE%", string(lateList),
		"%CODE%", strings.Join(parts, " "),
		"%WASM_BYTES%", fmt.Sprint(len(assets["app.wasm"])),
		"%FRAGMENTS%", strings.Join(fragmentNames(assets), " "),
		"%CSP%", server.MetaPolicy,
	)
	for name, data := range templates {
		files[name] = []byte(fill.Replace(string(data)))
	}
	return files, nil
}

// schemaName is where an editor finds the schema of lessons, in the source tree and in the site: whatever the build.
const schemaName = "lessons/lesson.schema.json"

// addSchema adds the schema if there is one.
func addSchema(root string, files map[string][]byte) error {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(schemaName)))
	if err == nil {
		files[schemaName] = data
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// write brings the folder to hold exactly the files and their compressed variants.
func write(c Config, hash string, files map[string][]byte) (Report, error) {
	report := Report{Hash: hash}
	compress := newCompressor(filepath.Join(c.Root, "build", "compressed"), c.Release)
	keep := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := File{Name: name, Raw: len(files[name])}
		variants, err := compress.variants(name, files[name])
		if err != nil {
			return report, err
		}
		f.Brotli, f.Gzip = len(variants[".br"]), len(variants[".gz"])
		variants[""] = files[name]
		for suffix, data := range variants {
			keep[name+suffix] = true
			if err := writeFile(filepath.Join(c.Out, filepath.FromSlash(name+suffix)), data); err != nil {
				return report, err
			}
		}
		report.Files = append(report.Files, f)
	}
	return report, clean(c.Out, keep)
}

// writeFile writes a file unless it is there already. A reader never sees half of it.
func writeFile(name string, data []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = cmp.Or(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// clean removes what an earlier build left: files that the site has no more, in b/ and among the fixed names. Other
// files in the folder (a CNAME, say) belong to its owner.
func clean(out string, keep map[string]bool) error {
	var dirs []string
	err := filepath.WalkDir(filepath.Join(out, "b"), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(out, name)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			dirs = append(dirs, name)
		case !keep[filepath.ToSlash(rel)]:
			return os.Remove(name)
		}
		return nil
	})
	for _, d := range slices.Backward(dirs) {
		os.Remove(d) // fails, as it should, where something is left
	}
	return err
}
