package bridge

import (
	"bytes"
	"io"
	"net/http"
)

// held is how many bytes of a body are held back, so that a whole response goes out at once.
const held = 256 << 10

// writer is an http.ResponseWriter that keeps a response in memory until it is over, is flushed, or gets long; from then
// on it hands the pieces on.
type writer struct {
	sink    Sink
	head    bool        // the answer to a HEAD: no body may be sent
	header  http.Header // as the handler sees it
	sent    http.Header // as it was when the status was written; nil before
	status  int
	body    bytes.Buffer
	streams bool // the head has gone out
	gone    bool // nobody takes any more
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.sent != nil || status < 200 { // the first one counts; informational ones have no way through
		return
	}
	w.status, w.sent = status, w.header.Clone()
}

func (w *writer) Write(p []byte) (int, error) {
	if w.sent == nil && w.header.Get("Content-Type") == "" {
		w.header.Set("Content-Type", http.DetectContentType(p))
	}
	w.WriteHeader(http.StatusOK)
	switch {
	case w.status == http.StatusNoContent || w.status == http.StatusNotModified:
		return 0, http.ErrBodyNotAllowed
	case w.head:
		return len(p), nil
	case w.gone:
		return 0, io.ErrClosedPipe
	}
	w.body.Write(p)
	if w.body.Len() >= held {
		w.Flush()
	}
	return len(p), nil
}

// Flush implements http.Flusher.
func (w *writer) Flush() {
	w.WriteHeader(http.StatusOK)
	if w.head || w.gone {
		return
	}
	if !w.streams {
		w.sink.Head(w.status, w.fields())
		w.streams = true
	}
	if w.body.Len() > 0 {
		w.gone = !w.sink.Chunk(w.body.Bytes())
		w.body.Reset()
	}
}

// end sends what is left.
func (w *writer) end() {
	if w.streams {
		w.Flush()
		w.sink.End()
		return
	}
	w.WriteHeader(http.StatusOK)
	w.sink.Full(w.status, w.fields(), w.body.Bytes())
}

func (w *writer) fields() (list []string) {
	for name, values := range w.sent {
		for _, value := range values {
			list = append(list, name, value)
		}
	}
	return list
}
