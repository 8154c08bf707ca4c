package timeline

import (
	"strings"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/text"
)

// Labels that have no room are counted beside each other, and the count leads to an event.
func TestLabelsWithoutRoomAreCounted(t *testing.T) {
	s := newSheet(Input{Width: 640, Clients: []string{"shop"}, Lang: text.English})
	s.bounds = box{0, 0, 640, 200}
	s.mark(&event.Event{Seq: 7, At: clock.Start}, "decision", 200, 100)
	long := strings.Repeat("wide ", 40)
	for i := range 3 {
		if _, ok := s.say(plain, place{long, 210, 90 + float64(6*i), left}); ok {
			t.Fatal("there was room")
		}
	}
	s.say(plain, place{long, 500, 40, left})
	s.countMissed()
	var html strings.Builder
	for _, n := range s.layers[textLayer] {
		html.WriteString(n.HTML())
	}
	if got := html.String(); strings.Count(got, ">+3<") != 1 || strings.Count(got, ">+1<") != 1 {
		t.Errorf("it counts %s", got)
	}
	for _, sp := range s.counts {
		if sp.seq != 7 {
			t.Errorf("the count leads to %+v", sp)
		}
	}
	if len(s.counts) != 2 {
		t.Errorf("there are %d places to hit", len(s.counts))
	}
}
