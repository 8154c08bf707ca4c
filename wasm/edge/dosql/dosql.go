// Package dosql is a driver of database/sql for the database of a Durable Object, which runs one statement at a time,
// at once, and knows numbers as doubles only. The program's main turns values into JavaScript's; so this package runs
// in a plain test too.
//
// A whole number must lie within ±2^53 on its way in and out; longer ones go as text, with CAST in the statement. There
// are no transactions in SQL: an object takes a step as a whole with transactionSync, which is a function of its host.
package dosql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// Engine runs statements. Arguments and values are nil, float64, string or []byte.
type Engine interface {
	Exec(statement string, args []any) (columns []string, rows [][]any, err error)
}

// Connector opens connections to an engine; use it with sql.OpenDB and SetMaxOpenConns(1).
type Connector struct{ Engine Engine }

// Connect implements driver.Connector.
func (c Connector) Connect(context.Context) (driver.Conn, error) { return conn{c.Engine}, nil }

// Driver implements driver.Connector.
func (c Connector) Driver() driver.Driver { return c }

// Open implements driver.Driver; the name means nothing.
func (c Connector) Open(string) (driver.Conn, error) { return conn{c.Engine}, nil }

// errTx says what to do instead.
var errTx = errors.New("dosql: the database of a Durable Object has no transactions in SQL; transactionSync takes a step as a whole")

type conn struct{ engine Engine }

func (conn) Begin() (driver.Tx, error) { return nil, errTx }
func (conn) Close() error              { return nil }

func (c conn) Prepare(statement string) (driver.Stmt, error) { return stmt{c, statement}, nil }

// ExecContext implements driver.ExecerContext. RowsAffected is asked for only when somebody wants to know it, before the next
// statement.
func (c conn) ExecContext(_ context.Context, statement string, args []driver.NamedValue) (driver.Result, error) {
	_, _, err := c.run(statement, args)
	return result(c), err
}

// QueryContext implements driver.QueryerContext. All rows are read at once, so that none is open when the next statement runs.
func (c conn) QueryContext(_ context.Context, statement string, args []driver.NamedValue) (driver.Rows, error) {
	columns, values, err := c.run(statement, args)
	if err != nil {
		return nil, err
	}
	return &rows{columns: columns, values: values}, nil
}

func (c conn) run(statement string, args []driver.NamedValue) ([]string, [][]any, error) {
	in := make([]any, len(args))
	for i, a := range args {
		if a.Name != "" {
			return nil, nil, fmt.Errorf("dosql: the argument %s has a name; write ?%d", a.Name, a.Ordinal)
		}
		v, err := toEngine(a.Value)
		if err != nil {
			return nil, nil, fmt.Errorf("dosql: argument %d: %w", a.Ordinal, err)
		}
		in[i] = v
	}
	columns, values, err := c.engine.Exec(statement, in)
	if err != nil {
		return nil, nil, fmt.Errorf("dosql: %w", err)
	}
	return columns, values, nil
}

// exact is the first whole number from 0 that a double may stand for together with another one.
const exact = 1 << 53

func toEngine(v driver.Value) (any, error) {
	switch v := v.(type) {
	case nil, float64, string:
		return v, nil
	case []byte:
		if v == nil {
			return nil, nil
		}
		return v, nil
	case bool:
		if v {
			return 1.0, nil
		}
		return 0.0, nil
	case int64:
		if v <= -exact || v >= exact {
			return nil, fmt.Errorf("%d is too long for a double; give it as text, with CAST in the statement", v)
		}
		return float64(v), nil
	}
	return nil, fmt.Errorf("there is no value for a %T", v)
}

func fromEngine(v any) (driver.Value, error) {
	f, ok := v.(float64)
	switch {
	case !ok || f != float64(int64(f)):
		return v, nil
	case f <= -exact || f >= exact:
		return nil, fmt.Errorf("dosql: %.0f may have been rounded; take it as text, with CAST in the statement", f)
	}
	return int64(f), nil
}

type stmt struct {
	conn
	text string
}

func (stmt) NumInput() int { return -1 }

func (s stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), s.text, named(args))
}

func (s stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), s.text, named(args))
}

func named(args []driver.Value) []driver.NamedValue {
	list := make([]driver.NamedValue, len(args))
	for i, v := range args {
		list[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return list
}

type result struct{ engine Engine }

func (result) LastInsertId() (int64, error) {
	return 0, errors.New("dosql: take the id with RETURNING")
}

func (r result) RowsAffected() (int64, error) {
	_, values, err := r.engine.Exec("SELECT changes()", nil)
	if err != nil {
		return 0, fmt.Errorf("dosql: %w", err)
	}
	n, _ := values[0][0].(float64)
	return int64(n), nil
}

type rows struct {
	columns []string
	values  [][]any
}

func (r *rows) Columns() []string { return r.columns }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(row []driver.Value) error {
	if len(r.values) == 0 {
		return io.EOF
	}
	for i, v := range r.values[0] {
		var err error
		if row[i], err = fromEngine(v); err != nil {
			return err
		}
	}
	r.values = r.values[1:]
	return nil
}
