package retryafter

import (
	"time"

	"retrylab.example/core/field"
)

// PushbackName is the field of gRPC's pushback.
const PushbackName = "grpc-retry-pushback-ms"

// pushback reads gRPC's pushback (gRFC A6): whole milliseconds from 0 to 2147483647 are the wait, exactly; a negative
// number, and whatever else stands there, says not to retry. The proposal says nothing of a field that is sent twice;
// like gRPC for Go we take that as unreadable. Unlike it we take no sign and no leading zero, which the proposal forbids.
func pushback(c Context) (r Reading, sent bool) {
	lines := field.Lines(c.Fields, PushbackName)
	if len(lines) == 0 {
		return Reading{}, false
	}
	text := field.Trim(lines[0])
	ms, ok := field.ParseDigits(text)
	if len(lines) > 1 || !ok || len(text) > 1 && text[0] == '0' || ms > 1<<31-1 {
		return Reading{Valid: true, Kind: Pushback, Field: PushbackName, Text: text, Never: true}, true
	}
	return waiting(Pushback, PushbackName, text, time.Duration(ms)*time.Millisecond), true
}
