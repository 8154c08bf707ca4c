package lab

import (
	"slices"
	"strconv"

	"retrylab.example/core/call"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/wasm/view"
)

// offer returns the whole request that is chosen, nil where the step offers none.
func (m *Model) offer() *lesson.Offer {
	offers := m.current().Allow.Requests
	if len(offers) == 0 {
		return nil
	}
	return &offers[m.form.offer]
}

// setOffer chooses a whole request. A key stays where that one offers it too; a typed one stays in any case.
func (f *form) setOffer(st *lesson.Step, id string) {
	i := slices.IndexFunc(st.Allow.Requests, func(o lesson.Offer) bool { return o.ID == id })
	if i < 0 {
		return
	}
	f.offer = i
	keys := offeredKeys(&st.Allow.Requests[i])
	if !st.Allow.FreeKey && (f.key == "" || !slices.Contains(keys, f.key)) {
		f.key, f.keyed = keys[0], keys[0] != ""
	}
}

// offeredKeys returns the keys of which a request goes out with one; "" is none.
func offeredKeys(o *lesson.Offer) []string {
	if len(o.Keys) == 0 {
		return []string{""}
	}
	return o.Keys
}

// keys returns the keys that the form offers; "" is none.
func (m *Model) keys() []string {
	if o := m.offer(); o != nil {
		return offeredKeys(o)
	}
	own := m.current().Scenario.Requests[m.form.client]
	if own.Keyed {
		return withOwn(m.current().Allow.Keys, own.Key)
	}
	return withOwn(m.current().Allow.Keys, "")
}

// start sets the form to the first of what the step offers.
func (f *form) start(st *lesson.Step) {
	if len(st.Allow.Requests) > 0 {
		f.key, f.keyed = "", false
		f.setOffer(st, st.Allow.Requests[0].ID)
	}
	if len(st.Allow.Times) > 0 {
		f.times = st.Allow.Times[0]
	}
}

// recallOffer sets the form to the whole request that was fired last, and to how many of it.
func (f *form) recallOffer(st *lesson.Step, inputs []scenario.Input) {
	for _, in := range inputs {
		a := &in.Action
		if a.Kind != sim.Fire {
			continue
		}
		if n := max(a.Times, 1); slices.Contains(st.Allow.Times, n) {
			f.times = n
		}
		for i := range st.Allow.Requests {
			if st.Allow.Requests[i].Sends(a.Request) {
				f.offer = i
				break
			}
		}
	}
}

// times returns how many calls Fire starts now, as an action says it.
func (m *Model) times() int {
	if m.form.times == 1 {
		return 0
	}
	return m.form.times
}

// requestFields draw what can be set up for the next request.
func (m *Model) requestFields() []any {
	if m.offer() != nil {
		return []any{m.clientField(), m.offerField(), m.keyField(), m.timesField()}
	}
	return []any{m.clientField(), m.methodField(), m.keyField(), m.amountField(), m.timesField()}
}

func (m *Model) offerField() any {
	offers := m.current().Allow.Requests
	ids, labels := make([]string, len(offers)), make([]string, len(offers))
	for i := range offers {
		ids[i] = offers[i].ID
		labels[i], _ = offers[i].Label.In(string(m.lang()))
	}
	return field(m.lang().Say("lab.request"), selectOf(ids, labels, m.offer().ID, func(v string) any { return SetOffer{v} }))
}

func (m *Model) timesField() any {
	l := m.lang()
	var values, labels []string
	for _, n := range m.current().Allow.Times {
		s := strconv.Itoa(n)
		values, labels = append(values, s), append(labels, l.Say("lab.times-is", "n", s))
	}
	switch {
	case len(values) == 0:
		return nil
	case len(values) == 1:
		return view.El("span", view.Class("who"), labels[0])
	}
	return field(l.Say("lab.times"), selectOf(values, labels, strconv.Itoa(m.form.times), func(v string) any {
		n, _ := strconv.Atoi(v)
		return SetTimes{n}
	}))
}

// offered returns the whole request that Fire sends now.
func (m *Model) offered(o *lesson.Offer) call.Request {
	r := o.Request
	r.Key, r.Keyed = m.form.key, m.form.keyed
	return r
}
