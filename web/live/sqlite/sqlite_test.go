package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrylab.example/web/live"
	"retrylab.example/web/live/sqlstore"
	"retrylab.example/web/live/storetest"
)

func mustOpen(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a name? with #100% of é.db")
	var open *Store
	storetest.Suite(t, func(t *testing.T) live.Store {
		if open != nil {
			if err := open.Close(); err != nil {
				t.Fatal(err)
			}
		}
		open = mustOpen(t, path)
		return open
	})
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// hold stops the store in the middle of a commit until release is called; what is written meanwhile waits for the next.
func hold(s *Store) (release func()) {
	begun, end := make(chan struct{}), make(chan struct{})
	wait := s.home.Write(func(sqlstore.Queries) error {
		close(begun)
		<-end
		return nil
	})
	<-begun
	return func() {
		close(end)
		_ = wait()
	}
}

func newLab(t testing.TB, s *Store, id string) {
	t.Helper()
	if err := s.Create(t.Context(), live.Row{ID: id, Idle: time.Hour}); err != nil {
		t.Fatal(err)
	}
}

// TestGroup: what waits is committed at once, in its order, and one step that fails takes nothing with it, neither the
// steps before it nor those behind.
func TestGroup(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "labs"))
	newLab(t, s, "a")
	release, ran := hold(s), 0
	counted := s.home.Write(func(sqlstore.Queries) error { ran++; return nil })
	var waits []func() error
	for _, n := range []int64{1, 2, 4, 3, 3, 4} {
		waits = append(waits, s.Append(t.Context(), "a", n, n, []byte{byte(n)}))
	}
	broken := errors.New("broken")
	half := s.home.Write(func(q sqlstore.Queries) error {
		if _, err := q.ExecContext(context.Background(), `DELETE FROM labs`); err != nil {
			return err
		}
		return broken
	})
	release()
	for i, want := range []error{nil, nil, live.ErrConflict, nil, live.ErrConflict, nil} {
		if err := waits[i](); !errors.Is(err, want) {
			t.Errorf("append %d: got %v, want %v", i, err, want)
		}
	}
	if err := half(); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	// Once with the others, in a commit that came to nothing, and once alone.
	if err := counted(); err != nil || ran != 2 {
		t.Errorf("a step of the group ran %d times, want 2: %v", ran, err)
	}
	if got, err := s.Load(t.Context(), "a"); err != nil || len(got.Records) != 4 || got.Expires != 4 {
		t.Errorf("got %+v, %v; want 4 records", got, err)
	}
}

// TestDiskFull: a record that has no place is not kept, whoever waits for it is told so, and later ones are kept again.
func TestDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labs")
	s := mustOpen(t, path)
	newLab(t, s, "a")
	pages := func(most string) {
		t.Helper()
		if err := s.home.Write(func(q sqlstore.Queries) error {
			rows, err := q.QueryContext(context.Background(), `PRAGMA max_page_count = `+most)
			if err != nil {
				return err
			}
			return rows.Close()
		})(); err != nil {
			t.Fatal(err)
		}
	}
	pages("1") // as many as there are
	big := []byte(strings.Repeat("x", 100_000))
	if err := s.Append(t.Context(), "a", 1, 0, big)(); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("got %v, want that the disk is full", err)
	}
	if err := s.Append(t.Context(), "a", 2, 0, nil)(); !errors.Is(err, live.ErrConflict) {
		t.Errorf("a record after one that was not kept: got %v, want %v", err, live.ErrConflict)
	}
	pages("1000")
	if err := s.Append(t.Context(), "a", 1, 0, big)(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := mustOpen(t, path).Load(t.Context(), "a"); err != nil || len(got.Records) != 1 {
		t.Errorf("got %d records, %v; want 1", len(got.Records), err)
	}
}

// TestRefusedFiles: each file that cannot be taken has its sentence.
func TestRefusedFiles(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	change := func(name string, statements ...string) {
		t.Helper()
		h, err := open(in(name))
		if err != nil {
			t.Fatal(err)
		}
		defer h.close()
		for _, statement := range statements {
			if err := h.Write(func(q sqlstore.Queries) error {
				_, err := q.ExecContext(context.Background(), statement)
				return err
			})(); err != nil {
				t.Fatal(err)
			}
		}
	}
	newer := mustOpen(t, in("newer"))
	newLab(t, newer, "a")
	if err := newer.Close(); err != nil {
		t.Fatal(err)
	}
	change("newer", `UPDATE retrylab SET version = version + 1`)
	change("foreign", `CREATE TABLE books(title TEXT)`)
	if err := os.WriteFile(in("text"), []byte(strings.Repeat("no database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, in("busy"))
	for name, want := range map[string]string{
		"newer":   "take the program that wrote it, or a newer one",
		"foreign": "has other tables than a Retry Lab's",
		"text":    "is no database of SQLite",
		"busy":    "another program has this file open",
		"no/file": "is there such a folder",
		".":       "cannot be opened or made",
	} {
		s, err := Open(in(name))
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), in(name)) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// TestClosed: closing twice is closing, and who comes later is told.
func TestClosed(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "labs"))
	newLab(t, s, "a")
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "a", 1, 0, nil)(); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want %v", err, ErrClosed)
	}
}

// BenchmarkAppend compares one client with fifty: those wait for the disk together.
func BenchmarkAppend(b *testing.B) {
	for name, clients := range map[string]int{"1": 1, "50": 50} {
		b.Run(name, func(b *testing.B) {
			s := mustOpen(b, filepath.Join(b.TempDir(), "labs"))
			newLab(b, s, "a")
			record, waits := []byte(strings.Repeat("x", 200)), make(chan func() error, clients-1)
			n := int64(0)
			for b.Loop() {
				n++
				wait := s.Append(b.Context(), "a", n, 0, record)
				for len(waits) == cap(waits) && cap(waits) > 0 {
					if err := (<-waits)(); err != nil {
						b.Fatal(err)
					}
				}
				if cap(waits) > 0 {
					waits <- wait
				} else if err := wait(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
