package live

import (
	"errors"
	"net/http"
	"strconv"

	"retrylab.example/core/call"
)

// problemTypes is where the types of problems begin: each is a place in openapi.json, which says what it means.
const problemTypes = "/v1/openapi.json#/x-problems/"

// Problem sends what the house itself, not the partner, has to say, as problem details (RFC 9457).
func Problem(w http.ResponseWriter, status int, name, detail string) {
	body := []byte(`{"type":`)
	body = call.AppendJSONString(body, problemTypes+name)
	body = call.AppendJSONString(append(body, `,"title":`...), http.StatusText(status))
	body = append(body, `,"status":`+strconv.Itoa(status)+`,"detail":`...)
	body = append(call.AppendJSONString(body, detail), '}')
	sendBody(w, status, "application/problem+json", body)
}

// sendBody sends an answer.
func sendBody(w http.ResponseWriter, status int, contentType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no answer
}

// refuse tells why a lab does not answer.
func (h *House) refuse(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, ErrNotFound):
		Problem(w, http.StatusNotFound, "no-such-lab", "There is no such lab, or it is over. POST /v1/labs makes one.")
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		Problem(w, http.StatusServiceUnavailable, "too-many-under-way", "Too many requests wait for their answers. Wait for some of them.")
	case errors.Is(err, errFull):
		Problem(w, http.StatusServiceUnavailable, "lab-full", "This lab has seen as many clients and keys as it can keep. Make another one.")
	case errors.Is(err, ErrFull):
		w.Header().Set("Retry-After", "3600")
		Problem(w, http.StatusServiceUnavailable, "house-full", "There is no room to keep more here. DELETE a lab that is not needed, or try again later.")
	default:
		h.c.Log(err)
		w.Header().Set("Retry-After", "1")
		Problem(w, http.StatusServiceUnavailable, "not-kept", "The lab cannot keep what it does now, so it did nothing that lasts. Send the same request again.")
	}
}
