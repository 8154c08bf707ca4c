package live

import (
	"context"
	"slices"
	"sync"
)

// Memory is a Store that lasts as long as the program. The zero value is ready.
type Memory struct {
	mu   sync.Mutex
	labs map[string]*Saved
}

// Create implements Store.
func (m *Memory) Create(_ context.Context, r Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.labs[r.ID] != nil {
		return ErrExists
	}
	if m.labs == nil {
		m.labs = map[string]*Saved{}
	}
	m.labs[r.ID] = &Saved{Row: r}
	return nil
}

// Load implements Store.
func (m *Memory) Load(_ context.Context, id string) (Saved, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.labs[id]
	if s == nil {
		return Saved{}, ErrNotFound
	}
	c := *s
	c.Records = slices.Clone(s.Records) // the records themselves never change
	return c, nil
}

// Append implements Store.
func (m *Memory) Append(_ context.Context, id string, n, expires int64, record []byte) (wait func() error) {
	err := m.append(id, n, expires, record)
	return func() error { return err }
}

func (m *Memory) append(id string, n, expires int64, record []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.labs[id]
	switch {
	case s == nil:
		return ErrNotFound
	case n != s.At+int64(len(s.Records))+1:
		return ErrConflict
	}
	s.Expires = max(s.Expires, expires)
	s.Records = append(s.Records, slices.Clone(record))
	return nil
}

// Snapshot implements Store.
func (m *Memory) Snapshot(_ context.Context, id string, n int64, state []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.labs[id]
	switch {
	case s == nil:
		return ErrNotFound
	case n < s.At || n > s.At+int64(len(s.Records)):
		return ErrConflict
	}
	s.Records = slices.Clone(s.Records[n-s.At:]) // so that those before can be freed
	s.State, s.At = slices.Clone(state), n
	return nil
}

// Delete implements Store.
func (m *Memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.labs, id)
	return nil
}

// Expire implements Store.
func (m *Memory) Expire(_ context.Context, now int64) (ids []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, s := range m.labs {
		if s.Expires <= now {
			ids = append(ids, id)
			delete(m.labs, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Count implements Store.
func (m *Memory) Count(_ context.Context, owner string) (all, owned int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.labs {
		if s.Owner == owner {
			owned++
		}
	}
	return len(m.labs), owned, nil
}
