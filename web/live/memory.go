package live

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Memory is a Store that lasts as long as the program. The zero value is ready.
type Memory struct {
	// Most is how many bytes of definitions, records and snapshots it takes; 0 is 256 MiB.
	Most int

	mu    sync.Mutex
	labs  map[string]*Saved
	bytes int
}

// room reports whether there is room for so many bytes more.
func (m *Memory) room(more int) bool { return m.bytes+more <= cmp.Or(m.Most, 256<<20) }

// recordSize is what a record takes beside its bytes.
const recordSize = 24

func sizeOf(s *Saved) int {
	n := len(s.Definition) + len(s.State)
	for _, r := range s.Records {
		n += len(r) + recordSize
	}
	return n
}

// Create implements Store.
func (m *Memory) Create(_ context.Context, r Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.labs[r.ID] != nil {
		return ErrExists
	}
	if !m.room(len(r.Definition)) {
		return ErrFull
	}
	if m.labs == nil {
		m.labs = map[string]*Saved{}
	}
	m.labs[r.ID] = &Saved{Row: r}
	m.bytes += len(r.Definition)
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
	case !m.room(len(record) + recordSize):
		return ErrFull
	}
	m.bytes += len(record) + recordSize
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
	case !m.room(len(state)):
		return ErrFull
	}
	m.bytes -= sizeOf(s)
	defer func() { m.bytes += sizeOf(s) }()
	s.Records = slices.Clone(s.Records[n-s.At:]) // so that those before can be freed
	s.State, s.At = slices.Clone(state), n
	return nil
}

// Delete implements Store.
func (m *Memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(id)
	return nil
}

func (m *Memory) remove(id string) {
	if s := m.labs[id]; s != nil {
		m.bytes -= sizeOf(s)
	}
	delete(m.labs, id)
}

// Expire implements Store.
func (m *Memory) Expire(_ context.Context, now int64) (ids []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, s := range m.labs {
		if s.Expires <= now {
			ids = append(ids, id)
			m.remove(id)
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
