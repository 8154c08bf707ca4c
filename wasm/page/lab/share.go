package lab

import (
	"errors"
	"strconv"

	"retrylab.example/core/export"
	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Messages of sharing.
type (
	// Share opens the dialog with the link to what is shown, CopyLink copies the link.
	Share    struct{}
	CopyLink struct{}
	// Export hands the reader the run in one of the forms of exports.
	Export struct{ Form string }
	// KeepShared makes a shared run one of the learner's own.
	KeepShared struct{}
)

// share is what the dialog shows: the link, or why there is none, and what came of the last press.
type share struct{ link, trouble, said string }

const (
	shareID = "share"
	linkID  = "share-link"
)

// exports are the forms of Export and how the names of their files end. A Go test has a name of its own.
var exports = [...]struct{ form, ending string }{
	{"scenario", ".scenario.json"}, {"csv", ".events.csv"}, {"markdown", ".trace.md"}, {"go-test", ""},
	{"svg", ".timeline.svg"}, {"png", ".timeline.png"},
}

// pictureWidth is how wide a picture of the timeline is in px, whatever the screen's width is, and pictureEdge how much
// of that is left free on each side.
const (
	pictureWidth = 960
	pictureEdge  = 16
)

// sharing does a message of sharing, and reports whether it was one.
func (m *Model) sharing(msg any) ([]effect.Effect, bool) {
	l := m.lang()
	switch msg := msg.(type) {
	case Share:
		m.share = m.makeLink()
		return []effect.Effect{effect.Show{ID: shareID}}, true
	case CopyLink:
		m.share.said = ""
		return []effect.Effect{effect.Copy{ID: linkID, Text: m.share.link}}, true
	case frame.Copied:
		m.share.said = l.Say("share.copy-by-key")
		if msg.OK {
			m.share.said = l.Say("share.copied")
		}
	case frame.Drawn:
		m.share.said = l.Say("share.not-drawn")
		if msg.OK {
			m.share.said = l.Say("share.saved", "name", msg.Name)
		}
	case Export:
		return m.export(msg.Form), true
	case KeepShared:
		return m.keepShared(), true
	case ToSandbox:
		return m.toSandbox(), true
	default:
		return nil, false
	}
	return nil, true
}

// makeLink makes the link to what is shown. A step without a run has a plain address. A lesson that only this browser
// has goes along as its scenario.
func (m *Model) makeLink() share {
	st := m.current()
	written := m.code != nil && m.place.Mark == "" && !isStarter(st, m.code.text)
	if st == nil || !st.Plays() && !written {
		if m.place.Mark != "" {
			return share{trouble: m.lang().Say("share.from-file")}
		}
		return share{link: m.Settings.Address + m.hash(m.step) + "?lang=" + string(m.lang())}
	}
	l := m.asLink(st)
	fragment, err := l.Fragment()
	if err != nil {
		return share{trouble: m.trouble(err)}
	}
	return share{link: m.Settings.Address + "#" + fragment}
}

// asLink is what is shown, as a link holds it.
func (m *Model) asLink(st *lesson.Step) link.Link {
	if m.code != nil {
		return link.Link{Lesson: m.lesson.ID, Step: st.ID, Lang: string(m.lang()), Code: m.code.text}
	}
	l := link.Link{Lesson: m.lesson.ID, Step: st.ID, Scenario: st.Scenario, Tree: m.tree, At: m.pos, Lang: string(m.lang())}
	if m.place.Mark != "" {
		l.Lesson, l.Step, l.Goals = "", "", st.Asked()
	}
	return l
}

// Replay returns the fragment that leads back to what is shown, empty where nothing is played. It plays nothing: it is for
// the report of a crash.
func (m *Model) Replay() string {
	st := m.current()
	if st == nil || !st.Plays() {
		return ""
	}
	l := m.asLink(st)
	fragment, err := l.Unplayed()
	if err != nil {
		return ""
	}
	return fragment
}

// trouble says why there is no link or no file.
func (m *Model) trouble(err error) string {
	var problem *link.Error
	switch {
	case errors.As(err, &problem):
		return m.lang().LinkProblem(problem)
	case errors.Is(err, export.ErrTooManyInputs):
		return m.lang().Say("export.too-many-inputs")
	}
	return err.Error()
}

// export hands out the whole run, or the timeline as it is.
func (m *Model) export(form string) []effect.Effect {
	st := m.current()
	if st == nil || !st.Plays() {
		return nil
	}
	m.share.said = ""
	name := m.fileName(form)
	if form == "svg" || form == "png" {
		return []effect.Effect{effect.Picture{Name: name, SVG: m.picture().HTML(), PNG: form == "png"}}
	}
	r, err := export.Of(&st.Scenario, st.Asked(), m.tree.Path())
	var data []byte
	switch {
	case err != nil:
	case form == "scenario":
		data, err = r.File()
	case form == "csv":
		data = r.CSV()
	case form == "markdown":
		data = r.Markdown(m.lang())
	case form == "go-test":
		name = r.TestFile()
		data, err = r.GoTest()
	}
	if err != nil {
		m.share.said = m.trouble(err)
		return nil
	}
	m.share.said = m.lang().Say("share.saved", "name", name)
	return []effect.Effect{effect.Download{Name: name, Text: string(data)}}
}

// fileName says of which step the file is.
func (m *Model) fileName(form string) string {
	name := m.StepID()
	if !m.place.Alone {
		name = m.lesson.ID + "-" + name
	}
	for _, e := range exports {
		if e.form == form {
			name += e.ending
		}
	}
	return name
}

// picture draws the timeline by itself, with the patterns that it refers to.
func (m *Model) picture() view.Node {
	in := m.drawing()
	in.Width, in.Vertical, in.Select = pictureWidth-2*pictureEdge, false, nil
	drawing := timeline.Draw(in)
	edge := strconv.Itoa(pictureEdge)
	drawing.Attrs = append(drawing.Attrs, *view.A("x", edge), *view.A("y", edge), *view.A("overflow", "visible"))
	height, _ := drawing.Get("height")
	h, err := strconv.ParseFloat(height, 64)
	if err != nil {
		panic(err) // the drawing has written it
	}
	width, whole := strconv.Itoa(pictureWidth), strconv.Itoa(int(h)+1+2*pictureEdge)
	return view.El("svg", view.A("viewBox", "0 0 "+width+" "+whole), view.A("width", width), view.A("height", whole),
		timeline.Defs().Kids, view.El("rect", view.Class("paper"), view.A("width", "100%"), view.A("height", "100%")), drawing)
}
