package scenario

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/field"
	"retrylab.example/core/sim"
)

type scenarioJSON struct {
	Format     int          `json:"format"`
	Seed       uint64       `json:"seed"`
	Latency    string       `json:"latency"`
	MaxEvents  int          `json:"maxEvents"`
	MaxTime    string       `json:"maxTime"`
	Partner    partnerJSON  `json:"partner"`
	Script     []mishapJSON `json:"script,omitempty"`
	RepeatLast bool         `json:"repeatLast,omitempty"`
	Pools      []poolJSON   `json:"pools,omitempty"`
	Clients    []clientJSON `json:"clients"`
	Inputs     []inputJSON  `json:"inputs,omitempty"`
}

type mishapJSON struct {
	Reply      int         `json:"reply,omitempty"`
	Fail       int         `json:"fail,omitempty"`
	RetryAfter *string     `json:"retryAfter,omitempty"`
	Fields     []fieldJSON `json:"fields,omitempty"`
	Fault      string      `json:"fault,omitempty"`
	Delay      string      `json:"delay,omitempty"`
}

type clientJSON struct {
	Name      string      `json:"name"`
	Policy    policyJSON  `json:"policy"`
	Oversleep string      `json:"oversleep,omitempty"`
	Request   requestJSON `json:"request"`
	guardsJSON
	OnNotice *onNoticeJSON `json:"onNotice,omitempty"`
}

type onNoticeJSON struct {
	Fire requestJSON `json:"fire"`
}

type requestJSON struct {
	Client  string  `json:"client,omitempty"`
	Method  string  `json:"method"`
	Path    string  `json:"path"`
	Key     *string `json:"key"`
	Amount  int64   `json:"amount"`
	Slot    *int64  `json:"slot,omitempty"`
	IfMatch *string `json:"ifMatch,omitempty"`
	// Of a fire only.
	ClientID string `json:"clientId,omitempty"`
	Times    int    `json:"times,omitempty"`
}

type inputJSON struct {
	At     string         `json:"at"`
	Fire   *requestJSON   `json:"fire,omitempty"`
	Inject *mishapJSON    `json:"inject,omitempty"`
	Policy *setPolicyJSON `json:"policy,omitempty"`
	Guards *setGuardsJSON `json:"guards,omitempty"`
	Limit  *setLimitJSON  `json:"limit,omitempty"`
}

type setGuardsJSON struct {
	Client string `json:"client"`
	guardsJSON
}

type setPolicyJSON struct {
	Client string     `json:"client"`
	Set    policyJSON `json:"set"`
}

// Write returns the scenario as JSON that Read reads back to an equal one. Every field is written, so that no default
// can change what a saved scenario means.
func (s *Scenario) Write() []byte {
	j := scenarioJSON{
		Format: Format, Seed: s.Seed, Latency: document.FormatDuration(s.Latency), MaxEvents: s.MaxEvents,
		MaxTime: document.FormatDuration(s.MaxTime), RepeatLast: s.RepeatLast, Pools: s.writePools(),
		Partner: writePartner(&s.Partner), Clients: []clientJSON{}, // a list, also of none
	}
	for _, m := range s.Script {
		j.Script = append(j.Script, writeMishap(m))
	}
	for i, c := range s.Clients {
		cj := clientJSON{Name: c.Name, Policy: writePolicy(c.Policy), Request: writeRequest("", s.Requests[i], call.Request{})}
		cj.guardsJSON = s.writeGuards(c.Guards)
		if c.OnNotice != nil {
			cj.OnNotice = &onNoticeJSON{writeRequest("", *c.OnNotice, s.Requests[i])}
		}
		if c.Oversleep > 0 {
			cj.Oversleep = document.FormatDuration(c.Oversleep)
		}
		j.Clients = append(j.Clients, cj)
	}
	j.Inputs = s.writeInputs(s.Inputs)
	return marshal(j)
}

// Digest returns the SHA-256 of the written scenario, in hexadecimal: what a run's header names it by.
func (s *Scenario) Digest() string {
	sum := sha256.Sum256(s.Write())
	return hex.EncodeToString(sum[:])
}

// WriteInputs returns inputs of this scenario as a JSON list that ReadInputs reads back.
func (s *Scenario) WriteInputs(inputs []Input) []byte {
	list := s.writeInputs(inputs)
	if list == nil {
		list = []inputJSON{}
	}
	return marshal(list)
}

func (s *Scenario) writeInputs(inputs []Input) []inputJSON {
	var list []inputJSON
	for _, in := range inputs {
		j := inputJSON{At: document.FormatDuration(time.Duration(in.At))}
		switch a := in.Action; a.Kind {
		case sim.Fire:
			r := writeRequest(s.Clients[a.Client].Name, a.Request, s.Requests[a.Client])
			r.ClientID, r.Times = a.Request.ClientID, a.Times
			j.Fire = &r
		case sim.Inject:
			m := writeMishap(a.Mishap)
			j.Inject = &m
		case sim.SetPolicy:
			j.Policy = &setPolicyJSON{s.Clients[a.Client].Name, writePolicy(a.Policy)}
		case sim.SetLimit:
			j.Limit = &setLimitJSON{json.RawMessage(a.Limit.Count), json.RawMessage(a.Limit.Window)}
		case sim.SetGuards:
			j.Guards = &setGuardsJSON{s.Clients[a.Client].Name, s.writeGuards(a.Guards)}
		}
		list = append(list, j)
	}
	return list
}

// writeRequest writes a request. No slot and no If-Match are left out only where none is what it would be read as.
func writeRequest(client string, r, missing call.Request) requestJSON {
	j := requestJSON{Client: client, Method: r.Method, Path: r.Path, Amount: r.Amount}
	if r.Slot != 0 || missing.Slot != 0 {
		j.Slot = &r.Slot
	}
	if r.IfMatch != "" || missing.IfMatch != "" {
		j.IfMatch = &r.IfMatch
	}
	if r.Keyed {
		j.Key = &r.Key
	}
	return j
}

func writeMishap(m sim.Mishap) mishapJSON {
	var j mishapJSON
	switch m.Fault {
	case event.Reply:
		j.Reply = m.Response.Status
	case event.Fail:
		j.Fail = cmp.Or(m.Response.Status, 500) // what a partner makes of none
	default:
		j.Fault = m.Fault.String()
	}
	if m.Response.HasRetryAfter {
		j.RetryAfter = &m.Response.RetryAfter
	}
	for _, f := range field.Split(m.Response.Fields) {
		j.Fields = append(j.Fields, fieldJSON{f.Name, f.Value})
	}
	if m.Delay > 0 {
		j.Delay = document.FormatDuration(m.Delay)
	}
	return j
}

// marshal cannot fail: the types hold texts, numbers and lists only.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
