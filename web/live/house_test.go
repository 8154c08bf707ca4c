package live_test

import (
	"net/http/httptest"
	"testing"

	"retrylab.example/web/live"
	"retrylab.example/web/live/conformance"
)

// TestMemoryHome runs the suite against labs in memory. A restart there is another house on the same store.
func TestMemoryHome(t *testing.T) {
	store := &live.Memory{}
	start := func() *httptest.Server {
		return httptest.NewServer(live.NewHouse(live.HouseConfig{Store: store, MaxOwned: 100}))
	}
	server := start()
	t.Cleanup(func() { server.Close() })
	conformance.Run(t, &conformance.Home{URL: server.URL, Restart: func(*testing.T) string {
		server.Close()
		server = start()
		return server.URL
	}})
}
