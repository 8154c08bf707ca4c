// Package sqlstore keeps labs in tables of SQLite, with the same statements in both homes: in a file on one machine
// (web/live/sqlite) and in the database of a Durable Object (wasm/edge/dosql). It keeps bytes and compares numbers; no
// rule of the partner is in it.
//
// A database in a Durable Object knows numbers as doubles only, so no number here has more than 53 bits.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"

	"retrylab.example/web/live"
)

// Queries runs single statements of a step, whose rows must be closed before the next one.
type Queries interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// Home is where the database is.
type Home interface {
	// Write runs a step as a whole or not at all, after all that were written before. What wait returns is the step's
	// error, or the database's; when it returns nil, what was done outlives the machine. A step may run more than once,
	// of which one counts, and it holds all others up.
	Write(step func(Queries) error) (wait func() error)
}

// Store is a live.Store over a database. Use Open.
type Store struct {
	home  Home
	empty atomic.Bool // there are no tables before the first lab
}

var _ live.Store = (*Store)(nil)

// Open brings a database to the present version of the tables; an empty one stays so until there is a lab. The error is
// a NewerError if a newer program has written it, and ErrForeign if it is another program's.
func Open(home Home) (*Store, error) {
	s := &Store{home: home}
	err := home.Write(func(q Queries) error {
		has, err := version(q)
		if s.empty.Store(has == 0); err != nil || has == 0 {
			return err
		}
		return migrate(q)
	})()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// write runs a step that needs a lab: without tables there is none.
func (s *Store) write(step func(Queries) error) (wait func() error) {
	if s.empty.Load() {
		return func() error { return live.ErrNotFound }
	}
	return s.home.Write(step)
}

// Create implements live.Store.
func (s *Store) Create(ctx context.Context, r live.Row) error {
	err := s.home.Write(func(q Queries) error {
		if s.empty.Load() {
			if err := migrate(q); err != nil {
				return err
			}
		}
		var lab int64
		err := q.QueryRowContext(ctx, `INSERT INTO labs(id, owner, epoch, idle_ms, expires, last, saved)
			VALUES(?1, ?2, ?3, ?4, ?5, 0, 0) ON CONFLICT DO NOTHING RETURNING lab`,
			r.ID, r.Owner, r.Epoch, r.Idle.Milliseconds(), r.Expires).Scan(&lab)
		if errors.Is(err, sql.ErrNoRows) {
			return live.ErrExists
		}
		if err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `INSERT INTO definitions(lab, definition) VALUES(?1, ?2)`, lab, nonNil(r.Definition))
		return err
	})()
	if err == nil {
		s.empty.Store(false)
	}
	return err
}

// nonNil tells no bytes from NULL.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Append implements live.Store.
func (s *Store) Append(_ context.Context, id string, n, expires int64, record []byte) (wait func() error) {
	ctx := context.Background() // whether the client still waits or not
	return s.write(func(q Queries) error {
		var lab int64
		err := q.QueryRowContext(ctx, `UPDATE labs SET last = ?2, expires = max(expires, ?3) WHERE id = ?1 AND last = ?2 - 1
			RETURNING lab`, id, n, expires).Scan(&lab)
		if errors.Is(err, sql.ErrNoRows) {
			if _, err := find(ctx, q, id); err != nil {
				return err
			}
			return live.ErrConflict
		}
		if err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `INSERT INTO journal(lab, n, record) VALUES(?1, ?2, ?3)`, lab, n, nonNil(record))
		return err
	})
}

// place is the row of a lab and where its journal is.
type place struct{ lab, last, saved int64 }

func find(ctx context.Context, q Queries, id string) (p place, err error) {
	err = q.QueryRowContext(ctx, `SELECT lab, last, saved FROM labs WHERE id = ?1`, id).Scan(&p.lab, &p.last, &p.saved)
	if errors.Is(err, sql.ErrNoRows) {
		err = live.ErrNotFound
	}
	return p, err
}

// Load implements live.Store.
func (s *Store) Load(ctx context.Context, id string) (live.Saved, error) {
	var v live.Saved
	err := s.write(func(q Queries) (err error) {
		v, err = load(ctx, q, id)
		return err
	})()
	return v, err
}

func load(ctx context.Context, q Queries, id string) (v live.Saved, err error) {
	p, err := find(ctx, q, id)
	if err != nil {
		return live.Saved{}, err
	}
	if v.Row, err = row(ctx, q, p.lab); err != nil {
		return live.Saved{}, err
	}
	v.At = p.saved
	if v.At > 0 {
		parts, err := blobs(ctx, q, `SELECT state FROM snapshots WHERE lab = ?1 ORDER BY part`, p.lab)
		if err != nil {
			return live.Saved{}, err
		}
		for _, part := range parts {
			v.State = append(v.State, part...)
		}
	}
	v.Records, err = blobs(ctx, q, `SELECT record FROM journal WHERE lab = ?1 ORDER BY n`, p.lab)
	return v, err
}

// row gives what is known of a lab from its beginning.
func row(ctx context.Context, q Queries, lab int64) (r live.Row, err error) {
	var idle int64
	err = q.QueryRowContext(ctx, `SELECT id, owner, definition, epoch, idle_ms, expires FROM labs JOIN definitions USING(lab)
		WHERE lab = ?1`, lab).Scan(&r.ID, &r.Owner, &r.Definition, &r.Epoch, &idle, &r.Expires)
	r.Idle = time.Duration(idle) * time.Millisecond
	return r, err
}

// Row is Load without state and records.
func (s *Store) Row(ctx context.Context, id string) (r live.Row, err error) {
	err = s.write(func(q Queries) error {
		p, err := find(ctx, q, id)
		if err != nil {
			return err
		}
		r, err = row(ctx, q, p.lab)
		return err
	})()
	return r, err
}

// blobs gives the one column of all rows.
func blobs(ctx context.Context, q Queries, statement string, args ...any) (list [][]byte, err error) {
	rows, err := q.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var b []byte
		if err := rows.Scan(&b); err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, rows.Err()
}
