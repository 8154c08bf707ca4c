// Package shell is the only place for what a page wants done in the browser: it draws views, routes with go-app, fetches,
// keeps, focuses, measures and listens. Pages return trees and effects; they never come here.
package shell

import (
	"runtime/debug"
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/text"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/author"
	"retrylab.example/wasm/page/course"
	"retrylab.example/wasm/page/glossary"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/page/open"
	"retrylab.example/wasm/page/sandbox"
	"retrylab.example/wasm/page/watch"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// page is what the shell shows.
type page interface {
	Update(msg any) []effect.Effect
	View() view.Node
	Title() string
}

// program is the one component. go-app makes its element, which is the page's, and tells of addresses; what is in it is
// drawn from the page's View.
type program struct {
	app.Compo

	settings  frame.Settings
	size      lab.Size
	catalog   *catalog.Catalog
	index     string // the catalog as it came
	lessons   map[string]keptLesson
	book      *progress.Book
	fileBook  *progress.Book // of the lesson that was opened from a file
	file      openedFile
	worker    worker
	editors   editors
	frames    frames
	stream    stream
	hands     hands
	page      page
	hash      string
	before    string // what was kept before what settings.Undoable names
	seenBench string // what was open in the sandbox, as this tab kept or read it last
	seen      string // the history of the step that is shown, as this tab kept or heard it last
	mounted   bool

	surface   surface
	changing  bool       // what the page shows is being changed
	deferred  []func()   // what is to be done when that is shown
	scrubbing bool       // the clock was moved in this frame
	rehearsed bool       // the program has drawn steps that nobody saw
	scrubTo   *lab.Scrub // where it is to be moved in the next one
	land      js.Func    // what is done when the thumb is at rest
	landing   js.Value   // the timer of that

	title string // of the tab, as it was set last
	lang  text.Lang
}

// Run fetches what the first page needs, then hands over to go-app. Until then the static text stays on the page.
func Run() {
	if document.IsUndefined() {
		serveJobs() // this is the worker
	}
	debug.SetGCPercent(400) // the heap is small, and a collection in the middle of a step is seen
	makeRoom()
	p := &program{hands: hands{zoom: 1}, settings: loadSettings(), size: firstSize(), lessons: map[string]keptLesson{}, catalog: &catalog.Catalog{}, book: &progress.Book{}, fileBook: &progress.Book{OfFile: true}}
	p.loadBook()
	if err := text.Load(window.Get("retrylabMessages").String()); err != nil {
		panic(err) // boot.js starts the program when the messages of its own build have come
	}
	if err := p.fetchCatalog(); err != nil {
		p.hash, p.page = currentHash(), newFault(p.settings, err)
	} else {
		p.open(currentHash())
	}
	app.RouteWithRegexp(".*", func() app.Composer { return p })
	app.RunWhenOnBrowser()
}

// Render makes the page's element.
func (p *program) Render() app.UI { return app.Div() }

// OnMount draws the first page, begins to listen, and tells that the page can be used.
func (p *program) OnMount(app.Context) {
	p.mounted = true
	p.change(func() {
		if m, ok := p.page.(visited); ok && visitsMounted(p.page) {
			p.do(m.Visit())
		}
		p.later(func() {
			p.arrive(p.settings.Tour > 0) // else the browser itself says where the focus is on a first page
			root().SetAttribute("data-ready", "1")
			p.rehearse()
		})
	})
	p.listen()
	p.watch()
}

// arrive does what is to be done when an address is shown for the first time.
func (p *program) arrive(settle bool) {
	p.measure()
	if settle {
		p.settle()
	}
	root().SetAttribute("data-page", p.hash)
}

// OnNav follows the address.
func (p *program) OnNav(app.Context) {
	hash := currentHash()
	if hash == p.hash && p.page != nil {
		return // go-app tells of the first address too, which is shown already
	}
	stays := false
	p.change(func() { stays = p.stays(hash) })
	if stays {
		return
	}
	if !strings.HasPrefix(hash, "#/") && p.page != nil && hash != "" {
		return // a link to a place on the page itself
	}
	go func() { // fetching waits, and the engine must not
		next := p.prepare(hash)
		if currentHash() != hash {
			return // the reader has gone on while this was fetched
		}
		p.change(func() {
			p.show(hash, next)
			p.later(func() { p.arrive(true); p.rehearse() })
		})
	}()
}

// open prepares and shows an address at once.
func (p *program) open(hash string) {
	p.show(hash, p.prepare(hash))
}

// show makes a prepared page the one that is shown.
func (p *program) show(hash string, next page) {
	p.tell()
	p.leave()
	p.worker.end() // it works for the page that is left
	p.settings.Lang = p.langOf(hash)
	if m, ok := next.(*lab.Model); ok && m.Shared() {
		p.settings.Lang = m.Settings.Lang // the link's own
	}
	p.hash, p.page = hash, next
	p.applySettings()
	if m := p.guided(); m != nil && p.settings.Tour > 0 {
		m.ShowStop(p.settings.Tour)
	}
	if v, ok := next.(visited); ok && (p.mounted || !visitsMounted(next)) {
		p.do(v.Visit())
	}
}

// visitsMounted reports whether a first page is to be visited when it is mounted: what it fetches must find it so, or its
// fields are there only then.
func visitsMounted(next page) bool {
	switch next.(type) {
	case *author.Model, *sandbox.Model, *glossary.Model, *watch.Model:
		return true
	}
	return false
}

// langOf returns the language that an address asks for, else the one that is shown.
func (p *program) langOf(hash string) text.Lang {
	_, query, _ := strings.Cut(hash, "?")
	if tag, asked := strings.CutPrefix(query, "lang="); asked {
		if l, known := text.Parse(tag); known {
			return l
		}
	}
	return p.settings.Lang
}

// prepare makes the page of an address. It may fetch a lesson.
func (p *program) prepare(hash string) page {
	path, _, _ := strings.Cut(strings.TrimPrefix(hash, "#/"), "?")
	s := p.settings
	s.Lang = p.langOf(hash)
	parts := strings.Split(path, "/")
	switch {
	case s.Embed && parts[0] != "lesson" && !strings.HasPrefix(hash, "#"+link.Route):
		return newMessage(s, "embed.nothing", "")
	case parts[0] == "file":
		return p.prepareFile(s, parts[1:])
	case path == "open":
		return open.New(s)
	case parts[0] == "author":
		return p.prepareAuthor(s)
	case parts[0] == "glossary":
		return glossary.New(s, p.catalog, strings.Join(parts[1:], "/"))
	case parts[0] == "sandbox":
		return p.prepareSandbox(s)
	case parts[0] == "watch":
		return p.prepareWatch(s, parts[1:])
	case strings.HasPrefix(hash, "#"+link.Route):
		return p.prepareLink(s, hash)
	case parts[0] != "lesson" || len(parts) < 2:
		return p.overview(s)
	}
	i := p.catalog.Find(parts[1])
	if i < 0 {
		return newMessage(s, "shell.no-lesson", "")
	}
	l, err := p.lesson(&p.catalog.Lessons[i])
	if err != nil {
		return newFault(s, err)
	}
	step := stepOf(p.book, l, parts[2:])
	if step < 0 {
		return newMessage(s, "shell.no-lesson", "")
	}
	return p.bench(s, p.place(i), l, step, p.book)
}

func (p *program) overview(s frame.Settings) page {
	m := course.New(s, p.catalog, p.book)
	if f, ok := progress.ReadFile(load(progress.OpenedKey)); ok {
		m.Keep(f)
	}
	return m
}

// bench returns the page of a step with what the browser has kept of it.
func (p *program) bench(s frame.Settings, place lab.Place, l *lesson.Lesson, step int, book *progress.Book) page {
	history := ""
	if step < len(l.Steps) {
		history = load(book.HistoryKey(l.ID, l.Steps[step].ID))
	}
	p.seen = history
	place.Kept = p.kept(book, l)
	return lab.New(s, p.size, place, l, step, book, history)
}

// kept returns what the browser has kept of the other steps of a lesson.
func (p *program) kept(book *progress.Book, l *lesson.Lesson) func(string) string {
	return func(step string) string { return load(book.HistoryKey(l.ID, step)) }
}

// place says where a lesson stands in the course.
func (p *program) place(i int) lab.Place {
	place := lab.Place{Number: i + 1, Count: len(p.catalog.Lessons)}
	if i+1 < len(p.catalog.Lessons) {
		place.Next = p.catalog.Lessons[i+1].ID
	}
	return place
}

// stepOf returns the place of the step that an address names: the first that is open if it names none.
func stepOf(book *progress.Book, l *lesson.Lesson, rest []string) int {
	for i := range l.Steps {
		if len(rest) > 0 && rest[0] == l.Steps[i].ID || len(rest) == 0 && book.Of(l.ID, l.Steps[i].ID) == progress.Open {
			return i
		}
	}
	switch {
	case len(rest) == 0:
		return 0
	case rest[0] == lab.End:
		return len(l.Steps)
	}
	return -1
}

func (p *program) lesson(e *catalog.Entry) (*lesson.Lesson, error) {
	if kept := p.lessons[e.ID]; kept.lesson != nil && kept.version == e.Version {
		return kept.lesson, nil
	}
	data, err := fetchLesson(e)
	if err != nil {
		return nil, err
	}
	l, err := lesson.Read(e.File, []byte(data))
	if err != nil {
		return nil, err
	}
	p.lessons[e.ID] = keptLesson{e.Version, &l}
	return &l, nil
}

// take does a message: the shell's own first, then the page's.
func (p *program) take(msg any) {
	p.tell()
	if p.own(msg) {
		return
	}
	compared := p.compares()
	p.do(p.page.Update(msg))
	p.later(func() {
		p.placeTour()
		switch p.page.(type) {
		case *author.Model, *sandbox.Model, *watch.Model:
			p.measure()
		default:
			if p.compares() != compared { // the timeline has another box then
				p.measure()
			}
		}
	})
}

// compares reports whether two runs are shown.
func (p *program) compares() bool {
	m := p.lab()
	return m != nil && m.Compares()
}

// noteCrash leaves, if something has not been done to its end, a link that leads back to what is shown: the program is
// about to stop, and boot.js then makes a report. A second fault must not hide the first.
func (p *program) noteCrash(done *bool) {
	if *done {
		return
	}
	defer func() { _ = recover() }()
	if m := p.lab(); m != nil {
		if fragment := m.Replay(); fragment != "" {
			window.Set("retrylabReplay", p.settings.Address+"#"+fragment)
		}
	}
}

// placeThumb tells the scrubber its value once more: a value that was set before its maximum was cut to the old one, and
// one that the reader has moved it to may not be where the clock is.
func (p *program) placeThumb() {
	if m := p.lab(); m != nil {
		setValue(lab.ScrubID, m.ScrubValue())
		setValue(lab.PartID, m.PartValue())
	}
}

// own does the messages that every page sends.
func (p *program) own(msg any) bool {
	switch msg := msg.(type) {
	case frame.PickLang:
		if l, ok := text.Parse(msg.Tag); ok {
			p.settings.Lang = l
			_ = save("retrylab.lang", string(l))
		}
	case frame.NextTheme:
		p.settings.Theme = cycle(p.settings.Theme, "light", "dark")
		p.setLook("theme", p.settings.Theme)
	case frame.NextContrast:
		p.settings.Contrast = cycle(p.settings.Contrast, "more", "normal")
		p.setLook("contrast", p.settings.Contrast)
	case frame.KeysEverywhere:
		p.settings.KeysEverywhere = msg.On
		_ = save("retrylab.keys", map[bool]string{true: "page"}[msg.On])
	case frame.Open:
		dialog(msg.ID, true)
		return true
	case frame.Close:
		dialog(msg.ID, false)
		return true
	case frame.Skip:
		focus(msg.ID)
		return true
	case frame.Typed:
		return true // the page has been told before any message
	case frame.ToLine:
		p.editors.toLine(msg)
		return true
	case frame.PlainEditor:
		p.settings.PlainEditor = msg.On
		_ = save(plainKey, map[bool]string{true: "1"}[msg.On])
	case frame.Reload:
		reload()
		return true
	case frame.Reset:
		p.reset(msg)
		return true
	case frame.Tour:
		p.tour(msg.Stop)
		return true
	case frame.TakeBack:
		p.takeBack()
	default:
		return false
	}
	p.applySettings()
	return true
}

// applySettings hands the settings to the page; the place and the run stay.
func (p *program) applySettings() {
	switch page := p.page.(type) {
	case *lab.Model:
		page.Settings = p.settings
	case *course.Model:
		page.Settings = p.settings
	case *author.Model:
		page.Settings = p.settings
	case *sandbox.Model:
		page.Set(p.settings)
	case *open.Model:
		page.Settings = p.settings
	case *glossary.Model:
		page.Settings = p.settings
	case *watch.Model:
		page.Settings = p.settings
	case *message:
		page.settings = p.settings
	}
}

func cycle(now, first, second string) string {
	switch now {
	case "":
		return first
	case first:
		return second
	}
	return ""
}

func (p *program) setLook(name, value string) {
	_ = save("retrylab."+name, value)
	if value == "" {
		root().RemoveAttribute("data-" + name)
		return
	}
	root().SetAttribute("data-"+name, value)
}
