package live

import (
	"net/http"

	"retrylab.example/core/lab"
	"retrylab.example/core/text"
)

type reportJSON struct {
	Clients []clientJSON `json:"clients"`
	More    int          `json:"more"`
}

type clientJSON struct {
	Client   string      `json:"client"`
	Requests int         `json:"requests"`
	Calls    int         `json:"calls"`
	Retries  int         `json:"retries"`
	Checks   []checkJSON `json:"checks"`
}

type checkJSON struct {
	Check    string         `json:"check"`
	Asks     string         `json:"asks"`
	Verdict  string         `json:"verdict"`
	Chances  int            `json:"chances"`
	Faults   int            `json:"faults"`
	Need     int            `json:"need"`
	Says     string         `json:"says"`
	Evidence []evidenceJSON `json:"evidence"`
}

type evidenceJSON struct {
	Before  int    `json:"before"`
	Seq     int    `json:"seq"`
	At      int64  `json:"at"`
	Waited  int64  `json:"waited"`
	Asked   int64  `json:"asked"`
	Attempt int    `json:"attempt"`
	Status  int    `json:"status"`
	Says    string `json:"says"`
}

// report answers GET /v1/labs/{id}/report: what can be said of each client, with evidence, in the language asked for.
func (h *House) report(w http.ResponseWriter, r *http.Request, id string) {
	room := h.look(w, r, id)
	if room == nil {
		return
	}
	room.mu.Lock()
	room.advance()
	if room.lab == nil {
		room.mu.Unlock()
		h.refuse(w, ErrNotFound)
		return
	}
	rep := room.lab.Report()
	body := writeReport(&rep, language(r)) // under the lock: the evidence is the lab's own
	room.mu.Unlock()
	w.Header().Set("Content-Language", string(language(r)))
	w.Header().Set("Vary", "Accept-Language")
	h.sendJSON(w, http.StatusOK, body)
}

func writeReport(rep *lab.Report, l text.Lang) reportJSON {
	j := reportJSON{Clients: []clientJSON{}, More: rep.More}
	for i := range rep.Clients {
		c := &rep.Clients[i]
		one := clientJSON{Client: c.Client, Requests: c.Requests, Calls: c.Calls, Retries: c.Retries, Checks: []checkJSON{}}
		for k := range c.Findings {
			one.Checks = append(one.Checks, writeFinding(&c.Findings[k], l))
		}
		j.Clients = append(j.Clients, one)
	}
	return j
}

func writeFinding(f *lab.Finding, l text.Lang) checkJSON {
	j := checkJSON{
		Check: f.Check.String(), Asks: l.CheckName(f.Check), Verdict: f.Verdict.String(), Chances: f.Chances,
		Faults: f.Faults, Need: f.Need, Says: l.Finding(f), Evidence: []evidenceJSON{},
	}
	for i := range f.Evidence {
		e := &f.Evidence[i]
		j.Evidence = append(j.Evidence, evidenceJSON{
			Before: e.Before, Seq: e.Seq, At: int64(e.At), Waited: int64(e.Waited), Asked: int64(e.Asked),
			Attempt: e.Attempt, Status: e.Status, Says: l.Evidence(e),
		})
	}
	return j
}
