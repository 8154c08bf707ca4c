//go:build !js

package dosql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // stands in for the database of an object

	"retrylab.example/web/live"
	"retrylab.example/web/live/sqlstore"
	"retrylab.example/web/live/storetest"
)

// object stands in for a Durable Object: the same engine, which gets and gives numbers as doubles only, takes rows of at
// most two megabytes, and knows a transaction only as a function.
type object struct {
	t  *testing.T
	db *sql.DB
}

func newObject(t *testing.T) *object {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return &object{t, db}
}

func (o *object) Exec(statement string, args []any) (columns []string, values [][]any, err error) {
	for i, a := range args {
		switch a := a.(type) {
		case nil, float64, string, []byte:
			if b, ok := a.([]byte); ok && len(b) > 2_000_000 {
				return nil, nil, errors.New("string or blob too big")
			}
		default:
			o.t.Errorf("argument %d of %s is a %T", i, statement, a)
		}
	}
	rows, err := o.db.Query(statement, args...)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	if columns, err = rows.Columns(); err != nil {
		return nil, nil, err
	}
	for rows.Next() {
		row := make([]any, len(columns))
		to := make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, nil, err
		}
		for i, v := range row {
			if n, ok := v.(int64); ok {
				row[i] = float64(n)
			}
		}
		values = append(values, row)
	}
	return columns, values, rows.Err()
}

// Write implements sqlstore.Home as the program at the edge does: one step after the other, at once.
func (o *object) Write(step func(sqlstore.Queries) error) (wait func() error) {
	db := sql.OpenDB(Connector{o})
	db.SetMaxOpenConns(1)
	defer db.Close()
	err := o.transact(func() error { return step(db) })
	return func() error { return err }
}

func (o *object) transact(f func() error) error {
	if _, err := o.db.Exec(`BEGIN`); err != nil {
		return err
	}
	err, end := f(), `COMMIT`
	if err != nil {
		end = `ROLLBACK`
	}
	_, fault := o.db.Exec(end)
	return errors.Join(err, fault)
}

// TestStore: the tables and statements of the file on one machine do in an object too.
func TestStore(t *testing.T) {
	o := newObject(t)
	storetest.Suite(t, func(t *testing.T) live.Store {
		s, err := sqlstore.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// TestValues: what goes in comes out as it was, or is refused; nothing is rounded.
func TestValues(t *testing.T) {
	db := sql.OpenDB(Connector{newObject(t)})
	defer db.Close()
	for _, c := range []struct {
		in   any
		want string
	}{
		{nil, "<nil> <nil>"}, {"é ☃", "string é ☃"}, {"", "string "}, {[]byte("ab"), "[]uint8 [97 98]"}, {[]byte(nil), "<nil> <nil>"},
		{true, "int64 1"}, {false, "int64 0"}, {7, "int64 7"}, {-7, "int64 -7"}, {1.5, "float64 1.5"}, {2.0, "int64 2"},
		{exact - 1, "int64 9007199254740991"}, {1 - exact, "int64 -9007199254740991"},
		{exact, "too long"}, {-exact, "too long"}, {math.MaxInt64, "too long"}, {math.MinInt64, "too long"},
	} {
		var got any
		err := db.QueryRow(`SELECT ?1`, c.in).Scan(&got)
		text := fmt.Sprintf("%T %v", got, got)
		if err != nil {
			text = err.Error()
		}
		if text != c.want && !(c.want == "too long" && strings.Contains(text, c.want)) {
			t.Errorf("%v: got %s, want %s", c.in, text, c.want)
		}
	}
	var long int64
	if err := db.QueryRow(`SELECT 9007199254740993`).Scan(&long); err == nil || !strings.Contains(err.Error(), "may have been rounded") {
		t.Errorf("a number that a double does not hold: got %d, %v", long, err)
	}
	if err := db.QueryRow(`SELECT CAST(CAST(?1 AS INTEGER) AS TEXT)`, "9007199254740993").Scan(&long); err != nil || long != 9007199254740993 {
		t.Errorf("a long number as text: got %d, %v", long, err)
	}
	if _, err := db.Exec(`SELECT ?1`, sql.Named("a", 1)); err == nil {
		t.Error("an argument with a name is taken")
	}
	if _, err := db.Begin(); !errors.Is(err, errTx) {
		t.Errorf("Begin: got %v", err)
	}
}

// TestRowsAffected counts the rows of the statement, and an error of the engine comes through.
func TestRowsAffected(t *testing.T) {
	db := sql.OpenDB(Connector{newObject(t)})
	defer db.Close()
	ctx := context.Background()
	exec := func(statement string, args ...any) sql.Result {
		t.Helper()
		r, err := db.ExecContext(ctx, statement, args...)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	exec(`CREATE TABLE a(b INTEGER UNIQUE)`)
	r := exec(`INSERT INTO a VALUES(1), (2), (3)`)
	if n, err := r.RowsAffected(); err != nil || n != 3 {
		t.Errorf("got %d rows, %v; want 3", n, err)
	}
	if _, err := r.LastInsertId(); err == nil {
		t.Error("there is an id of the last row")
	}
	if _, err := db.Exec(`INSERT INTO a VALUES(?1)`, 2); err == nil || !strings.Contains(err.Error(), "UNIQUE") {
		t.Errorf("got %v, want what the engine says", err)
	}
	p, err := db.Prepare(`SELECT b FROM a WHERE b > ?1 ORDER BY b`)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := p.Query(1)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []int
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	if fmt.Sprint(all) != "[2 3]" {
		t.Errorf("got %v", all)
	}
}
