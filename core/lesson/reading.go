package lesson

import "retrylab.example/core/document"

// Reading is a lesson file that is being looked at: the lesson as far as it can be read, where its values stand, and
// what is wrong.
type Reading struct {
	Lesson Lesson
	// Root is the file's value; nil if it is no JSON.
	Root *document.Node

	faults document.Faults
}

// Gap is a text that is missing or empty in one language.
type Gap struct {
	Lang string
	// Pointer is the JSON pointer of the text with all its languages.
	Pointer string
}

// Inspect looks at a lesson file.
func Inspect(file string, data []byte) *Reading {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return &Reading{faults: document.FaultsOf(err)}
	}
	r := &Reading{Lesson: fromNode(root), Root: root}
	r.faults = document.FaultsOf(doc.Err())
	return r
}

// Faults returns what is wrong with the file's form, in the order of the places.
func (r *Reading) Faults() document.Faults { return r.faults }

// Gaps returns the texts that are missing or empty, in the order of the places.
func (r *Reading) Gaps() []Gap { return r.Lesson.gaps }

// Read reads a lesson file. The error holds every fault, with its place and how to mend it.
func Read(file string, data []byte) (Lesson, error) {
	r := Inspect(file, data)
	if len(r.faults) > 0 {
		return r.Lesson, r.faults
	}
	return r.Lesson, nil
}

// Report is what lint found in one file. `retrylab lint --format json` writes it, and the browser's worker.
type Report struct {
	File string `json:"file"`
	OK   bool   `json:"ok"`
	// Lesson is the id of the lesson, Proven how many of its played and code steps were proven.
	Lesson string `json:"lesson,omitempty"`
	Proven int    `json:"proven"`
	// Skipped: the file is no lesson and was left aside.
	Skipped bool `json:"skipped,omitempty"`
	// Faults is all that is wrong, in the order of its places; Steps the proof of each step, none if the form is wrong.
	Faults document.Faults `json:"faults"`
	Steps  []Proof         `json:"steps"`
}

// ReportOf lints a file.
func ReportOf(file string, data []byte) Report {
	r := Inspect(file, data)
	return r.Report(file, r.proofs())
}

// Report says what lint finds, with the proofs of all steps in their order; they are not asked for if the form is wrong.
func (r *Reading) Report(file string, proofs []Proof) Report {
	report := Report{File: file, Lesson: r.Lesson.ID, Faults: append(document.Faults{}, r.faults...), Steps: []Proof{}}
	if len(report.Faults) > 0 {
		return report
	}
	report.Steps = append(report.Steps, proofs...)
	for i := range proofs {
		if p := &proofs[i]; (p.Plays || p.Code) && len(p.Faults) == 0 {
			report.Proven++
		}
		report.Faults = append(report.Faults, proofs[i].Faults...)
	}
	report.OK = len(report.Faults) == 0
	return report
}

// proofs proves every step of a lesson whose form is right.
func (r *Reading) proofs() (list []Proof) {
	if len(r.faults) > 0 {
		return nil
	}
	for i := range r.Lesson.Steps {
		list = append(list, r.Prove(i))
	}
	return list
}
