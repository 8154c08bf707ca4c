package watch

import (
	"strconv"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/frame"
)

// Messages of the page.
type (
	// Pick chooses a situation, Make makes a lab of it, MakeOwn one of what is open in the sandbox.
	Pick    struct{ ID string }
	Make    struct{}
	MakeOwn struct{}
	// Type is what was typed as the address of a lab, Open goes there.
	Type struct{ Text string }
	Open struct{}
	// Select explains an event.
	Select struct{ Seq int }
	// Follow says whether the latest choice is explained.
	Follow struct{ On bool }
	// Window is how much of the time axis is drawn, in seconds; 0 is all of it.
	Window struct{ Seconds string }
	// Shown is the client that a phone shows.
	Shown struct{ Index string }
	// More shows more rows of the table.
	More struct{}
	// Snippet shows the program of a client, Copy copies it, CopyBase the lab's address.
	Snippet  struct{ Index int }
	Copy     struct{}
	CopyBase struct{}
	// Resize tells what the shell has measured.
	Resize struct{ Size Size }
)

// numbers and again are what the page asks itself for later.
type (
	numbers struct{}
	again   struct{}
)

// What the page asks the server for; the answers carry the names.
const (
	askMade   = "made"
	askLab    = "lab"
	askTotals = "totals"
	askReport = "report"
)

const startersFile = "starters.json"

// Visit begins to follow the lab, or fetches what a lab can begin with.
func (m *Model) Visit() []effect.Effect {
	switch {
	case m.kept.Labs == "":
		return nil
	case m.kept.Lab != "":
		return []effect.Effect{effect.Ask{Name: askLab, Address: m.address()}}
	case m.starters == nil && !m.fetching:
		m.fetching = true
		return []effect.Effect{effect.Fetch{Name: startersFile}}
	}
	return nil
}

// Update does a message.
func (m *Model) Update(msg any) []effect.Effect {
	if m.noted != m.lang() { // what was said in another language
		m.noted, m.problem, m.detail, m.copied = m.lang(), "", "", ""
	}
	switch msg := msg.(type) {
	case Pick:
		m.starter = msg.ID
	case Make:
		return m.make(`{"starter":` + document.Quote(m.starter) + `}`)
	case MakeOwn:
		return m.make(`{"scenario":` + m.kept.Sandbox + `}`)
	case Type:
		m.typed, m.problem, m.leads = msg.Text, "", ""
	case Open:
		return m.open()
	case Resize:
		m.Size = msg.Size
	case frame.File:
		m.readStarters(msg)
	case frame.Asked:
		return m.answered(msg)
	case frame.Stream:
		return m.stream(msg.State)
	case frame.Told:
		return m.told(msg)
	case numbers:
		m.due = false
		return m.askNumbers()
	case again:
		return []effect.Effect{effect.Ask{Name: askLab, Address: m.address()}}
	default:
		return m.look(msg)
	}
	return nil
}

// look does the messages that change what is shown, and nothing else.
func (m *Model) look(msg any) []effect.Effect {
	switch msg := msg.(type) {
	case Select:
		m.selected, m.follow = msg.Seq, false
	case Follow:
		if m.follow = msg.On; msg.On {
			m.selectLatest()
		}
	case Window:
		if n, err := strconv.Atoi(msg.Seconds); err == nil && n >= 0 {
			m.window = time.Duration(n) * time.Second
		}
	case Shown:
		m.client, _ = strconv.Atoi(msg.Index)
	case More:
		m.shown += rows
	case Snippet:
		m.snippet, m.copied = msg.Index, ""
	case Copy:
		return []effect.Effect{effect.Copy{ID: snippetID, Text: snippets[m.snippet].With(m.base())}}
	case CopyBase:
		return []effect.Effect{effect.Copy{ID: baseID, Text: m.base()}}
	case frame.Copied:
		m.copied = m.say("live.copied")
		if !msg.OK {
			m.copied = m.say("live.not-copied")
		}
		return []effect.Effect{effect.Announce{Text: m.copied}}
	}
	return nil
}

func (m *Model) make(body string) []effect.Effect {
	if m.asking {
		return nil
	}
	m.asking, m.problem, m.detail = true, "", ""
	return []effect.Effect{effect.Ask{Name: askMade, Method: "POST", Address: m.kept.Labs, Body: body}}
}

// open goes to the lab that was typed. One on another server is shown by that server: this page asks no other host.
func (m *Model) open() []effect.Effect {
	server, id, ok := labOf(m.typed)
	m.problem, m.leads, m.detail = "", "", ""
	switch {
	case !ok:
		m.problem = m.say("live.bad-address")
		return []effect.Effect{effect.Focus{ID: typedID}, effect.Announce{Text: m.problem}}
	case server != "" && server != m.Settings.Address:
		m.leads = server + Hash + "/" + id
		return []effect.Effect{effect.Focus{ID: leadsID}}
	case m.kept.Labs == "":
		m.problem = m.say("live.no-host")
		return []effect.Effect{effect.Announce{Text: m.problem}}
	}
	return []effect.Effect{effect.Go{Hash: Hash + "/" + id}}
}

func (m *Model) readStarters(f frame.File) {
	if f.Name != startersFile || !m.fetching {
		return
	}
	m.fetching = false
	_, root, err := document.Read(startersFile, []byte(f.Text))
	if f.Trouble != "" || err != nil {
		m.problem, m.detail = m.say("live.no-starters"), f.Trouble
		return
	}
	for _, n := range root.Items {
		id := n.Child("id")
		if id == nil {
			continue
		}
		s := starter{id.Text, map[string]string{}, map[string]string{}}
		for _, l := range text.Langs() {
			s.title[string(l)], s.about[string(l)] = textAt(n, "/title/"+string(l)), textAt(n, "/about/"+string(l))
		}
		m.starters = append(m.starters, s)
	}
	if len(m.starters) > 0 {
		m.starter = m.starters[0].id
	}
}

func textAt(n *document.Node, pointer string) string {
	if at := n.At(pointer); at != nil {
		return at.Text
	}
	return ""
}

// stream takes how the stream of events stands.
func (m *Model) stream(to frame.StreamState) []effect.Effect {
	switch {
	case to == frame.StreamOpen && m.state == live, to == frame.StreamLost && m.state == lost:
		return nil
	case to == frame.StreamOpen:
		before := m.state
		m.state = live
		if before == lost {
			return []effect.Effect{effect.Announce{Text: m.say("live.state-live")}, m.soon()}
		}
		return []effect.Effect{m.soon()}
	}
	effects := []effect.Effect{}
	if m.state != lost {
		m.state = lost
		effects = append(effects, effect.Announce{Text: m.say("live.state-lost")})
	}
	if to == frame.StreamClosed { // the browser does not try again: there may be no such lab any more
		m.following = false
		effects = append(effects, effect.After{Ms: 1000, Msg: again{}})
	}
	return effects
}

// soon asks for the numbers once what comes together has come.
func (m *Model) soon() effect.Effect {
	if m.due {
		return nil
	}
	m.due = true
	return effect.After{Ms: 300, Msg: numbers{}}
}

func (m *Model) askNumbers() []effect.Effect {
	effects := []effect.Effect{
		effect.Ask{Name: askTotals, Address: m.address() + "/totals"},
		effect.Ask{Name: askReport, Address: m.address() + "/report?lang=" + string(m.lang())},
	}
	if len(m.allNames()) > len(m.names) {
		effects = append(effects, effect.Ask{Name: askLab, Address: m.address()})
	}
	return effects
}

// mostClients is more than a lab tells apart.
const mostClients = 100_000

// told takes lines of the trace.
func (m *Model) told(t frame.Told) []effect.Effect {
	m.cut = m.cut || t.Gap
	var said *event.Event
	requests := 0
	for _, line := range t.Lines {
		e, err := trace.Read([]byte(line))
		switch {
		case err != nil || e.Request.Client >= mostClients:
			m.odd++
			continue
		case e.Seq <= m.seq:
			continue // told again after the stream was lost
		}
		m.cut = m.cut || e.Seq > m.seq+1
		m.seq = e.Seq
		m.events = append(m.events, e)
		if isAnswer(e.Kind) {
			requests++
			said = &m.events[len(m.events)-1]
		}
	}
	announce := m.announce(said, requests)
	m.trim()
	m.name()
	if m.follow {
		m.selectLatest()
	}
	return []effect.Effect{announce, m.soon()}
}

// isAnswer reports whether an event says what became of a request.
func isAnswer(k event.Kind) bool {
	switch k {
	case event.RequestRefused, event.EffectApplied, event.RequestAnswered, event.ReplyReplayed, event.PartnerCrashed, event.RequestLost:
		return true
	}
	return false
}

// announce returns one sentence for what has arrived: of one request what became of it, of several that of the last.
func (m *Model) announce(e *event.Event, requests int) effect.Effect {
	if e == nil {
		return nil
	}
	said := m.lang().Announce(e, 1, 1, m.allNames())
	if requests > 1 {
		said = m.say("live.said-many", "n", strconv.Itoa(requests)) + " " + said
	}
	return effect.Announce{Text: said}
}

// trim forgets the earliest events, many at once so that it is seldom.
func (m *Model) trim() {
	if len(m.events) <= MaxEvents {
		return
	}
	m.events = append([]event.Event(nil), m.events[len(m.events)-MaxEvents*3/4:]...)
	m.cut = true
}

// name writes the names of the clients, as far as they are known, into the requests.
func (m *Model) name() {
	for i := range m.events {
		if r := &m.events[i].Request; r.ClientID == "" && r.Call > 0 && r.Client < len(m.names) {
			r.ClientID = m.names[r.Client]
		}
	}
}

func (m *Model) selectLatest() {
	for i := len(m.events) - 1; i >= 0; i-- {
		if m.events[i].Decides() {
			m.selected = m.events[i].Seq
			return
		}
	}
}
