//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"syscall/js"

	"database/sql"

	"retrylab.example/wasm/edge/dosql"
	"retrylab.example/web/live/sqlstore"
)

// host is the object as worker/lab.mjs gives it: its id, its database, and the way to other objects.
type host struct {
	object js.Value
	db     *sql.DB

	mu   sync.Mutex // one step at a time
	step func() error
	err  error
	run  js.Func // runs step, for transactSync
}

func newHost(object js.Value) *host {
	h := &host{object: object}
	h.db = sql.OpenDB(dosql.Connector{Engine: h})
	h.db.SetMaxOpenConns(1)
	h.run = js.FuncOf(func(js.Value, []js.Value) any {
		h.err = h.step()
		return h.err == nil
	})
	return h
}

// errHalf is what a step comes to that did not run to its end inside of the platform's transaction.
var errHalf = errors.New("a step of the database waited for something")

// Write implements sqlstore.Home. What is written is confirmed by the platform before the answer that comes after it
// leaves the object.
func (h *host) Write(step func(sqlstore.Queries) error) (wait func() error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.step, h.err = func() error { return step(h.db) }, errHalf
	if _, err := call(h.object, "transact", h.run); err != nil {
		return func() error { return err }
	}
	err := h.err
	return func() error { return err }
}

// Exec implements dosql.Engine.
func (h *host) Exec(statement string, args []any) (columns []string, rows [][]any, err error) {
	in := make([]any, len(args))
	for i, a := range args {
		if b, ok := a.([]byte); ok {
			a = bytesToJS(b)
		}
		in[i] = a
	}
	out, err := call(h.object, "exec", statement, in)
	if err != nil {
		return nil, nil, err
	}
	names, values := out.Index(0), out.Index(1)
	for i := range names.Length() {
		columns = append(columns, names.Index(i).String())
	}
	for i := range values.Length() {
		row := make([]any, len(columns))
		for k := range row {
			if row[k], err = fromJS(values.Index(i).Index(k)); err != nil {
				return nil, nil, err
			}
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}

// ID implements object.Host, as do the next ones.
func (h *host) ID() string { return h.object.Get("id").String() }

// newID makes the id of a new lab: that of an object that nobody has seen. The platform knows its own ids from invented
// ones.
func (h *host) newID() string { return h.object.Call("newID").String() }

func (h *host) Wake(at int64) { h.object.Call("wake", float64(at)) }

func (h *host) Create(ctx context.Context, object string, row []byte) error {
	_, err := h.ask(ctx, "create", object, string(row))
	return err
}

func (h *host) Expires(ctx context.Context, object string) (at int64, err error) {
	text, err := h.ask(ctx, "expires", object)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

func (h *host) Forget(ctx context.Context, object, lab string) error {
	_, err := h.ask(ctx, "forget", object, lab)
	return err
}

// ask waits for what another object answers.
func (h *host) ask(ctx context.Context, what string, args ...any) (string, error) {
	promise, err := call(h.object, what, args...)
	if err != nil {
		return "", err
	}
	type outcome struct {
		text string
		err  error
	}
	came := make(chan outcome, 1)
	answered := js.FuncOf(func(_ js.Value, args []js.Value) any {
		came <- outcome{text: js.Global().Call("String", args[0]).String()}
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		came <- outcome{err: fmt.Errorf("%s of another object: %s", what, js.Global().Call("String", args[0]).String())}
		return nil
	})
	defer answered.Release()
	defer failed.Release()
	promise.Call("then", answered, failed)
	o := <-came
	return o.text, o.err
}

// call calls a function of JavaScript; what it throws is an error.
func call(v js.Value, name string, args ...any) (out js.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			thrown, ok := p.(js.Error)
			if !ok {
				panic(p)
			}
			err = thrown
		}
	}()
	return v.Call(name, args...), nil
}

func bytesToJS(b []byte) js.Value {
	v := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(v, b)
	return v
}

// fromJS takes a value of a row.
func fromJS(v js.Value) (any, error) {
	switch v.Type() {
	case js.TypeNull:
		return nil, nil
	case js.TypeNumber:
		return v.Float(), nil
	case js.TypeString:
		return v.String(), nil
	case js.TypeObject:
		bytes := js.Global().Get("Uint8Array").New(v)
		b := make([]byte, bytes.Length())
		js.CopyBytesToGo(b, bytes)
		return b, nil
	}
	return nil, fmt.Errorf("there is no value for a %s", v.Type())
}
