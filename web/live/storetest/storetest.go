// Package storetest is what every store of labs must do.
package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/web/live"
)

// Suite is the test of a store: open gives the store; it is asked again where a restart must lose nothing.
func Suite(t *testing.T, open func(*testing.T) live.Store) {
	ctx := t.Context()
	s := open(t)
	row := func(id, owner string, expires int64) live.Row {
		return live.Row{
			ID: id, Owner: owner, Definition: []byte(`{"seed":1,"text":"é ☃"}`), Epoch: 1_796_040_000_123,
			Idle: time.Hour, Expires: expires,
		}
	}
	must := func(err error) { t.Helper(); expectError(t, err, nil) }
	is := func(err, want error) { t.Helper(); expectError(t, err, want) }
	must(s.Create(ctx, row("a", "alice", 1000)))
	must(s.Create(ctx, row("b", "bob", 2000)))
	must(s.Create(ctx, row("c", "bob", 3000)))
	is(s.Create(ctx, row("a", "bob", 9000)), live.ErrExists)
	_, err := s.Load(ctx, "d")
	is(err, live.ErrNotFound)

	record := func(n int64) []byte { return fmt.Appendf(nil, `{"at":%d,"key":"k\"%d"}`, n*1_000_000_007, n) }
	for n := int64(1); n <= 5; n++ {
		must(s.Append(ctx, "a", n, 1000+n, record(n))())
	}
	is(s.Append(ctx, "a", 5, 0, record(5))(), live.ErrConflict)
	is(s.Append(ctx, "a", 7, 0, record(7))(), live.ErrConflict)
	is(s.Append(ctx, "b", 2, 0, record(2))(), live.ErrConflict)
	is(s.Append(ctx, "d", 1, 0, record(1))(), live.ErrNotFound)
	is(s.Snapshot(ctx, "d", 0, nil), live.ErrNotFound)
	is(s.Snapshot(ctx, "a", 6, nil), live.ErrConflict)

	expectSaved(t, open(t), "a", nil, 0, 1005, [][]byte{record(1), record(2), record(3), record(4), record(5)})
	s = open(t)
	long := []byte("[\"state\"]\n" + strings.Repeat("[\"row\",\"é ☃\"]\n", 200_000)) // more than a row holds in some databases
	must(s.Snapshot(ctx, "a", 3, long))
	expectSaved(t, open(t), "a", long, 3, 1005, [][]byte{record(4), record(5)})
	s = open(t)
	must(s.Append(ctx, "a", 6, 1000, record(6))())
	must(s.Snapshot(ctx, "a", 6, []byte("[6]\n")))
	expectSaved(t, open(t), "a", []byte("[6]\n"), 6, 1005, nil)
	s = open(t)
	must(s.Append(ctx, "a", 7, 1000, record(7))())
	expectSaved(t, s, "a", []byte("[6]\n"), 6, 1005, [][]byte{record(7)})
	storeForgets(t, open, row)
}

// storeForgets is what a store must do with labs that are over. It has three.
func storeForgets(t *testing.T, open func(*testing.T) live.Store, row func(id, owner string, expires int64) live.Row) {
	ctx, s := t.Context(), open(t)
	counts := func(owner string, all, owned int) {
		t.Helper()
		if a, o, err := s.Count(ctx, owner); err != nil || a != all || o != owned {
			t.Errorf("Count(%q): got %d and %d, %v; want %d and %d", owner, a, o, err, all, owned)
		}
	}
	counts("bob", 3, 2)
	counts("nobody", 3, 0)
	ids, err := s.Expire(ctx, 2000)
	expectError(t, err, nil)
	if !slices.Equal(ids, []string{"a", "b"}) {
		t.Errorf("expired: got %q, want a and b", ids)
	}
	counts("bob", 1, 1)
	_, err = s.Load(ctx, "a")
	expectError(t, err, live.ErrNotFound)
	expectError(t, s.Append(ctx, "a", 8, 0, []byte("8"))(), live.ErrNotFound)
	expectError(t, s.Create(ctx, row("a", "carol", 5000)), nil) // nothing of the old one comes back
	expectSaved(t, open(t), "a", nil, 0, 5000, nil)
	s = open(t)
	expectError(t, s.Delete(ctx, "a"), nil)
	expectError(t, s.Delete(ctx, "a"), nil)
	expectError(t, s.Delete(ctx, "c"), nil)
	counts("bob", 0, 0)
}

// expectSaved compares what a store has of a lab.
func expectSaved(t *testing.T, s live.Store, id string, state []byte, at, expires int64, records [][]byte) {
	t.Helper()
	got, err := s.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.State) != string(state) || got.At != at {
		t.Errorf("state: got %d bytes after %d records, want %d after %d", len(got.State), got.At, len(state), at)
	}
	if !slices.EqualFunc(got.Records, records, slices.Equal) {
		t.Errorf("records: got %q, want %q", got.Records, records)
	}
	if got.Epoch != 1_796_040_000_123 || got.Idle != time.Hour || string(got.Definition) != `{"seed":1,"text":"é ☃"}` {
		t.Errorf("the row came back as %+v", got.Row)
	}
	if got.Expires != expires {
		t.Errorf("it expires at %d, want %d", got.Expires, expires)
	}
}

func expectError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}
