package live

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
)

const (
	// MaxBody is how many bytes a request's body may have.
	MaxBody = 64 << 10
	// MaxHeader is how many bytes a request's header fields may have.
	MaxHeader = 16 << 10
)

// Handler is an http.Handler for one partner:
//
//	GET /work   contract B: 200 {"ok":true}, 400 {"error":"invalid_client"}, 429 {"error":"rate_limited"}
//
// It is safe for concurrent use. Use New.
type Handler struct {
	clock      func() clock.Instant
	window     time.Duration
	maxClients int

	mu      sync.Mutex // guards what is below: one request's question and record are one step
	partner partner.Partner
	last    clock.Instant // the latest instant that a request had
	sweep   clock.Instant // when to forget idle clients next
}

// New returns a handler whose partner has seen nothing. The error is the limit's.
func New(c Config) (*Handler, error) {
	c = c.withDefaults()
	p, err := partner.New(partner.Config{Limit: c.Limit})
	if err != nil {
		return nil, err
	}
	return &Handler{clock: c.Clock, window: c.Limit.Window, maxClients: c.MaxClients, partner: p}, nil
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case headerBytes(r.Header) > MaxHeader:
		Problem(w, http.StatusRequestHeaderFieldsTooLarge, "The header fields have more than "+strconv.Itoa(MaxHeader)+" bytes.")
	case r.ContentLength > MaxBody:
		Problem(w, http.StatusRequestEntityTooLarge, "The body has more than "+strconv.Itoa(MaxBody)+" bytes.")
	case r.URL.Path != "/work":
		Problem(w, http.StatusNotFound, "There is GET /work, with the header X-Client-ID.")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		Problem(w, http.StatusMethodNotAllowed, "/work answers GET only.")
	default:
		h.work(w, r)
	}
}

// work answers GET /work.
func (h *Handler) work(w http.ResponseWriter, r *http.Request) {
	// Several fields of one name mean the same as one with commas (RFC 9110, 5.3), and some hosts join them.
	client := strings.Join(r.Header.Values("X-Client-ID"), ", ")
	response, wait := h.handle(call.Request{ClientID: client, Method: r.Method, Path: "/work"})
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(wait, 10))
		Problem(w, http.StatusServiceUnavailable, "Too many different clients at once.")
		return
	}
	write(w, response)
}

// handle asks the partner. If its memory has no place for another client, it gives the whole seconds after which there
// may be one instead: a client that is known is never turned away for that.
func (h *Handler) handle(r call.Request) (response call.Response, wait int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := max(h.clock(), h.last)
	h.last = now
	if now >= h.sweep {
		h.partner, h.sweep = h.partner.Sweep(now), now.Add(h.window)
	}
	full := h.partner.Clients() >= h.maxClients && !h.partner.Knows(r.ClientID)
	if full && limit.ValidClientKey(r.ClientID) {
		return call.Response{}, int64((h.sweep.Sub(now)-1)/time.Second) + 1
	}
	var result partner.Result
	h.partner, result = h.partner.Handle(now, r)
	return result.Response, 0
}

// write sends a response of the partner.
func write(w http.ResponseWriter, r call.Response) {
	if r.HasRetryAfter {
		w.Header().Set("Retry-After", r.RetryAfter)
	}
	send(w, r.Status, "application/json", r.Body.String())
}

// Problem sends what the house itself, not the partner, has to say, as problem details (RFC 9457).
func Problem(w http.ResponseWriter, status int, detail string) {
	body := []byte(`{"type":"about:blank","title":`)
	body = call.AppendJSONString(body, http.StatusText(status))
	body = append(body, `,"status":`+strconv.Itoa(status)+`,"detail":`...)
	body = append(call.AppendJSONString(body, detail), '}')
	send(w, status, "application/problem+json", string(body))
}

func send(w http.ResponseWriter, status int, contentType, body string) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store") // each answer depends on the instant
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) // a client that has gone needs no answer
}

func headerBytes(h http.Header) (n int) {
	for name, values := range h {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}
