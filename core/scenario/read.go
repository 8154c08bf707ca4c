package scenario

import (
	"slices"
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
)

// MaxSeed is the largest whole number that every JSON reader keeps exactly.
const MaxSeed = 1 << 53

// Read reads a scenario by itself; lesson.ReadFreeFile reads the file of one that may have goals. The error holds every fault, with its place and how to mend it.
func Read(file string, data []byte) (Scenario, error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Scenario{}, err
	}
	s := FromNode(root)
	return s, doc.Err()
}

// FromNode reads a scenario that is part of a document; faults are added to the document. Fields that stand beside those of
// the scenario are the caller's.
func FromNode(n *document.Node, beside ...string) Scenario { return fromNode(n, true, beside) }

// GoalsField is the field of a scenario file in which goals may stand beside those of the scenario, for package lesson to
// read.
const GoalsField = "goals"

// ForLab reads a scenario as FromNode does, but lets it have no clients: those of a lab are real ones. Nor does it look at
// goals, which a scenario file may have beside it.
func ForLab(n *document.Node) Scenario { return fromNode(n, false, []string{GoalsField}) }

func fromNode(n *document.Node, needsClients bool, beside []string) Scenario {
	r := n.Object()
	for _, name := range beside {
		r.Field(name)
	}
	var s Scenario
	r.String("$schema", "")
	r.Format(Format)
	s.Seed = uint64(r.Int("seed", 1, 0, MaxSeed))
	s.Latency = r.Duration("latency", 50*time.Millisecond, 0, time.Hour)
	s.MaxEvents = int(r.Int("maxEvents", sim.DefaultMaxEvents, 1, sim.DefaultMaxEvents))
	s.MaxTime = r.Duration("maxTime", sim.DefaultMaxTime, time.Nanosecond, 10*sim.DefaultMaxTime)
	s.Partner.Ledger.Lifetime = ledger.DefaultLifetime
	if f := r.Field("partner"); f != nil {
		s.Partner = readPartner(f)
	}
	for _, item := range r.Items("script", MaxScript) {
		s.Script = append(s.Script, readMishap(item))
	}
	s.RepeatLast = r.Bool("repeatLast")
	for _, item := range r.Items("pools", MaxPools) {
		s.readPool(item)
	}
	var clients []*document.Node
	if needsClients {
		clients = r.NeedItems("clients", MaxClients, "add one", "there is no client")
	} else {
		clients = r.Items("clients", MaxClients)
	}
	for _, item := range clients {
		s.readClient(item)
	}
	if len(s.Clients) > 0 {
		s.Inputs = s.ReadInputs(r, "inputs")
	} else {
		r.Field("inputs") // known, and of no use without clients
	}
	r.Done()
	return s
}

func (s *Scenario) readClient(n *document.Node) {
	r := n.Object()
	var c sim.Client
	if f := r.Need("name"); f != nil {
		var ok bool
		c.Name, ok = f.Match(limit.ValidClientKey, "use 1 to 40 letters, digits and hyphens", "%q cannot be a client's name")
		if ok && s.Client(c.Name) >= 0 {
			f.Faultf("give each client its own name", "there are two clients named %q", c.Name)
		}
		if len(c.Name) > 40 {
			c.Name = "" // faults list the names, so none may be huge
		}
	}
	c.Policy = retry.Policy{Attempts: 1}
	if f := r.Need("policy"); f != nil {
		c.Policy = ReadPolicy(f, retry.Policy{})
	}
	c.Oversleep = r.Duration("oversleep", 0, 0, MaxWait)
	request := call.Request{Method: "POST", Path: "/add", Amount: 10}
	if f := r.Field("request"); f != nil {
		q := f.Object()
		readRequest(q, &request)
		q.Done()
	}
	c.Guards = s.readGuards(r)
	if f := r.Field("onNotice"); f != nil {
		c.OnNotice = readOnNotice(f, request)
	}
	r.Done()
	s.Clients = append(s.Clients, c)
	s.Requests = append(s.Requests, request)
}

// readOnNotice reads {"fire": {…}}: what the client sends when it is told that its turn has come. What it does not name
// is as in the request that the client fires.
func readOnNotice(n *document.Node, request call.Request) *call.Request {
	r := n.Object()
	if f := r.Need("fire"); f != nil {
		q := f.Object()
		readRequest(q, &request)
		q.Done()
	}
	r.Done()
	return &request
}

// readRequest reads the fields of a request into r; missing ones keep their value, null as key takes the key away.
func readRequest(o *document.Reader, r *call.Request) {
	if f := o.Field("method"); f != nil {
		r.Method, _ = f.Match(ValidMethod, "use 1 to 20 letters, as in POST", "%q is not a method")
	}
	if f := o.Field("path"); f != nil {
		r.Path, _ = f.Match(validPath, "begin it with / and use plain characters, at most 200", "%q is not a path")
	}
	if f := o.Field("key"); f != nil {
		r.Keyed = f.Kind != document.Null
		r.Key = ""
		if r.Keyed {
			r.Key = ReadKey(f)
		}
	}
	r.Amount = o.Int("amount", r.Amount, -partner.MaxAmount, partner.MaxAmount)
	r.Slot = o.Int("slot", r.Slot, 0, partner.MaxAmount)
	if f := o.Field("ifMatch"); f != nil {
		r.IfMatch, _ = f.Match(Sendable, "use at most 100 printable ASCII characters", "this cannot be sent as an If-Match")
	}
}

// ReadKey reads an Idempotency-Key.
func ReadKey(n *document.Node) string {
	key, _ := n.Match(func(s string) bool { return printable(s, 255) },
		"use at most 255 printable ASCII characters", "this cannot be sent as an Idempotency-Key")
	return key
}

// Sendable reports whether s can be sent as the value of a header and written into a file: a key or a Retry-After.
func Sendable(s string) bool { return printable(s, 100) }

func validPath(s string) bool { return strings.HasPrefix(s, "/") && printable(s, 200) }

// ValidMethod reports whether s can be a method: 1 to 20 ASCII letters.
func ValidMethod(s string) bool {
	if len(s) < 1 || len(s) > 20 {
		return false
	}
	for _, c := range []byte(s) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

func printable(s string, most int) bool {
	for _, c := range []byte(s) {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return len(s) <= most
}

// readMishap reads {"reply": 503, "retryAfter": "7", "delay": "100ms"}, {"fail": 502} or {"fault": "lost-reply"}. A reply
// and a failure may have further fields: readFields.
func readMishap(n *document.Node) sim.Mishap {
	r := n.Object()
	var m sim.Mishap
	reply, fault := r.Field("reply"), r.Field("fault")
	after, fail, fields := r.Field("retryAfter"), r.Field("fail"), r.Field("fields")
	switch {
	case fail != nil && reply == nil && fault == nil:
		m.Fault = event.Fail
		m.Response = ScriptedResponse(int(fail.Int(500, 400, 599)))
	case fail != nil, (reply == nil) == (fault == nil):
		r.Faultf(`write "reply": 503 or "fault": "lost-reply"`, `one of "reply" and "fault" is needed`)
	case reply != nil:
		m.Fault = event.Reply
		m.Response = ScriptedResponse(int(reply.Int(503, 200, 599)))
	default:
		m.Fault = document.OneOf(fault, mishapNames(), parseMishap)
		if after != nil {
			after.Fault("only a reply has a Retry-After", `remove it, or write "reply" instead of "fault"`)
		}
		if fields != nil {
			fields.Fault("only a reply has fields", `remove them, or write "reply" instead of "fault"`)
		}
	}
	if m.Fault == event.Reply || m.Fault == event.Fail {
		if after != nil {
			m.Response.RetryAfter, m.Response.HasRetryAfter = readRetryAfter(after), true
		}
		m.Response.Fields = readFields(r)
	}
	m.Delay = r.Duration("delay", 0, 0, MaxWait)
	r.Done()
	return m
}

func readRetryAfter(n *document.Node) string {
	value, _ := n.Match(func(s string) bool { return printable(s, 100) },
		"use at most 100 printable ASCII characters", "this cannot be sent as a Retry-After")
	return value
}

// mishapNames are the faults that a script may name: "none" lets one request through.
func mishapNames() []string {
	names := []string{event.NoFault.String()}
	for _, f := range event.Faults() {
		if f != event.Reply && f != event.Fail {
			names = append(names, f.String())
		}
	}
	return names
}

func parseMishap(name string) (event.Fault, bool) {
	if name == event.NoFault.String() {
		return event.NoFault, true
	}
	f, ok := event.ParseFault(name)
	return f, ok && f != event.Reply && f != event.Fail
}

// ScriptedResponse returns the response of a status that a script or a person ordered.
func ScriptedResponse(status int) call.Response {
	r := call.Response{Status: status}
	if status >= 300 {
		r.Body.Code = scriptedCode(status)
	}
	return r
}

func scriptedCode(status int) string {
	switch status {
	case 400:
		return "invalid_request"
	case 401:
		return "unauthorized"
	case 403:
		return "forbidden"
	case 404:
		return "not_found"
	case 409:
		return "conflict"
	case 422:
		return "rejected"
	case 429:
		return "rate_limited"
	case 500:
		return "internal_error"
	case 502:
		return "bad_gateway"
	case 503:
		return "unavailable"
	case 504:
		return "gateway_timeout"
	}
	return "error"
}

// ReadInputs reads a list of inputs from a field of an object. A policy that an input sets keeps what it does not name
// from the one that the list set before it for that client, else from the client's own.
func (s *Scenario) ReadInputs(r *document.Reader, field string) []Input {
	var inputs []Input
	last, policies := clock.Start, s.policies()
	for _, item := range r.Items(field, MaxInputs) {
		in, ok := s.readInputAfter(item, policies)
		if !ok {
			continue
		}
		if in.At < last {
			item.Fault("this input comes earlier than the one before it", "put the inputs in the order of time")
		}
		last = in.At
		if in.Action.Kind == sim.SetPolicy {
			policies[in.Action.Client] = in.Action.Policy
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// policies returns the policies that the clients start with, by index.
func (s *Scenario) policies() []retry.Policy {
	list := make([]retry.Policy, len(s.Clients))
	for i, c := range s.Clients {
		list[i] = c.Policy
	}
	return list
}

// readInput reads an input that names every part of a policy that it sets.
func (s *Scenario) readInput(n *document.Node) (in Input, ok bool) {
	return s.readInputAfter(n, s.policies())
}

// readInputAfter reads {"at": "1s", "fire": {…}}, or one with "inject", "policy", "guards" or "limit" in the place of
// "fire", with the policies that the clients have by then. ok is false if it has no instant or no deed that others could be compared with.
func (s *Scenario) readInputAfter(n *document.Node, policies []retry.Policy) (in Input, ok bool) {
	const unknown = -1
	r := n.Object()
	at := time.Duration(0)
	if f := r.Field("at"); f != nil {
		at = f.Duration(unknown, 0, s.MaxTime)
	}
	in.At = clock.Instant(max(at, 0))
	fire, inject, policy := r.Field("fire"), r.Field("inject"), r.Field("policy")
	guards, limit := r.Field("guards"), r.Field("limit")
	given := 0
	for _, f := range [...]*document.Node{fire, inject, policy, guards, limit} {
		if f != nil {
			given++
		}
	}
	switch {
	case given != 1:
		r.Faultf(`write one, as in {"at": "0s", "fire": {}}`, `an input has one of "fire", "inject", "policy", "guards" and "limit"`)
	case fire != nil:
		in.Action = s.readFire(fire)
	case inject != nil:
		in.Action = sim.Action{Kind: sim.Inject, Mishap: readMishap(inject)}
	case guards != nil:
		in.Action = s.readSetGuards(guards)
	case limit != nil:
		in.Action = readSetLimit(limit)
	default:
		in.Action = s.readSetPolicy(policy, policies)
	}
	r.Done()
	return in, given == 1 && at != unknown
}

// readFire reads a request, and how many of it are sent at once.
func (s *Scenario) readFire(n *document.Node) sim.Action {
	r := n.Object()
	a := sim.Action{Kind: sim.Fire, Client: s.clientOf(r)}
	a.Request = s.Requests[a.Client]
	readRequest(r, &a.Request)
	a.Request.ClientID = readClientID(r)
	if a.Times = int(r.Int("times", 1, 1, MaxTimes)); a.Times == 1 {
		a.Times = 0
	}
	r.Done()
	return a
}

// readClientID reads the key under which one request goes out, right or wrong; missing, it is the client's name.
func readClientID(r *document.Reader) string {
	f := r.Field("clientId")
	if f == nil {
		return ""
	}
	id, _ := f.Match(func(s string) bool { return s != "" && Sendable(s) },
		"use 1 to 100 printable ASCII characters", "this cannot be sent as an X-Client-ID")
	return id
}

// ReadRequest reads the fields of a whole request; only method and path are needed.
func ReadRequest(r *document.Reader) (q call.Request) {
	r.Need("method")
	r.Need("path")
	readRequest(r, &q)
	q.ClientID = readClientID(r)
	return q
}

func (s *Scenario) readSetPolicy(n *document.Node, policies []retry.Policy) sim.Action {
	r := n.Object()
	a := sim.Action{Kind: sim.SetPolicy, Client: s.clientOf(r)}
	a.Policy = policies[a.Client]
	if f := r.Need("set"); f != nil {
		a.Policy = ReadPolicy(f, a.Policy)
	}
	r.Done()
	return a
}

// readSetGuards reads {"client": "site", "breaker": {…}}: all that wraps its calls from then on.
func (s *Scenario) readSetGuards(n *document.Node) sim.Action {
	r := n.Object()
	a := sim.Action{Kind: sim.SetGuards, Client: s.clientOf(r)}
	a.Guards = s.readGuards(r)
	r.Done()
	return a
}

// clientOf reads the field "client": a name, the first client if it is missing.
func (s *Scenario) clientOf(r *document.Reader) int {
	f := r.Field("client")
	if f == nil {
		return 0
	}
	return s.ReadClient(f)
}

// ReadClient reads the name of a client and returns its index; an unknown one is a fault and gives the first.
func (s *Scenario) ReadClient(n *document.Node) int {
	name, ok := n.Match(func(name string) bool { return s.Client(name) >= 0 },
		"use one of: "+s.listNames(), "there is no client named %q")
	if !ok {
		return 0
	}
	return s.Client(name)
}

// listNames lists the names of the clients for a fault: each once, without those that are missing.
func (s *Scenario) listNames() string {
	var names []string
	for _, name := range s.Names() {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
