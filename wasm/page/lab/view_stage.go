package lab

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/sim"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// stage draws what is sent and broken, the timeline, the clock and the events.
func (m *Model) stage() view.Node {
	l := m.lang()
	return view.El("section", view.Class("stage"), view.A("id", stageID), view.A("tabindex", "-1"), view.A("aria-labelledby", "stage-h"),
		view.El("h2", view.Class("vh"), view.A("id", "stage-h"), l.Say("lab.timeline")),
		m.sendBar(), m.runsBar(), m.crowdBar(), m.zoomButtons(),
		view.El("div", view.Class("tlbox"), view.A("id", "timeline"), view.A("tabindex", "0"), view.A("role", "group"), view.A("data-keys", "clock"),
			view.A("aria-label", l.Say("lab.timeline-keys")), timeline.Draw(m.drawing()), timeline.Head(m.drawing())),
		m.overview(), m.clock(), m.resting(&m.gliding.events, m.events))
}

// drawing says what the timeline shows.
func (m *Model) drawing() timeline.Input {
	sc, totals := &m.current().Scenario, m.totals()
	in := timeline.Input{
		Events: m.seen(), Run: m.played.Events, Kept: &m.index().drawn, Totals: &totals, Now: m.pos.Now, End: m.end(), Clients: sc.Names(),
		Span: m.part, Opened: m.opened, Places: sc.Partner.Capacity.Running, Work: sc.Partner.Work.Least, HasLimit: sc.Partner.Limit.Limit > 0, HasLedger: !sc.Partner.IgnoreKeys,
		Width: m.Size.Stage, Vertical: m.Size.Narrow, Client: m.form.client,
		Selected: m.selected, Due: m.pos.Count < len(m.played.Events), Lang: m.lang(),
	}
	if m.versus != nil {
		in.Clients, in.Versus, in.Vertical, in.HasLimit, in.HasLedger = m.sideNames(), m.bandOf(), false, false, false
		return in
	}
	for _, p := range sc.Pools {
		in.Pools = append(in.Pools, p.Name)
	}
	for _, c := range sc.Clients {
		pool := 0
		if c.Guards != nil {
			pool = c.Guards.Pool
		}
		in.InPool = append(in.InPool, pool)
	}
	if in.HasLedger {
		in.KeyLifetime, in.KeyLease = sc.Partner.Ledger.Lifetime, sc.Partner.Ledger.Lease
	}
	if in.HasLimit {
		n, window := m.limitSeen()
		in.PartnerNote = m.lang().Say("lab.limit-note", "n", strconv.FormatInt(n, 10), "window", m.lang().Length(window))
	}
	return in
}

// limitSeen returns the partner's limit as it is at the position: the scenario's, or the one that was set last.
func (m *Model) limitSeen() (n int64, window time.Duration) {
	if set := before(m.index().limits, m.pos.Count); len(set) > 0 {
		e := &m.played.Events[set[len(set)-1]]
		count, _ := e.Decision.Term(decision.LimitCount)
		length, _ := e.Decision.Term(decision.LimitWindow)
		return count.Value, time.Duration(length.Value)
	}
	l := m.current().Scenario.Partner.Limit
	return int64(l.Limit), l.Window
}

// sendBar draws who sends what, and what befalls it; nothing where a step offers none of it.
func (m *Model) sendBar() []view.Node {
	l := m.lang()
	st := m.current()
	parts := []any{view.Class("act"), view.A("role", "group"), view.A("data-keys", "clock"), view.A("aria-label", l.Say("lab.send-and-break"))}
	bare := len(parts)
	if st.Allow.Fire {
		parts = append(parts, m.requestFields()...)
		class := "btn btn--fire"
		if m.primary() == primaryFire {
			class += " btn--primary"
		}
		parts = append(parts, button(class, Fire{}, view.A("id", "fire"), view.Icon("fire"), view.El("b", l.Say("lab.fire")), view.El("kbd", "F")))
	} else if len(st.Allow.Knobs) > 0 && len(m.names()) > 1 {
		parts = append(parts, m.clientField()) // whose knobs are shown
	}
	if len(st.Allow.Inject) > 0 {
		parts = append(parts, m.chips())
	}
	var nodes []view.Node
	if len(parts) > bare {
		nodes = append(nodes, view.El("div", parts...))
	}
	if m.problem != "" {
		nodes = append(nodes, problem(m.problem))
	}
	return nodes
}

// problem says at once what is wrong with what was done.
func problem(s string) view.Node {
	return view.El("p", view.Class("problem"), view.A("role", "alert"), s)
}

func field(label string, control view.Node) view.Node {
	return view.El("label", view.Class("field"), view.El("span", view.Class("vh"), label), control)
}

func selectOf(values, labels []string, current string, make func(string) any) view.Node {
	parts := []any{view.Class("select"), view.Change(make)}
	for i, v := range values {
		parts = append(parts, view.El("option", view.A("value", v), view.If(v == current, view.A("selected", "")), labels[i]))
	}
	return view.El("select", parts...)
}

func (m *Model) clientField() any {
	names := m.names()
	if len(names) < 2 {
		return view.El("span", view.Class("who"), view.A("lang", "en"), names[0])
	}
	values := make([]string, len(names))
	for i := range names {
		values[i] = strconv.Itoa(i)
	}
	return field(m.lang().Say("lab.client"), selectOf(values, names, strconv.Itoa(m.form.client), func(v string) any {
		i, _ := strconv.Atoi(v)
		return SetClient{i}
	}))
}

func (m *Model) methodField() any {
	methods := withOwn(m.current().Allow.Methods, m.current().Scenario.Requests[m.form.client].Method)
	if len(methods) < 2 {
		return view.El("span", view.Class("who"), view.Code(m.request().Method+" "+m.request().Path))
	}
	return field(m.lang().Say("lab.method"), selectOf(methods, methods, m.form.method, func(v string) any { return SetMethod{v} }))
}

// withOwn puts the scenario's own value first, unless it is in the list.
func withOwn(list []string, own string) []string {
	if slices.Contains(list, own) {
		return list
	}
	return append([]string{own}, list...)
}

func (m *Model) keyField() any {
	l := m.lang()
	st := m.current()
	if st.Allow.FreeKey {
		return view.El("label", view.Class("field"), view.El("span", view.Class("field__l"), l.Say("lab.key")),
			view.El("input", view.Class("input input--key"), view.A("id", "key"), view.A("type", "text"), view.A("value", m.form.key),
				view.A("maxlength", "40"), view.A("autocomplete", "off"), view.A("spellcheck", "false"),
				view.A("placeholder", l.Say("lab.no-key")), view.Input(func(v string) any { return SetKey{v} })))
	}
	keys := m.keys()
	if len(keys) < 2 {
		if keys[0] == "" {
			return nil
		}
		return view.El("span", view.Class("who"), l.Say("lab.key")+" ", view.Code(keys[0]))
	}
	labels, values := make([]string, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		values[i] = keyMark + k
		switch {
		case k == "":
			labels[i] = l.Say("lab.no-key")
		case len(k) > 0 && isBlank(k):
			labels[i] = l.Say("lab.blank-key")
		default:
			labels[i] = l.Say("lab.key-is", "key", k)
		}
	}
	return field(l.Say("lab.key"), selectOf(values, labels, keyMark+m.form.key, func(v string) any {
		return SetKey{strings.TrimPrefix(v, keyMark)} // of the value alone: the engine may keep this from an earlier step
	}))
}

// keyMark stands before a key as an option's value: an option without a value, as no key is, would give its label.
const keyMark = "="

func isBlank(s string) bool {
	for _, r := range s {
		if r != ' ' {
			return false
		}
	}
	return true
}

func (m *Model) amountField() any {
	l := m.lang()
	st := m.current()
	own := strconv.FormatInt(st.Scenario.Requests[m.form.client].Amount, 10)
	var amounts []string
	for _, a := range st.Allow.Amounts {
		amounts = append(amounts, strconv.FormatInt(a, 10))
	}
	amounts = withOwn(amounts, own)
	if m.request().Amount == 0 {
		return nil
	}
	if len(amounts) < 2 {
		return view.El("span", view.Class("who"), l.Say("lab.amount-is", "amount", own))
	}
	labels := make([]string, len(amounts))
	for i, a := range amounts {
		labels[i] = l.Say("lab.amount-is", "amount", a)
	}
	return field(l.Say("lab.amount"), selectOf(amounts, labels, strconv.Itoa(m.form.amount), func(v string) any {
		n, _ := strconv.Atoi(v)
		return SetAmount{n}
	}))
}

// chips draws what can be ordered for the next reply; what is ordered and has not struck yet is pressed.
func (m *Model) chips() view.Node {
	l := m.lang()
	parts := []any{view.Class("chips"), view.A("id", injectID), view.A("tabindex", "-1"), view.El("legend", l.Say("lab.next-reply"))}
	ordered := m.ordered()
	asks := false
	for _, name := range m.current().Allow.Inject {
		label := name
		if status, err := strconv.Atoi(name); err == nil {
			asks = asks || takesRetryAfter(status)
		} else if f, ok := event.ParseFault(name); ok {
			label = l.Fault(f)
		}
		n := 0
		for _, o := range ordered {
			if o == name {
				n++
			}
		}
		parts = append(parts, button("chip", Inject{name}, view.A("aria-pressed", strconv.FormatBool(n > 0)),
			view.If(n > 0, view.A("data-n", strconv.Itoa(n))), label))
	}
	if asks {
		parts = append(parts, view.El("label", view.Class("after"), view.El("span", view.A("lang", "en"), "Retry-After"),
			view.El("input", view.Class("input input--s"), view.A("id", "retry-after"), view.A("type", "text"), view.A("value", m.form.retryAfter),
				view.A("maxlength", "40"), view.A("autocomplete", "off"), view.A("placeholder", l.Say("lab.none")),
				view.Input(func(v string) any { return SetRetryAfter{v} }))))
	}
	return view.El("fieldset", append(parts, m.waitingOrders(len(ordered)))...)
}

// waitingOrders says how many orders wait for a request, and takes the last one back if nothing was done after it.
func (m *Model) waitingOrders(n int) any {
	if n == 0 {
		return nil
	}
	l := m.lang()
	parts := []any{view.Class("orders"), view.El("span", view.Class("note"), l.Say("lab.orders-wait", "n", strconv.Itoa(n)))}
	if done := m.tree.Path(); len(done) > 0 && done[len(done)-1].Action.Kind == sim.Inject {
		parts = append(parts, button("jump", Undo{}, l.Say("lab.take-back")))
	}
	return view.El("span", parts...)
}

// ordered returns the names of the mishaps that were ordered and have not struck yet. Each sent attempt takes one.
func (m *Model) ordered() []string {
	var names []string
	orders := before(m.index().orders, m.pos.Count)
	if len(orders) == 0 {
		return nil
	}
	for i := orders[0]; i < m.pos.Count; i++ {
		switch e := &m.played.Events[i]; e.Kind {
		case event.FaultInjected:
			name := e.Fault.String()
			if e.Fault == event.Reply {
				name = strconv.Itoa(e.Response.Status)
			}
			names = append(names, name)
		case event.AttemptSent:
			if len(names) > 0 {
				names = names[1:]
			}
		}
	}
	return names
}

func (m *Model) runsBar() view.Node {
	l := m.lang()
	return view.El("div", view.Class("runs"), view.A("data-keys", "clock"), m.tabList(), m.compareButton(), timeline.Legend(l),
		view.El("span", view.Class("undo"),
			m.inputButton(Undo{}, "undo", "lab.undo", "Ctrl+Z", !m.tree.CanUndo()),
			m.inputButton(Redo{}, "redo", "lab.redo", "Ctrl+Shift+Z", !m.tree.CanRedo()),
			m.inputButton(Restart{}, "restart", "lab.restart", "", !m.tree.CanUndo() && !m.kept)))
}

func (m *Model) inputButton(msg any, icon, word, key string, off bool) view.Node {
	label := m.lang().Say(word)
	title := label
	if key != "" {
		title += " (" + key + ")"
	}
	return button("btn btn--s btn--icon", msg, view.A("aria-label", label), view.A("title", title), idle(off), view.Icon(icon))
}
