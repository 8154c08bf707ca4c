package lesson

import (
	"retrylab.example/core/document"
	"retrylab.example/core/scenario"
)

// ReadFree reads a scenario of free play: one that is no step of a lesson, and may have goals. These are checks as a
// lesson has them; they need neither texts nor ids. Faults are added to the document.
func ReadFree(root *document.Node) Step {
	s := Step{Kind: Play, Scenario: scenario.FromNode(root, scenario.GoalsField)}
	f := root.Child(scenario.GoalsField)
	if f == nil || len(s.Scenario.Clients) == 0 { // which is a fault; without a world no goal can be read
		return s
	}
	s.ask(root.Object().Items(scenario.GoalsField, maxChecks), f)
	return s
}

// ReadFreeFile reads the file of such a scenario. The error is document.Faults.
func ReadFreeFile(file string, data []byte) (Step, error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Step{}, err
	}
	s := ReadFree(root)
	return s, doc.Err()
}

// Asked returns the goals as they were written, as JSON, for WriteFree; empty if there are none.
func (s *Step) Asked() string {
	if len(s.Checks) == 0 {
		return ""
	}
	return s.asked
}

// WriteFree writes a scenario with goals, which may be empty, as one line of JSON: ReadFree reads it.
func WriteFree(s *scenario.Scenario, goals string) []byte {
	b := s.Write()
	if goals == "" {
		return b
	}
	return append(b[:len(b)-1], `,"`+scenario.GoalsField+`":`+goals+"}"...)
}
