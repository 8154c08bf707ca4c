package scenario

import (
	"time"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/document"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
)

// MaxPlaces bounds how many requests a partner works on and how many wait for that.
const MaxPlaces = 10_000

// MaxPaths bounds the paths that a partner works on for a time of their own.
const MaxPaths = 20

func readPartner(n *document.Node) partner.Config {
	r := n.Object()
	var c partner.Config
	if f := r.Field("limit"); f != nil {
		l := f.Object()
		l.Need("count")
		l.Need("window")
		c.Limit = limit.Config{
			Limit:  int(l.Int("count", 1, 1, 10_000)),
			Window: l.Duration("window", time.Second, time.Nanosecond, MaxWait),
		}
		readBool(l, "recordRefused", &c.Limit.RecordRefused)
		l.Done()
	}
	if f := r.Field("keys"); f != nil {
		c.IgnoreKeys = document.OneOf(f, []string{"deduplicate", "ignore"}, func(s string) (bool, bool) {
			return s == "ignore", s == "ignore" || s == "deduplicate"
		})
	}
	c.Ledger.Lifetime = r.Duration("keyLifetime", ledger.DefaultLifetime, time.Nanosecond, 366*24*time.Hour)
	if f := r.Field("limiter"); f != nil {
		readLimiter(f, &c)
	}
	readBool(r, "requireKeys", &c.RequireKeys)
	readBool(r, "splitRecord", &c.SplitRecord)
	if f := r.Field("work"); f != nil {
		c.Work, c.Paths = readWork(f)
	}
	c.Ledger.Lease = r.Duration("lease", defaultLease(&c), 0, MaxWait)
	if f := r.Field("errors"); f != nil {
		c.Ledger.Errors = document.OneOf(f, ledger.ErrorsNames(), ledger.ParseErrors)
	}
	if f := r.Field("capacity"); f != nil {
		p := f.Object()
		p.Need("running")
		c.Capacity = bulkhead.Config{
			Running: int(p.Int("running", 1, 1, MaxPlaces)), Queue: int(p.Int("queue", 0, 0, MaxPlaces)),
		}
		p.Done()
	}
	if f := r.Field("slots"); f != nil {
		p := f.Object()
		c.Slots.Count = int(p.Int("count", int64(partner.DefaultSlots.Count), 1, partner.MaxSlots))
		c.Slots.Places = p.Int("places", partner.DefaultSlots.Places, 1, partner.MaxAmount)
		p.Done()
	}
	r.Done()
	return c
}

// defaultLease marks keys as in flight where requests can overlap: without that, two of them would both be executed.
func defaultLease(c *partner.Config) time.Duration {
	if c.WorkTakes() {
		return ledger.DefaultLease
	}
	return 0
}

// readWork reads {"least": "200ms"} for all paths, or a list in which each entry has its own:
// [{"path": "/reservations", "least": "6s"}, {"path": "/rate", "least": "20ms"}].
func readWork(n *document.Node) (all partner.Work, paths []partner.PathWork) {
	if n.Kind != document.Array {
		r := n.Object()
		return readTime(r), nil
	}
	if len(n.Items) > MaxPaths {
		n.Faultf("name the paths that take time", "the list has %d elements, more than %d", len(n.Items), MaxPaths)
		return all, nil
	}
	for _, item := range n.Items {
		r := item.Object()
		var w partner.PathWork
		if f := r.Need("path"); f != nil {
			w.Path, _ = f.Match(validPath, "begin it with / and use plain characters, at most 200", "%q is not a path")
		}
		w.Work = readTime(r)
		paths = append(paths, w)
	}
	return all, paths
}

func readTime(r *document.Reader) partner.Work {
	w := partner.Work{Least: r.Duration("least", 0, 0, MaxWait), PerBusy: r.Duration("perBusy", 0, 0, MaxWait)}
	w.Most = r.Duration("most", w.Least, 0, MaxWait)
	if f := r.Field("most"); f != nil && w.Most < w.Least {
		f.Fault(`the most is less than "least"`, "swap them, or leave it out")
	}
	r.Done()
	return w
}

// The kinds of limiters beside the sliding log, which "limit" sets.
const (
	fixedWindow   = "fixed-window"
	tokenBucket   = "token-bucket"
	gcra          = "gcra"
	inFlightLimit = "concurrency"
)

var limiterKinds = []string{fixedWindow, tokenBucket, gcra, inFlightLimit}

// readLimiter reads {"kind": "fixed-window", "count": 3, "period": "1s"}, {"kind": "token-bucket", "capacity": 3,
// "refill": 3, "period": "1s", "mode": "continuous"}, {"kind": "gcra", "count": 6, "period": "1m", "burst": 6} or
// {"kind": "concurrency", "count": 2}.
func readLimiter(n *document.Node, c *partner.Config) {
	r := n.Object()
	kind, known := "", false
	if f := r.Need("kind"); f != nil {
		kind = document.OneOf(f, limiterKinds, func(s string) (string, bool) {
			for _, k := range limiterKinds {
				known = known || s == k
			}
			return s, known
		})
	}
	if c.Limit.Limit > 0 {
		n.Fault(`the partner has a "limit" and a "limiter"`, "keep one of them")
	}
	count := func(name string, most int64) int64 {
		r.Need(name)
		return r.Int(name, 1, 1, most)
	}
	period := func() time.Duration {
		r.Need("period")
		return r.Duration("period", time.Second, time.Nanosecond, MaxWait)
	}
	switch {
	case !known:
		r.Open()
	case kind == fixedWindow:
		c.Fixed = limit.FixedConfig{Limit: int(count("count", 10_000)), Period: period()}
	case kind == tokenBucket:
		c.Bucket = limit.BucketConfig{Capacity: count("capacity", limit.MaxTokens), Period: period()}
		c.Bucket.Refill = r.Int("refill", c.Bucket.Capacity, 1, limit.MaxTokens)
		if f := r.Field("mode"); f != nil {
			c.Bucket.Mode = document.OneOf(f, []string{limit.Batch.String(), limit.Continuous.String()}, limit.ParseMode)
		}
	case kind == gcra:
		c.GCRA = limit.GCRAConfig{Limit: count("count", limit.MaxTokens), Period: period()}
		c.GCRA.Burst = r.Int("burst", 1, 1, 10_000)
	case kind == inFlightLimit:
		c.Concurrency = limit.ConcurrencyConfig{Limit: int(count("count", limit.MaxInFlight))}
	}
	r.Done()
}

type partnerJSON struct {
	Limit       *limitJSON    `json:"limit,omitempty"`
	Limiter     *limiterJSON  `json:"limiter,omitempty"`
	Keys        string        `json:"keys"`
	KeyLifetime string        `json:"keyLifetime"`
	RequireKeys bool          `json:"requireKeys,omitempty"`
	SplitRecord bool          `json:"splitRecord,omitempty"`
	Lease       string        `json:"lease,omitempty"`
	Errors      string        `json:"errors,omitempty"`
	Work        any           `json:"work,omitempty"` // a workJSON, or a list of them
	Capacity    *capacityJSON `json:"capacity,omitempty"`
	Slots       *slotsJSON    `json:"slots,omitempty"`
}

type limitJSON struct {
	Count         int    `json:"count"`
	Window        string `json:"window"`
	RecordRefused bool   `json:"recordRefused,omitempty"`
}

type limiterJSON struct {
	Kind     string `json:"kind"`
	Count    int64  `json:"count,omitempty"`
	Capacity int64  `json:"capacity,omitempty"`
	Refill   int64  `json:"refill,omitempty"`
	Period   string `json:"period,omitempty"`
	Mode     string `json:"mode,omitempty"`
	Burst    int64  `json:"burst,omitempty"`
}

type workJSON struct {
	Path    string `json:"path,omitempty"`
	Least   string `json:"least"`
	Most    string `json:"most"`
	PerBusy string `json:"perBusy"`
}

type capacityJSON struct {
	Running int `json:"running"`
	Queue   int `json:"queue"`
}

type slotsJSON struct {
	Count  int   `json:"count"`
	Places int64 `json:"places"`
}

func writePartner(c *partner.Config) partnerJSON {
	j := partnerJSON{
		Keys: "deduplicate", KeyLifetime: document.FormatDuration(c.Ledger.Lifetime), Limiter: writeLimiter(c),
		RequireKeys: c.RequireKeys, SplitRecord: c.SplitRecord,
	}
	if c.IgnoreKeys {
		j.Keys = "ignore"
	}
	if c.Limit.Limit > 0 {
		j.Limit = &limitJSON{c.Limit.Limit, document.FormatDuration(c.Limit.Window), c.Limit.RecordRefused}
	}
	if c.Ledger.Lease != defaultLease(c) || c.Ledger.Lease > 0 {
		j.Lease = document.FormatDuration(c.Ledger.Lease)
	}
	if c.Ledger.Errors != ledger.All {
		j.Errors = c.Ledger.Errors.String()
	}
	if len(c.Paths) > 0 {
		var list []workJSON
		for _, w := range c.Paths {
			list = append(list, writeWork(w.Path, w.Work))
		}
		j.Work = list
	} else if c.Work.Takes() {
		j.Work = writeWork("", c.Work)
	}
	if c.Capacity.Running > 0 {
		j.Capacity = &capacityJSON{c.Capacity.Running, c.Capacity.Queue}
	}
	if c.Slots.Count > 0 {
		j.Slots = &slotsJSON{c.Slots.Count, c.Slots.Places}
	}
	return j
}

func writeWork(path string, w partner.Work) workJSON {
	return workJSON{
		path, document.FormatDuration(w.Least), document.FormatDuration(w.Most), document.FormatDuration(w.PerBusy),
	}
}

func writeLimiter(c *partner.Config) *limiterJSON {
	switch {
	case c.Fixed.Limit > 0:
		return &limiterJSON{Kind: fixedWindow, Count: int64(c.Fixed.Limit), Period: document.FormatDuration(c.Fixed.Period)}
	case c.Bucket.Capacity > 0:
		return &limiterJSON{
			Kind: tokenBucket, Capacity: c.Bucket.Capacity, Refill: c.Bucket.Refill,
			Period: document.FormatDuration(c.Bucket.Period), Mode: c.Bucket.Mode.String(),
		}
	case c.GCRA.Limit > 0:
		return &limiterJSON{
			Kind: gcra, Count: c.GCRA.Limit, Period: document.FormatDuration(c.GCRA.Period), Burst: c.GCRA.Burst,
		}
	case c.Concurrency.Limit > 0:
		return &limiterJSON{Kind: inFlightLimit, Count: int64(c.Concurrency.Limit)}
	}
	return nil
}
