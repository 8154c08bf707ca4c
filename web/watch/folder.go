// Package watch follows a folder of lesson files while somebody writes them, and tells pages of each change.
package watch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/wasm/catalog"
)

const (
	// MaxFiles bounds the lessons of a folder; what comes after so many, by name, is left aside.
	MaxFiles = 100
	// interval is the time between two looks. With what a page needs to draw it is well under a second.
	interval = 100 * time.Millisecond
	// quiet is how long a file with faults must stay as it is before they are told: an editor empties it first, or
	// writes it in two steps.
	quiet = 300 * time.Millisecond
)

// Folder is a watched folder. It is an http.Handler for what pages need of it.
type Folder struct {
	dir   string
	only  bool
	build string          // the site's, as "b/<hash>"
	site  []catalog.Entry // the lessons of the site

	// Of the goroutine that looks.
	files   map[string]*file
	trouble document.Faults // of the folder as a whole

	mu      sync.Mutex
	now     published
	changed chan struct{} // closed when now is replaced
	stopped chan struct{} // closed when nobody looks any more
}

// published is what pages are told.
type published struct {
	version string // a digest of the index
	index   []byte // a catalog.Catalog as JSON
	lessons map[string][]byte
}

// New watches a folder beside a built site. A lesson of the folder takes the place of the site's with the same id;
// only leaves those of the site out altogether.
func New(dir string, built fs.FS, only bool) (*Folder, error) {
	if err := Check(dir); err != nil {
		return nil, err
	}
	names, err := fs.Glob(built, "b/*/lessons/index.json")
	if err != nil || len(names) != 1 {
		return nil, fmt.Errorf("the site has %d lists of lessons instead of one; build it anew", len(names))
	}
	data, err := fs.ReadFile(built, names[0])
	if err != nil {
		return nil, err
	}
	c, err := catalog.Read(data)
	if err != nil {
		return nil, err
	}
	f := &Folder{
		dir: dir, only: only, build: path.Dir(path.Dir(names[0])), site: c.Lessons,
		files: map[string]*file{}, changed: make(chan struct{}), stopped: make(chan struct{}),
	}
	f.look(time.Now())
	f.look(time.Now().Add(quiet)) // nobody can see a fault flash yet
	return f, nil
}

// Check says why a folder cannot be watched, nil if it can.
func Check(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the folder of lessons: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("the folder of lessons: %s is a file; name the folder that it is in", dir)
	}
	return nil
}

// Run looks at the folder until the context ends; then it lets go of the pages that wait. It is called once.
func (f *Folder) Run(ctx context.Context) {
	defer close(f.stopped)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			f.look(now)
			for f.proveStep() && time.Since(now) < interval/2 {
			}
		}
	}
}

// Count returns how many lessons of the folder are shown.
func (f *Folder) Count() int { return len(f.current().lessons) }

func (f *Folder) current() published {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// look reads what has changed, and tells of it.
func (f *Folder) look(now time.Time) {
	f.trouble = nil
	root, err := os.OpenRoot(f.dir) // anew each time: the folder itself may have been replaced
	if err != nil {
		f.trouble = document.Faults{{File: f.dir, Problem: "the folder cannot be read: " + err.Error(), Mend: "put it back"}}
		f.publish()
		return
	}
	defer root.Close()
	names := f.names(root)
	for _, name := range names {
		if f.files[name] == nil {
			f.files[name] = &file{name: name}
		}
		f.files[name].look(root, now)
	}
	for name, file := range f.files {
		if !slices.Contains(names, name) && file.missing(now) {
			delete(f.files, name)
		}
	}
	f.publish()
}

// names lists the lesson files in the order of their names.
func (f *Folder) names(root *os.Root) []string {
	names, err := fs.Glob(root.FS(), "*.json")
	if err != nil {
		return nil
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		schema, _ := path.Match("*.schema.json", name)
		return schema || name[0] == '.' // a hidden file is an editor's own
	})
	slices.Sort(names)
	if n := len(names) - MaxFiles; n > 0 {
		f.trouble = append(f.trouble, document.NewFault(f.dir, "move some to another folder",
			"there are more than %d lesson files; %s and what follows are left aside", MaxFiles, names[MaxFiles]))
		names = names[:MaxFiles]
	}
	return names
}

// proveStep proves one step of a lesson that was not proven yet; it reports whether there may be more to do.
func (f *Folder) proveStep() bool {
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		if file := f.files[name]; file.reading != nil {
			if file.proveStep() {
				f.publish()
			}
			return true
		}
	}
	return false
}

// publish tells pages how the folder is, if that has changed.
func (f *Folder) publish() {
	c := catalog.Catalog{Faults: slices.Clone(f.trouble)}
	next := published{lessons: map[string][]byte{}}
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		file := f.files[name]
		c.Faults = append(c.Faults, file.faults...)
		c.Unproven = append(c.Unproven, file.unproven...)
		if file.good == nil {
			continue
		}
		if i := c.Find(file.entry.ID); i >= 0 {
			c.Faults = append(c.Faults, file.sameID(c.Lessons[i].File))
			continue
		}
		c.Lessons = append(c.Lessons, file.entry)
		next.lessons[name] = file.good
	}
	for _, e := range f.site {
		if !f.only && c.Find(e.ID) < 0 {
			c.Lessons = append(c.Lessons, e)
		}
	}
	slices.SortStableFunc(c.Lessons, func(a, b catalog.Entry) int { return cmp.Compare(a.File, b.File) })
	index, err := json.Marshal(c)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	next.index, next.version = index, digest(index)
	f.mu.Lock()
	defer f.mu.Unlock()
	if next.version != f.now.version {
		f.now = next
		close(f.changed)
		f.changed = make(chan struct{})
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
