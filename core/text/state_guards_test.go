package text_test

import (
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
)

// wants are rows of the state around the n-th event of a kind, as "label: before → after".
type wants struct {
	kind event.Kind
	n    int
	rows []string
}

// stateWorld is a run, and what it leads to.
type stateWorld struct {
	config  sim.Config
	actions []sim.Action
	want    []wants
}

func TestStateOfMechanisms(t *testing.T) {
	once := retry.Policy{Attempts: 1}
	client := func(g sim.Guards) []sim.Client { return []sim.Client{{Name: "page", Policy: once, Guards: &g}} }
	get := call.Request{Method: "GET", Path: "/total"}
	slow := partner.Config{Work: partner.Work{Least: time.Second}}
	for name, world := range map[string]stateWorld{
		"breaker": {
			sim.Config{Clients: client(sim.Guards{Breaker: breaker.Config{
				Window: breaker.Count, Size: 2, Minimum: 2, Percent: 50, Open: time.Second, Probes: 1, Successes: 1,
			}})},
			[]sim.Action{
				fire(0, get), until(10), inject(event.Reply, 503, ""), fire(0, get), until(20), fire(0, get), until(1500), fire(0, get),
			},
			[]wants{
				{event.ResultRecorded, 1, []string{"circuit: closed → closed", "last results, × failed: – → ·", "failures: 0 of 0 → 0 of 1"}},
				{event.CircuitOpened, 1, []string{
					"circuit: closed → open until 1.010\u00a0s", "last results, × failed: · → ·×", "failures: 0 of 1 → 1 of 2"}},
				{event.SendRefused, 1, []string{"circuit: open until 1.010\u00a0s → open until 1.010\u00a0s", "last results, × failed: ·× → ·×"}},
				{event.CircuitHalfOpened, 1, []string{"circuit: open until 1.010\u00a0s → half-open", "probes running: – → 1 of 1"}},
				{event.CircuitClosed, 1, []string{"circuit: half-open → closed", "probes succeeded: 0 of 1 → –"}},
			},
		},
		"bulkhead": {
			sim.Config{
				Partner: slow, Pools: []sim.Pool{{Name: "p", Config: bulkhead.Config{Running: 1, Queue: 1}}}, Clients: client(sim.Guards{Pool: 1}),
			},
			[]sim.Action{fire(0, get), fire(0, get), fire(0, get)},
			[]wants{
				{event.TaskStarted, 1, []string{"places taken: 0 of 1 → 1 of 1", "in the queue: 0 of 1 → 0 of 1"}},
				{event.TaskQueued, 1, []string{"places taken: 1 of 1 → 1 of 1", "in the queue: 0 of 1 → 1 of 1"}},
				{event.SendRefused, 1, []string{"in the queue: 1 of 1 → 1 of 1"}},
				{event.TaskStarted, 2, []string{"places taken: 0 of 1 → 1 of 1", "in the queue: 1 of 1 → 0 of 1"}},
			},
		},
		"bucket": {
			sim.Config{Clients: client(sim.Guards{Limiter: limit.BucketConfig{Capacity: 1, Period: time.Second}})},
			[]sim.Action{fire(0, get), fire(0, get)},
			[]wants{
				{event.AttemptAdmitted, 1, []string{"tokens: 1 of 1 → 0 of 1"}},
				{event.SendRefused, 1, []string{"tokens: 0 of 1 → 0 of 1", "next passes at: 1.000\u00a0s → 1.000\u00a0s"}},
			},
		},
	} {
		world.check(t, name)
	}
}

func TestStateOfThePartner(t *testing.T) {
	client := []sim.Client{{Name: "page", Policy: retry.Policy{Attempts: 1}}}
	get := call.Request{Method: "GET", Path: "/total"}
	keyed := partner.Config{Work: partner.Work{Least: time.Second}, Ledger: ledger.Config{Lifetime: time.Hour, Lease: time.Minute}}
	for name, world := range map[string]stateWorld{
		"schedule": {
			sim.Config{
				Partner: partner.Config{GCRA: limit.GCRAConfig{Limit: 1, Period: time.Second, Burst: 2}}, Clients: client,
			},
			[]sim.Action{fire(0, get), until(1), fire(0, get)},
			[]wants{
				{event.RequestAdmitted, 1, []string{"paid up to: 0.000\u00a0s → 1.000\u00a0s"}},
				{event.RequestAdmitted, 2, []string{"paid up to: 1.000\u00a0s → 2.000\u00a0s"}},
			},
		},
		"key": {
			sim.Config{Partner: keyed, Clients: client},
			[]sim.Action{fire(0, add("k", 10)), until(1), fire(0, add("k", 10)), until(2000), fire(0, add("k", 10)), until(2001), fire(0, add("k", 11))},
			[]wants{
				{event.RequestRefused, 1, []string{
					"fingerprint: POST /add, 10 → POST /add, 10", "key: in flight → in flight", "branch: – → 409, in flight"}},
				{event.EffectApplied, 1, []string{"fingerprint: none → POST /add, 10", "key: none → saved", "branch: – → new: execute"}},
				{event.ReplyReplayed, 1, []string{"key: saved → saved", "branch: – → replay"}},
				{event.RequestRefused, 2, []string{"fingerprint: POST /add, 10 → POST /add, 10", "branch: – → 422, other request"}},
			},
		},
	} {
		world.check(t, name)
	}
}

func (w *stateWorld) check(t *testing.T, name string) {
	t.Helper()
	events, _ := run(t, w.config, w.actions)
	for _, want := range w.want {
		checkState(t, name, events, want)
	}
}

func checkState(t *testing.T, name string, events []event.Event, w wants) {
	t.Helper()
	n := 0
	for i := range events {
		if events[i].Kind != w.kind {
			continue
		}
		if n++; n != w.n {
			continue
		}
		got := map[string]bool{}
		for _, r := range text.English.State(events, i) {
			got[r.Label+": "+r.Before+" → "+r.After] = true
		}
		for _, row := range w.rows {
			if !got[row] {
				t.Errorf("%s, %s %d: no row %q in %v", name, w.kind, w.n, row, got)
			}
		}
		return
	}
	t.Errorf("%s: there is no %s %d", name, w.kind, w.n)
}
