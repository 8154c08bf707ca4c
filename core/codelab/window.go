package codelab

import (
	"strconv"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/document"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
)

// windowFunctions are contract B, the rate window.
func windowFunctions() []Function {
	return []Function{
		{"validate_limit", "limit, window", validateLimitCases, makeValidateLimit, each(wantValidateLimit)},
		{"active", "history, now, window", activeCases, makeActive, wantActive},
		{"retry_after", "history, now, window", retryAfterCases, makeRetryAfter, wantRetryAfter},
		{"history_for", "state, key", historyForCases, makeHistoryFor, wantHistoryFor},
		{"admit", "state, key, now, limit, window", admitCases, makeAdmit, wantAdmit},
		{"client_key", "value", clientKeyCases, makeClientKey, each(wantClientKey)},
		{"limited_response", "wait", limitedCases, makeLimited, each(wantLimited)},
		{"create_app", "clock, limit=2, window=10", createAppCases, makeCreateApp, wantCreateApp},
	}
}

func badCounts() []Value {
	return []Value{whole(0), whole(-1), truth(true), seconds(2 * time.Second), text("2"), {}}
}

func counts() []Value { return append(badCounts(), whole(1), whole(2), whole(1000)) }

func windows() []Value {
	return []Value{
		whole(1), seconds(2500 * time.Millisecond), whole(0), whole(-1), truth(true), text("1"), odd("nan"), odd("inf"), odd("-inf"), {},
	}
}

func validateLimitCases() []Case {
	var all []Case
	for _, count := range counts() {
		all = append(all, single(count, whole(10)))
	}
	for _, window := range windows() {
		all = append(all, single(whole(2), window))
	}
	return all
}

func makeValidateLimit(c *choices) Case {
	count, window := c.span(-2, 20), Value(c.signed(40))
	if c.flag() {
		count = c.pick(counts()...)
	}
	if c.flag() {
		window = c.pick(windows()...)
	}
	return single(count, window)
}

// literal writes a value as JSON does, with the texts that stand there for what JSON cannot say.
func literal(v Value) string {
	switch v.Kind {
	case None:
		return "null"
	case Bool:
		return strconv.FormatBool(v.Int == 1)
	case Str:
		return string(call.AppendJSONString(nil, v.Text))
	case Odd:
		return map[string]string{"nan": `"NaN"`, "inf": `"Infinity"`, "-inf": `"-Infinity"`}[v.Text]
	}
	return v.String()
}

// setting reads a setting as the partner does.
func setting(count, window Value) (limit.Config, bool) {
	c, d := limit.Setting{Count: literal(count), Window: literal(window)}.Decide()
	return c, d.Verdict == decision.Admit
}

func wantValidateLimit(s *Step) Outcome {
	c, ok := setting(s.Args[0], s.Args[1])
	if !ok {
		return argument()
	}
	return returned(tuple(whole(int64(c.Limit)), seconds(c.Window)))
}

// times makes a rising history, as floats.
func (c *choices) times(most int) (all []Value) {
	at := time.Duration(0)
	for c.more(len(all), most) {
		at += c.quarter(12)
		all = append(all, seconds(at))
	}
	return all
}

// last returns the last time of a history, 0 if there is none.
func last(history []Value) time.Duration {
	if len(history) == 0 {
		return 0
	}
	return history[len(history)-1].duration()
}

func historyCase(history []Value, now, window Value) Case {
	c := single(variable("history"), now, window)
	c.Vars = []Named{{"history", list(history...)}}
	return c
}

func activeCases() []Case {
	zero, five, ten := seconds(0), seconds(5*time.Second), seconds(10*time.Second)
	return []Case{
		historyCase(nil, ten, ten), historyCase([]Value{five}, ten, ten), historyCase([]Value{zero, five}, ten, ten),
		historyCase([]Value{zero, five, ten}, ten, ten), historyCase([]Value{zero}, ten, five),
	}
}

func makeActive(c *choices) Case {
	history := c.times(6)
	return historyCase(history, seconds(last(history)+c.quarter(16)), seconds(c.quarter(40)+time.Second/4))
}

func instants(values []Value) []clock.Instant {
	all := make([]clock.Instant, len(values))
	for i, v := range values {
		all[i] = v.at()
	}
	return all
}

func fromInstants(times []clock.Instant) Value {
	all := make([]Value, len(times))
	for i, t := range times {
		all[i] = seconds(t.Sub(clock.Start))
	}
	return list(all...)
}

func wantActive(c *Case) []Outcome {
	s := &c.Steps[0]
	return []Outcome{returned(fromInstants(limit.Active(instants(c.Vars[0].Value.Items), s.Args[1].at(), s.Args[2].duration())))}
}

func retryAfterCases() []Case {
	return []Case{
		historyCase([]Value{seconds(0)}, seconds(9*time.Second), whole(10)), historyCase(nil, seconds(0), whole(10)),
		historyCase([]Value{seconds(0)}, seconds(9750*time.Millisecond), whole(10)),
		historyCase([]Value{seconds(time.Second / 4), seconds(2 * time.Second)}, seconds(9*time.Second), whole(10)),
		historyCase([]Value{seconds(0)}, seconds(0), seconds(2500*time.Millisecond)),
	}
}

// makeRetryAfter makes a history that is pruned already.
func makeRetryAfter(c *choices) Case {
	k := makeActive(c)
	k.Vars[0].Value = wantActive(&k)[0].Result
	return k
}

func wantRetryAfter(c *Case) []Outcome {
	s := &c.Steps[0]
	return []Outcome{returned(whole(limit.RetryAfter(instants(c.Vars[0].Value.Items), s.Args[1].at(), s.Args[2].duration())))}
}

func stateCase(state Value, steps ...Step) Case {
	return Case{Vars: []Named{{"state", state}}, Steps: steps}
}

func historyForCases() []Case {
	of := func(state Value, key string) Case {
		return stateCase(state, Step{Args: []Value{variable("state"), text(key)}})
	}
	some := dict(text("a"), list(seconds(time.Second), seconds(2*time.Second)))
	return []Case{of(dict(), "a"), of(some, "a"), of(some, "b")}
}

// histories chooses a state: at what times each client has been admitted, at most so many.
func (c *choices) histories(most int) (state Value, latest time.Duration) {
	state = dict()
	for _, key := range [...]string{"a", "b"} {
		if history := c.times(most); len(history) > 0 {
			state.Items = append(state.Items, text(key), list(history...))
			latest = max(latest, last(history))
		}
	}
	return state, latest
}

func makeHistoryFor(c *choices) Case {
	state, _ := c.histories(4)
	return stateCase(state, Step{Args: []Value{variable("state"), c.pick(text("a"), text("b"), text("c"))}})
}

// logOf is a sliding log that holds a state.
func logOf(state Value) limit.Log {
	log, err := limit.New(limit.Config{Limit: 1000, Window: clock.MaxDuration})
	if err != nil {
		panic("codelab: " + err.Error())
	}
	for i := 0; i < len(state.Items); i += 2 {
		for _, at := range state.Items[i+1].Items {
			log, _ = log.Take(state.Items[i].Text, at.at())
		}
	}
	return log
}

func wantHistoryFor(c *Case) []Outcome {
	return []Outcome{returned(fromInstants(logOf(c.Vars[0].Value).History(c.Steps[0].Args[1].Text)))}
}

func admission(key string, now time.Duration, count, window Value) Step {
	return Step{Args: []Value{variable("state"), text(key), seconds(now), count, window}}
}

func admitCases() []Case {
	two, ten := whole(2), whole(10)
	one := dict(text("a"), list(seconds(0)))
	at := func(state Value, steps ...Step) Case { return stateCase(state, steps...) }
	full := dict(text("a"), list(seconds(0), seconds(time.Second)))
	return []Case{
		at(dict(), admission("a", 0, two, ten)),
		at(one, admission("a", 10*time.Second, whole(1), ten)),
		at(full, admission("a", 2*time.Second, two, ten)),
		at(full, admission("a", 2250*time.Millisecond, two, ten)),
		at(full, admission("b", 2*time.Second, two, ten)),
		at(dict(), admission("a", 0, whole(0), ten)),
		at(one, admission("a", 20*time.Second, whole(0), ten)),
		at(one, admission("a", 20*time.Second, truth(true), ten)),
		at(one, admission("a", 20*time.Second, two, odd("nan"))),
		at(one, admission("a", time.Second, whole(1), ten), admission("a", 10*time.Second, whole(1), ten)),
	}
}

func makeAdmit(c *choices) Case {
	count, window := c.span(1, 3), seconds(c.quarter(24)+time.Second/4)
	state, now := c.histories(int(count.Int))
	var steps []Step
	for c.more(len(steps), 5) || len(steps) == 0 {
		now += c.quarter(12)
		s := admission(c.pick(text("a"), text("b")).Text, now, count, window)
		if c.below(10) == 9 {
			s.Args[3] = c.pick(badCounts()...)
		}
		steps = append(steps, s)
	}
	return stateCase(state, steps...)
}

func wantAdmit(c *Case) []Outcome {
	log := logOf(c.Vars[0].Value)
	var keys []string
	for i := 0; i < len(c.Vars[0].Value.Items); i += 2 {
		keys = append(keys, c.Vars[0].Value.Items[i].Text)
	}
	var all []Outcome
	for _, s := range c.Steps {
		o := argument()
		if config, ok := setting(s.Args[3], s.Args[4]); ok {
			var d decision.Decision
			log, d = log.With(config).Take(s.Args[1].Text, s.Args[2].at())
			o = returned(tuple(truth(d.Verdict == decision.Admit), whole(int64(d.Wait/time.Second))))
			keys = append(keys, s.Args[1].Text)
		}
		o.Vars = []Value{stateOf(log, keys)}
		all = append(all, o)
	}
	return all
}

// stateOf writes a sliding log as a dict.
func stateOf(log limit.Log, keys []string) Value {
	state, seen := dict(), map[string]bool{}
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			state.Items = append(state.Items, text(key), fromInstants(log.History(key)))
		}
	}
	return state
}

func clientKeys() []Value {
	return []Value{
		text("a"), text("client-1"), text(""), text("a b"), text("a_b"), text("A-9"), text("aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"),
		text("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddE"), text("é"), text("ａ"), text("a\n"), text(" "), text("-"), text("<script>"), {},
	}
}

func clientKeyCases() []Case {
	var all []Case
	for _, key := range clientKeys() {
		all = append(all, single(key))
	}
	return all
}

func makeClientKey(c *choices) Case {
	if c.below(4) == 3 {
		return single(c.pick(clientKeys()...))
	}
	const letters = "a0-Z9zA_. é"
	runes, key := []rune(letters), ""
	for n := 0; c.more(n, 45); n++ {
		key += string(runes[c.below(len(runes))])
	}
	return single(text(key))
}

func wantClientKey(s *Step) Outcome {
	if v := s.Args[0]; v.Kind == Str && limit.ValidClientKey(v.Text) {
		return returned(v)
	}
	return argument()
}

func limitedCases() []Case { return singles([]Value{whole(1)}, []Value{whole(0)}, []Value{whole(10)}) }

func makeLimited(c *choices) Case { return single(c.span(0, 100)) }

func wantLimited(s *Step) Outcome { return returned(response(partner.LimitedResponse(s.Args[0].Int))) }

// response is a response of the core as a JSONResponse.
func response(r call.Response) Value {
	_, body, err := document.Read("body", []byte(r.Body.String()))
	if err != nil {
		panic("codelab: a body of the core is no JSON: " + err.Error())
	}
	content, headers := dict(), dict()
	for _, f := range body.Fields {
		content.Items = append(content.Items, text(f.Name), readValue(f.Value))
	}
	if r.HasRetryAfter {
		headers.Items = []Value{text("Retry-After"), text(r.RetryAfter)}
	}
	return Value{Kind: Response, Items: []Value{whole(int64(r.Status)), content, headers}}
}

// newApp is a step that makes an app, and ask one that asks the app which a step made.
func newApp(keys ...Named) Step { return Step{Args: []Value{fake("clock")}, Keys: keys} }

func ask(app int, at time.Duration, client Value) Step {
	headers := dict()
	if client.Kind == Str {
		headers = dict(text("X-Client-ID"), client)
	}
	return Step{On: app, Sets: true, At: clock.Start.Add(at), Args: []Value{{Kind: Request, Items: []Value{text("GET"), text("/work"), headers}}}}
}

func createAppCases() []Case {
	a, b := text("a"), text("b")
	ofOne := Named{"limit", whole(1)}
	return []Case{
		{Steps: []Step{newApp(), ask(1, 0, a)}},
		{Steps: []Step{newApp(), ask(1, 0, Value{})}},
		{Steps: []Step{newApp(), ask(1, 0, text("a b"))}},
		{Steps: []Step{newApp(ofOne), ask(1, 0, a), ask(1, time.Second, a)}},
		{Steps: []Step{newApp(ofOne), ask(1, 0, a), ask(1, time.Second, b)}},
		{Steps: []Step{newApp(ofOne), ask(1, 0, a), ask(1, 10*time.Second, a)}},
		{Steps: []Step{newApp(ofOne), ask(1, 0, a), ask(1, 9250*time.Millisecond, a), ask(1, 10*time.Second, a)}},
		{Steps: []Step{newApp(ofOne), newApp(ofOne), ask(1, 0, a), ask(2, 0, a)}},
		{Steps: []Step{newApp(), ask(1, 0, a), ask(1, 0, a), ask(1, 0, a)}},
	}
}

func makeCreateApp(c *choices) Case {
	var keys []Named
	if c.flag() {
		keys = []Named{{"limit", c.span(1, 3)}, {"window", seconds(c.quarter(24) + time.Second/4)}}
	}
	steps := []Step{newApp(keys...)}
	apps := 1
	if c.below(4) == 3 {
		steps, apps = append(steps, newApp(keys...)), 2
	}
	for now, n := time.Duration(0), 0; n == 0 || c.more(n, 8); n++ {
		now += c.quarter(16)
		client := c.pick(text("a"), text("b"), text("a"), Value{}, text("a b"))
		steps = append(steps, ask(1+c.below(apps), now, client))
	}
	return Case{Steps: steps}
}

func wantCreateApp(c *Case) []Outcome {
	var all []Outcome
	var apps []partner.Partner
	for i := range c.Steps {
		s := &c.Steps[i]
		if s.On == 0 {
			config, _ := setting(s.key("limit", whole(2)), s.key("window", whole(10)))
			app, err := partner.New(partner.Config{Limit: config})
			if err != nil {
				panic("codelab: " + err.Error())
			}
			apps = append(apps, app)
			all = append(all, returned(Value{Kind: Other, Text: "function"}))
			continue
		}
		headers := s.Args[0].Items[2]
		r := call.Request{Method: "GET", Path: "/work"}
		if len(headers.Items) == 2 {
			r.ClientID = headers.Items[1].Text
		}
		var result partner.Result
		apps[s.On-1], result = apps[s.On-1].Handle(s.At, r)
		all = append(all, returned(response(result.Response)))
	}
	return all
}
