package scenario

import (
	"strings"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/document"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// MaxPools bounds the bulkheads of a scenario.
const MaxPools = 12

// maxPlaces bounds the places and the queue of a pool, and the tokens of a client's own bucket.
const maxPlaces = 10_000

// readPool reads {"name": "shared", "running": 10, "queue": 20, "callerTimeout": "3s"}.
func (s *Scenario) readPool(n *document.Node) {
	r := n.Object()
	var p sim.Pool
	if f := r.Need("name"); f != nil {
		var ok bool
		p.Name, ok = f.Match(limit.ValidClientKey, "use 1 to 40 letters, digits and hyphens", "%q cannot be a pool's name")
		if ok && s.pool(p.Name) > 0 {
			f.Faultf("give each pool its own name", "there are two pools named %q", p.Name)
		}
		if !ok {
			p.Name = ""
		}
	}
	r.Need("running")
	p.Config = bulkhead.Config{
		Running: int(r.Int("running", 1, 1, maxPlaces)), Queue: int(r.Int("queue", 0, 0, maxPlaces)),
		CallerTimeout: r.Duration("callerTimeout", 0, 0, MaxWait),
	}
	r.Done()
	s.Pools = append(s.Pools, p)
}

// pool returns the number of the pool of that name, from 1; 0 if there is none.
func (s *Scenario) pool(name string) int {
	for i, p := range s.Pools {
		if p.Name == name {
			return i + 1
		}
	}
	return 0
}

// readGuards reads what wraps a client's calls: the fields "pool", "breaker", "limiter" and "fallback". None: nil.
func (s *Scenario) readGuards(r *document.Reader) *sim.Guards {
	var g sim.Guards
	if f := r.Field("pool"); f != nil {
		var names []string
		for _, p := range s.Pools {
			names = append(names, p.Name)
		}
		mend := "use one of: " + strings.Join(names, ", ")
		if len(names) == 0 {
			mend = `add it to the scenario's "pools"`
		}
		if name, ok := f.Match(func(name string) bool { return s.pool(name) > 0 }, mend, "there is no pool named %q"); ok {
			g.Pool = s.pool(name)
		}
	}
	if f := r.Field("breaker"); f != nil {
		g.Breaker = readBreaker(f)
	}
	if f := r.Field("limiter"); f != nil {
		g.Limiter, g.Poll = readOwnLimiter(f)
	}
	if f := r.Field("fallback"); f != nil {
		o := f.Object()
		o.Need("reply")
		g.Fallback = ScriptedResponse(int(o.Int("reply", 200, 200, 599)))
		o.Done()
	}
	if g == (sim.Guards{}) {
		return nil
	}
	return &g
}

var windowNames = []string{breaker.InARow.String(), breaker.Count.String(), breaker.Time.String()}

// readBreaker reads {"window": "count", "size": 10, "percent": 50, "open": "5s"}; which fields there are depends on the
// window.
func readBreaker(n *document.Node) breaker.Config {
	r := n.Object()
	var c breaker.Config
	f, open := r.Need("window"), r.Need("open")
	if f == nil || open == nil {
		r.Open()
		r.Done()
		return breaker.Config{}
	}
	if _, known := breaker.ParseWindow(f.Text); !known {
		r.Open()
	}
	switch c.Window = document.OneOf(f, windowNames, breaker.ParseWindow); c.Window {
	case breaker.InARow:
		c.Failures = int(r.Int("failures", 1, 1, maxPlaces))
	case breaker.Count:
		c.Size = int(r.Int("size", 10, 1, breaker.MaxSize))
		c.Minimum = int(r.Int("minimum", int64(c.Size), 1, int64(c.Size)))
	case breaker.Time:
		c.Span = r.Duration("span", 10*time.Second, breaker.Slices, MaxWait)
		c.Minimum = int(r.Int("minimum", 1, 1, maxPlaces))
	}
	if c.Window != breaker.InARow {
		c.Percent = int(r.Int("percent", 50, 1, 100))
	}
	c.Open = open.Duration(time.Second, 1, MaxWait)
	c.Probes = int(r.Int("probes", 1, 1, breaker.MaxProbes))
	c.Successes = int(r.Int("successes", int64(c.Probes), int64(c.Probes), maxPlaces))
	c.Lease = r.Duration("lease", c.Open, 1, MaxWait)
	c.Failing, c.Ignoring = readClasses(r, "failing"), readClasses(r, "ignoring")
	r.Done()
	b, err := breaker.New(c)
	if err != nil {
		n.Fault(err.Error(), "change the setting")
	}
	return b.Config()
}

// classes are all classes of outcomes.
func classes() []call.Class {
	return []call.Class{call.Success, call.Transient, call.Throttled, call.Permanent, call.Unknown}
}

func readClasses(r *document.Reader, field string) (set breaker.Classes) {
	var names []string
	for _, c := range classes() {
		names = append(names, c.String())
	}
	for _, item := range r.Items(field, len(names)) {
		set |= document.OneOf(item, names, func(name string) (breaker.Classes, bool) {
			for _, c := range classes() {
				if c.String() == name {
					return breaker.ClassesOf(c), true
				}
			}
			return 0, false
		})
	}
	return set
}

// readOwnLimiter reads {"capacity": 3, "period": "1s", "mode": "batch", "poll": "50ms"}.
func readOwnLimiter(n *document.Node) (c limit.BucketConfig, poll time.Duration) {
	r := n.Object()
	r.Need("capacity")
	c.Capacity = r.Int("capacity", 1, 1, maxPlaces)
	c.Refill = r.Int("refill", c.Capacity, 1, maxPlaces)
	if r.Need("period") != nil {
		c.Period = r.Duration("period", time.Second, 1, MaxWait)
	}
	if f := r.Field("mode"); f != nil {
		c.Mode = document.OneOf(f, []string{limit.Batch.String(), limit.Continuous.String()}, limit.ParseMode)
	}
	poll = r.Duration("poll", 0, 0, MaxWait)
	r.Done()
	return c, poll
}

type poolJSON struct {
	Name          string `json:"name"`
	Running       int    `json:"running"`
	Queue         int    `json:"queue"`
	CallerTimeout string `json:"callerTimeout"`
}

type breakerJSON struct {
	Window    string   `json:"window"`
	Failures  int      `json:"failures,omitempty"`
	Size      int      `json:"size,omitempty"`
	Span      string   `json:"span,omitempty"`
	Minimum   int      `json:"minimum,omitempty"`
	Percent   int      `json:"percent,omitempty"`
	Open      string   `json:"open"`
	Probes    int      `json:"probes"`
	Successes int      `json:"successes"`
	Lease     string   `json:"lease"`
	Failing   []string `json:"failing"`
	Ignoring  []string `json:"ignoring"`
}

type ownLimiterJSON struct {
	Capacity int64  `json:"capacity"`
	Refill   int64  `json:"refill"`
	Period   string `json:"period"`
	Mode     string `json:"mode"`
	Poll     string `json:"poll"`
}

// guardsJSON are the fields of a client that wrap its calls; those that it has not are left out.
type guardsJSON struct {
	Pool     string          `json:"pool,omitempty"`
	Breaker  *breakerJSON    `json:"breaker,omitempty"`
	Limiter  *ownLimiterJSON `json:"limiter,omitempty"`
	Fallback *mishapJSON     `json:"fallback,omitempty"`
}

func (s *Scenario) writePools() (list []poolJSON) {
	for _, p := range s.Pools {
		list = append(list, poolJSON{p.Name, p.Running, p.Queue, document.FormatDuration(p.CallerTimeout)})
	}
	return list
}

func (s *Scenario) writeGuards(g *sim.Guards) (j guardsJSON) {
	if g == nil {
		return j
	}
	if g.Pool > 0 {
		j.Pool = s.Pools[g.Pool-1].Name
	}
	if g.Breaker != (breaker.Config{}) {
		j.Breaker = writeBreaker(&g.Breaker)
	}
	if l := g.Limiter; l.Capacity > 0 {
		j.Limiter = &ownLimiterJSON{
			l.Capacity, l.Refill, document.FormatDuration(l.Period), l.Mode.String(), document.FormatDuration(g.Poll),
		}
	}
	if g.Fallback.Status > 0 {
		j.Fallback = &mishapJSON{Reply: g.Fallback.Status}
	}
	return j
}

func writeBreaker(c *breaker.Config) *breakerJSON {
	j := &breakerJSON{
		Window: c.Window.String(), Failures: c.Failures, Size: c.Size, Minimum: c.Minimum, Percent: c.Percent,
		Open: document.FormatDuration(c.Open), Probes: c.Probes, Successes: c.Successes,
		Lease: document.FormatDuration(c.Lease), Failing: []string{}, Ignoring: []string{},
	}
	if c.Window == breaker.Time {
		j.Span = document.FormatDuration(c.Span)
	}
	for _, class := range classes() {
		if c.Failing.Has(class) {
			j.Failing = append(j.Failing, class.String())
		}
		if c.Ignoring.Has(class) {
			j.Ignoring = append(j.Ignoring, class.String())
		}
	}
	return j
}
