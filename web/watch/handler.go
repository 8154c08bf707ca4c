package watch

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// ServeHTTP answers for three kinds of addresses: index.json, the catalog with the faults of the folder; lessons/FILE,
// the last version of a file without faults; and events, which tells the build of the site and the version of the index,
// at once and after each change.
func (f *Folder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	now := f.current()
	name, isLesson := strings.CutPrefix(r.URL.Path, "/lessons/")
	switch {
	case r.URL.Path == "/events":
		f.events(w, r)
		return
	case isLesson && now.lessons[name] != nil:
		h.Set("Content-Type", "application/json")
		_, _ = w.Write(now.lessons[name])
	case r.URL.Path == "/index.json":
		h.Set("Content-Type", "application/json")
		_, _ = w.Write(now.index)
	default:
		http.Error(w, "There is no such lesson.", http.StatusNotFound)
	}
}

// events is a stream of Server-Sent Events that ends when the page or the server goes.
func (f *Folder) events(w http.ResponseWriter, r *http.Request) {
	c := http.NewResponseController(w)
	for _, err := range []error{c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{})} {
		if err != nil { // the server's own limits are for answers that end
			http.Error(w, "This connection cannot stay open.", http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	told := ""
	for {
		f.mu.Lock()
		version, changed := f.now.version, f.changed
		f.mu.Unlock()
		if version != told { // after half a second without a server the page asks again
			if _, err := fmt.Fprintf(w, "retry: 500\ndata: %s %s\n\n", f.build, version); err != nil || c.Flush() != nil {
				return
			}
			told = version
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		case <-f.stopped:
			return
		}
	}
}
