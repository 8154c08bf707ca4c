package live_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"retrylab.example/web/live"
)

// BenchmarkWork asks GET /work of a lab in memory over real connections, and beside it a handler that does nothing but
// answer the same, in turns within one run: their ratio says what the lab costs. The goal is 30 % of the bare one's
// throughput.
func BenchmarkWork(b *testing.B) {
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"ok":true}`)
	}))
	defer bare.Close()
	labs := httptest.NewServer(live.NewHouse(live.HouseConfig{}))
	defer labs.Close()
	res, err := http.Post(labs.URL+"/v1/labs", "application/json", nil)
	if err != nil {
		b.Fatal(err)
	}
	res.Body.Close()
	url := labs.URL + res.Header.Get("Location") + "/work"
	const clients, turn = 4, 250
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	var took [2]time.Duration
	var all [2][]time.Duration
	for n := 0; n < b.N; n += turn {
		for i, where := range []string{bare.URL, url} {
			begun := time.Now()
			all[i] = append(all[i], load(b, c, where, clients, min(turn, b.N-n))...)
			took[i] += time.Since(begun)
		}
	}
	b.ReportMetric(100*float64(took[0])/float64(took[1]), "%bare")
	b.ReportMetric(float64(b.N)/took[1].Seconds(), "labs/s")
	b.ReportMetric(float64(b.N)/took[0].Seconds(), "bare/s")
	for i, name := range []string{"bare-p99-µs", "lab-p99-µs"} {
		slices.Sort(all[i])
		b.ReportMetric(float64(all[i][len(all[i])*99/100].Microseconds()), name)
	}
	b.ReportMetric(0, "ns/op") // of both together it says nothing
}

// load sends so many requests from so many clients and returns how long each took.
func load(b *testing.B, c *http.Client, url string, clients, requests int) (took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			var mine []time.Duration
			for range (requests + i) / clients {
				begun := time.Now()
				res, err := c.Get(url)
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, res.Body)
				res.Body.Close()
				mine = append(mine, time.Since(begun))
			}
			mu.Lock()
			took = append(took, mine...)
			mu.Unlock()
		})
	}
	all.Wait()
	return took
}

// BenchmarkHandler is the same without a network: what of it is the lab's own.
func BenchmarkHandler(b *testing.B) {
	a := newApp(b, live.HouseConfig{}, `{}`)
	b.ReportAllocs()
	for b.Loop() {
		a.ask("GET", a.base+"/work", "")
	}
}

// heap returns how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
