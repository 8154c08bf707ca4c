package lesson

import (
	"strconv"

	"retrylab.example/core/document"
	"retrylab.example/core/scenario"
)

// WriteTrial returns the trial of an answer on so many seeds as a message for whoever has no lesson: ReadTrial makes the
// sweep of it.
func (s *Step) WriteTrial(a Answer, count int) []byte {
	b := append([]byte(`{"scenario":`), s.Scenario.Write()...)
	b = append(b, `,"checks":`+s.asked+`,"inputs":`...)
	b = append(b, s.Scenario.WriteInputs(a.Inputs)...)
	return append(b, `,"count":`+strconv.Itoa(count)+"}"...)
}

// ReadTrial reads what WriteTrial wrote.
func ReadTrial(data []byte) (*Sweep, error) {
	doc, root, err := document.Read("trial", data)
	if err != nil {
		return nil, err
	}
	r := root.Object()
	s := &Step{Kind: Play}
	if f := r.Need("scenario"); f != nil {
		s.Scenario = scenario.FromNode(f)
	}
	if len(s.Scenario.Clients) == 0 { // which is a fault; without a world nothing else can be read
		return nil, doc.Err()
	}
	s.ask(r)
	a := Answer{Inputs: s.Scenario.ReadInputs(r, "inputs")}
	r.Need("count")
	count := int(r.Int("count", 0, 1, MaxSeeds))
	r.Done()
	return s.Sweep(a, count), doc.Err()
}

// ask reads the checks of a step without their texts.
func (s *Step) ask(r *document.Reader) {
	var l Lesson
	for _, item := range r.NeedItems("checks", maxChecks, "add one", "nothing is asked for") {
		o := item.Object()
		o.Field("id")
		o.Field("text")
		s.Checks = append(s.Checks, l.readTest(o, s))
	}
	if f := r.Field("checks"); f != nil {
		s.asked = f.Written()
	}
}
