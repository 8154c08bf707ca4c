package scenario

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
)

// drawPartner draws what a partner can have beside a sliding log and keys.
func drawPartner(t *rapid.T, c *partner.Config) {
	c.RequireKeys, c.SplitRecord = rapid.Bool().Draw(t, "require"), rapid.Bool().Draw(t, "split")
	c.Ledger.Lease = drawDuration(t, MaxWait)
	c.Ledger.Errors = ledger.Errors(rapid.IntRange(0, len(ledger.ErrorsNames())-1).Draw(t, "errors"))
	switch rapid.IntRange(0, 2).Draw(t, "works") {
	case 1:
		c.Work = drawWork(t)
	case 2:
		c.Paths = []partner.PathWork{{Path: "/reservations", Work: drawWork(t)}, {Path: "/rate", Work: drawWork(t)}}
	}
	if rapid.Bool().Draw(t, "bounded") {
		c.Capacity = bulkhead.Config{
			Running: rapid.IntRange(1, MaxPlaces).Draw(t, "running"), Queue: rapid.IntRange(0, MaxPlaces).Draw(t, "queue"),
		}
	}
	if rapid.Bool().Draw(t, "slots") {
		c.Slots.Count = rapid.IntRange(1, partner.MaxSlots).Draw(t, "count")
		c.Slots.Places = rapid.Int64Range(1, partner.MaxAmount).Draw(t, "places")
	}
	if c.Limit.Limit > 0 {
		return
	}
	period := max(drawDuration(t, MaxWait), 1)
	switch rapid.IntRange(0, 4).Draw(t, "limiter") {
	case 1:
		c.Fixed = limit.FixedConfig{Limit: rapid.IntRange(1, 10_000).Draw(t, "fixed"), Period: period}
	case 2:
		tokens := rapid.Int64Range(1, limit.MaxTokens)
		c.Bucket = limit.BucketConfig{
			Capacity: tokens.Draw(t, "capacity"), Refill: tokens.Draw(t, "refill"), Period: period,
			Mode: limit.Mode(rapid.IntRange(0, 1).Draw(t, "mode")),
		}
	case 3:
		c.GCRA = limit.GCRAConfig{
			Limit: rapid.Int64Range(1, limit.MaxTokens).Draw(t, "rate"), Period: period,
			Burst: rapid.Int64Range(1, 10_000).Draw(t, "burst"),
		}
	case 4:
		c.Concurrency = limit.ConcurrencyConfig{Limit: rapid.IntRange(1, limit.MaxInFlight).Draw(t, "in-flight")}
	}
}

func drawWork(t *rapid.T) partner.Work {
	w := partner.Work{Least: drawDuration(t, time.Hour), PerBusy: drawDuration(t, time.Hour)}
	w.Most = w.Least + drawDuration(t, time.Hour)
	return w
}

func TestPartnersAreRead(t *testing.T) {
	for text, want := range map[string]partner.Config{
		`{}`: {},
		`{"limiter": {"kind": "fixed-window", "count": 3, "period": "1s"}}`: {
			Fixed: limit.FixedConfig{Limit: 3, Period: time.Second},
		},
		`{"limiter": {"kind": "token-bucket", "capacity": 3, "period": "1s", "mode": "continuous"}}`: {
			Bucket: limit.BucketConfig{Capacity: 3, Refill: 3, Period: time.Second, Mode: limit.Continuous},
		},
		`{"limiter": {"kind": "gcra", "count": 6, "period": "1m"}}`: {
			GCRA: limit.GCRAConfig{Limit: 6, Period: time.Minute, Burst: 1},
		},
		`{"limiter": {"kind": "concurrency", "count": 2}}`: {Concurrency: limit.ConcurrencyConfig{Limit: 2}},
		`{"work": {"least": "200ms"}}`: {
			Work: partner.Work{Least: 200 * time.Millisecond, Most: 200 * time.Millisecond}, Ledger: ledger.Config{Lease: time.Minute},
		},
		`{"work": {"perBusy": "1s"}, "lease": "0s"}`: {Work: partner.Work{PerBusy: time.Second}},
		`{"work": [{"path": "/rate", "least": "20ms"}]}`: {
			Paths:  []partner.PathWork{{Path: "/rate", Work: partner.Work{Least: 20 * time.Millisecond, Most: 20 * time.Millisecond}}},
			Ledger: ledger.Config{Lease: time.Minute},
		},
		`{"lease": "5s", "errors": "not-5xx", "requireKeys": true, "splitRecord": true}`: {
			Ledger: ledger.Config{Lease: 5 * time.Second, Errors: ledger.Not5xx}, RequireKeys: true, SplitRecord: true,
		},
		`{"capacity": {"running": 1, "queue": 9}, "slots": {"places": 2}}`: {
			Capacity: bulkhead.Config{Running: 1, Queue: 9}, Slots: partner.Slots{Count: 3, Places: 2},
		},
	} {
		s, err := Read("partner.json", []byte(`{"partner": `+text+`, "clients": [{"name": "a", "policy": {"attempts": 1}}]}`))
		want.Ledger.Lifetime = ledger.DefaultLifetime
		if err != nil || !reflect.DeepEqual(s.Partner, want) {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", text, err, s.Partner, want)
		}
		if _, err := s.Play(nil); err != nil {
			t.Errorf("%s cannot be played: %v", text, err)
		}
	}
}

// A script orders what happens to the work, and a request names its slot.
func TestWorkCanFailByScript(t *testing.T) {
	s, err := Read("fail.json", []byte(`{"script": [{"fail": 502, "retryAfter": "3"}, {"fault": "crash-between"}],
		"clients": [{"name": "a", "policy": {"attempts": 1}, "request": {"path": "/reservations", "amount": 1, "slot": 2}}],
		"inputs": [{"fire": {}}, {"at": "1s", "fire": {}}, {"at": "2s", "fire": {"slot": 3}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Play(nil)
	if err != nil {
		t.Fatal(err)
	}
	var seen []event.Event
	for _, e := range p.Events {
		if e.Kind == event.RequestRefused || e.Kind == event.PartnerCrashed || e.Kind == event.EffectApplied {
			seen = append(seen, e)
		}
	}
	if len(seen) != 3 || seen[0].Response.Status != 502 || seen[0].Response.Body.Code != "provider_unavailable" ||
		seen[0].Response.RetryAfter != "3" || seen[1].Fault != event.CrashBetween ||
		seen[2].Response.Location != "/reservations/1" || seen[2].Request.Slot != 3 {
		t.Errorf("got %+v", seen)
	}
}

// Work between two bounds is drawn: then a proof has to try other seeds.
func TestWorkIsDrawn(t *testing.T) {
	for _, c := range []struct {
		work string
		want bool
	}{
		{`{"least": "1s"}`, false},
		{`{"least": "1s", "most": "2s"}`, true},
		{`[{"path": "/add", "least": "1s"}]`, false},
		{`[{"path": "/rate", "least": "1s"}, {"path": "/add", "least": "1s", "most": "2s"}]`, true},
	} {
		s, err := Read("s", []byte(`{"partner": {"work": `+c.work+`}, "clients": [{"name": "a", "policy": {"preset": "once"}}]}`))
		if err != nil || s.NeedsDraw(nil) != c.want {
			t.Errorf("work %s: got %t, %v; want %t", c.work, s.NeedsDraw(nil), err, c.want)
		}
	}
}
