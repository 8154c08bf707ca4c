package live

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

const (
	// heartbeat is how often a stream says that it is there, and writeTime how long one write may take.
	heartbeat = 15 * time.Second
	writeTime = 10 * time.Second
	// watchTime is how long one stream lasts; whoever goes on watching asks again with Last-Event-ID.
	watchTime = 10 * time.Minute
)

// trace answers GET /v1/labs/{id}/trace: what happened, as JSON Lines, or as Server-Sent Events that go on.
func (h *House) trace(w http.ResponseWriter, r *http.Request, id string) {
	room := h.look(w, r, id)
	if room == nil {
		return
	}
	after, ok := readAfter(r)
	if !ok {
		problem400(w, "malformed", "Last-Event-ID, or after, is the number of an event: a whole number of at least 0.")
		return
	}
	if accepts(r, "text/event-stream") && r.Method == http.MethodGet {
		h.stream(w, r, room, after)
		return
	}
	room.mu.Lock()
	room.advance()
	list, _ := room.trace.since(after)
	body := trace.AppendHeader(nil, room.scenario.Digest(), room.scenario.Seed)
	room.mu.Unlock()
	for _, c := range list {
		body = append(body, c.from(after)...)
	}
	sendBody(w, http.StatusOK, "application/jsonl", body)
}

// readAfter reads after which event a trace is to begin.
func readAfter(r *http.Request) (after int, ok bool) {
	s := r.Header.Get("Last-Event-ID")
	if s == "" {
		s = r.URL.Query().Get("after")
	}
	if s == "" {
		return 0, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0
}

// from returns the lines of a chunk after an event.
func (c *chunk) from(after int) []byte {
	text := c.text
	for n := c.after; n < after && len(text) > 0; n++ {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return text
}

// stream sends events as they happen.
func (h *House) stream(w http.ResponseWriter, r *http.Request, room *room, after int) {
	select {
	case h.watchers <- struct{}{}:
		defer func() { <-h.watchers }()
	default:
		w.Header().Set("Retry-After", "10")
		Problem(w, http.StatusServiceUnavailable, "too-many-watchers", "Too many traces are watched here. Try again later, or read the trace without watching.")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	c := http.NewResponseController(w)
	room.watch(1)
	defer room.watch(-1)
	out := []byte("retry: 2000\n\n")
	for ends := h.c.Now().Add(watchTime); h.c.Now().Before(ends); {
		// A host without deadlines cuts slow readers itself.
		_ = c.SetWriteDeadline(time.Now().Add(writeTime))
		if _, err := w.Write(out); err != nil || c.Flush() != nil {
			return
		}
		room.mu.Lock()
		if room.lab == nil {
			room.mu.Unlock()
			return
		}
		room.advance()
		list, gap := room.trace.since(after)
		more := room.trace.changed()
		room.mu.Unlock()
		if out = out[:0]; len(list) > 0 {
			out, after = appendEvents(out, list, after, gap)
			continue
		}
		if !h.waitFor(r, more) {
			return
		}
		out = append(out, ":\n\n"...)
	}
}

// waitFor returns when there is more, or a heartbeat is due; false if the watcher has gone.
func (h *House) waitFor(r *http.Request, more <-chan struct{}) bool {
	beat := make(chan struct{})
	stop := h.c.AfterFunc(heartbeat, func() { close(beat) })
	defer stop()
	select {
	case <-more:
	case <-beat:
	case <-h.closing:
		return false
	case <-r.Context().Done():
		return false
	}
	return true
}

// appendEvents writes chunks as Server-Sent Events, and returns the number of the last one.
func appendEvents(out []byte, list []chunk, after int, gap bool) ([]byte, int) {
	if gap {
		out = append(out, `event: gap`+"\n"+`data: {"from":`+strconv.Itoa(after)+`,"to":`+strconv.Itoa(list[0].after)+"}\n\n"...)
		after = list[0].after
	}
	for i := range list {
		for line := range bytes.Lines(list[i].from(after)) {
			after++
			out = append(out, "id: "+strconv.Itoa(after)+"\ndata: "...)
			out = append(append(out, line...), '\n')
		}
	}
	return out, after
}

func (r *room) watch(more int) {
	r.mu.Lock()
	r.trace.watched += more
	r.mu.Unlock()
}

// language returns the language that a request asks for: ?lang=ko, else the first known one of Accept-Language.
func language(r *http.Request) text.Lang {
	if l, ok := text.Parse(r.URL.Query().Get("lang")); ok {
		return l
	}
	for one := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, _, _ := strings.Cut(one, ";")
		if l, ok := text.Parse(strings.TrimSpace(tag)); ok {
			return l
		}
	}
	return text.English
}
