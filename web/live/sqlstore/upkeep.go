package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"retrylab.example/web/live"
)

// part is how many bytes of a snapshot one row holds.
const part = 1 << 20

// Snapshot implements live.Store.
func (s *Store) Snapshot(ctx context.Context, id string, n int64, state []byte) error {
	return s.write(func(q Queries) error {
		p, err := find(ctx, q, id)
		if err != nil {
			return err
		}
		if n < p.saved || n > p.last {
			return live.ErrConflict
		}
		if _, err := q.ExecContext(ctx, `DELETE FROM snapshots WHERE lab = ?1`, p.lab); err != nil {
			return err
		}
		for i := 0; i*part < len(state); i++ {
			bytes := state[i*part : min((i+1)*part, len(state))]
			if _, err := q.ExecContext(ctx, `INSERT INTO snapshots(lab, part, state) VALUES(?1, ?2, ?3)`, p.lab, i, bytes); err != nil {
				return err
			}
		}
		if _, err := q.ExecContext(ctx, `DELETE FROM journal WHERE lab = ?1 AND n <= ?2`, p.lab, n); err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `UPDATE labs SET saved = ?2 WHERE lab = ?1`, p.lab, n)
		return err
	})()
}

// Delete implements live.Store.
func (s *Store) Delete(ctx context.Context, id string) error {
	err := s.write(func(q Queries) error {
		p, err := find(ctx, q, id)
		if err != nil {
			return err
		}
		return remove(ctx, q, p.lab)
	})()
	return unlessNone(err)
}

// unlessNone drops the error of a database without tables, or without that lab.
func unlessNone(err error) error {
	if errors.Is(err, live.ErrNotFound) {
		return nil
	}
	return err
}

// remove deletes all rows of a lab.
func remove(ctx context.Context, q Queries, lab int64) error {
	for _, statement := range []string{
		`DELETE FROM journal WHERE lab = ?1`, `DELETE FROM snapshots WHERE lab = ?1`,
		`DELETE FROM definitions WHERE lab = ?1`, `DELETE FROM labs WHERE lab = ?1`,
	} {
		if _, err := q.ExecContext(ctx, statement, lab); err != nil {
			return err
		}
	}
	return nil
}

// Expire implements live.Store.
func (s *Store) Expire(ctx context.Context, now int64) (ids []string, err error) {
	err = s.write(func(q Queries) error {
		over, err := due(ctx, q, now)
		ids = nil
		for _, p := range over {
			if err := remove(ctx, q, p.lab); err != nil {
				return err
			}
			ids = append(ids, p.id)
		}
		return err
	})()
	return ids, unlessNone(err)
}

type named struct {
	lab int64
	id  string
}

// due gives the labs that are over at an instant.
func due(ctx context.Context, q Queries, now int64) (list []named, err error) {
	rows, err := q.QueryContext(ctx, `SELECT lab, id FROM labs WHERE expires <= ?1 ORDER BY id`, now)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v named
		if err := rows.Scan(&v.lab, &v.id); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// dueAtOnce is how many labs Due gives at most.
const dueAtOnce = 100

// Due gives the ids of labs that are over at an instant, the first hundred.
func (s *Store) Due(ctx context.Context, now int64) (ids []string, err error) {
	err = s.write(func(q Queries) error {
		over, err := due(ctx, q, now)
		ids = nil
		for _, p := range over[:min(len(over), dueAtOnce)] {
			ids = append(ids, p.id)
		}
		return err
	})()
	return ids, unlessNone(err)
}

// Count implements live.Store.
func (s *Store) Count(ctx context.Context, owner string) (all, owned int, err error) {
	err = s.write(func(q Queries) error {
		return q.QueryRowContext(ctx, `SELECT count(*), ifnull(sum(owner = ?1), 0) FROM labs`, owner).Scan(&all, &owned)
	})()
	return all, owned, unlessNone(err)
}

// Next tells when the first lab expires; ok is false if there is none.
func (s *Store) Next(ctx context.Context) (expires int64, ok bool, err error) {
	var first sql.NullInt64
	err = s.write(func(q Queries) error {
		return q.QueryRowContext(ctx, `SELECT min(expires) FROM labs`).Scan(&first)
	})()
	return first.Int64, first.Valid, unlessNone(err)
}

// Prolong moves when a lab expires.
func (s *Store) Prolong(ctx context.Context, id string, expires int64) error {
	return s.write(func(q Queries) error {
		p, err := find(ctx, q, id)
		if err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `UPDATE labs SET expires = max(expires, ?2) WHERE lab = ?1`, p.lab, expires)
		return err
	})()
}

// Emptied tells the store that its tables have been taken away.
func (s *Store) Emptied() { s.empty.Store(true) }
