package lesson

import (
	"slices"
	"strings"
	"unicode"

	"retrylab.example/core/codelab"
	"retrylab.example/core/document"
	"retrylab.example/core/limit"
	"retrylab.example/core/scenario"
)

// fromNode reads a lesson; faults are added to its document.
func fromNode(root *document.Node) Lesson { return fromOlder(root, migrations) }

// fromOlder reads a lesson of a format that the migrations bring to the newest.
func fromOlder(root *document.Node, steps []migration) Lesson {
	r := root.Object()
	var l Lesson
	r.String("$schema", "")
	r.Need("format")
	migrate(root, r.Format(int64(len(steps)+1)), steps)
	l.ID = readID(r)
	l.readLanguages(r)
	l.Title = l.need(r, "title")
	l.Summary, l.Why, l.Limits = l.need(r, "summary"), l.need(r, "why"), l.need(r, "limits")
	for _, item := range r.Items("checklist", 20) {
		l.Checklist = append(l.Checklist, l.text(item))
	}
	l.Minutes = int(r.Int("minutes", 10, 1, 600))
	for _, item := range r.Items("after", 20) {
		id, _ := item.Match(validID, mendID, "%q cannot be an id")
		l.After = append(l.After, id)
	}
	for _, item := range r.Items("references", 30) {
		l.References = append(l.References, readReference(item))
	}
	ids := map[string]bool{}
	for _, item := range r.NeedItems("steps", MaxSteps, "add one", "the lesson has no step") {
		s := l.readStep(item)
		own(ids, item, s.ID)
		l.Steps = append(l.Steps, s)
	}
	r.Done()
	return l
}

func readReference(n *document.Node) Reference {
	o := n.Object()
	o.Need("title")
	ref := Reference{o.String("title", ""), o.String("address", "")}
	for _, name := range []string{"title", "address"} {
		if f := o.Field(name); f != nil {
			checkPlain(f)
		}
	}
	o.Done()
	return ref
}

const mendID = "use 1 to 40 lower-case letters, digits and hyphens"

func validID(s string) bool { return limit.ValidClientKey(s) && s == strings.ToLower(s) }

// readID reads the id of a lesson, step, check or option: it stands in links and saved progress.
func readID(r *document.Reader) string {
	f := r.Need("id")
	if f == nil {
		return ""
	}
	id, ok := f.Match(validID, mendID, "%q cannot be an id")
	if !ok && len(id) > 40 {
		return "" // faults list the ids, so none may be huge
	}
	return id
}

// own adds a fault if an id was seen before. An id that is missing was told already.
func own(seen map[string]bool, n *document.Node, id string) {
	if seen[id] && id != "" {
		n.Find("/id").Faultf("give each its own id", "the id %q stands twice", id)
	}
	seen[id] = true
}

func validTag(s string) bool {
	return len(s) >= 2 && len(s) <= 12 && validID(s)
}

func (l *Lesson) readLanguages(r *document.Reader) {
	for _, item := range r.NeedItems("languages", 10, `write at least one, as ["en"]`, "the lesson declares no language") {
		lang, ok := item.Match(validTag, `use a tag such as "en"`, "%q is not a language tag")
		if slices.Contains(l.Languages, lang) {
			item.Faultf("name it once", "the language %q stands twice", lang)
			continue
		}
		if ok {
			l.Languages = append(l.Languages, lang)
		}
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
	if len(l.Languages) == 0 {
		return nil // which was told
	}
	var t Text
	for _, lang := range l.Languages {
		f := o.Field(lang)
		if f == nil {
			l.gaps = append(l.gaps, Gap{lang, n.Pointer()})
			o.Faultf("add it, or take the language off the lesson's list", "the text in %q is missing", lang)
			continue
		}
		switch s := f.Str(); {
		case f.Kind != document.String:
		case strings.TrimSpace(s) == "":
			l.gaps = append(l.gaps, Gap{lang, n.Pointer()})
			f.Faultf("write it", "the text in %q is empty", lang)
		case len(s) > MaxText:
			f.Faultf("split the step", "the text in %q has %d bytes, more than %d", lang, len(s), MaxText)
		default:
			checkPlain(f)
		}
		t = append(t, Translation{lang, f.Text})
	}
	o.Done()
	return t
}

// checkPlain adds a fault for a character that could change how a page or a terminal shows the rest: a control
// character other than a line's end or a tab, or a mark that turns the direction of writing.
func checkPlain(n *document.Node) {
	for _, r := range n.Text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			n.Faultf("remove it", "the text holds the hidden character U+%04X", r)
			return
		}
	}
}

func (l *Lesson) readStep(n *document.Node) Step {
	r := n.Object()
	s := Step{ID: readID(r)}
	if f := r.Need("kind"); f != nil {
		s.Kind = document.OneOf(f, kindNames[:], ParseKind)
		if _, ok := ParseKind(f.Text); !ok {
			r.Open()
		}
	} else {
		r.Open()
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
		s.Allow = l.readAllow(f)
	}
	ids := map[string]bool{}
	for _, item := range r.NeedItems("checks", maxChecks, "add one", "the step has no check, so nobody could pass it") {
		c := l.readCheck(item, s)
		own(ids, item, c.ID)
		s.Checks = append(s.Checks, c)
	}
	if f := r.Field("checks"); f != nil {
		s.asked = untold(f)
	}
	if s.Kind == Predict {
		if f := r.Need("question"); f != nil {
			s.Question = l.readQuestion(f, s)
		}
	}
	if f := r.Need("solution"); f != nil {
		s.Solution = s.readAnswer(f.Object(), true)
	}
	ids = map[string]bool{}
	for _, item := range r.NeedItems("wrong", 20, "add one that a learner might give", "the step names no wrong answer") {
		w := s.readWrong(item)
		own(ids, item, w.ID)
		s.Wrong = append(s.Wrong, w)
	}
}

func (l *Lesson) readQuestion(n *document.Node, s *Step) Question {
	r := n.Object()
	q := Question{Text: l.need(r, "text")}
	ids := map[string]bool{}
	for _, item := range r.NeedItems("options", 6, "add at least two", "the question has no options") {
		o := item.Object()
		opt := Option{ID: readID(o), Label: l.need(o, "label")}
		own(ids, item, opt.ID)
		if f := o.Need("if"); f != nil {
			opt.Check = l.readTest(f.Object(), s)
		}
		o.Done()
		q.Options = append(q.Options, opt)
	}
	if f := r.Field("options"); len(q.Options) == 1 {
		f.Fault("a question needs at least two options", "add one")
	}
	r.Done()
	return q
}

func (s *Step) readAnswer(r *document.Reader, last bool) Answer {
	a := Answer{Inputs: s.Scenario.ReadInputs(r, "inputs")}
	if f := r.Field("prediction"); f != nil {
		a.Prediction = s.readPrediction(f)
	}
	if last {
		r.Done()
	}
	return a
}

func (s *Step) readPrediction(n *document.Node) string {
	if s.Kind != Predict {
		n.Fault("this step asks for no prediction", "remove it")
		return ""
	}
	var ids []string
	for _, o := range s.Question.Options {
		ids = append(ids, o.ID)
	}
	return oneOf(n, ids, "there is no option %q")
}

// oneOf reads the id of something that the step has.
func oneOf(n *document.Node, ids []string, problem string) string {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	id, _ := n.Match(func(id string) bool { return slices.Contains(ids, id) }, "use one of: "+strings.Join(ids, ", "), problem)
	return id
}

func (s *Step) readWrong(n *document.Node) WrongAnswer {
	r := n.Object()
	w := WrongAnswer{ID: readID(r), Answer: s.readAnswer(r, false)}
	if f := r.Need("fails"); f != nil {
		w.Fails = s.readFails(f)
	}
	r.Done()
	return w
}

// readFails reads which check a wrong answer fails.
func (s *Step) readFails(n *document.Node) string {
	var ids []string
	for _, c := range s.Checks {
		ids = append(ids, c.ID)
	}
	if s.Kind == Predict {
		ids = append(ids, prediction)
	}
	return oneOf(n, ids, "there is no check %q")
}

func (l *Lesson) readExercise(r *document.Reader, s *Step) {
	f := r.Need("exercise")
	if f == nil {
		return
	}
	o := f.Object()
	x := &s.Exercise
	if f := o.Need("function"); f != nil {
		x.Function = oneOf(f, codelab.Names(), "there is no function %q")
	}
	x.Starter = l.need(o, "starter")
	o.Need("solution")
	x.Solution = o.String("solution", "")
	o.Need("wrong")
	ids := map[string]bool{}
	for _, item := range o.Items("wrong", 20) {
		w := readWrongProgram(item)
		own(ids, item, w.ID)
		x.Wrong = append(x.Wrong, w)
	}
	o.Done()
}

func readWrongProgram(n *document.Node) WrongProgram {
	r := n.Object()
	w := WrongProgram{ID: readID(r)}
	r.Need("program")
	w.Program = r.String("program", "")
	if f := r.Need("fails"); f != nil {
		var codes []string
		for _, c := range codelab.Codes()[1:] { // the first is no failure
			codes = append(codes, c.String())
		}
		w.Fails = oneOf(f, codes, "there is no code %q")
	}
	r.Done()
	return w
}

// ReadPlay reads a learner's answer to a step: {"format": 1, "inputs": […], "prediction": "…"}.
func (s *Step) ReadPlay(file string, data []byte) (Answer, error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Answer{}, err
	}
	r := root.Object()
	r.Format(Format)
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
