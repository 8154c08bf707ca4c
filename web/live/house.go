package live

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"sync"
	"time"
)

// HouseConfig is the setting of a House. The zero value of each field is a default.
type HouseConfig struct {
	// Store keeps the labs; nil is a new Memory.
	Store Store
	// Now is the clock, and AfterFunc calls a function later: those of package time. Tests have others.
	Now       func() time.Time
	AfterFunc func(time.Duration, func()) (stop func() bool)
	// BaseURL is the address under which /v1 is reached, without a slash at its end; "" takes it from each request.
	BaseURL string
	// NewID makes the id of a new lab: 22 letters of base64url, from 128 random bits.
	NewID func() string
	// MaxLabs is how many labs there may be, MaxOwned how many of one address: 1000 and 20.
	MaxLabs, MaxOwned int
	// MaxLoaded is how many labs are in memory at once beside the store, 500.
	MaxLoaded int
	// MaxState is how many bytes a lab's snapshot may have, 4 MiB, and MaxTrace those of the trace that is kept, 512 KiB.
	MaxState, MaxTrace int
	// MaxHeld is how many requests may wait for their answers at once, 2000; MaxWatchers how many traces are watched, 200.
	MaxHeld, MaxWatchers int
	// SnapshotEvery is after how many records a snapshot is taken, 1000.
	SnapshotEvery int64
	// Log is told of what should not happen, as a store that fails; nil: nobody is.
	Log func(error)
	// CannotCut says that connections cannot be cut here: an answer that gets lost is a 504 then.
	CannotCut bool
}

func (c HouseConfig) withDefaults() HouseConfig {
	if c.Store == nil {
		c.Store = &Memory{}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.AfterFunc == nil {
		c.AfterFunc = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	if c.NewID == nil {
		c.NewID = newID
	}
	if c.Log == nil {
		c.Log = func(error) {}
	}
	c.MaxLabs, c.MaxOwned, c.MaxLoaded = cmp.Or(c.MaxLabs, 1000), cmp.Or(c.MaxOwned, 20), cmp.Or(c.MaxLoaded, 500)
	c.MaxState, c.MaxTrace = cmp.Or(c.MaxState, 4<<20), cmp.Or(c.MaxTrace, 512<<10)
	c.MaxHeld, c.MaxWatchers = cmp.Or(c.MaxHeld, 2000), cmp.Or(c.MaxWatchers, 200)
	c.SnapshotEvery = cmp.Or(c.SnapshotEvery, 1000)
	return c
}

func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// House holds the labs of one program and answers for all of them, as openapi.json says. It is safe for concurrent use.
type House struct {
	c        HouseConfig
	held     chan struct{} // a place for each request that waits for its answer
	watchers chan struct{}
	closing  chan struct{} // closed by Close
	close    sync.Once
	making   sync.Mutex // one lab is made at a time, so that a quota is exact

	mu    sync.Mutex
	rooms map[string]*room // the labs in memory, by id
}

// NewHouse returns a house.
func NewHouse(c HouseConfig) *House {
	c = c.withDefaults()
	return &House{
		c: c, held: make(chan struct{}, c.MaxHeld), watchers: make(chan struct{}, c.MaxWatchers), rooms: map[string]*room{},
		closing: make(chan struct{}),
	}
}

// Close ends the traces that are watched, so that a server can stop. Nothing else has to be ended: what labs did is kept.
func (h *House) Close() { h.close.Do(func() { close(h.closing) }) }

// Expire ends the labs that nobody has asked for too long. Somebody should call it once a minute.
func (h *House) Expire(ctx context.Context) error {
	ids, err := h.c.Store.Expire(ctx, h.c.Now().UnixMilli())
	for _, id := range ids {
		h.forget(id)
	}
	return err
}

// forget takes a lab out of memory and ends what waits for it.
func (h *House) forget(id string) {
	h.mu.Lock()
	r := h.rooms[id]
	delete(h.rooms, id)
	h.mu.Unlock()
	if r != nil {
		r.end()
	}
}

// room returns a lab, from memory or from the store; ErrNotFound if there is none, or if it is over.
func (h *House) room(ctx context.Context, id string) (*room, error) {
	if !validID(id) {
		return nil, ErrNotFound
	}
	now := h.c.Now().UnixMilli()
	h.mu.Lock()
	r := h.rooms[id]
	if r == nil {
		r = &room{house: h, id: id}
		r.mu.Lock() // until it is loaded
		h.rooms[id] = r
		h.evict(r)
		h.mu.Unlock()
		err := r.load(ctx)
		r.mu.Unlock()
		if err != nil {
			h.drop(r)
			return nil, err
		}
	} else {
		h.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lab == nil || r.expires <= now {
		return nil, ErrNotFound
	}
	r.used = now
	return r, nil
}

// drop takes a lab out of memory that is not as the store has it.
func (h *House) drop(r *room) {
	h.mu.Lock()
	if h.rooms[r.id] == r {
		delete(h.rooms, r.id)
	}
	h.mu.Unlock()
	r.end()
}

// stays is how long at least a lab is in memory after it was asked for, in milliseconds: whoever asked has it in hand.
const stays = 1000

// evict makes room for another lab: the one that nobody has asked for longest leaves memory, unless somebody waits for it.
func (h *House) evict(but *room) {
	before := h.c.Now().UnixMilli() - stays
	for len(h.rooms) > h.c.MaxLoaded {
		var oldest *room
		for _, r := range h.rooms {
			if r != but && r.mu.TryLock() {
				if r.used <= before && (oldest == nil || r.used < oldest.used) && r.idle() {
					oldest = r
				}
				r.mu.Unlock()
			}
		}
		if oldest == nil {
			return // all of them are in use, and there are at most MaxLabs
		}
		delete(h.rooms, oldest.id)
	}
}

// validID tells what can be the id of a lab in some home: newID's have 22 characters, a Durable Object's 64.
func validID(id string) bool {
	if len(id) < 22 || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// wait returns after a time, or when the context ends; false then.
func (h *House) wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	over := make(chan struct{})
	stop := h.c.AfterFunc(d, func() { close(over) })
	defer stop()
	select {
	case <-over:
		return true
	case <-ctx.Done():
		return false
	}
}

// ServeHTTP answers for everything under /v1.
func (h *House) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store") // each answer depends on the instant
	header.Set("Referrer-Policy", "no-referrer")
	allowOrigins(header)
	switch {
	case headerBytes(r.Header) > MaxHeader:
		Problem(w, http.StatusRequestHeaderFieldsTooLarge, "header-too-large", "The header fields have more than 16384 bytes: send fewer or shorter ones.")
	case r.ContentLength > MaxBody:
		Problem(w, http.StatusRequestEntityTooLarge, "body-too-large", "The body has more than 65536 bytes: send less.")
	default:
		h.dispatch(w, r)
	}
}
