package lab

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/timeline"
)

// crowded returns the small lesson with a crowd of clients in its first step that is played.
func crowded(t *testing.T) *person {
	l := *small(t)
	l.Steps = slices.Clone(l.Steps)
	i := stepIndex(t, &l, "total")
	sc := &l.Steps[i].Scenario
	sc.Clients, sc.Requests = slices.Clone(sc.Clients), slices.Clone(sc.Requests)
	for n := len(sc.Clients); n < 30; n++ {
		c := sc.Clients[0]
		c.Name = fmt.Sprint("c", n+1)
		sc.Clients, sc.Requests = append(sc.Clients, c), append(sc.Requests, sc.Requests[0])
	}
	return at(t, &l, "total")
}

func TestOneClientOfACrowdIsOpened(t *testing.T) {
	p := crowded(t)
	if !p.drawing().Crowded() || at(t, small(t), "total").crowdBar() != nil {
		t.Fatal("thirty clients are no crowd, or a few are")
	}
	p.use(Open{4})
	if p.drawing().Opened != 5 || !strings.Contains(timeline.Draw(p.drawing()).HTML(), ">c5<") {
		t.Errorf("opened is %d, and c5 has no lane", p.drawing().Opened)
	}
	if said, ok := p.effects[len(p.effects)-1].(effect.Announce); !ok || !strings.Contains(said.Text, "c5") {
		t.Errorf("said %v", p.effects)
	}
	again := New(p.Settings, p.Size, p.place, p.lesson, p.step, p.book, p.History())
	if again.opened != 5 {
		t.Errorf("after a reload %d is opened", again.opened)
	}
	p.use(Open{-1})
	if p.opened != 0 {
		t.Error("it does not close")
	}
	p.use(SetClient{7}, Fire{}).send(Run{}, Run{}, Select{1}, Key{Name: "o"})
	if p.opened != 8 {
		t.Errorf("by key: %d is opened, want the client of the selected event, 8", p.opened)
	}
	if p.send(Key{Name: "o"}); p.opened != 0 {
		t.Error("the key does not close it")
	}
	in := p.drawing()
	found := false
	for x := 0.0; x < 640 && !found; x += 4 {
		for y := 40.0; y < 120 && !found; y += 3 {
			_, found = timeline.HitTest(in, x, y)
			if found {
				p.send(Point{x, y})
			}
		}
	}
	if p.opened != 8 {
		t.Errorf("by a click: %d is opened, want 8", p.opened)
	}
	few := at(t, small(t), "total").send(Open{0})
	if few.opened != 0 {
		t.Error("where every client has a lane, one was opened")
	}
}
