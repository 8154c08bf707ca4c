package sim_test

import (
	"fmt"
	"time"

	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
)

// partner sets what a transcript says about its partner: leases and keys, the time of its work, room and slots, and one
// limiter.
//
//	lease=5s errors=not-5xx require-keys split-record
//	work=200ms most=1s per-busy=100ms capacity=1 queue=2 slots=2 places=3
//	fixed=3/1s bucket=3/1s continuous gcra=2/1s burst=2 in-flight=1
func (s *setter) partner(c *partner.Config) {
	c.RequireKeys, c.SplitRecord = s.has("require-keys"), s.has("split-record")
	s.duration("lease", &c.Ledger.Lease)
	named(s, "errors", &c.Ledger.Errors, ledger.ParseErrors)
	s.duration("work", &c.Work.Least)
	s.duration("most", &c.Work.Most)
	s.duration("per-busy", &c.Work.PerBusy)
	s.integer("capacity", &c.Capacity.Running)
	s.integer("queue", &c.Capacity.Queue)
	s.integer("slots", &c.Slots.Count)
	s.whole("places", &c.Slots.Places)
	s.rate("fixed", func(n int64, per time.Duration) { c.Fixed = limit.FixedConfig{Limit: int(n), Period: per} })
	s.rate("bucket", func(n int64, per time.Duration) { c.Bucket = limit.BucketConfig{Capacity: n, Period: per} })
	s.rate("gcra", func(n int64, per time.Duration) { c.GCRA = limit.GCRAConfig{Limit: n, Period: per} })
	s.whole("burst", &c.GCRA.Burst)
	if s.has("continuous") {
		c.Bucket.Mode = limit.Continuous
	}
	s.integer("in-flight", &c.Concurrency.Limit)
}

func (s *setter) whole(key string, to *int64) {
	s.field(key, func(string) (err error) { *to, err = s.arguments.integer(key); return err })
}

// rate reads "3/1s".
func (s *setter) rate(key string, set func(n int64, per time.Duration)) {
	s.field(key, func(text string) error {
		c, err := parseLimit(text)
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		set(int64(c.Limit), c.Window)
		return nil
	})
}
