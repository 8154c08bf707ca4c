package limit

// Has reports whether the window holds a count for key, so that a request of it takes no further memory.
func (f Fixed) Has(key string) bool { return f.keys.has(key) }

// Has reports whether there is a bucket for key, so that a request of it takes no further memory.
func (b Bucket) Has(key string) bool { return b.keys.has(key) }

// Has reports whether there is a schedule for key, so that a request of it takes no further memory.
func (g GCRA) Has(key string) bool { return g.keys.has(key) }

// Has reports whether there are slots for key, so that a request of it takes no further memory.
func (c Concurrency) Has(key string) bool { return c.keys.has(key) }

func (t *table[T]) has(key string) bool {
	_, known := t.index[key]
	return known
}
