package lesson

import (
	"slices"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/limit"
	"retrylab.example/core/scenario"
)

// Read reads a lesson file. The error holds every fault, with its place and how to mend it.
func Read(file string, data []byte) (Lesson, error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Lesson{}, err
	}
	l := fromNode(root)
	return l, doc.Err()
}

// fromNode reads a lesson; faults are added to its document.
func fromNode(root *document.Node) Lesson {
	r := root.Object()
	var l Lesson
	r.String("$schema", "")
	if f := r.Need("format"); f != nil {
		f.Int(Format, Format, Format)
	}
	l.ID = readID(r)
	l.readLanguages(r)
	l.Title = l.need(r, "title")
	l.Summary, l.Why, l.Limits = l.need(r, "summary"), l.need(r, "why"), l.need(r, "limits")
	for _, item := range r.Items("checklist", 20) {
		l.Checklist = append(l.Checklist, l.text(item))
	}
	l.Minutes = int(r.Int("minutes", 10, 1, 600))
	for _, item := range r.Items("after", 20) {
		l.After = append(l.After, item.Str())
	}
	for _, item := range r.Items("references", 30) {
		o := item.Object()
		l.References = append(l.References, Reference{o.String("title", ""), o.String("address", "")})
		o.Done()
	}
	r.Need("steps")
	ids := map[string]bool{}
	for _, item := range r.Items("steps", MaxSteps) {
		s := l.readStep(item)
		if ids[s.ID] {
			item.Faultf("give each step its own id", "there are two steps with the id %q", s.ID)
		}
		ids[s.ID] = true
		l.Steps = append(l.Steps, s)
	}
	if f := r.Field("steps"); f != nil && len(l.Steps) == 0 && f.Kind == document.Array && len(f.Items) == 0 {
		f.Faultf("add one", "the lesson has no step")
	}
	r.Done()
	return l
}

// readID reads the id of a lesson, step, check or option: it stands in links and saved progress.
func readID(r *document.Reader) string {
	f := r.Need("id")
	if f == nil {
		return ""
	}
	id := f.Str()
	if !limit.ValidClientKey(id) || id != strings.ToLower(id) {
		f.Faultf("use 1 to 40 lower-case letters, digits and hyphens", "%q cannot be an id", id)
	}
	return id
}

func (l *Lesson) readLanguages(r *document.Reader) {
	r.Need("languages")
	for _, item := range r.Items("languages", 10) {
		lang := item.Str()
		switch {
		case len(lang) < 2 || len(lang) > 12 || lang != strings.ToLower(lang):
			item.Faultf(`use a tag such as "en"`, "%q is not a language tag", lang)
		case slices.Contains(l.Languages, lang):
			item.Faultf("name it once", "the language %q stands twice", lang)
		}
		l.Languages = append(l.Languages, lang)
	}
	if f := r.Field("languages"); f != nil && len(l.Languages) == 0 {
		f.Faultf(`write at least one, as ["en"]`, "the lesson declares no language")
	}
}

// need reads a text that must be there.
func (l *Lesson) need(r *document.Reader, name string) Text {
	if f := r.Need(name); f != nil {
		return l.text(f)
	}
	return nil
}

// maybe reads a text that may be missing.
func (l *Lesson) maybe(r *document.Reader, name string) Text {
	if f := r.Field(name); f != nil {
		return l.text(f)
	}
	return nil
}

// text reads {"en": "…", "ko": "…"}: every declared language, and no other.
func (l *Lesson) text(n *document.Node) Text {
	o := n.Object()
	var t Text
	for _, lang := range l.Languages {
		f := o.Field(lang)
		switch {
		case f == nil:
			n.Faultf("add it, or take the language off the lesson's list", "the text in %q is missing", lang)
			continue
		case strings.TrimSpace(f.Str()) == "" && f.Kind == document.String:
			f.Faultf("write it", "the text in %q is empty", lang)
		case len(f.Text) > MaxText:
			f.Faultf("split the step", "the text in %q has %d bytes, more than %d", lang, len(f.Text), MaxText)
		}
		t = append(t, Translation{lang, f.Text})
	}
	o.Done()
	return t
}

func (l *Lesson) readStep(n *document.Node) Step {
	r := n.Object()
	s := Step{ID: readID(r)}
	if f := r.Need("kind"); f != nil {
		s.Kind = document.OneOf(f, kindNames[:], ParseKind)
	}
	s.Title, s.Body = l.need(r, "title"), l.need(r, "body")
	s.Goal, s.Explanation = l.maybe(r, "goal"), l.maybe(r, "explanation")
	for _, item := range r.Items("hints", 10) {
		s.Hints = append(s.Hints, l.text(item))
	}
	if f := r.Field("scenario"); f != nil {
		s.Scenario = scenario.FromNode(f)
	}
	switch {
	case s.Plays():
		l.readRun(r, &s)
	case s.Kind == Code:
		l.readExercise(r, &s)
	}
	r.Done()
	return s
}

// readRun reads what a step with a run has: scenario, checks, solution and wrong answers.
func (l *Lesson) readRun(r *document.Reader, s *Step) {
	if r.Need("scenario") == nil || len(s.Scenario.Clients) == 0 {
		for _, name := range []string{"allow", "checks", "question", "solution", "wrong"} {
			r.Field(name) // known, and of no use without a world
		}
		return
	}
	if f := r.Need("allow"); f != nil {
		s.Allow = readAllow(f)
	}
	r.Need("checks")
	for _, item := range r.Items("checks", 20) {
		c := l.readCheck(item, s)
		if s.Check(c.ID) != nil {
			item.Faultf("give each check its own id", "there are two checks with the id %q", c.ID)
		}
		s.Checks = append(s.Checks, c)
	}
	if f := r.Field("checks"); f != nil && len(s.Checks) == 0 {
		f.Faultf("add one", "the step has no check, so nobody could pass it")
	}
	if s.Kind == Predict {
		if f := r.Need("question"); f != nil {
			s.Question = l.readQuestion(f, s)
		}
	}
	if f := r.Need("solution"); f != nil {
		s.Solution = s.readAnswer(f.Object(), true)
	}
	r.Need("wrong")
	for _, item := range r.Items("wrong", 20) {
		s.Wrong = append(s.Wrong, s.readWrong(item))
	}
	if f := r.Field("wrong"); f != nil && len(s.Wrong) == 0 {
		f.Faultf("add one that a learner might give", "the step names no wrong answer")
	}
}

func readAllow(n *document.Node) Allow {
	r := n.Object()
	a := Allow{Fire: r.Bool("fire"), FreeKey: r.Bool("freeKey")}
	a.Methods = strs(r, "methods")
	a.Keys = strs(r, "keys")
	for _, item := range r.Items("amounts", 10) {
		a.Amounts = append(a.Amounts, item.Int(1, 1, 1_000_000_000))
	}
	a.Inject = listed(r, "inject", Injectable())
	a.Knobs = listed(r, "knobs", Knobs())
	r.Done()
	return a
}

func strs(r *document.Reader, name string) []string {
	var list []string
	for _, item := range r.Items(name, 20) {
		list = append(list, item.Str())
	}
	return list
}

// listed reads a list of names that must be known.
func listed(r *document.Reader, name string, known []string) []string {
	var list []string
	for _, item := range r.Items(name, len(known)) {
		list = append(list, document.OneOf(item, known, func(s string) (string, bool) {
			return s, slices.Contains(known, s)
		}))
	}
	return list
}

func (l *Lesson) readQuestion(n *document.Node, s *Step) Question {
	r := n.Object()
	q := Question{Text: l.need(r, "text")}
	r.Need("options")
	for _, item := range r.Items("options", 6) {
		o := item.Object()
		opt := Option{ID: readID(o), Label: l.need(o, "label")}
		if f := o.Need("if"); f != nil {
			opt.Check = l.readTest(f.Object(), s)
		}
		o.Done()
		q.Options = append(q.Options, opt)
	}
	if f := r.Field("options"); f != nil && len(q.Options) < 2 {
		f.Faultf("add more", "a question needs at least two options")
	}
	r.Done()
	return q
}

func (s *Step) readAnswer(r *document.Reader, last bool) Answer {
	a := Answer{Inputs: s.Scenario.ReadInputs(r, "inputs")}
	if f := r.Field("prediction"); f != nil {
		a.Prediction = f.Str()
		if !slices.ContainsFunc(s.Question.Options, func(o Option) bool { return o.ID == a.Prediction }) {
			f.Faultf("use the id of an option", "there is no option %q", a.Prediction)
		}
	}
	if last {
		r.Done()
	}
	return a
}

func (s *Step) readWrong(n *document.Node) WrongAnswer {
	r := n.Object()
	w := WrongAnswer{ID: readID(r), Answer: s.readAnswer(r, false)}
	if f := r.Need("fails"); f != nil {
		w.Fails = f.Str()
		if s.Check(w.Fails) == nil && (w.Fails != "prediction" || s.Kind != Predict) {
			f.Faultf("use the id of a check of this step", "there is no check %q", w.Fails)
		}
	}
	r.Done()
	return w
}

func (l *Lesson) readExercise(r *document.Reader, s *Step) {
	f := r.Need("exercise")
	if f == nil {
		return
	}
	o := f.Object()
	o.Need("function")
	s.Exercise.Function = o.String("function", "")
	s.Exercise.Starter = l.need(o, "starter")
	o.Need("solution")
	s.Exercise.Solution = o.String("solution", "")
	o.Need("wrong")
	s.Exercise.Wrong = strs(o, "wrong")
	o.Done()
}

// ReadPlay reads a learner's answer to a step: {"format": 1, "inputs": […], "prediction": "…"}.
func (s *Step) ReadPlay(file string, data []byte) (Answer, error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Answer{}, err
	}
	r := root.Object()
	r.Int("format", Format, Format, Format)
	a := s.readAnswer(r, true)
	return a, doc.Err()
}

// WritePlay returns an answer as a file that ReadPlay reads.
func (s *Step) WritePlay(a Answer) []byte {
	b := append([]byte(`{"format":1,"inputs":`), s.Scenario.WriteInputs(a.Inputs)...)
	if a.Prediction != "" {
		b = append(b, `,"prediction":"`+a.Prediction+`"`...) // an id, so it needs no escaping
	}
	return append(b, "}\n"...)
}
