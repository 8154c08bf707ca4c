// Package object is the store of labs at the edge, where each lab has a Durable Object with a database of its own, and
// one more object, the desk, makes and counts them. The same program runs in both. It is plain Go: the program's main
// gives it the way to other objects.
package object

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"retrylab.example/web/live"
	"retrylab.example/web/live/sqlstore"
)

// Host is what an object gets of the platform.
type Host interface {
	// ID is the object's own.
	ID() string
	// Wake has the object woken at an instant in milliseconds since 1970, not at one told before.
	Wake(at int64)
	// Create, Expires and Forget call Made, Expires and Forget of the store in another object.
	Create(ctx context.Context, object string, row []byte) error
	Expires(ctx context.Context, object string) (at int64, err error)
	Forget(ctx context.Context, object, lab string) error
}

// Store is a live.Store in an object: of one lab, whose id is the object's, or at the desk, where each lab has a row.
type Store struct {
	*sqlstore.Store
	host Host
}

var _ live.Store = (*Store)(nil)

// New returns the store of an object.
func New(home sqlstore.Home, host Host) (*Store, error) {
	s, err := sqlstore.Open(home)
	if err != nil {
		return nil, err
	}
	return &Store{s, host}, nil
}

// Create counts a lab here, at the desk, and makes it in the object of its id.
func (s *Store) Create(ctx context.Context, r live.Row) error {
	if err := s.Store.Create(ctx, r); err != nil {
		return err
	}
	made := r
	made.Owner = s.host.ID() // there, the desk
	text, err := json.Marshal(made)
	if err == nil {
		err = s.host.Create(ctx, r.ID, text)
	}
	if err != nil {
		return errors.Join(err, s.Store.Delete(ctx, r.ID))
	}
	return s.wake(ctx)
}

// Made makes this object the lab of a row.
func (s *Store) Made(ctx context.Context, text []byte) error {
	var r live.Row
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("the row of a lab: %w", err)
	}
	if err := s.Store.Create(ctx, r); err != nil {
		return err
	}
	return s.wake(ctx)
}

// wake has the object woken when its first lab is over.
func (s *Store) wake(ctx context.Context) error {
	at, ok, err := s.Next(ctx)
	if ok {
		s.host.Wake(at)
	}
	return err
}

// Delete ends a lab, and frees its place at the desk.
func (s *Store) Delete(ctx context.Context, id string) error {
	r, err := s.Row(ctx, id)
	if errors.Is(err, live.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = s.Store.Delete(ctx, id)
	}
	if err != nil || id != s.host.ID() {
		return err
	}
	return s.host.Forget(ctx, r.Owner, id)
}

// Forget frees the place of a lab that is over.
func (s *Store) Forget(ctx context.Context, lab string) error { return s.Store.Delete(ctx, lab) }

// Expires tells when the lab in this object is over; 0 is that it is.
func (s *Store) Expires(ctx context.Context) (at int64, err error) {
	at, _, err = s.Next(ctx)
	return at, err
}

// Expire implements live.Store. The desk asks the objects of labs that seem to be over: they know until when they are
// used.
func (s *Store) Expire(ctx context.Context, now int64) (ids []string, err error) {
	due, err := s.Due(ctx, now)
	if err != nil {
		return nil, err
	}
	for _, id := range due {
		at := int64(0)
		if id != s.host.ID() {
			if at, err = s.host.Expires(ctx, id); err != nil {
				return ids, err
			}
		}
		if at > now {
			err = s.Prolong(ctx, id, at)
		} else if err = s.Store.Delete(ctx, id); err == nil {
			ids = append(ids, id)
		}
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}

// Rest has the object woken when its next lab may be over. If there is none, the object may be emptied, as if it had
// never been.
func (s *Store) Rest(ctx context.Context) (empty bool, err error) {
	_, ok, err := s.Next(ctx)
	if err != nil {
		return false, err
	}
	if !ok {
		s.Emptied()
		return true, nil
	}
	return false, s.wake(ctx)
}
