package live

import (
	"context"
	"errors"
	"time"
)

// Store keeps labs over restarts. A lab is what it began as, the requests that arrived, and now and then a snapshot of
// its state; core makes the state of them anew. Records and states are texts that mean nothing to a store.
//
// Calls for one lab never overlap; those for different labs may.
type Store interface {
	// Create keeps a new lab; ErrExists if there is one of that id.
	Create(ctx context.Context, r Row) error
	// Load returns a lab, expired or not; ErrNotFound if there is none.
	Load(ctx context.Context, id string) (Saved, error)
	// Append keeps record n, which is one more than the last, from 1 on, and when the lab expires now. It gives the
	// record its place in the order at once; when wait returns nil the record outlives the machine. So many records wait
	// for one disk together. ErrConflict: another number comes next, because somebody else has written, or an earlier
	// record was not kept; ErrNotFound: there is no such lab any more.
	Append(ctx context.Context, id string, n, expires int64, record []byte) (wait func() error)
	// Snapshot keeps the state after n records in the place of the one before. Records up to n are not needed any more.
	Snapshot(ctx context.Context, id string, n int64, state []byte) error
	// Delete forgets a lab; of none it forgets nothing.
	Delete(ctx context.Context, id string) error
	// Expire forgets the labs that expire at or before an instant, and returns their ids.
	Expire(ctx context.Context, now int64) (ids []string, err error)
	// Count returns how many labs there are, and how many of them an owner has.
	Count(ctx context.Context, owner string) (all, owned int, err error)
}

// Row is what is known of a lab from its beginning. Its instants are milliseconds since 1970, which every database keeps
// exactly; finer ones are in records only, counted from Epoch.
type Row struct {
	// ID is unguessable: who knows it may ask the lab.
	ID string
	// Owner is in whose quota it counts.
	Owner string
	// Definition is the scenario that it was made from, as JSON with every field.
	Definition []byte
	// Epoch is the instant 0 of the lab.
	Epoch int64
	// Idle is how long it lasts without a request, in whole seconds; Expires is when that is over.
	Idle    time.Duration
	Expires int64
}

// Saved is what a store has of a lab.
type Saved struct {
	Row
	// State is the latest snapshot, nil if there is none, At how many records it holds.
	State []byte
	At    int64
	// Records are those after it, in order and without a gap.
	Records [][]byte
}

// What a store may answer beside an accident.
var (
	ErrNotFound = errors.New("there is no such lab")
	ErrExists   = errors.New("there is a lab of that id already")
	ErrFull     = errors.New("there is no room to keep more")
	ErrConflict = errors.New("the lab's journal goes on elsewhere")
)
