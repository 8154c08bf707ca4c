package call_test

import (
	"testing"

	"retrylab.example/core/call"
)

func TestRequestHTTP(t *testing.T) {
	for _, c := range []struct {
		name string
		in   call.Request
		want string
	}{
		{
			"keyed", call.Request{ClientID: "alice", Method: "POST", Path: "/add", Key: "req-1", Keyed: true, Amount: 10},
			"POST /add HTTP/1.1\nX-Client-ID: alice\nIdempotency-Key: req-1\nContent-Type: application/json\n\n{\"amount\":10}\n",
		},
		{
			"blank key, no amount", call.Request{ClientID: "bob", Method: "DELETE", Path: "/total", Keyed: true},
			"DELETE /total HTTP/1.1\nX-Client-ID: bob\nIdempotency-Key:\n\n",
		},
		{
			"a reservation", call.Request{Method: "POST", Path: "/reservations", Amount: 1, Slot: 2},
			"POST /reservations HTTP/1.1\nContent-Type: application/json\n\n{\"amount\":1,\"slot\":2}\n",
		},
		{
			"a line feed cannot make a header", call.Request{Method: "GET", Path: "/work", Key: "a\r\nX: 1", Keyed: true},
			"GET /work HTTP/1.1\nIdempotency-Key: a\ufffd\ufffdX: 1\n\n",
		},
	} {
		if got := call.RequestHTTP(c.in); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestResponseHTTP(t *testing.T) {
	for _, c := range []struct {
		name string
		in   call.Response
		want string
	}{
		{
			"throttled", call.Response{Status: 429, RetryAfter: "2", HasRetryAfter: true, Body: call.Body{Code: "rate_limited"}},
			"HTTP/1.1 429 Too Many Requests\nContent-Type: application/json\nRetry-After: 2\n\n{\"error\":\"rate_limited\"}\n",
		},
		{
			"replayed", call.Response{Status: 200, Replayed: true, Body: call.Body{HasTotal: true, Total: 10}},
			"HTTP/1.1 200 OK\nContent-Type: application/json\nIdempotent-Replayed: true\n\n{\"total\":10}\n",
		},
		{
			"made", call.Response{Status: 201, Location: "/reservations/1", Body: call.Body{Text: `{"reservation":1}`, HasTotal: true, Total: 9}},
			"HTTP/1.1 201 Created\nContent-Type: application/json\nLocation: /reservations/1\n\n{\"reservation\":1}\n",
		},
		{
			"with fields", call.Response{Status: 503, Fields: "Date: Mon, 30 Nov 2026 12:00:01 GMT\nX-Empty: \nX-Odd: a\rb\n"},
			"HTTP/1.1 503 Service Unavailable\nContent-Type: application/json\nDate: Mon, 30 Nov 2026 12:00:01 GMT\nX-Empty:\nX-Odd: a\ufffdb\n\n{\"ok\":true}\n",
		},
		{
			"no phrase", call.Response{Status: 599},
			"HTTP/1.1 599\nContent-Type: application/json\n\n{\"ok\":true}\n",
		},
		{"none", call.Response{}, ""},
	} {
		if got := call.ResponseHTTP(c.in); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
