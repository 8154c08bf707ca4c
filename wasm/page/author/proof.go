package author

import (
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/view/frame"
)

// Messages of the proof.
type (
	// Prove begins the proof in the worker, Cancel ends it.
	Prove  struct{}
	Cancel struct{}
)

// proof is how far the worker is, and what it found.
type proof struct {
	id      int
	running bool
	count   int // of steps, 0 until the first is done
	steps   []lesson.Proof
	report  *lesson.Report
	text    string // what is proven
	problem string
}

// proved does the messages of the proof.
func (m *Model) proved(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case Prove:
		if m.stale {
			m.read()
		}
		m.nextProofID++
		m.proof = proof{id: m.nextProofID, running: true, text: m.text}
		request := job.Request{ID: m.proof.id, Kind: job.Prove, File: m.name, Text: m.text}
		return []effect.Effect{effect.Job{Request: string(request.Write())}}, true
	case Cancel:
		m.proof.running = false
		m.proof.problem = m.say("author.cancelled")
		return []effect.Effect{effect.Job{}, effect.Announce{Text: m.proof.problem}}, true
	case frame.Answer:
		if !m.proof.running {
			return nil, false // a code step of the preview may have asked
		}
		return m.answered(msg), true
	}
	return nil, false
}

// answered takes a message of the worker. One of an earlier request comes too late.
func (m *Model) answered(msg frame.Answer) []effect.Effect {
	a, err := job.Read([]byte(msg.Message))
	if err != nil || !m.proof.running || a.ID != m.proof.id && a.Refused == "" {
		return nil
	}
	switch {
	case a.Proven != nil:
		m.proof.count = a.Proven.Count
		m.proof.steps = append(m.proof.steps, a.Proven.Proof)
		return nil
	case a.Report != nil:
		m.proof.report = a.Report
	default:
		m.proof.problem = a.Refused
	}
	m.proof.running = false
	return []effect.Effect{effect.Job{}, effect.Announce{Text: m.verdict()}}
}

// verdict says in one sentence what the proof found.
func (m *Model) verdict() string {
	switch p := &m.proof; {
	case p.report == nil:
		return p.problem
	case p.report.OK:
		return m.say("author.proven")
	}
	return m.say("author.unproven")
}
