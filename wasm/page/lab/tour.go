package lab

// Guided reports whether the tour can be shown on this page: it has all that the tour is about, and is not a part of
// another page.
func (m *Model) Guided() bool {
	st := m.current()
	return st != nil && st.Plays() && !m.place.Part && !m.place.Free && !m.Settings.Embed && m.versus == nil
}

// ShowStop shows what a stop of the tour is about also on a phone, which shows a part of the page at a time: all stops are
// about what stands around the timeline. When the tour is over the lesson is to be read.
func (m *Model) ShowStop(stop int) {
	m.pane, m.sheetOpen, m.clockOpen = "timeline", false, false
	if stop == 0 {
		m.pane = "lesson"
	}
}
