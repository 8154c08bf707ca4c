package schema

import (
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// maxPlaces bounds the places and the queue of a pool, and the tokens of a client's own bucket.
const maxPlaces = 10_000

func scenarioObjects() []Object {
	return []Object{
		{Name: "scenario", Doc: "A world before its first step.", Fields: []Field{
			{Name: "$schema", Doc: "For editors; it means nothing here.", Type: text("", "a text"), Example: `"lesson.schema.json"`},
			{Name: "format", Doc: "The version of the format.", Default: "1", Type: between(scenario.Format, scenario.Format), Example: "1"},
			{Name: "seed", Doc: "Chooses the random draws.", Default: "1", Type: between(0, scenario.MaxSeed), Example: "7"},
			{Name: "latency", Doc: "How long a message takes, each way.", Default: "50ms", Type: wait(0, time.Hour), Example: `"50ms"`},
			{Name: "maxEvents", Doc: "After how many events a run stops.", Default: "20000", Type: between(1, sim.DefaultMaxEvents), Example: "1000"},
			{Name: "maxTime", Doc: "At which instant a run stops.", Default: "720h", Type: wait(1, 10*sim.DefaultMaxTime), Example: `"1h"`},
			{Name: "partner", Doc: "The partner that is called.", Default: "an idle one without a limit", Type: obj("partner")},
			{Name: "script", Doc: "What befalls the first requests, one after the other, whoever sends them.", Type: listOf(0, scenario.MaxScript, obj("mishap"))},
			{Name: "repeatLast", Doc: "Whether the last line of the script goes on for ever.", Default: "false", Type: flagged(), Example: "true"},
			{Name: "pools", Doc: "Bulkheads that clients can share.", Type: listOf(0, scenario.MaxPools, obj("pool"))},
			{Name: "clients", Doc: "Who calls the partner.", Need: true, Type: listOf(1, scenario.MaxClients, obj("client"))},
			{Name: "inputs", Doc: "What happens in every run, before the learner's inputs of the same instant.", Type: listOf(0, scenario.MaxInputs, obj("input"))},
		}},
		{Name: "client", Doc: "Somebody who calls the partner.", Base: "guards", Fields: []Field{
			{Name: "name", Doc: "The name: the client's key at the partner, and how the lesson calls it.", Need: true, Type: text(namePattern, "1 to 40 letters, digits and hyphens"), Example: `"shop"`},
			{Name: "policy", Doc: "When it sends again.", Need: true, Type: obj("client policy")},
			{Name: "oversleep", Doc: "How much later than planned each wait ends.", Default: "0s", Type: wait(0, scenario.MaxWait), Example: `"2s"`},
			{Name: "request", Doc: "What it sends unless an input says otherwise.", Default: "a POST of 10 to /add without a key", Type: obj("request")},
			{Name: "onNotice", Doc: "What it sends when the partner notifies it.", Default: "nothing", Type: obj("on notice")},
		}},
		{Name: "on notice", Doc: "What a client does when it is notified.", Fields: []Field{
			{Name: "fire", Doc: "The request that it sends; what is left out is as in its `request`.", Need: true, Type: obj("request")},
		}},
		{Name: "guards", Doc: "What wraps a client's calls, from the outside in: pool, breaker, limiter.", Fields: []Field{
			{Name: "pool", Doc: "The name of the pool in which its calls run.", Default: "none", Type: text(namePattern, "the name of a pool"), Example: `"shared"`},
			{Name: "breaker", Doc: "Its circuit breaker.", Default: "none", Type: obj("breaker")},
			{Name: "limiter", Doc: "Its own token bucket, in front of the partner.", Default: "none", Type: obj("own limiter")},
			{Name: "fallback", Doc: "What it answers where a call fails.", Default: "none", Type: obj("fallback")},
		}},
		{Name: "fallback", Doc: "The answer in the place of the partner's.", Fields: []Field{
			{Name: "reply", Doc: "Its status.", Need: true, Type: between(200, 599), Example: "200"},
		}},
		{Name: "pool", Doc: "A bulkhead: how many calls run at once and how many wait.", Fields: []Field{
			{Name: "name", Doc: "Its name.", Need: true, Type: text(namePattern, "1 to 40 letters, digits and hyphens"), Example: `"shared"`},
			{Name: "running", Doc: "How many run at once.", Need: true, Type: between(1, maxPlaces), Example: "10"},
			{Name: "queue", Doc: "How many wait; further ones are refused.", Default: "0", Type: between(0, maxPlaces), Example: "20"},
			{Name: "callerTimeout", Doc: "How long a caller waits for its task; 0 is for ever.", Default: "0s", Type: wait(0, scenario.MaxWait), Example: `"3s"`},
		}},
		breakerObject(),
		{Name: "own limiter", Doc: "A client's own token bucket.", Fields: []Field{
			{Name: "capacity", Doc: "How many tokens it holds.", Need: true, Type: between(1, maxPlaces), Example: "3"},
			{Name: "refill", Doc: "How many tokens come in a period.", Default: "the capacity", Type: between(1, maxPlaces), Example: "3"},
			{Name: "period", Doc: "In what time.", Need: true, Type: wait(1, scenario.MaxWait), Example: `"1s"`},
			{Name: "mode", Doc: "Whether the tokens come all at once or one by one.", Default: "batch", Type: named(limit.Batch.String(), limit.Continuous.String()), Example: `"continuous"`},
			{Name: "poll", Doc: "How often a waiting call looks again; 0 lets it know the instant.", Default: "0s", Type: wait(0, scenario.MaxWait), Example: `"50ms"`},
		}},
	}
}

func breakerObject() Object {
	classes := names([]call.Class{call.Success, call.Transient, call.Throttled, call.Permanent, call.Unknown})
	percent := Field{Name: "percent", Doc: "Which share of failures opens the circuit, in percent.", Default: "50", Type: between(1, 100), Example: "50"}
	return Object{
		Name: "breaker", Doc: "A circuit breaker.", By: "window",
		Fields: []Field{
			{Name: "open", Doc: "How long an open circuit refuses.", Need: true, Type: wait(1, scenario.MaxWait), Example: `"5s"`},
			{Name: "probes", Doc: "How many calls a half-open circuit lets through at once.", Default: "1", Type: between(1, breaker.MaxProbes), Example: "1"},
			{Name: "successes", Doc: "How many probes must succeed before the circuit closes; not less than `probes`.", Default: "`probes`", Type: bounded(1, maxPlaces), Example: "1"},
			{Name: "lease", Doc: "After which time a probe without a result is given up.", Default: "`open`", Type: wait(1, scenario.MaxWait), Example: `"5s"`},
			{Name: "failing", Doc: "Which outcomes count as failures; an empty list is the usual ones.", Type: listOf(0, len(classes), named(classes...)), Example: `["transient"]`},
			{Name: "ignoring", Doc: "Which outcomes do not count at all.", Type: listOf(0, len(classes), named(classes...)), Example: `["throttled"]`},
		},
		Variants: []Variant{
			{Name: breaker.InARow.String(), Doc: "Opens after so many failures in a row.", Fields: []Field{
				{Name: "failures", Doc: "How many.", Default: "1", Type: between(1, maxPlaces), Example: "3"},
			}},
			{Name: breaker.Count.String(), Doc: "Judges the last results.", Fields: []Field{
				{Name: "size", Doc: "How many of the last results count.", Default: "10", Type: between(1, breaker.MaxSize), Example: "10"},
				{Name: "minimum", Doc: "How many results must be known; not more than `size`.", Default: "`size`", Type: bounded(1, breaker.MaxSize), Example: "10"}, percent,
			}},
			{Name: breaker.Time.String(), Doc: "Judges the results of the last time.", Fields: []Field{
				{Name: "span", Doc: "How far back results count.", Default: "10s", Type: wait(breaker.Slices, scenario.MaxWait), Example: `"10s"`},
				{Name: "minimum", Doc: "How many results must be known.", Default: "1", Type: between(1, maxPlaces), Example: "5"}, percent,
			}},
		},
	}
}

func partnerObjects() []Object {
	count := func(doc string, most int64, example string) Field {
		return Field{Name: "count", Doc: doc, Need: true, Type: between(1, most), Example: example}
	}
	period := Field{Name: "period", Doc: "In what time.", Need: true, Type: wait(1, scenario.MaxWait), Example: `"1s"`}
	work := []Field{
		{Name: "least", Doc: "The shortest time.", Default: "0s", Type: wait(0, scenario.MaxWait), Example: `"200ms"`},
		{Name: "most", Doc: "The longest time, not less than `least`; between the two it is drawn.", Default: "`least`", Type: boundedWait(0, scenario.MaxWait), Example: `"300ms"`},
		{Name: "perBusy", Doc: "What each other request that is worked on adds.", Default: "0s", Type: wait(0, scenario.MaxWait), Example: `"10ms"`},
	}
	path := Field{Name: "path", Doc: "The path, and all below it.", Need: true, Type: text(pathPattern, "a path that begins with /"), Example: `"/reservations"`}
	return []Object{
		{Name: "partner", Doc: "The service that is called.", Never: [][2]string{{"limit", "limiter"}}, Fields: []Field{
			{Name: "limit", Doc: "A sliding log for each client.", Default: "no limit", Type: obj("limit")},
			{Name: "limiter", Doc: "Another kind of limiter, in the place of `limit`.", Default: "none", Type: obj("limiter")},
			{Name: "keys", Doc: "What it does with Idempotency-Keys.", Default: "deduplicate", Type: named("deduplicate", "ignore"), Example: `"ignore"`},
			{Name: "keyLifetime", Doc: "How long a key is remembered.", Default: "24h", Type: wait(1, 366*24*time.Hour), Example: `"24h"`},
			{Name: "requireKeys", Doc: "Whether a POST without a key is refused.", Default: "false", Type: flagged(), Example: "true"},
			{Name: "splitRecord", Doc: "Whether the effect and its record are two steps, between which it can crash.", Default: "false", Type: flagged(), Example: "true"},
			{Name: "work", Doc: "How long it works on a request: for all paths, or for each its own.", Default: "no time", Type: oneOrOther(obj("work"), listOf(0, scenario.MaxPaths, obj("path work")))},
			{Name: "lease", Doc: "How long a key counts as in flight; 0 lets two requests of one key run at once.", Default: written(ledger.DefaultLease) + " where work takes time, else 0s", Type: wait(0, scenario.MaxWait), Example: `"30s"`},
			{Name: "errors", Doc: "Which error answers are kept for a key.", Default: "all", Type: named(ledger.ErrorsNames()...), Example: `"not-5xx"`},
			{Name: "capacity", Doc: "How many requests it works on at once.", Default: "all", Type: obj("capacity")},
			{Name: "slots", Doc: "What can be reserved.", Default: "the usual ones", Type: obj("slots")},
		}},
		{Name: "limit", Doc: "A sliding log: so many requests of a client in any window.", Fields: []Field{
			count("How many.", 10_000, "6"),
			{Name: "window", Doc: "In what time.", Need: true, Type: wait(1, scenario.MaxWait), Example: `"1m"`},
			{Name: "recordRefused", Doc: "Whether refused requests count too.", Default: "false", Type: flagged(), Example: "true"},
		}},
		{Name: "limiter", Doc: "A limiter for each client.", By: "kind", Variants: []Variant{
			{Name: "fixed-window", Doc: "Counts in windows that begin at the multiples of the period.", Fields: []Field{count("How many in a window.", 10_000, "3"), period}},
			{Name: "token-bucket", Doc: "A bucket of tokens that is refilled.", Fields: []Field{
				{Name: "capacity", Doc: "How many tokens it holds.", Need: true, Type: between(1, limit.MaxTokens), Example: "3"}, period,
				{Name: "refill", Doc: "How many tokens come in a period.", Default: "the capacity", Type: between(1, limit.MaxTokens), Example: "3"},
				{Name: "mode", Doc: "Whether the tokens come all at once or one by one.", Default: "batch", Type: named(limit.Batch.String(), limit.Continuous.String()), Example: `"continuous"`},
			}},
			{Name: "gcra", Doc: "Spaces requests evenly, with a burst.", Fields: []Field{
				count("How many in a period.", limit.MaxTokens, "6"), period,
				{Name: "burst", Doc: "How many at once.", Default: "1", Type: between(1, 10_000), Example: "6"},
			}},
			{Name: "concurrency", Doc: "Counts requests that are under way.", Fields: []Field{count("How many at once.", limit.MaxInFlight, "2")}},
		}},
		{Name: "work", Doc: "How long the partner works on a request.", Fields: work},
		{Name: "path work", Doc: "How long the partner works on requests of one path.", Fields: append([]Field{path}, work...)},
		{Name: "capacity", Doc: "How many requests the partner works on at once.", Fields: []Field{
			{Name: "running", Doc: "How many at once.", Need: true, Type: between(1, scenario.MaxPlaces), Example: "2"},
			{Name: "queue", Doc: "How many wait; further ones get a 503.", Default: "0", Type: between(0, scenario.MaxPlaces), Example: "4"},
		}},
		{Name: "slots", Doc: "What can be reserved at the partner.", Fields: []Field{
			{Name: "count", Doc: "How many slots.", Default: itoa(int64(partner.DefaultSlots.Count)), Type: between(1, partner.MaxSlots), Example: "3"},
			{Name: "places", Doc: "How many places each has.", Default: itoa(partner.DefaultSlots.Places), Type: between(1, partner.MaxAmount), Example: "2"},
		}},
	}
}
