package lesson_test

import (
	"bytes"
	"fmt"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
)

// A step of a lesson is graded before anything was done, with its solution, and with a wrong answer: an order without
// a key, which fails the check that it is charged once.
func ExampleStep_Grade() {
	file, err := lesson.New("my-lesson", []string{"en"})
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := lesson.Read("my-lesson.json", file)
	if err != nil {
		fmt.Println(err)
		return
	}
	step := &l.Steps[1]
	for _, answer := range []lesson.Answer{{}, step.Solution, step.Wrong[0].Answer} {
		grade, events := step.Grade(answer)
		fmt.Println(step.ID, "solved:", grade.Solved, "in", len(events), "events")
		for i, result := range grade.Results {
			fmt.Println(" ", step.Checks[i].ID, "holds:", result.State == lesson.Holds, "actual:", result.Actual)
		}
	}
	// Output:
	// charge-once solved: false in 0 events
	//   succeeds holds: false actual: not-ended
	//   once holds: false actual: 0
	// charge-once solved: true in 12 events
	//   succeeds holds: true actual: succeeded 200
	//   once holds: true actual: 10
	// charge-once solved: false in 12 events
	//   succeeds holds: true actual: succeeded 200
	//   once holds: false actual: 20
}

// What is wrong with a file is told with its place and how to mend it.
func ExampleRead() {
	file, err := lesson.New("my-lesson", []string{"en"})
	if err != nil {
		fmt.Println(err)
		return
	}
	file = bytes.Replace(file, []byte(`"minutes": 10`), []byte(`"minutes": "10"`), 1)
	_, err = lesson.Read("my-lesson.json", file)
	for _, f := range document.FaultsOf(err) {
		fmt.Println(f)
	}
	// Output: my-lesson.json:23:14: /minutes: this is a text, not a number; write a whole number from 1 to 600
}
