package sqlstore

import (
	"context"
	"errors"
	"fmt"
)

// schema are the steps from an empty database to the present tables. Published steps never change: a database knows how
// many of them it has had, and gets the rest. There is no way back.
//
// Instants are milliseconds since 1970; those within a lab, in nanoseconds from its epoch on, stand in its records.
var schema = [][]string{
	{
		`CREATE TABLE labs(
			lab INTEGER PRIMARY KEY,
			id TEXT NOT NULL UNIQUE,
			owner TEXT NOT NULL,
			epoch INTEGER NOT NULL,
			idle_ms INTEGER NOT NULL,
			expires INTEGER NOT NULL,
			last INTEGER NOT NULL,
			saved INTEGER NOT NULL
		)`,
		`CREATE INDEX labs_owner ON labs(owner)`,
		// Apart from labs, whose rows are written with each record.
		`CREATE TABLE definitions(lab INTEGER PRIMARY KEY, definition BLOB NOT NULL)`,
		`CREATE TABLE journal(lab INTEGER NOT NULL, n INTEGER NOT NULL, record BLOB NOT NULL, PRIMARY KEY(lab, n)) WITHOUT ROWID`,
		// In parts, because a row in a Durable Object holds two megabytes.
		`CREATE TABLE snapshots(lab INTEGER NOT NULL, part INTEGER NOT NULL, state BLOB NOT NULL, PRIMARY KEY(lab, part))`,
	},
}

// ErrForeign is returned for a database with other tables than ours.
var ErrForeign = errors.New("this database has other tables than a Retry Lab's; name another file")

// NewerError is returned for a database that a newer program has written.
type NewerError struct {
	Has, Knows int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("this database has version %d of the tables, and this program knows versions up to %d: "+
		"take the program that wrote it, or a newer one", e.Has, e.Knows)
}

// version gives how many steps a database has had; 0 is an empty one.
func version(q Queries) (n int, err error) {
	const tables = `SELECT count(*), ifnull(sum(name = 'retrylab'), 0) FROM sqlite_master
		WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_cf\_%' ESCAPE '\'`
	var all, ours int
	if err := q.QueryRowContext(context.Background(), tables).Scan(&all, &ours); err != nil {
		return 0, err
	}
	switch {
	case all == 0:
		return 0, nil
	case ours == 0:
		return 0, ErrForeign
	}
	if err := q.QueryRowContext(context.Background(), `SELECT version FROM retrylab`).Scan(&n); err != nil {
		return 0, err
	}
	if n > len(schema) {
		return 0, &NewerError{Has: n, Knows: len(schema)}
	}
	return n, nil
}

// migrate brings a database to the present version.
func migrate(q Queries) error {
	has, err := version(q)
	if err != nil || has == len(schema) {
		return err
	}
	ctx := context.Background()
	if has == 0 {
		if _, err := q.ExecContext(ctx, `CREATE TABLE retrylab(version INTEGER NOT NULL)`); err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `INSERT INTO retrylab(version) VALUES(0)`); err != nil {
			return err
		}
	}
	for _, step := range schema[has:] {
		for _, statement := range step {
			if _, err := q.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%w in: %s", err, statement)
			}
		}
	}
	_, err = q.ExecContext(ctx, `UPDATE retrylab SET version = ?1`, len(schema))
	return err
}
