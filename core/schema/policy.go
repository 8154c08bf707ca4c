package schema

import (
	"strconv"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/document"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/scenario"
)

func written(d time.Duration) string { return document.FormatDuration(d) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func ratio() Type  { return text(ratioPattern, "a decimal text from \"0\" to \"1\"") }
func tokens() Type { return text(tokensPattern, "a decimal text from \"0\" to \"1000000\"") }

func statuses() Type { return listOf(0, 50, between(100, 599)) }

func policyObjects() []Object {
	longest := wait(0, scenario.MaxWait)
	fields := policyFields(longest)
	return []Object{
		{Name: "policy", Doc: "When a client sends again. What is left out stays as it is.", Fields: fields},
		{Name: "client policy", Doc: "The policy of a client; it has `preset` or `attempts`.", Fields: fields, AnyOf: []string{"preset", "attempts"}, Like: "It has the fields of a [policy](#policy)."},
		{Name: "backoff", Doc: "The local wait before each retry.", Fields: []Field{
			{Name: "base", Doc: "The first wait.", Default: "the preset's", Type: longest, Example: `"500ms"`},
			{Name: "cap", Doc: "The longest wait; with a `base` it is needed.", Default: "the preset's", Type: longest, Example: `"4s"`},
			{Name: "shape", Doc: "How the waits grow.", Default: "exponential", Type: named(backoff.ShapeNames()...), Example: `"exponential"`},
			{Name: "factor", Doc: "By what an exponential wait is multiplied.", Default: "2", Type: text(factorPattern, "a decimal or a fraction as text, 0.001 to 1000"), Example: `"3/2"`},
		}},
		{Name: "jitter", Doc: "How the local wait is spread.", By: "kind", Variants: jitters()},
		{Name: "retried", Doc: "Which failures are retried. A list that is left out is empty.", Fields: []Field{
			{Name: "statuses", Doc: "The statuses.", Type: statuses(), Example: "[429, 503]"},
			{Name: "codes", Doc: "Error codes of the body, whatever the status.", Type: listOf(0, 50, text(notEmptyPattern, "up to 100 printable ASCII characters")), Example: `["in_flight"]`},
			{Name: "failures", Doc: "Failures without a response.", Type: listOf(0, len(call.Failures()), named(names(call.Failures())...)), Example: `["timed-out"]`},
			{Name: "envelope", Doc: "Whether `retryable` in the body decides where it is given.", Default: "the preset's", Type: flagged(), Example: "true"},
		}},
		{Name: "retry budget", Doc: "What the retries of all calls of a client share.", By: "kind", Variants: budgets()},
	}
}

func policyFields(longest Type) []Field {
	const preset, none = "the preset's", "the preset's, else none"
	return []Field{
		{Name: "preset", Doc: "A ready policy, from which the other fields differ.", Type: named(scenario.Presets()...), Example: `"contract-d"`},
		{Name: "attempts", Doc: "How many times a call is sent at most, the first included.", Default: preset, Type: between(1, retry.MaxAttempts), Example: "4"},
		{Name: "deadline", Doc: "The time of a whole call, waits included; 0 is none.", Default: none, Type: longest, Example: `"5s"`},
		{Name: "deadlineTest", Doc: "When the deadline has passed.", Default: preset, Type: named(budget.DeadlineTestNames()...), Example: `"greater"`},
		{Name: "attemptTimeout", Doc: "How long an attempt waits for its reply; 0 is for ever.", Default: none, Type: longest, Example: `"1.5s"`},
		{Name: "freshDeadline", Doc: "Whether each attempt gets the whole deadline again: a mistake to show.", Default: "false", Type: flagged(), Example: "false"},
		{Name: "cutTimeout", Doc: "Whether an attempt's time is cut to what is left of the deadline.", Default: preset, Type: flagged(), Example: "true"},
		{Name: "backoff", Doc: "The local wait.", Default: preset, Type: obj("backoff")},
		{Name: "jitter", Doc: "How it is spread.", Default: preset, Type: obj("jitter")},
		{Name: "retryAfter", Doc: "What a Retry-After does: nothing, lengthen the wait, or take its place.", Default: preset, Type: named(retryafter.RuleNames()...), Example: `"replace"`},
		{Name: "retryAfterMode", Doc: "Which values of Retry-After can be read.", Default: preset, Type: named(retryafter.ModeNames()...), Example: `"standard"`},
		{Name: "maxRetryAfter", Doc: "The longest Retry-After that is waited for; 0 is any.", Default: none, Type: longest, Example: `"1m"`},
		{Name: "aboveRetryAfter", Doc: "How far beyond a Retry-After the clients are spread; 0 is not at all.", Default: none, Type: longest, Example: `"1s"`},
		{Name: "methods", Doc: "Which requests may be repeated.", Default: preset, Type: named(retry.SafetyNames()...), Example: `"standard"`},
		{Name: "unchanging", Doc: "Paths to which a POST changes nothing. Only with `lesson-e` and `standard`.", Type: listOf(0, 20, text(pathPattern, "a path that begins with /")), Example: `["/estimate"]`},
		{Name: "keysDocumented", Doc: "Whether the partner documents its keys. Only with `standard`.", Default: "false", Type: flagged(), Example: "true"},
		{Name: "unprocessed", Doc: "Statuses that mean that nothing was done. Only with `standard`.", Type: statuses(), Example: "[503]"},
		{Name: "retry", Doc: "What is retried.", Default: preset, Type: obj("retried")},
		{Name: "retryBudget", Doc: "What the retries share.", Default: "off", Type: obj("retry budget")},
		{Name: "exhausted", Doc: "What the caller gets in the end.", Default: preset, Type: named(retry.ExhaustedNames()...), Example: `"error"`},
	}
}

func jitters() (list []Variant) {
	docs := []string{
		"No spread.", "A given fraction of the wait.", "Between 0 and the wait.", "Between half of the wait and the whole.",
		"Between the base and three times the last wait.", "The wait, more or less by a share.",
	}
	keep := Field{Name: "keepAtCap", Doc: "Whether waits at the cap are spread too.", Default: "false", Type: flagged(), Example: "true"}
	for i, name := range backoff.JitterNames() {
		v := Variant{Name: name, Doc: docs[i]}
		switch name {
		case backoff.Fraction.String():
			v.Fields = []Field{{Name: "fractions", Doc: "The fraction of each retry in turn; an empty list is drawn.", Type: listOf(0, 20, ratio()), Example: `["0.5"]`}}
		case backoff.PlusMinus.String():
			v.Fields = []Field{{Name: "share", Doc: "By how much.", Need: true, Type: ratio(), Example: `"0.25"`}, keep}
		case backoff.Decorrelated.String():
			v.Fields = []Field{keep}
		}
		list = append(list, v)
	}
	return list
}

func budgets() []Variant {
	of := func(name, doc, missing, example string) Field {
		return Field{Name: name, Doc: doc, Need: missing == "", Default: missing, Type: tokens(), Example: example}
	}
	return []Variant{
		{Name: "off", Doc: "No budget."},
		{Name: "quota", Doc: "A retry takes tokens, and a success brings some back.", Fields: []Field{
			of("tokens", "How many there are.", "", `"500"`), of("cost", "What a retry takes.", "", `"14"`),
			of("throttledCost", "What a retry after a 429 takes.", "`cost`", `"5"`), of("refill", "What a success brings back.", "0", `"1"`),
		}},
		{Name: "throttle", Doc: "A failure takes a token; retries stop at half of them.", Fields: []Field{
			of("tokens", "How many there are.", "", `"10"`), of("refill", "What a success brings back.", "0", `"0.1"`),
		}},
		{Name: "share", Doc: "Retries may be a share of what is under way.", Fields: []Field{
			{Name: "share", Doc: "Which share.", Need: true, Type: ratio(), Example: `"0.2"`},
			{Name: "minimum", Doc: "How many are always allowed.", Default: "0", Type: between(0, 1_000_000), Example: "3"},
		}},
	}
}
