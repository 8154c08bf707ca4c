//go:build release

package site

import "testing"

// limit is how many bytes the program may take on the way to a browser: what a visitor waits for.
const limit = 1_900_000

// TestAppSize builds the real program and compresses it as a release does.
func TestAppSize(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	r := mustBuild(t, Config{Root: root, Out: t.TempDir(), Release: true})
	app := r.File("app.wasm")
	t.Logf("app.wasm: %d bytes, gzip %d, brotli %d of at most %d", app.Raw, app.Gzip, app.Brotli, limit)
	if app.Brotli == 0 || app.Brotli > limit {
		t.Errorf("app.wasm takes %d bytes as brotli, want 1 to %d", app.Brotli, limit)
	}
}
