package shell

import (
	"strings"
	"syscall/js"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/page/course"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/view/frame"
)

// watched is where the server tells of the folder of lessons that it watches, empty if it watches none.
func watched() string { return root().GetAttribute("data-watch") }

// keptLesson is a lesson that was fetched.
type keptLesson struct {
	version string // as the catalog says it
	lesson  *lesson.Lesson
}

// fetchCatalog fetches the list of lessons, if it is another than the one that the program has.
func (p *program) fetchCatalog() error {
	from := watched()
	name := "index.json"
	if from == "" {
		from, name = build(), "lessons/index.json"
	}
	data, err := fetchFrom(from, name)
	if err != nil || data == p.index {
		return err
	}
	c, err := catalog.Read([]byte(data))
	if err != nil {
		return fetchError{name: name, why: err.Error()}
	}
	p.catalog, p.index = &c, data
	p.settings.Watched = frame.Watched{Faults: c.Faults, Unproven: c.Unproven}
	return nil
}

// fetchLesson fetches the file of a lesson, from the build or from the watched folder.
func fetchLesson(e *catalog.Entry) (string, error) {
	if e.Version == "" {
		return fetchText("lessons/" + e.File)
	}
	return fetchFrom(watched(), "lessons/"+window.Call("encodeURIComponent", e.File).String())
}

// watch follows the folder of lessons, if the server watches one. The browser connects again by itself.
func (p *program) watch() {
	if watched() == "" {
		return
	}
	news := make(chan string, 1) // the latest alone
	hear := func(f func(js.Value)) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any { f(args[0]); return nil })
	}
	source := window.Get("EventSource").New(watched() + "/events")
	source.Set("onmessage", hear(func(e js.Value) {
		select {
		case <-news:
		default:
		}
		news <- e.Get("data").String()
	}))
	source.Set("onerror", hear(func(js.Value) { p.setLost(true) }))
	go func() {
		for told := range news {
			p.renew(told)
		}
	}()
}

func (p *program) setLost(lost bool) {
	p.change(func() {
		p.settings.Watched.Lost = lost
		p.applySettings()
	})
}

// renew brings the page to what the folder now is. told is the build of the site and the version of the list: a server
// that was started anew may have another build.
func (p *program) renew(told string) {
	if of, _, _ := strings.Cut(told, " "); of != build() {
		reload()
		return
	}
	for done := false; !done; {
		before := p.index
		if p.fetchCatalog() != nil {
			return // the server is gone again; it tells when it is back
		}
		if p.index == before {
			p.setLost(false)
			return
		}
		done = p.revise()
	}
}

// revise fetches what the shown page needs of the new list, and shows it; not done means that the reader went on to
// another page meanwhile.
func (p *program) revise() (done bool) {
	hash, old := p.hash, p.page
	next := p.revision(hash, old)
	result := make(chan bool, 1)
	p.change(func() {
		p.applySettings()
		same := p.hash == hash && p.page == old
		if same && next != nil {
			next()
		}
		result <- same
	})
	if !<-result {
		p.index = ""
		return false
	}
	return true
}

// revision prepares how the page is brought up to date, nil if nothing of it changes. It may fetch a lesson.
func (p *program) revision(hash string, old page) func() {
	m, played := old.(*lab.Model)
	_, overview := old.(*course.Model)
	ofLesson := strings.HasPrefix(hash, "#/lesson/")
	switch {
	case played && ofLesson:
		i := p.catalog.Find(m.Lesson())
		if i < 0 {
			break
		}
		l, err := p.lesson(&p.catalog.Lessons[i])
		if err != nil {
			break
		}
		return func() { p.reviseLesson(m, l, p.place(i)) }
	case !overview && !ofLesson:
		return nil
	}
	next := p.prepare(hash)
	return func() {
		p.show(hash, next)
		p.later(p.measure)
	}
}

// reviseLesson shows another version of the lesson at the same step and clock.
func (p *program) reviseLesson(m *lab.Model, l *lesson.Lesson, place lab.Place) {
	if m.Is(l) {
		m.Move(place)
		return
	}
	next, effects := m.Revised(l, place)
	p.page = next
	if next.StepID() != m.StepID() {
		p.hash = next.Hash()
		window.Get("history").Call("replaceState", js.Null(), "", p.hash)
		root().SetAttribute("data-page", p.hash)
	}
	p.do(effects)
}
