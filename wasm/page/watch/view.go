package watch

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/receipt"
	"retrylab.example/wasm/view/timeline"
)

// Ids of elements that the focus moves to, or that texts are copied from.
const (
	typedID   = "live-address"
	leadsID   = "live-leads"
	baseID    = "live-base"
	snippetID = "live-snippet"
)

// View draws the page.
func (m *Model) View() view.Node {
	l := m.lang()
	crumbs := view.El("nav", view.Class("place"), view.A("aria-label", l.Say("lab.place")),
		view.El("a", view.A("href", "#/"), l.Say("frame.course")), view.El("span", m.say("live.title")))
	body := m.start()
	if m.kept.Lab != "" && m.kept.Labs != "" {
		body = m.lab()
	}
	main := append([]any{view.Class("wt"), view.A("id", "main"), view.A("tabindex", "-1"), view.El("h1", m.say("live.title"))}, body...)
	return view.El("div", view.Class("course"), view.Icons(), timeline.Defs(), frame.SkipLink(l, "main"), frame.Bar(m.Settings, crumbs),
		view.El("main", main...), guide.Dialogs(m.Settings))
}

// start offers to make a lab, or says that this host has none, and leads to others.
func (m *Model) start() []any {
	parts := []any{view.El("p", view.Class("wt__intro"), m.say("live.intro"))}
	if m.kept.Labs == "" {
		parts = append(parts, view.El("div", view.Class("notice"), view.A("role", "status"),
			view.El("p", m.say("live.no-host")), view.El("p", m.say("live.no-host-how")), view.El("p", view.Code("make run"))))
	} else {
		parts = append(parts, m.makeForm())
	}
	if m.problem != "" {
		parts = append(parts, view.El("div", view.Class("wt__problem"), view.El("p", view.Class("problem"), m.problem),
			view.If(m.detail != "", view.El("pre", view.Class("http"), view.A("lang", "en"), view.A("tabindex", "0"), m.detail))))
	}
	return append(parts, m.elsewhere())
}

func (m *Model) makeForm() view.Node {
	choice := []any{view.Class("select"), view.A("id", "live-starter"), view.Change(func(v string) any { return Pick{v} })}
	about := ""
	for _, s := range m.starters {
		choice = append(choice, view.Option(s.id, s.title[string(m.lang())], s.id == m.starter))
		if s.id == m.starter {
			about = s.about[string(m.lang())]
		}
	}
	parts := []any{view.A("aria-labelledby", "live-make-h"), view.Class("wt__part"), view.El("h2", view.A("id", "live-make-h"), m.say("live.make-h"))}
	if len(m.starters) > 0 {
		parts = append(parts, view.El("p", view.Class("row"),
			view.El("label", view.Class("field"), view.El("span", view.Class("field__l"), m.say("live.starter")), view.El("select", choice...)),
			view.Button("btn btn--primary", Make{}, view.Idle(m.asking), m.say("live.make"))),
			view.El("p", view.Class("note"), about))
	}
	if m.kept.Sandbox != "" {
		parts = append(parts, view.El("p", view.Class("row"), view.Button("btn", MakeOwn{}, view.Idle(m.asking), m.say("live.make-own"))))
	}
	return view.El("section", append(parts, view.El("p", view.Class("note"), m.say("live.make-note")))...)
}

// elsewhere opens a lab by its address.
func (m *Model) elsewhere() view.Node {
	var leads any
	if m.leads != "" {
		leads = view.El("p", view.A("role", "status"), m.say("live.leads")+" ",
			view.El("a", view.A("id", leadsID), view.A("href", m.leads), view.A("rel", "noreferrer"), m.leads))
	}
	return view.El("section", view.Class("wt__part"), view.A("aria-labelledby", "live-open-h"), view.El("h2", view.A("id", "live-open-h"), m.say("live.open-h")),
		view.El("p", view.Class("row"),
			view.El("label", view.Class("field wt__address"), view.El("span", view.Class("field__l"), m.say("live.address")),
				view.El("input", view.Class("input"), view.A("id", typedID), view.A("type", "text"), view.A("inputmode", "url"), view.A("spellcheck", "false"),
					view.A("autocomplete", "off"), view.A("maxlength", "300"), view.A("value", m.typed), view.Input(func(v string) any { return Type{v} }))),
			view.Button("btn", Open{}, m.say("live.open"))), leads)
}

// lab draws the live lab.
func (m *Model) lab() []any {
	parts := []any{m.head()}
	if m.state == gone {
		return append(parts, view.El("p", view.Class("row"), view.El("a", view.Class("btn btn--primary"), view.A("href", Hash), m.say("live.make-h"))))
	}
	parts = append(parts, m.programs(), view.El("section", append([]any{view.Class("totals wt__totals"), view.A("id", "totals"),
		view.A("aria-label", m.say("lab.totals"))}, timeline.Totals(m.lang(), m.totals, m.wholeRun(), "")...)...))
	if len(m.events) == 0 {
		return append(parts, view.El("p", view.Class("notice"), view.A("id", "live-none"), m.say("live.none")))
	}
	return append(parts, view.El("div", view.Class("wt__cols"), m.stage(), view.El("div", view.Class("wt__side"), m.why(), m.reportPart())))
}

// wholeRun returns the events if they are all that there were.
func (m *Model) wholeRun() []event.Event {
	if m.cut {
		return nil
	}
	return m.events
}

// head says how the page stands with the lab, and where it lies.
func (m *Model) head() view.Node {
	parts := []any{view.Class("wt__head"),
		view.El("p", view.Class("wt__state", "wt__state--"+string(m.state)), view.A("id", "live-state"), m.say("live.state-"+string(m.state)))}
	if m.state != gone {
		parts = append(parts, view.El("p", view.Class("row"),
			view.El("label", view.Class("field wt__address"), view.El("span", view.Class("field__l"), m.say("live.base")),
				view.El("input", view.Class("input wt__base"), view.A("id", baseID), view.A("type", "text"), view.A("readonly", ""), view.A("value", m.base()))),
			view.Button("btn", CopyBase{}, m.say("live.copy"))))
		if m.expires != "" {
			parts = append(parts, view.El("p", view.Class("note"), m.say("live.expires", "at", strings.TrimSuffix(strings.Replace(m.expires, "T", " ", 1), "Z"))))
		}
		if m.copied != "" {
			parts = append(parts, view.El("p", view.Class("note"), m.copied))
		}
	}
	return view.El("div", parts...)
}

// programs shows what a client can be: a line to copy, or a program.
func (m *Model) programs() view.Node {
	chips := []any{view.Class("row"), view.A("role", "group"), view.A("aria-label", m.say("live.clients"))}
	for i, s := range snippets {
		chips = append(chips, view.Button("chip", Snippet{i}, view.A("lang", "en"), view.A("aria-pressed", strconv.FormatBool(i == m.snippet)), s.Name))
	}
	s := snippets[m.snippet].With(m.base())
	return view.El("details", view.Class("fold wt__programs"), view.A("id", "live-programs"), view.If(len(m.events) == 0, view.A("open", "")),
		view.El("summary", view.El("h2", m.say("live.programs"))), view.El("div", chips...),
		view.El("p", view.Class("note"), m.say("live.note-"+snippets[m.snippet].ID)),
		view.El("textarea", view.Class("au__text wt__code"), view.A("id", snippetID), view.A("readonly", ""), view.A("lang", "en"), view.A("translate", "no"),
			view.A("spellcheck", "false"), view.A("rows", strconv.Itoa(strings.Count(s, "\n")+1)), view.A("aria-label", snippets[m.snippet].Name), s),
		view.El("p", view.Class("row"), view.Button("btn", Copy{}, m.say("live.copy"))))
}

// windows are how much of the time axis can be drawn, in seconds; 0 is all.
var windows = []int{10, 60, 600, 0}

func (m *Model) stage() view.Node {
	l := m.lang()
	choice := []any{view.Class("select"), view.Change(func(v string) any { return Window{v} })}
	for _, n := range windows {
		label := m.say("live.window-all")
		if n > 0 {
			label = m.say("live.window", "length", l.Length(time.Duration(n)*time.Second))
		}
		choice = append(choice, view.Option(strconv.Itoa(n), label, time.Duration(n)*time.Second == m.window))
	}
	tools := []any{view.Class("row"), view.El("label", view.Class("field"), view.El("span", view.Class("field__l"), m.say("live.shows")), view.El("select", choice...)),
		view.El("label", view.Class("tick"), view.El("input", view.A("type", "checkbox"), view.A("id", "live-follow"), view.If(m.follow, view.A("checked", "")),
			view.Change(func(v string) any { return Follow{v == "true"} })), m.say("live.follow"))}
	if names := m.allNames(); m.Size.Narrow && len(names) > 1 {
		who := []any{view.Class("select"), view.Change(func(v string) any { return Shown{v} })}
		for i, name := range names {
			who = append(who, view.Option(strconv.Itoa(i), name, i == m.client))
		}
		tools = append(tools, view.El("label", view.Class("field"), view.El("span", view.Class("field__l"), l.Say("lab.client")), view.El("select", who...)))
	}
	return view.El("section", view.Class("wt__stage"), view.A("aria-labelledby", "stage-h"), view.El("h2", view.Class("vh"), view.A("id", "stage-h"), l.Say("lab.timeline")),
		view.El("div", tools...),
		view.El("div", view.Class("tlbox"), view.A("id", "timeline"), view.A("tabindex", "0"), view.A("role", "region"), view.A("aria-label", l.Say("lab.timeline")),
			timeline.Draw(m.drawing())),
		timeline.Legend(l), m.table())
}

func (m *Model) drawing() timeline.Input {
	in := timeline.Input{
		Events: m.events, Totals: &m.totals, Now: m.now(), End: m.now(), Clients: m.allNames(), HasLedger: true,
		Width: m.Size.Stage, Vertical: m.Size.Narrow, Client: m.client, Selected: m.selected, Lang: m.lang(),
		Select: func(seq int) any { return Select{seq} },
	}
	if m.known {
		p := &m.scenario.Partner
		in.HasLimit, in.HasLedger, in.Places, in.Work = p.Limit.Limit > 0, !p.IgnoreKeys, p.Capacity.Running, p.Work.Least
		if in.HasLimit {
			in.PartnerNote = m.lang().Say("lab.limit-note", "n", strconv.FormatInt(int64(p.Limit.Limit), 10), "window", m.lang().Length(p.Limit.Window))
		}
		if in.HasLedger {
			in.KeyLifetime, in.KeyLease = p.Ledger.Lifetime, p.Ledger.Lease
		}
	}
	if end := timeline.AxisEnd(in); m.window > 0 && end.Sub(clock.Start) > m.window {
		in.Span = timeline.Span{From: end.Add(-m.window), To: end}
	} else if first := m.events[0].At; m.cut && first > clock.Start {
		in.Span = timeline.Span{From: first, To: end}
	}
	if i := m.find(m.selected); i >= 0 {
		in.Span = in.Span.Reach(timeline.AxisEnd(in), m.events[i].At)
	}
	return in
}

// table lists the latest events, the last one first.
func (m *Model) table() view.Node {
	l, names := m.lang(), m.allNames()
	note := l.Say("lab.so-far", "n", strconv.Itoa(m.seq))
	if m.cut {
		note += " · " + m.say("live.cut", "n", strconv.Itoa(len(m.events)))
	}
	if m.odd > 0 {
		note += " · " + m.say("live.odd", "n", strconv.Itoa(m.odd))
	}
	head := view.El("tr")
	for _, word := range []string{"lab.col-number", "lab.col-time", "lab.col-who", "lab.col-what"} {
		head.Kids = append(head.Kids, view.El("th", view.A("scope", "col"), l.Say(word)))
	}
	body := view.El("tbody")
	for i := len(m.events) - 1; i >= max(0, len(m.events)-m.shown); i-- {
		e := &m.events[i]
		chosen := e.Seq == m.selected
		body.Kids = append(body.Kids, view.El("tr", view.A("id", "row-"+strconv.Itoa(e.Seq)), view.If(chosen, view.Class("is-sel")),
			view.El("td", view.Class("ev__n"), strconv.Itoa(e.Seq)),
			view.El("td", view.Class("ev__t"), view.Button("ev__b", Select{e.Seq}, view.If(chosen, view.A("aria-current", "true")), l.Seconds(e.At.Sub(clock.Start)))),
			view.El("td", view.Class("ev__w"), l.Who(e, names)),
			view.El("td", view.El("span", view.Class("ev__m"), timeline.MarkIcon(timeline.MarkFor(e))), l.Event(e, names))))
	}
	more := len(m.events) - m.shown
	return view.El("div", view.Class("events"), view.A("id", "events"), view.El("div", view.Class("wt__evh"), view.El("h2", l.Say("lab.events")), view.El("span", view.Class("note"), note)),
		view.El("div", view.Class("events__box"), view.A("tabindex", "0"), view.A("role", "region"), view.A("aria-label", l.Say("lab.events")),
			view.El("table", view.Class("ev"), view.El("thead", head), body),
			view.If(more > 0, view.El("p", view.Button("btn btn--s", More{}, m.say("live.more", "n", strconv.Itoa(more)))))))
}

// why explains the selected event.
func (m *Model) why() view.Node {
	l, names := m.lang(), m.allNames()
	parts := []any{view.Class("why wt__why"), view.A("id", "why"), view.A("aria-labelledby", "why-h"), view.A("tabindex", "0"),
		view.El("h2", view.A("id", "why-h"), l.Say("lab.why"))}
	i := m.find(m.selected)
	if i < 0 {
		return view.El("section", append(parts, view.El("p", view.Class("verdict"), m.say("live.nothing-selected")))...)
	}
	e := &m.events[i]
	parts = append(parts, view.El("p", view.Class("why__at"), view.El("b", l.Seconds(e.At.Sub(clock.Start))), view.If(e.Decides(), " "+l.VerdictLabel(e))))
	if e.Decides() {
		parts = append(parts, view.El("p", view.Class("verdict"), view.Bold(l.Verdict(e, names))), receipt.Draw(l, e), receipt.Flips(l, e))
	} else {
		parts = append(parts, view.El("p", view.Class("verdict"), l.Who(e, names)+": "+l.Event(e, names)))
	}
	return view.El("section", append(parts, receipt.Exchange(l, m.events, e), receipt.State(l, m.events, i))...)
}

// reportPart says what the lab has seen its clients do well and badly.
func (m *Model) reportPart() view.Node {
	parts := []any{view.Class("wt__part"), view.A("id", "report"), view.A("aria-labelledby", "report-h"), view.El("h2", view.A("id", "report-h"), m.say("live.report"))}
	for _, c := range m.report {
		rows := []any{view.Class("wt__findings")}
		for _, f := range c.findings {
			row := []any{view.Class("wt__finding", "wt__finding--"+f.verdict), verdictIcon(f.verdict), view.El("span", f.says)}
			for _, seq := range f.seqs {
				if m.find(seq) >= 0 {
					row = append(row, " ", view.Button("jump", Select{seq}, m.say("live.evidence", "n", strconv.Itoa(seq))))
				}
			}
			rows = append(rows, view.El("li", row...))
		}
		parts = append(parts, view.El("section", view.El("h3", view.El("span", view.A("lang", "en"), c.client)),
			view.El("p", view.Class("note"), m.say("live.counts", "requests", strconv.Itoa(c.counts[0]), "calls", strconv.Itoa(c.counts[1]), "retries", strconv.Itoa(c.counts[2]))),
			view.El("ul", rows...)))
	}
	return view.El("section", parts...)
}

func verdictIcon(verdict string) view.Node {
	switch verdict {
	case "good":
		return view.Icon("check")
	case "bad":
		return view.Icon("cross")
	}
	return view.El("span", view.Class("wt__unknown"), view.A("aria-hidden", "true"), "?")
}
