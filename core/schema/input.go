package schema

import (
	"retrylab.example/core/event"
	"retrylab.example/core/partner"
	"retrylab.example/core/scenario"
)

func inputObjects() []Object {
	client := clientField("Whose.", "the first client")
	method := Field{Name: "method", Doc: "The method.", Default: "POST", Type: text(methodPattern, "1 to 20 letters"), Example: `"POST"`}
	path := Field{Name: "path", Doc: "The path.", Default: "/add", Type: text(pathPattern, "a path that begins with /"), Example: `"/add"`}
	needed := func(f Field) Field {
		f.Need, f.Default = true, ""
		return f
	}
	key := Field{Name: "key", Doc: "The Idempotency-Key; null is none.", Default: "none", Type: oneOrOther(keyText(), Type{kind: scalar, names: []string{"null"}, words: "null"}), Example: `"order-1"`}
	body := []Field{
		{Name: "amount", Doc: "The amount.", Default: "10", Type: between(-partner.MaxAmount, partner.MaxAmount), Example: "10"},
		{Name: "slot", Doc: "The slot of a reservation, from 1; 0 is none.", Default: "0", Type: between(0, partner.MaxAmount), Example: "2"},
		{Name: "ifMatch", Doc: "The If-Match; \"\" is none.", Default: "none", Type: text(valuePattern, "up to 100 printable ASCII characters"), Example: `"\"e1\""`},
	}
	clientID := Field{Name: "clientId", Doc: "The key under which this request goes out, right or wrong.", Default: "the client's name", Type: text(notEmptyPattern, "1 to 100 printable ASCII characters"), Example: `"other-shop"`}
	any := Type{kind: scalar, names: []string{"null", "boolean", "number", "string"}, words: "any single value of up to 40 bytes: what is no limit the partner refuses"}
	return []Object{
		{Name: "request", Doc: "What a client sends.", Fields: join([]Field{method, path, key}, body)},
		{Name: "sent request", Doc: "A whole request.", Fields: join([]Field{needed(method), needed(path)}, body, []Field{clientID})},
		{Name: "input", Doc: "What is done at an instant, after everything that is due then.", OneOf: []string{"fire", "inject", "policy", "guards", "limit"}, Fields: []Field{
			{Name: "at", Doc: "The instant, since the start of the run and not after `maxTime`.", Default: "0s", Type: boundedWait(0, 10*365*24*3600e9), Example: `"0s"`},
			{Name: "fire", Doc: "Sends a request.", Type: obj("fire")},
			{Name: "inject", Doc: "Orders what befalls the next request that is sent.", Type: obj("mishap")},
			{Name: "policy", Doc: "Changes the policy of a client.", Type: obj("set policy")},
			{Name: "guards", Doc: "Replaces what wraps a client's calls.", Type: obj("set guards")},
			{Name: "limit", Doc: "Sets the partner's sliding log.", Type: obj("set limit")},
		}},
		{Name: "fire", Doc: "A request that is sent; what is left out is as in the client's `request`.", Base: "request", Fields: []Field{
			client, clientID,
			{Name: "times", Doc: "How many calls are started at once.", Default: "1", Type: between(1, scenario.MaxTimes), Example: "2"},
		}},
		{Name: "set policy", Doc: "A change of a policy.", Fields: []Field{
			client, {Name: "set", Doc: "What changes.", Need: true, Type: obj("policy")},
		}},
		{Name: "set guards", Doc: "All that wraps a client's calls from then on; what is left out is gone.", Base: "guards", Fields: []Field{client}},
		{Name: "set limit", Doc: "A setting of the partner's limit, right or wrong.", Fields: []Field{
			{Name: "count", Doc: "How many requests.", Need: true, Type: any, Example: "2"},
			{Name: "window", Doc: "In what time: a duration, or a number of seconds.", Need: true, Type: any, Example: `"10s"`},
		}},
		{
			Name: "mishap", Doc: "What befalls one request.", OneOf: []string{"reply", "fail", "fault"},
			Never: [][2]string{{"fault", "retryAfter"}, {"fault", "fields"}},
			Fields: []Field{
				{Name: "reply", Doc: "The partner answers this status at once and does nothing.", Type: between(200, 599), Example: "503"},
				{Name: "fail", Doc: "The partner carries out the request, which ends in this error.", Type: between(400, 599), Example: "502"},
				{Name: "fault", Doc: "The fault; `none` lets the request through.", Type: named(mishaps()...), Example: `"lost-reply"`},
				{Name: "retryAfter", Doc: "The Retry-After of the response, readable or not.", Default: "none", Type: text(valuePattern, "up to 100 printable ASCII characters"), Example: `"7"`},
				{Name: "fields", Doc: "Further fields of the response.", Type: listOf(0, scenario.MaxFields, obj("header field"))},
				{Name: "delay", Doc: "How much later the message comes.", Default: "0s", Type: wait(0, scenario.MaxWait), Example: `"100ms"`},
			},
		},
		{Name: "header field", Doc: "A field of a response.", Fields: []Field{
			{Name: "name", Doc: "Its name. Retry-After has a field of its own.", Need: true, Type: text(fieldPattern, "1 to 50 letters, digits and hyphens"), Example: `"Date"`},
			{Name: "value", Doc: "Its value.", Need: true, Type: text(linePattern, "up to 200 characters on one line"), Example: `"Mon, 30 Nov 2026 12:00:01 GMT"`},
		}},
	}
}

// mishaps are the faults that a script may name.
func mishaps() []string {
	list := []string{event.NoFault.String()}
	for _, f := range event.Faults() {
		if f != event.Reply && f != event.Fail {
			list = append(list, f.String())
		}
	}
	return list
}
