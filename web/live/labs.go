package live

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/core/lab"
	"retrylab.example/core/scenario"
	"retrylab.example/lessons"
)

// The hours after which a lab that nobody asks is over.
const (
	leastIdle   = 1
	defaultIdle = 24
	mostIdle    = 7 * 24
)

// labJSON is what the API says of a lab.
type labJSON struct {
	ID        string          `json:"id"`
	Base      string          `json:"base"`
	Trace     string          `json:"trace"`
	Totals    string          `json:"totals"`
	Report    string          `json:"report"`
	Created   string          `json:"created"`
	Expires   string          `json:"expires"`
	IdleHours int64           `json:"idleHours"`
	Seq       int             `json:"seq"`
	Clients   []string        `json:"clients"`
	Scenario  json.RawMessage `json:"scenario"`
}

// create answers POST /v1/labs.
func (h *House) create(w http.ResponseWriter, r *http.Request, _ string) {
	root, ok := h.readBody(w, r)
	if !ok {
		return
	}
	row := Row{ID: h.c.NewID(), Owner: owner(r.RemoteAddr), Epoch: h.c.Now().UnixMilli(), Idle: defaultIdle * time.Hour}
	s, err := readLab(root, &row)
	if err != nil {
		malformed(w, err)
		return
	}
	if _, err := lab.New(lab.Of(&s)); err != nil {
		malformed(w, err)
		return
	}
	row.Definition, row.Expires = s.Write(), row.Epoch+row.Idle.Milliseconds()
	if !h.keep(w, r, row) {
		return
	}
	room, err := h.room(r.Context(), row.ID)
	if err != nil {
		h.refuse(w, err)
		return
	}
	about := room.about(h.base(r))
	w.Header().Set("Location", "/v1/labs/"+row.ID)
	h.sendJSON(w, http.StatusCreated, about)
}

// keep makes the lab, if there is room for it.
func (h *House) keep(w http.ResponseWriter, r *http.Request, row Row) bool {
	h.making.Lock()
	defer h.making.Unlock()
	ctx := context.WithoutCancel(r.Context())
	all, owned, err := h.c.Store.Count(ctx, row.Owner)
	switch {
	case err != nil:
		h.refuse(w, err)
	case owned >= h.c.MaxOwned:
		w.Header().Set("Retry-After", "3600")
		Problem(w, http.StatusTooManyRequests, "too-many-labs", "This address has "+strconv.Itoa(owned)+
			" labs, and no more are allowed. DELETE one that is not needed, or wait until one is over.")
	case all >= h.c.MaxLabs:
		w.Header().Set("Retry-After", "3600")
		Problem(w, http.StatusServiceUnavailable, "house-full", "There are as many labs here as there may be. Try again later.")
	default:
		if err = h.c.Store.Create(ctx, row); err == nil {
			return true
		}
		h.refuse(w, err)
	}
	return false
}

// readLab reads what a lab is made from:
//
//	{"scenario": {…}}               a scenario, as the files have it; it needs no clients
//	{"starter": "lost-reply"}       one of the situations of the sandbox
//	{}                              a partner without a limit and without faults
//
// and idleHours, how long it lasts without a request.
func readLab(root *document.Node, row *Row) (s scenario.Scenario, err error) {
	r := root.Object()
	given, name := r.Field("scenario"), r.Field("starter")
	row.Idle = time.Duration(r.Int("idleHours", defaultIdle, leastIdle, mostIdle)) * time.Hour
	switch {
	case given != nil && name != nil:
		r.Faultf("keep one of them", `there are a "scenario" and a "starter"`)
	case given != nil:
		s = scenario.ForLab(given)
	case name != nil:
		s = document.OneOf(name, starterNames(), starter)
	default:
		_, empty, _ := document.Read("", []byte("{}"))
		s = scenario.ForLab(empty)
	}
	r.Done()
	return s, root.Err()
}

// starterNames lists the situations that have a name.
func starterNames() (names []string) {
	files, _ := fs.Glob(lessons.Starters, "starters/*.json")
	for _, f := range files {
		_, name, _ := strings.Cut(strings.TrimSuffix(path.Base(f), ".json"), "-")
		names = append(names, name)
	}
	return names
}

// starter returns the situation of a name.
func starter(name string) (scenario.Scenario, bool) {
	files, _ := fs.Glob(lessons.Starters, "starters/*-"+name+".json")
	if len(files) != 1 || strings.ContainsAny(name, `*?[]\`) {
		return scenario.Scenario{}, false
	}
	data, err := fs.ReadFile(lessons.Starters, files[0])
	if err != nil {
		return scenario.Scenario{}, false
	}
	doc, root, err := document.Read(files[0], data)
	if err != nil {
		return scenario.Scenario{}, false
	}
	s := scenario.FromNode(root.Find("/scenario"))
	return s, doc.Err() == nil
}

// readBody reads the body of a request as JSON. An empty one is {}.
func (h *House) readBody(w http.ResponseWriter, r *http.Request) (*document.Node, bool) {
	if c := r.Header.Get("Content-Encoding"); c != "" && !strings.EqualFold(c, "identity") {
		Problem(w, http.StatusUnsupportedMediaType, "encoded-body", "The body is compressed: send it as it is.")
		return nil, false
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		Problem(w, http.StatusRequestEntityTooLarge, "body-too-large", "The body has more than 65536 bytes: send less.")
		return nil, false
	case err != nil:
		Problem(w, http.StatusBadRequest, "malformed", "The body broke off: send all of it.")
		return nil, false
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		data = []byte("{}")
	} else if !isJSON(r.Header.Get("Content-Type")) {
		Problem(w, http.StatusUnsupportedMediaType, "no-json", "The body is JSON here: send it with Content-Type: application/json.")
		return nil, false
	}
	_, root, err := document.Read("body", data)
	if err != nil {
		malformed(w, err)
		return nil, false
	}
	return root, true
}

func isJSON(contentType string) bool {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// malformed tells what is wrong with a body, and where.
func malformed(w http.ResponseWriter, err error) {
	Problem(w, http.StatusBadRequest, "malformed", err.Error())
}

// owner returns in whose quota an address counts: a digest, so that no store holds addresses. An IPv6 network counts as one.
func owner(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	if a, err := netip.ParseAddr(host); err == nil && a.Unmap().Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			host = p.String()
		}
	}
	sum := sha256.Sum256([]byte("retrylab " + host))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// base returns the address under which the house is reached.
func (h *House) base(r *http.Request) string {
	if h.c.BaseURL != "" {
		return h.c.BaseURL
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// look answers a request that only looks at a lab.
func (h *House) look(w http.ResponseWriter, r *http.Request, id string) *room {
	room, err := h.room(r.Context(), id)
	if err != nil {
		h.refuse(w, err)
		return nil
	}
	return room
}

// about answers GET /v1/labs/{id}.
func (h *House) about(w http.ResponseWriter, r *http.Request, id string) {
	if room := h.look(w, r, id); room != nil {
		h.sendJSON(w, http.StatusOK, room.about(h.base(r)))
	}
}

func (r *room) about(base string) labJSON {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := func(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339) }
	url := base + "/v1/labs/" + r.id
	about := labJSON{
		ID: r.id, Base: url, Trace: url + "/trace", Totals: url + "/totals", Report: url + "/report",
		Created: at(r.row.Epoch), Expires: at(r.expires), IdleHours: int64(r.row.Idle / time.Hour),
		Scenario: r.row.Definition, Clients: []string{},
	}
	if r.lab != nil {
		r.advance()
		about.Seq, about.Clients = r.lab.Seq(), r.lab.Clients()
	}
	return about
}

// end answers DELETE /v1/labs/{id}.
func (h *House) end(w http.ResponseWriter, r *http.Request, id string) {
	if h.look(w, r, id) == nil {
		return
	}
	if err := h.c.Store.Delete(context.WithoutCancel(r.Context()), id); err != nil {
		h.refuse(w, err)
		return
	}
	h.forget(id)
	w.WriteHeader(http.StatusNoContent)
}

// totals answers GET /v1/labs/{id}/totals.
func (h *House) totals(w http.ResponseWriter, r *http.Request, id string) {
	room := h.look(w, r, id)
	if room == nil {
		return
	}
	room.mu.Lock()
	room.advance()
	var body []byte
	if room.lab != nil {
		body = room.lab.Totals().AppendJSON(nil)
	}
	room.mu.Unlock()
	if body == nil {
		h.refuse(w, ErrNotFound)
		return
	}
	sendBody(w, http.StatusOK, "application/json", body)
}

// sendJSON sends a value as JSON, of a type that can be written as such.
func (h *House) sendJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		h.refuse(w, err)
		return
	}
	sendBody(w, status, "application/json", body)
}
