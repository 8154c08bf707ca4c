package lab

import (
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// shareButton opens the dialog.
func (m *Model) shareButton(class string) view.Node {
	return button(class, Share{}, view.Icon("share"), view.El("span", view.Class("btn__t"), m.lang().Say("share.button")))
}

// shareDialog draws the link and the exports. What came of a press is said inside of it: a screen reader hears nothing
// from outside of a modal dialog.
func (m *Model) shareDialog() view.Node {
	l := m.lang()
	parts, note := []any{}, "share.note"
	if m.place.Mark != "" {
		note = "share.note.own"
	}
	if m.share.trouble != "" {
		parts = append(parts, view.El("p", view.Class("notice"), m.share.trouble))
	} else {
		parts = append(parts, view.El("label", view.Class("share__l"), view.El("span", l.Say("share.link")),
			view.El("input", view.Class("input"), view.A("id", linkID), view.A("type", "text"), view.A("readonly", "readonly"),
				view.A("lang", "en"), view.A("value", m.share.link))),
			view.El("p", view.Class("row"), button("btn btn--primary", CopyLink{}, l.Say("share.copy"))),
			view.El("p", view.Class("note"), l.Say(note)), view.If(m.share.link != "", m.embedFields()))
	}
	if st := m.current(); st != nil && st.Plays() {
		row := []any{view.Class("row share__forms")}
		for _, e := range exports {
			row = append(row, button("btn", Export{e.form}, l.Say("share.as-"+e.form)))
		}
		parts = append(parts, view.El("h3", l.Say("share.export")), view.El("p", view.Class("note"), l.Say("share.export-note")),
			view.El("p", row...))
	}
	parts = append(parts, view.El("p", view.Class("share__said"), view.A("role", "status"), m.share.said))
	return frame.Dialog(l, shareID, l.Say("share.title"), parts...)
}
