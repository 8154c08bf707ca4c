package sqlite

import (
	"net/http/httptest"
	"path/filepath"
	"testing"

	"retrylab.example/web/live"
	"retrylab.example/web/live/conformance"
)

// TestHome runs the suite against labs in a file. A restart is another house on the file as it is.
func TestHome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labs")
	var store *Store
	start := func() *httptest.Server {
		store = mustOpen(t, path)
		return httptest.NewServer(live.NewHouse(live.HouseConfig{Store: store, MaxOwned: 100}))
	}
	server := start()
	t.Cleanup(func() { server.Close() })
	conformance.Run(t, &conformance.Home{URL: server.URL, Restart: func(t *testing.T) string {
		server.Close()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		server = start()
		return server.URL
	}})
}
