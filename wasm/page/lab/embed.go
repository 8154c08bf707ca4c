package lab

import (
	"strings"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// OpenInLab leads to the same state on a page of its own.
type OpenInLab struct{}

// CopyEmbed copies what a page of another site holds to show the same.
type CopyEmbed struct{}

// EmbedPage is the name of the page that other sites may frame.
const EmbedPage = "embed.html"

const (
	openID  = "open-in-lab"
	embedID = "share-embed"
)

// embedding does a message of embedding, and reports whether it was one.
func (m *Model) embedding(msg any) ([]effect.Effect, bool) {
	switch msg.(type) {
	case OpenInLab:
		return []effect.Effect{effect.SetLink{ID: openID, Address: m.openAddress()}}, true
	case CopyEmbed:
		m.share.said = ""
		return []effect.Effect{effect.Copy{ID: embedID, Text: m.frameOf(m.share.link)}}, true
	}
	return nil, false
}

// openAddress returns the address at which the state that is shown can be seen; that of the step where it fits into none.
func (m *Model) openAddress() string {
	if s := m.makeLink(); s.link != "" {
		return s.link
	}
	return m.Settings.Address + m.hash(m.step)
}

var escapeAttribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// frameOf returns the HTML that shows a link in a page of another site.
func (m *Model) frameOf(link string) string {
	src := strings.Replace(link, "#", EmbedPage+"#", 1)
	return `<iframe src="` + escapeAttribute.Replace(src) + `" title="` + escapeAttribute.Replace(m.Title()) +
		`" width="100%" height="640" loading="lazy"></iframe>`
}

// embedFields are what the share dialog offers for pages of other sites.
func (m *Model) embedFields() []view.Node {
	l := m.lang()
	return []view.Node{
		view.El("h3", l.Say("embed.title")), view.El("p", view.Class("note"), l.Say("embed.note")),
		view.El("label", view.Class("share__l"), view.El("span", l.Say("embed.code")),
			view.El("input", view.Class("input"), view.A("id", embedID), view.A("type", "text"), view.A("readonly", "readonly"),
				view.A("lang", "en"), view.A("value", m.frameOf(m.share.link)))),
		view.El("p", view.Class("row"), button("btn", CopyEmbed{}, l.Say("embed.copy"))),
	}
}

// embedded draws the step inside of a page of another site: the run and its clock. The text and the explanation are
// folded, and nothing leads away but the link to the whole program.
func (m *Model) embedded(plays bool) view.Node {
	l := m.lang()
	title := []any{view.Class("embed__h"), m.written(m.lesson.Title)}
	if st := m.current(); st != nil && !m.place.Alone {
		title = append(title, " · ", m.written(st.Title))
	}
	open := view.El("a", view.Class("btn btn--s"), view.A("id", openID), view.A("href", m.openPlain()), view.A("target", "_blank"),
		view.A("rel", "noopener"), l.Say("embed.open"))
	for _, event := range []string{"click", "auxclick", "contextmenu"} { // all that lead to the address
		open.On = append(open.On, view.Handler{Event: event, Msg: OpenInLab{}})
	}
	parts := []any{view.Class("embed"), view.Icons(), timeline.Defs(),
		view.El("header", view.Class("embed__top"), view.El("h1", title...), open)}
	if m.shared != nil && !m.shared.same {
		parts = append(parts, view.El("p", view.Class("notice"), view.A("role", "status"), l.Say("link.changed")))
	}
	if !plays {
		return view.El("div", append(parts, view.El("main", view.A("id", lessonID), m.textOf()))...)
	}
	return view.El("div", append(parts, view.El("main", view.Class("embed__main"),
		fold("embed-text", l.Say("embed.text"), m.textOf()), m.stage(),
		fold("embed-why", l.Say("lab.why"), m.why())),
		m.totalsStrip())...)
}

func (m *Model) textOf() any {
	if st := m.current(); st != nil {
		return m.stepText(st)
	}
	return nil
}

// openPlain is where the link leads until somebody reaches for it.
func (m *Model) openPlain() string {
	if m.shared != nil {
		return m.Settings.Address
	}
	return m.Settings.Address + m.hash(m.step) + "?lang=" + string(m.lang())
}

func fold(id, title string, body any) view.Node {
	return view.El("details", view.Class("embed__fold"), view.A("id", id), view.El("summary", title), body)
}
