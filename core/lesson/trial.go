package lesson

import (
	"strconv"
	"strings"

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
	if items := r.NeedItems("checks", maxChecks, "add one", "nothing is asked for"); len(items) > 0 {
		s.ask(items, r.Field("checks"))
	}
	a := Answer{Inputs: s.Scenario.ReadInputs(r, "inputs")}
	r.Need("count")
	count := int(r.Int("count", 0, 1, MaxSeeds))
	r.Done()
	return s.Sweep(a, count), doc.Err()
}

// ask reads the checks of a step without their texts.
func (s *Step) ask(items []*document.Node, list *document.Node) {
	var l Lesson
	for _, item := range items {
		o := item.Object()
		o.Field("id")
		o.Field("text")
		s.Checks = append(s.Checks, l.readTest(o, s))
	}
	s.asked = untold(list)
}

// untold returns checks as they stand in a list, without ids and texts, which only a lesson has a use for.
func untold(list *document.Node) string {
	goals := make([]string, len(list.Items))
	for i, item := range list.Items {
		var fields []string
		for _, f := range item.Fields {
			if f.Name != "id" && f.Name != "text" {
				fields = append(fields, document.Quote(f.Name)+": "+f.Value.Written())
			}
		}
		goals[i] = "{" + strings.Join(fields, ", ") + "}"
	}
	return "[" + strings.Join(goals, ", ") + "]"
}
