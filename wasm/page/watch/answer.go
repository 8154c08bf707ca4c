package watch

import (
	"strconv"

	"retrylab.example/core/document"
	"retrylab.example/core/measure"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/frame"
)

// answered takes an answer of the server.
func (m *Model) answered(a frame.Asked) []effect.Effect {
	_, root, err := document.Read(a.Name, []byte(a.Text))
	sound := a.Status/100 == 2 && err == nil && root.Kind == document.Object
	switch a.Name {
	case askMade:
		m.asking = false
		if id := ""; sound {
			if id = textAt(root, "/id"); validID(id) {
				return []effect.Effect{effect.Go{Hash: Hash + "/" + id}}
			}
		}
		return m.refused(a, root)
	case askLab:
		return m.readLab(a.Status, root, sound)
	case askTotals:
		if sound {
			m.readTotals(root)
		}
	case askReport:
		if sound {
			m.readReport(root)
		}
	}
	return nil
}

// refused says why there is no lab, in the server's own words where it has some.
func (m *Model) refused(a frame.Asked, root *document.Node) []effect.Effect {
	name := "live.refused"
	switch {
	case a.Status == 0:
		name = "live.no-answer"
	case a.Status == 404 || a.Status == 405 || a.Status == 501 || a.Status/100 == 2:
		name = "live.no-host" // a host of files
	}
	m.problem, m.detail = m.say(name), ""
	if root != nil {
		m.detail = textAt(root, "/detail")
		if errors := root.At("/errors"); errors != nil {
			for i, n := range errors.Items {
				if i < 5 {
					m.detail += "\n" + textAt(n, "/pointer") + ": " + textAt(n, "/detail")
				}
			}
		}
	}
	return []effect.Effect{effect.Announce{Text: m.problem}}
}

// readLab takes what the server knows of the lab, and follows it.
func (m *Model) readLab(status int, root *document.Node, sound bool) []effect.Effect {
	switch {
	case status == 404 || status == 410 || status == 400:
		m.state, m.following = gone, false
		return []effect.Effect{effect.Follow{}, effect.Announce{Text: m.say("live.state-gone")}}
	case !sound:
		m.state = lost
		return []effect.Effect{effect.After{Ms: 2000, Msg: again{}}}
	}
	m.expires = textAt(root, "/expires")
	if n := root.At("/clients"); n != nil {
		m.names = nil
		for _, c := range n.Items {
			m.names = append(m.names, c.Text)
		}
		m.name()
	}
	if n := root.At("/scenario"); n != nil && !m.known {
		m.scenario, m.known = scenario.ForLab(n), true
	}
	if m.following {
		return nil
	}
	m.following = true
	address := m.address() + "/trace"
	if m.seq > 0 {
		address += "?after=" + strconv.Itoa(m.seq)
	}
	return []effect.Effect{effect.Follow{Address: address}}
}

func (m *Model) readTotals(root *document.Node) {
	count := func(name string) int { return int(number(root, name)) }
	m.totals = measure.Totals{
		Sent: count("sent"), Arrived: count("arrived"), Applied: count("applied"), Replayed: count("replayed"), Refused: count("refused"),
		RefusedLocally: count("refusedLocally"), Duplicates: count("duplicates"), Calls: count("calls"),
		Naive: number(root, "naive"), Deduped: number(root, "deduped"), Actual: number(root, "actual"),
	}
}

func number(n *document.Node, name string) int64 {
	if c := n.Child(name); c != nil {
		return c.Int(0, -1<<63, 1<<63-1)
	}
	return 0
}

func (m *Model) readReport(root *document.Node) {
	m.report = nil
	clients := root.Child("clients")
	if clients == nil {
		return
	}
	for _, c := range clients.Items {
		r := clientReport{client: textAt(c, "/client"), counts: [3]int{int(number(c, "requests")), int(number(c, "calls")), int(number(c, "retries"))}}
		if checks := c.Child("checks"); checks != nil {
			for _, n := range checks.Items {
				f := finding{verdict: textAt(n, "/verdict"), says: textAt(n, "/says")}
				if evidence := n.Child("evidence"); evidence != nil {
					for _, e := range evidence.Items {
						f.seqs = append(f.seqs, int(number(e, "seq")))
					}
				}
				r.findings = append(r.findings, f)
			}
		}
		m.report = append(m.report, r)
	}
}
