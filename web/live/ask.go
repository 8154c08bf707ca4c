package live

import (
	"net/http"
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/idemkey"
	"retrylab.example/core/lab"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/problem"
	"retrylab.example/core/scenario"
)

// ask answers a request to the partner of a lab.
func (h *House) ask(w http.ResponseWriter, r *http.Request, id string) {
	room, err := h.room(r.Context(), id)
	if err != nil {
		h.refuse(w, err)
		return
	}
	q, ok := h.request(w, r, id)
	if !ok {
		return
	}
	fate, applied, err := lab.Prefer(r.Header.Values("Prefer"))
	if err != nil {
		malformed(w, err)
		return
	}
	select {
	case h.held <- struct{}{}:
		defer func() { <-h.held }()
	default:
		h.refuse(w, errBusy)
		return
	}
	o, err := room.ask(r.Context(), q, fate, applied != "")
	if r.Context().Err() != nil {
		return // nobody listens any more
	}
	if err != nil {
		h.refuse(w, err)
		return
	}
	if applied != "" {
		w.Header().Set("Preference-Applied", applied)
	}
	if h.wait(r.Context(), room.until(o.Leaves)) {
		h.answer(w, r, &o, "/v1/labs/"+id)
	}
}

// request reads what a lab has to know of a request. ok is false if it was answered because it is malformed.
func (h *House) request(w http.ResponseWriter, r *http.Request, id string) (q call.Request, ok bool) {
	q = call.Request{
		// Several fields of one name mean the same as one with commas (RFC 9110, 5.3), and some hosts join them.
		ClientID: strings.Join(r.Header.Values("X-Client-ID"), ", "),
		Method:   r.Method, Path: strings.TrimPrefix(r.URL.Path, "/v1/labs/"+id),
	}
	if q.ClientID != "" && !limit.ValidClientKey(q.ClientID) {
		h.write(w, r, partner.InvalidClient(q.Path), "")
		return q, false
	}
	key := idemkey.Read(idemkey.Lab, r.Header.Values("Idempotency-Key"))
	if key.Result == idemkey.Refused {
		problem400(w, "idempotency-key", "This cannot be an Idempotency-Key ("+key.Reason.String()+"): send 1 to 255 printable ASCII characters, once.")
		return q, false
	}
	q.Keyed, q.Key = key.Result == idemkey.Given, key.Text
	q.IfMatch = strings.Join(r.Header.Values("If-Match"), ", ")
	if !scenario.Sendable(q.IfMatch) {
		problem400(w, "if-match", "This cannot be an If-Match: send at most 100 printable ASCII characters.")
		return q, false
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return q, true
	}
	root, ok := h.readBody(w, r)
	if !ok {
		return q, false
	}
	body := root.Object()
	q.Amount = body.Int("amount", 0, -partner.MaxAmount, partner.MaxAmount)
	q.Slot = body.Int("slot", 0, 0, partner.MaxAmount)
	body.Done()
	if err := root.Err(); err != nil {
		malformed(w, err)
		return q, false
	}
	return q, true
}

func problem400(w http.ResponseWriter, name, detail string) {
	Problem(w, http.StatusBadRequest, name, detail)
}

// answer sends what the partner answers, or breaks the connection.
func (h *House) answer(w http.ResponseWriter, r *http.Request, o *lab.Outcome, base string) {
	if o.Cut == lab.Whole {
		h.write(w, r, o.Response, base)
		return
	}
	if h.c.CannotCut {
		Problem(w, http.StatusGatewayTimeout, "no-reply", "The answer got lost ("+o.Fault.String()+
			"). Whether the request had an effect is not known here; a connection that can be cut would just end.")
		return
	}
	if o.Cut == lab.Truncated && o.Response.Status != 0 {
		h.half(w, r, o.Response, base)
	}
	panic(http.ErrAbortHandler)
}

// half sends a head and the first half of the body that it promises.
func (h *House) half(w http.ResponseWriter, r *http.Request, res call.Response, base string) {
	contentType, body := encode(r, res)
	setFields(w.Header(), res, base)
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(res.Status)
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush() // a host that cannot flush sends it with the end
}

// write sends a response of the partner.
func (h *House) write(w http.ResponseWriter, r *http.Request, res call.Response, base string) {
	setFields(w.Header(), res, base)
	if res.Status == http.StatusNoContent || res.Status == http.StatusNotModified || res.Status == http.StatusResetContent {
		w.WriteHeader(res.Status)
		return
	}
	contentType, body := encode(r, res)
	sendBody(w, res.Status, contentType, body)
}

// setFields sets the fields of a response of the partner.
func setFields(h http.Header, res call.Response, base string) {
	for line := range strings.Lines(res.Fields) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if mayScript(name) {
			h.Add(name, strings.TrimSpace(value))
		}
	}
	if res.HasRetryAfter {
		h.Set("Retry-After", res.RetryAfter)
	}
	if res.Location != "" {
		h.Set("Location", base+res.Location)
	}
	if res.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
}

// mayScript reports whether a script may set a field: those that speak of waiting. What a browser or a proxy acts on
// otherwise is not for whoever made the lab to set.
func mayScript(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "age", "date", "etag", "retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after", "x-should-retry",
		"stripe-should-retry", "grpc-retry-pushback-ms":
		return true
	}
	return strings.HasPrefix(name, "ratelimit") || strings.HasPrefix(name, "x-ratelimit") || strings.HasPrefix(name, "x-rate-limit")
}

// encode returns the body of a response of the partner: as the contracts have it, or, for an error and a caller that asks
// for them, as problem details with the contract's own members beside.
func encode(r *http.Request, res call.Response) (contentType string, body []byte) {
	text := res.Body.String()
	if res.Status < 400 || !accepts(r, problem.MediaType) {
		return "application/json", []byte(text)
	}
	detail := res.Body.Message
	body = []byte(`{"type":`)
	body = call.AppendJSONString(body, problemTypes+strings.ReplaceAll(res.Body.Code, " ", "_"))
	body = call.AppendJSONString(append(body, `,"title":`...), http.StatusText(res.Status))
	body = append(body, `,"status":`+strconv.Itoa(res.Status)...)
	if detail != "" {
		body = call.AppendJSONString(append(body, `,"detail":`...), detail)
	}
	return problem.MediaType, append(append(body, ','), strings.TrimPrefix(text, "{")...)
}

// accepts reports whether a request names a media type in Accept.
func accepts(r *http.Request, media string) bool {
	for _, line := range r.Header.Values("Accept") {
		for one := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(one, ";")
			if strings.EqualFold(strings.TrimSpace(name), media) && strings.ReplaceAll(params, " ", "") != "q=0" {
				return true
			}
		}
	}
	return false
}
