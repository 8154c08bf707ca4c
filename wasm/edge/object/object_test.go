//go:build !js

package object

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	_ "modernc.org/sqlite" // stands in for the databases of objects

	"retrylab.example/web/live"
	"retrylab.example/web/live/sqlstore"
)

// world is a few objects, by their ids. One that is asked for is there.
type world struct {
	t       *testing.T
	objects map[string]*node
	fault   error // what calls between objects come to, if not nil
}

type node struct {
	*Store
	world *world
	id    string
	woken int64
}

func (w *world) at(id string) *node {
	if n := w.objects[id]; n != nil {
		return n
	}
	n := &node{world: w, id: id}
	var err error
	if n.Store, err = New(newHome(w.t), peer{n}); err != nil {
		w.t.Fatal(err)
	}
	w.objects[id] = n
	return n
}

// peer is the Host of an object.
type peer struct{ *node }

func (p peer) ID() string    { return p.id }
func (p peer) Wake(at int64) { p.woken = at }

func (p peer) Create(ctx context.Context, object string, row []byte) error {
	return errors.Join(p.world.fault, p.world.at(object).Made(ctx, row))
}

func (p peer) Expires(ctx context.Context, object string) (int64, error) {
	at, err := p.world.at(object).Store.Expires(ctx)
	return at, errors.Join(p.world.fault, err)
}

func (p peer) Forget(ctx context.Context, object, lab string) error {
	return errors.Join(p.world.fault, p.world.at(object).Store.Forget(ctx, lab))
}

type home struct{ db *sql.DB }

func newHome(t *testing.T) home {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return home{db}
}

func (h home) Write(step func(sqlstore.Queries) error) (wait func() error) {
	tx, err := h.db.Begin()
	if err == nil {
		if err = step(tx); err == nil {
			err = tx.Commit()
		} else {
			err = errors.Join(err, tx.Rollback())
		}
	}
	return func() error { return err }
}

func row(id string, expires int64) live.Row {
	return live.Row{ID: id, Owner: "digest", Definition: []byte("{}"), Epoch: 1, Idle: time.Hour, Expires: expires}
}

// expect compares how many labs an address has at the desk, and what is said of it.
func (n *node) expect(owned int) {
	n.world.t.Helper()
	if _, got, err := n.Count(n.world.t.Context(), "digest"); err != nil || got != owned {
		n.world.t.Errorf("%s counts %d labs, %v; want %d", n.id, got, err, owned)
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestLife: a lab is made in its own object and counted at the desk, until it is ended.
func TestLife(t *testing.T) {
	ctx, w := t.Context(), &world{t: t, objects: map[string]*node{}}
	desk := w.at("desk")
	w.must(desk.Create(ctx, row("one", 1000)))
	w.must(desk.Create(ctx, row("two", 2000)))
	desk.expect(2)
	if got, err := w.at("one").Load(ctx, "one"); err != nil || string(got.Definition) != "{}" || got.Owner != "desk" {
		t.Errorf("the lab: %+v, %v", got, err)
	}
	if desk.woken != 1000 || w.at("two").woken != 2000 {
		t.Errorf("woken at %d and %d", desk.woken, w.at("two").woken)
	}
	if err := desk.Create(ctx, row("one", 3000)); !errors.Is(err, live.ErrExists) {
		t.Errorf("the same again: %v", err)
	}
	w.must(w.at("one").Delete(ctx, "one"))
	w.must(w.at("one").Delete(ctx, "one"))
	desk.expect(1)
	empty, err := w.at("one").Rest(ctx)
	if err != nil || !empty {
		t.Errorf("the object of a lab that was ended: empty %v, %v", empty, err)
	}
	if empty, err := desk.Rest(ctx); err != nil || empty || desk.woken != 2000 {
		t.Errorf("the desk rests: empty %v, %v, woken at %d", empty, err, desk.woken)
	}
}

// TestNotMade: a lab whose object cannot be reached is not counted.
func TestNotMade(t *testing.T) {
	w := &world{t: t, objects: map[string]*node{}, fault: errors.New("unreachable")}
	desk := w.at("desk")
	if err := desk.Create(t.Context(), row("one", 1000)); !errors.Is(err, w.fault) {
		t.Errorf("got %v", err)
	}
	desk.expect(0)
}

// TestUse: a lab that is used lasts longer than the desk knew; when it is over, both forget it.
func TestUse(t *testing.T) {
	ctx, w := t.Context(), &world{t: t, objects: map[string]*node{}}
	desk := w.at("desk")
	w.must(desk.Create(ctx, row("used", 1000)))
	w.must(desk.Create(ctx, row("idle", 1000)))
	w.must(w.at("used").Append(ctx, "used", 1, 5000, []byte("record"))())
	expire := func(n *node, now int64, want string) {
		t.Helper()
		if ids, err := n.Expire(ctx, now); err != nil || fmt.Sprint(ids) != want {
			t.Errorf("%s at %d: got %v, %v; want %s", n.id, now, ids, err, want)
		}
	}
	w.fault = errors.New("unreachable")
	if _, err := desk.Expire(ctx, 1000); !errors.Is(err, w.fault) {
		t.Errorf("got %v", err)
	}
	desk.expect(2) // nothing is forgotten for not being reached
	w.fault = nil
	expire(w.at("idle"), 1000, "[idle]")
	expire(desk, 1000, "[idle]")
	expire(w.at("used"), 1000, "[]")
	desk.expect(1)
	expire(w.at("used"), 5000, "[used]")
	expire(desk, 5000, "[used]")
	if empty, err := desk.Rest(ctx); err != nil || !empty {
		t.Errorf("empty %v, %v", empty, err)
	}
	w.must(desk.Create(ctx, row("later", 9000)))
	desk.expect(1)
}
