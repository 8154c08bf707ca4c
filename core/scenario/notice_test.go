package scenario

import (
	"reflect"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
)

// A client that takes notices needs no polling: told of its place, it sends what the file says.
func TestOnNotice(t *testing.T) {
	s, err := Read("notice.json", []byte(`{"clients": [
		{"name": "a", "policy": {"preset": "once"}, "request": {"path": "/reservations", "amount": 1, "slot": 2}},
		{"name": "b", "policy": {"preset": "once"}, "request": {"path": "/waitlist", "amount": 1, "slot": 2},
			"onNotice": {"fire": {"path": "/reservations", "key": "r-1"}}}],
		"inputs": [{"fire": {}}, {"at": "1s", "fire": {"client": "b"}},
			{"at": "2s", "fire": {"method": "DELETE", "path": "/reservations/1"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := call.Request{Method: "POST", Path: "/reservations", Key: "r-1", Keyed: true, Amount: 1, Slot: 2}
	if got := s.Clients[1].OnNotice; got == nil || *got != want || s.Clients[0].OnNotice != nil {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	again, err := Read("written.json", s.Write())
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, again, s)
	}
	p, err := s.Play(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range p.Events {
		if e.Kind != event.Notified {
			continue
		}
		if next := p.Events[i+1]; e.At != 2_100_000_000 || e.Request.Client != 1 || next.Kind != event.CallStarted || next.Request.Key != "r-1" {
			t.Errorf("told at %d: %+v, then %+v", e.At, e.Request, next)
		}
		return
	}
	t.Error("nobody was told")
}
