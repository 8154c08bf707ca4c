package partner

import (
	"strings"

	"retrylab.example/core/call"
)

// enveloped writes an error on a path of contract E as its envelope; any other response stays as it is.
func enveloped(path string, r call.Response) call.Response {
	if r.Status < 400 || !hasEnvelope(path) || r.Body.Flag != call.NoFlag {
		return r
	}
	r.Body = call.Body{Code: providerCode(r.Status, r.Body.Code), Flag: call.FlagFalse}
	switch r.Body.Code {
	case "rate_limited", "provider_unavailable", "key_in_flight":
		r.Body.Flag = call.FlagTrue
	}
	r.Body.Message = message(r.Body.Code)
	return r
}

func hasEnvelope(path string) bool {
	return path == call.Reservations || strings.HasPrefix(path, call.Reservations+"/") || path == waitlistPath ||
		path == estimatePath
}

// providerCode returns contract E's code of an error that was ordered, which comes from a provider behind the partner.
func providerCode(status int, code string) string {
	switch code {
	case "rejected":
		return "provider_rejected"
	case "bad_gateway":
		return "provider_unavailable"
	case "":
		return "error"
	}
	return code
}

func errorResponse(path string, status int, code string) call.Response {
	return enveloped(path, call.Response{Status: status, Body: call.Body{Code: code}})
}

// Ordered returns a response that a script or a person ordered, as the partner writes it on the path of a request.
func Ordered(r call.Request, response call.Response) call.Response {
	return enveloped(r.Path, response)
}

// message says for people what a code says for programs. An API speaks one language; a caller branches on the code.
func message(code string) string {
	switch code {
	case "conflict":
		return "The slot has too few places left. Read the slots again and ask for another one."
	case "key_in_flight":
		return "A request with this Idempotency-Key is still being worked on. Send the same request again later."
	case "key_mismatch":
		return "This Idempotency-Key belongs to another request."
	case "key_missing":
		return "This request needs an Idempotency-Key."
	case "rate_limited":
		return "Too many requests. Wait as long as Retry-After says."
	case "overloaded":
		return "All places to work and to wait are taken."
	case "invalid_amount":
		return "The amount is out of range."
	case "not_found":
		return "There is nothing at this path."
	case "provider_rejected":
		return "The provider behind this service rejected the request."
	case "provider_unavailable":
		return "The provider behind this service did not answer."
	}
	return "The request failed."
}

// InvalidClient returns the answer to a request on a path whose client's id cannot be one.
func InvalidClient(path string) call.Response { return errorResponse(path, 400, "invalid_client") }
