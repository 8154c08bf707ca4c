package live_test

import (
	"fmt"
	"strings"
	"testing"

	"retrylab.example/web/live"
	"retrylab.example/web/live/storetest"
)

func TestMemory(t *testing.T) {
	m := &live.Memory{}
	storetest.Suite(t, func(*testing.T) live.Store { return m })
}

// TestMemoryIsBounded: beyond its bytes it keeps nothing more, until something leaves.
func TestMemoryIsBounded(t *testing.T) {
	a := newApp(t, live.HouseConfig{Store: &live.Memory{Most: 10_000}}, `{}`)
	n := 0
	for ; n < 1000; n++ {
		if w := a.add("k"); w.Code != 200 {
			a.expect(w, 503, "house-full")
			break
		}
	}
	if n < 10 || n > 300 {
		t.Errorf("%d records fit", n)
	}
	a.expect(a.ask("POST", "/v1/labs", `{"scenario":{"clients":[`+client(40)+`]}}`), 503, "house-full")
	a.expect(a.ask("DELETE", a.base, ""), 204, "")
	a.base = a.make(`{}`)
	a.expect(a.add("k"), 200, "")
}

// client writes so many clients of a scenario.
func client(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"name":"c-%d","policy":{"preset":"contract-a"}}`, i)
	}
	return strings.Join(list, ",")
}
