package call

import (
	"strconv"
	"strings"
)

// RequestHTTP returns a request as it goes over the wire, without Host. Lines end with a line feed.
func RequestHTTP(r Request) string {
	var b strings.Builder
	line(&b, r.Method+" "+r.Path+" HTTP/1.1")
	if r.ClientID != "" {
		line(&b, "X-Client-ID: "+r.ClientID)
	}
	if r.Keyed {
		line(&b, strings.TrimRight("Idempotency-Key: "+r.Key, " "))
	}
	if r.IfMatch != "" {
		line(&b, "If-Match: "+r.IfMatch)
	}
	if r.Amount == 0 && r.Slot == 0 {
		line(&b, "")
		return b.String()
	}
	line(&b, "Content-Type: application/json")
	line(&b, "")
	body := `{"amount":` + strconv.FormatInt(r.Amount, 10)
	if r.Slot != 0 {
		body += `,"slot":` + strconv.FormatInt(r.Slot, 10)
	}
	line(&b, body+"}")
	return b.String()
}

// ResponseHTTP returns a response as it goes over the wire; empty for no response. Lines end with a line feed.
func ResponseHTTP(r Response) string {
	if r.Status == 0 {
		return ""
	}
	var b strings.Builder
	line(&b, strings.TrimRight("HTTP/1.1 "+strconv.Itoa(r.Status)+" "+reasonPhrase(r.Status), " "))
	line(&b, "Content-Type: application/json")
	if r.HasRetryAfter {
		line(&b, strings.TrimRight("Retry-After: "+r.RetryAfter, " "))
	}
	for f := range strings.Lines(r.Fields) {
		line(&b, strings.TrimRight(f, " \n"))
	}
	if r.Location != "" {
		line(&b, "Location: "+r.Location)
	}
	if r.Replayed {
		line(&b, "Idempotent-Replayed: true")
	}
	line(&b, "")
	line(&b, r.Body.String())
	return b.String()
}

// line writes one line. A control character inside it, which no header may hold, shows as U+FFFD.
func line(b *strings.Builder, s string) {
	b.WriteString(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' || r == 0x7f {
			return '\ufffd'
		}
		return r
	}, s))
	b.WriteByte('\n')
}

// reasonPhrase returns the phrase of RFC 9110 and RFC 6585 for the statuses that lessons use, "" for others. The
// standard library's list would bring all of net/http into the browser program.
func reasonPhrase(status int) string {
	switch status {
	case 200:
		return "OK"
	case 201:
		return "Created"
	case 202:
		return "Accepted"
	case 204:
		return "No Content"
	case 400:
		return "Bad Request"
	case 401:
		return "Unauthorized"
	case 403:
		return "Forbidden"
	case 404:
		return "Not Found"
	case 408:
		return "Request Timeout"
	case 409:
		return "Conflict"
	case 410:
		return "Gone"
	case 422:
		return "Unprocessable Content"
	case 425:
		return "Too Early"
	case 429:
		return "Too Many Requests"
	case 500:
		return "Internal Server Error"
	case 501:
		return "Not Implemented"
	case 502:
		return "Bad Gateway"
	case 503:
		return "Service Unavailable"
	case 504:
		return "Gateway Timeout"
	}
	return ""
}
