package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"retrylab.example/web/live/sqlstore"
)

// maxGroup is how many steps one commit takes at most.
const maxGroup = 256

// ErrClosed is returned to whoever writes after Close.
var ErrClosed = errors.New("the file of labs is closed")

// home runs steps on the one connection, in the order in which they were asked for. A commit costs a sync of the disk,
// so all steps that wait when one is over share the next one.
type home struct {
	db         *sql.DB
	conn       *sql.Conn            // used by run only
	statements map[string]*sql.Stmt // by their text; used by run only
	ended      chan struct{}        // closed when run has ended

	mu     sync.RWMutex // held for reading while a step is put into the queue
	closed bool
	queue  chan *step
}

// step is what runs as a whole or not at all.
type step struct {
	do   func(sqlstore.Queries) error
	err  error
	done chan struct{} // closed when err is set and what was done is on the disk
}

// Write implements sqlstore.Home.
func (h *home) Write(do func(sqlstore.Queries) error) (wait func() error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.closed {
		return func() error { return ErrClosed }
	}
	s := &step{do: do, done: make(chan struct{})}
	h.queue <- s
	return func() error {
		<-s.done
		return s.err
	}
}

// run commits steps until the queue is closed.
func (h *home) run() {
	defer close(h.ended)
	for first := range h.queue {
		h.commit(h.gather(first))
	}
}

// gather takes what waits already, without waiting for more.
func (h *home) gather(first *step) []*step {
	group := []*step{first}
	for len(group) < maxGroup {
		select {
		case s, open := <-h.queue:
			if !open {
				return group
			}
			group = append(group, s)
		default:
			return group
		}
	}
	return group
}

// commit commits a group at once. If one of its steps fails, nothing of the group has happened, and each is done by
// itself: no step fails for another one's sake, and none is half done.
func (h *home) commit(group []*step) {
	if err := h.atomically(group); err == nil || len(group) == 1 {
		for _, s := range group {
			s.finish(err)
		}
		return
	}
	for _, s := range group {
		s.finish(h.atomically([]*step{s}))
	}
}

func (s *step) finish(err error) {
	s.err = err
	close(s.done)
}

func (h *home) atomically(group []*step) error {
	if err := h.plain("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, s := range group {
		if err := s.do(h); err != nil {
			return errors.Join(err, h.plain("ROLLBACK"))
		}
	}
	if err := h.plain("COMMIT"); err != nil {
		// SQLite has rolled back by itself after some errors: then there is nothing left to roll back.
		_ = h.plain("ROLLBACK")
		return err
	}
	return nil
}

func (h *home) plain(statement string) error {
	_, err := h.ExecContext(context.Background(), statement)
	return err
}

// prepared gives a statement that is kept: preparing one takes longer than running it.
func (h *home) prepared(text string) (*sql.Stmt, error) {
	if s, ok := h.statements[text]; ok {
		return s, nil
	}
	s, err := h.conn.PrepareContext(context.Background(), text)
	if err == nil {
		h.statements[text] = s
	}
	return s, err
}

// ExecContext, QueryContext and QueryRowContext implement sqlstore.Queries for a step.
func (h *home) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	s, err := h.prepared(text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (h *home) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := h.prepared(text)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (h *home) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := h.prepared(text)
	if err != nil {
		return h.conn.QueryRowContext(ctx, text, args...) // says the same again
	}
	return s.QueryRowContext(ctx, args...)
}

func (h *home) close() error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil
	}
	h.closed = true
	close(h.queue)
	h.mu.Unlock()
	<-h.ended
	var faults []error
	for _, s := range h.statements { // SQLite keeps a file as long as it has a statement
		faults = append(faults, s.Close())
	}
	return errors.Join(append(faults, h.conn.Close(), h.db.Close())...)
}
