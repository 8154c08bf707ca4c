package lab

import (
	"slices"
	"strings"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
)

// Messages of the tabs.
type (
	// ShowTab shows the run of a tab; the clock stays where it is. CloseTab closes a tab; its run stays in the list.
	ShowTab  struct{ Letter byte }
	CloseTab struct{ Letter byte }
)

// tab is a run that stands beside the others in a tab of its own: its last node in the tree, and its letter.
type tab struct {
	end    int
	letter byte
}

// mostTabs is how many runs stand in tabs at once.
const mostTabs = 4

// keepTabs makes the tabs follow the tree: a run that went on keeps its tab, and the run that is shown has one. Where
// there is no room, the tab goes whose run was left the longest ago.
func (m *Model) keepTabs() {
	ends := m.tree.Branches()
	shown := m.tree.End()
	var tabs []tab
	for _, t := range m.tabs {
		if !slices.Contains(ends, t.end) {
			t.end = m.wentOn(ends, t.end)
		}
		if t.end > 0 && !hasTab(tabs, t.end) {
			tabs = append(tabs, t)
		}
	}
	m.tabs = tabs
	if shown == 0 || hasTab(m.tabs, shown) {
		return
	}
	if len(m.tabs) == mostTabs {
		oldest := slices.MinFunc(m.tabs, func(a, b tab) int { return a.end - b.end })
		m.tabs = slices.DeleteFunc(m.tabs, func(t tab) bool { return t == oldest })
		m.notice = m.lang().Say("lab.tab-gone", "letter", string(oldest.letter))
	}
	m.tabs = append(m.tabs, tab{shown, m.freeLetter()})
	slices.SortFunc(m.tabs, func(a, b tab) int { return int(a.letter) - int(b.letter) })
}

// wentOn returns the latest run that goes on from a node, 0 if there is none.
func (m *Model) wentOn(ends []int, from int) int {
	for _, end := range ends {
		if m.tree.Passes(end, from) && !hasTab(m.tabs, end) {
			return end
		}
	}
	return 0
}

func hasTab(tabs []tab, end int) bool {
	return slices.ContainsFunc(tabs, func(t tab) bool { return t.end == end })
}

func (m *Model) freeLetter() byte {
	for letter := byte('A'); ; letter++ {
		if m.tabOf(letter) == nil {
			return letter
		}
	}
}

// tabOf returns the tab with a letter, nil if there is none.
func (m *Model) tabOf(letter byte) *tab {
	for i := range m.tabs {
		if m.tabs[i].letter == letter {
			return &m.tabs[i]
		}
	}
	return nil
}

// shownTab returns the letter of the tab that is shown, 0 where nothing was done yet.
func (m *Model) shownTab() byte {
	shown := m.tree.End()
	for _, t := range m.tabs {
		if t.end == shown {
			return t.letter
		}
	}
	return 0
}

// showTab shows the run of a tab at the instant that the clock shows.
func (m *Model) showTab(letter byte) {
	t := m.tabOf(letter)
	if t == nil {
		return
	}
	m.tree.Show(t.end)
	m.form.knobs = map[knob]string{}
	m.replay()
	m.pos = m.played.At(m.pos.Now)
	m.judge()
	m.selectLatest()
	m.aside = m.lang().Say("lab.tab-shown", "letter", string(letter), "what", m.tabWords(letter))
}

// closeTab closes a tab, and shows the one beside it if it was shown.
func (m *Model) closeTab(letter byte) []effect.Effect {
	i := slices.IndexFunc(m.tabs, func(t tab) bool { return t.letter == letter })
	if i < 0 || len(m.tabs) < 2 {
		return nil
	}
	shown := m.shownTab()
	m.tabs = slices.Delete(m.tabs, i, i+1)
	if shown == letter {
		shown = m.tabs[min(i, len(m.tabs)-1)].letter
		m.showTab(shown)
	}
	focus := tabID(shown)
	if len(m.tabs) == 1 {
		focus = nextID // nothing is left to choose from
	}
	return []effect.Effect{effect.Focus{ID: focus}}
}

// tabWords says in a few words what sets the run of a tab apart: the first thing done in it that the run in the tab
// before did not do; for the first tab, that in the tab after it.
func (m *Model) tabWords(letter byte) string {
	i := slices.IndexFunc(m.tabs, func(t tab) bool { return t.letter == letter })
	if i < 0 || len(m.tabs) < 2 {
		return m.lang().Say("lab.tab-alone")
	}
	other := i - 1
	if i == 0 {
		other = 1
	}
	return m.lang().Departure(&m.current().Scenario, m.tree.PathOf(m.tabs[other].end), m.tree.PathOf(m.tabs[i].end))
}

func tabID(letter byte) string { return "tab-" + strings.ToLower(string(letter)) }

// tabList draws the runs beside each other, once there are two.
func (m *Model) tabList() any {
	if len(m.tabs) < 2 {
		return nil
	}
	l := m.lang()
	shown := m.shownTab()
	list := []any{view.Class("tabs"), view.A("role", "tablist"), view.A("aria-label", l.Say("lab.tabs"))}
	for i, t := range m.tabs {
		selected, index := "false", "-1"
		if t.letter == shown || shown == 0 && i == 0 {
			index = "0"
		}
		if t.letter == shown {
			selected = "true"
		}
		words := m.tabWords(t.letter)
		list = append(list, button("tab", ShowTab{t.letter}, view.A("id", tabID(t.letter)), view.A("role", "tab"),
			view.A("aria-selected", selected), view.A("aria-controls", "timeline"), view.A("tabindex", index), view.A("title", words),
			view.El("b", view.Class("ab-k"), string(t.letter)), " ", view.El("span", view.Class("tab__w"), words)))
	}
	parts := []any{view.Class("runtabs"), view.El("div", list...)}
	if shown != 0 {
		name := l.Say("lab.tab-close", "letter", string(shown))
		parts = append(parts, button("btn btn--s btn--icon btn--quiet", CloseTab{shown}, view.A("id", "close-tab"), view.A("data-closes-tab", "1"),
			view.A("aria-label", name), view.A("title", name), view.Icon("cross")))
	}
	return view.El("div", parts...)
}

// writeTabs and readTabs keep the tabs with the history: the end and the letter of each.
func (m *Model) writeTabs() [][2]int {
	var kept [][2]int
	for _, t := range m.tabs {
		kept = append(kept, [2]int{t.end, int(t.letter - 'A')})
	}
	return kept
}

// readTabs takes the tabs that fit the tree. A history without any shows its latest runs.
func (m *Model) readTabs(kept [][2]int) {
	ends := m.tree.Branches()
	if len(kept) == 0 {
		latest := ends[:min(len(ends), mostTabs)]
		for i := len(latest) - 1; i >= 0; i-- {
			kept = append(kept, [2]int{latest[i], len(kept)})
		}
	}
	for _, k := range kept[:min(len(kept), mostTabs)] {
		t := tab{k[0], 'A' + byte(k[1])}
		if k[1] >= 0 && k[1] < mostTabs && slices.Contains(ends, t.end) && !hasTab(m.tabs, t.end) && m.tabOf(t.letter) == nil {
			m.tabs = append(m.tabs, t)
		}
	}
	slices.SortFunc(m.tabs, func(a, b tab) int { return int(a.letter) - int(b.letter) })
}
