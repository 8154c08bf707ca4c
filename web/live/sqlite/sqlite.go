// Package sqlite keeps labs in one file of SQLite on this machine: one process, one connection, and a record is on the
// disk before its answer leaves.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	sqlite3 "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"retrylab.example/web/live/sqlstore"
)

// Store is a file of labs. Use Open.
type Store struct {
	*sqlstore.Store
	home *home
}

// ErrBusy is returned for a file that another process has open.
var ErrBusy = errors.New("another program has this file open")

// Open opens a file, and makes it if there is none. No other process can open it until Close, or until this one ends.
func Open(path string) (*Store, error) {
	h, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, plain(err))
	}
	s, err := sqlstore.Open(h)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(plain(err), h.close()))
	}
	return &Store{s, h}, nil
}

// Close waits for what has been begun, and closes the file. Whoever writes afterwards gets ErrClosed.
func (s *Store) Close() error { return s.home.close() }

// plain says in plain words what most often keeps a file from being opened.
func plain(err error) error {
	var e *sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return ErrBusy
	case lib.SQLITE_NOTADB:
		return errors.New("this file is no database of SQLite; name another one")
	case lib.SQLITE_CANTOPEN:
		return errors.New("the file cannot be opened or made; is there such a folder, and may this program write there?")
	case lib.SQLITE_READONLY:
		return errors.New("the file cannot be written to")
	}
	return err
}

// settings hold for the one connection: each commit is synced to the disk, and no other process may have the file.
const settings = "?_pragma=busy_timeout(500)&_pragma=locking_mode(EXCLUSIVE)&_pragma=journal_mode(WAL)" +
	"&_pragma=synchronous(FULL)"

func open(path string) (*home, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(whole)}
	db, err := sql.Open("sqlite", name.String()+settings)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	h := &home{db: db, conn: conn, statements: map[string]*sql.Stmt{}, queue: make(chan *step, maxGroup), ended: make(chan struct{})}
	go h.run()
	return h, nil
}
