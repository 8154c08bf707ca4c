package schema

import (
	"time"

	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
)

// tests are the kinds of checks.
func tests() []Variant {
	counts, totals := lesson.TotalNames()
	number, instant := between(-maxNumber, maxNumber), wait(0, 1000*time.Hour)
	of := func(doc string, of []string) Field {
		return Field{Name: "of", Doc: doc, Need: true, Type: named(of...), Example: `"` + of[0] + `"`}
	}
	after := Field{Name: "after", Doc: "From which event on the time counts.", Default: "the start of the run", Type: obj("moment")}
	attempt := Field{Name: "attempt", Doc: "Which attempt of the call, counted from 1.", Need: true, Type: between(1, 1000), Example: "2"}
	reply := Field{Name: "reply", Doc: "The status that was ordered.", Type: between(200, 599), Example: "503"}
	return []Variant{
		{Name: "count", Doc: "How many there are of something.", OneOf: bounds, Fields: join([]Field{of("What is counted.", counts)}, bound(number, "1"))},
		{Name: "total", Doc: "A total of the amounts.", OneOf: bounds, Fields: join([]Field{of("Which total.", totals)}, bound(number, "10"))},
		{Name: "waits", Doc: "The waits of a call, all of them.", Fields: join(ofCall(), []Field{
			{Name: "equals", Doc: "The waits in their order; an empty list is no wait.", Need: true, Type: listOf(0, 50, wait(0, 24*time.Hour)), Example: `["1s", "2s"]`},
		})},
		{Name: "outcome", Doc: "How a call ended.", Fields: join(ofCall(), []Field{
			{Name: "is", Doc: "How it ended.", Need: true, Type: named("succeeded", "gave-up"), Example: `"gave-up"`},
			status("The status of the last response."), reason("Why it ended; left out, any.", false),
		})},
		{Name: "ends", Doc: "When a call ended.", OneOf: bounds, Fields: join(ofCall(), bound(instant, `"3s"`), []Field{after})},
		{Name: "starts", Doc: "When an attempt was sent.", OneOf: bounds, Fields: join(ofCall(), []Field{attempt}, bound(instant, `"2.5s"`), []Field{after})},
		{Name: "decided", Doc: "A decision was made for this reason.", Fields: []Field{
			reason("The reason.", true),
			{Name: "attempt", Doc: "Which attempt it is about, counted from 1; 0 is any.", Default: "0", Type: between(0, 1000), Example: "2"}, times(),
		}},
		{Name: "fired", Doc: "The learner sent requests like this.", Fields: []Field{
			{Name: "method", Doc: "The method.", Default: "any", Type: text("", "a text"), Example: `"POST"`},
			{Name: "key", Doc: "The key.", Default: "any", Type: text("", "a text"), Example: `"order-1"`},
			{Name: "keyed", Doc: "Whether there is a key.", Default: "either", Type: flagged(), Example: "true"},
			{Name: "amount", Doc: "The amount.", Default: "any", Type: between(1, 1_000_000_000), Example: "10"}, times(),
		}},
		{Name: "injected", Doc: "The learner ordered replies like this: a status or a fault, or different ones.", AnyOf: []string{"reply", "fault", "distinct"}, Fields: []Field{
			reply,
			{Name: "fault", Doc: "The fault that was ordered.", Type: named(names(event.Faults())...), Example: `"lost-reply"`},
			{Name: "distinct", Doc: "Count different orders; with `\"fault\": \"reply\"`, different statuses.", Default: "false", Type: flagged(), Example: "true"}, times(),
		}},
		{Name: "retries", Doc: "How many attempts of a call were sent after its first.", OneOf: bounds, Fields: join(ofCall(), bound(number, "2"))},
		{Name: "order", Doc: "One event comes before another.", Samples: []string{
			`"first": {"event": "attempt-sent", "client": "shop"}, "then": {"event": "reply-arrived"}`,
		}, Fields: []Field{
			{Name: "first", Doc: "What comes first.", Need: true, Type: obj("moment")},
			{Name: "then", Doc: "What comes after it, and not before.", Need: true, Type: obj("moment")},
		}},
		{Name: "happens", Doc: "How many events are like this.", OneOf: bounds, Fields: join(moment(), bound(number, "1"))},
		{Name: "state", Doc: "The state of a breaker, or the most tasks that a pool ever held.", Samples: []string{
			`"of": "breaker", "client": "shop", "is": "open"`, `"of": "running", "pool": "shared", "equals": 10`,
			`"of": "queued", "pool": "shared", "min": 1`, `"of": "running", "pool": "shared", "max": 10`,
		}, Rule: `"if": {"properties": {"of": {"const": "breaker"}}}, ` +
			`"then": {"required": ["is"], "properties": {"pool": false, "equals": false, "min": false, "max": false}}, ` +
			`"else": {"required": ["pool"], "properties": {"client": false, "is": false}, "oneOf": ` + eachRequired(bounds) + "}", Fields: join([]Field{
			{Name: "of", Doc: "What is looked at: a client's breaker, or the tasks of a pool.", Need: true, Type: named("breaker", "running", "queued"), Example: `"running"`},
			clientField("Whose breaker. Only with `breaker`.", "the first client"),
			{Name: "is", Doc: "The state of the circuit. Only with `breaker`, which needs it.", Type: named("closed", "open", "half-open"), Example: `"open"`},
			{Name: "pool", Doc: "The name of the pool. Only with `running` and `queued`, which need it.", Type: text(namePattern, "the name of a pool"), Example: `"shared"`},
		}, bound(number, "10"))},
	}
}
