package sqlstore

import (
	"context"
	"errors"

	"retrylab.example/web/live"
)

// part is how many bytes of a snapshot one row holds.
const part = 1 << 20

// Snapshot implements live.Store.
func (s *Store) Snapshot(ctx context.Context, id string, n int64, state []byte) error {
	return s.home.Write(func(q Queries) error {
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
	return s.home.Write(func(q Queries) error {
		p, err := find(ctx, q, id)
		if errors.Is(err, live.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return remove(ctx, q, p.lab)
	})()
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
	err = s.home.Write(func(q Queries) error {
		over, err := blobs(ctx, q, `SELECT id FROM labs WHERE expires <= ?1 ORDER BY id`, now)
		if err != nil {
			return err
		}
		ids = nil
		for _, id := range over {
			p, err := find(ctx, q, string(id))
			if err != nil {
				return err
			}
			if err := remove(ctx, q, p.lab); err != nil {
				return err
			}
			ids = append(ids, string(id))
		}
		return nil
	})()
	return ids, err
}

// Count implements live.Store.
func (s *Store) Count(ctx context.Context, owner string) (all, owned int, err error) {
	err = s.home.Write(func(q Queries) error {
		return q.QueryRowContext(ctx, `SELECT count(*), ifnull(sum(owner = ?1), 0) FROM labs`, owner).Scan(&all, &owned)
	})()
	return all, owned, err
}
