package lab

import (
	"fmt"

	"retrylab.example/core/partner"
	"retrylab.example/core/rows"
)

// MaxRecord is the longest record, in bytes.
const MaxRecord = 16 << 10

// Record returns an arrival as one line of JSON, for a journal.
func (a *Arrival) Record() []byte {
	var w rows.Writer
	w.Row("arrival")
	w.Int(int64(a.At))
	w.Request(&a.Request)
	w.Bool(a.Asked)
	if a.Asked {
		a.Fate.Write(&w)
	}
	return w.Bytes()
}

// ReadRecord reads a line of Record.
func ReadRecord(line []byte) (Arrival, error) {
	if len(line) > MaxRecord {
		return Arrival{}, fmt.Errorf("a record has at most %d bytes, and this one has %d", MaxRecord, len(line))
	}
	r := rows.NewReader(line)
	r.Need("arrival")
	a := Arrival{At: r.Instant(), Request: r.Request(), Asked: r.Bool()}
	if a.Asked {
		a.Fate = partner.ReadFate(r)
	}
	if r.Err() == nil && !Valid(&a.Request) {
		r.Fault("no such request arrives")
	}
	r.Next()
	r.End()
	return a, r.Err()
}
