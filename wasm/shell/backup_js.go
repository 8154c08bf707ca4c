package shell

import (
	"strings"

	"honnef.co/go/js/dom/v2"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// snapshot returns everything that the browser keeps of the course.
func (p *program) snapshot() string {
	b := progress.Backup{Book: *p.book}
	for _, key := range keptKeys(progress.Histories) {
		b.Keep(strings.TrimPrefix(key, progress.Histories), load(key))
	}
	b.Saved = savedBenches()
	return b.Write()
}

// saveProgress hands the reader the file.
func (p *program) saveProgress() {
	today := window.Get("Date").New().Call("toISOString").String()[:len("2026-12-01")]
	name := "retry-lab-" + today + ".progress.json"
	download(name, p.snapshot())
	p.update(frame.Saved{Name: name})
}

// reset makes a step, a lesson or the course as if nothing had been done, and offers the way back.
func (p *program) reset(msg frame.Reset) {
	dialog(frame.ResetID, false)
	before := p.snapshot()
	for _, key := range keptKeys(progress.Histories) {
		if progress.Within(strings.TrimPrefix(key, progress.Histories), msg.Lesson, msg.Step) {
			_ = save(key, "")
		}
	}
	p.book.Reset(msg.Lesson, msg.Step)
	p.store(effect.Store{Key: p.book.Key()})
	p.offerUndo("reset.done", before)
	go p.again()
}

// offerUndo says what was done to the progress. before is what was kept until then.
func (p *program) offerUndo(name, before string) {
	p.settings.Undoable, p.before = name, before
}

// takeBack brings back what was kept before.
func (p *program) takeBack() {
	before := p.before
	p.offerUndo("", "")
	go func() {
		p.takeUp(before, true)
		p.again()
		p.later(func() { announce(p.settings.Lang.Say("backup.undone")) })
	}()
}

// takeProgress takes up a file that the reader has chosen.
func (p *program) takeProgress(e effect.TakeProgress) {
	dialog(frame.TakeID, false)
	go func() { // joining may fetch lessons, and the engine must not wait
		before := p.snapshot()
		if why := p.takeUp(e.Text, e.Replace); why != "" {
			p.update(frame.NotTaken{Why: why})
			return
		}
		name := "backup.merged"
		if e.Replace {
			name = "backup.replaced"
		}
		p.offerUndo(name, before)
		p.again()
	}()
}

// takeUp takes up a backup, and returns the name of the message that says why it did not. Then everything is as it was.
func (p *program) takeUp(text string, replace bool) (why string) {
	b, err := progress.ReadBackup(text)
	if err != nil {
		return err.Error()
	}
	before := keptUnder(progress.Histories)
	saved := keptUnder(progress.SavedPrefix)
	book := progress.Book{Last: b.Book.Last, Era: p.book.Era + 1}
	if !replace {
		book = progress.Book{Last: p.book.Last, Era: p.book.Era}
		book.Add(*p.book)
	}
	book.Add(b.Book)
	if replace {
		forget(progress.Histories)
	}
	for place, history := range b.Histories {
		key := progress.Histories + place
		if mine := load(key); mine != "" {
			history = []byte(p.joined(place, mine, string(history)))
		}
		if err = save(key, string(history)); err != nil {
			break
		}
	}
	if err == nil {
		err = takeSaved(b.Saved, replace)
	}
	if err != nil || save(progress.Key, book.Write()) != nil {
		keepAgain(progress.Histories, before)
		keepAgain(progress.SavedPrefix, saved)
		return "backup.no-room"
	}
	*p.book = book
	return ""
}

// keptUnder returns what is kept under keys that begin so, and keepAgain keeps that and nothing else there.
func keptUnder(prefix string) map[string]string {
	kept := map[string]string{}
	for _, key := range keptKeys(prefix) {
		kept[key] = load(key)
	}
	return kept
}

func keepAgain(prefix string, kept map[string]string) {
	forget(prefix)
	for key, value := range kept {
		_ = save(key, value)
	}
}

// joined joins two histories of a step of the course; of a step that is not there any more, mine stays.
func (p *program) joined(place, mine, theirs string) string {
	lessonID, stepID, _ := strings.Cut(place, "/")
	i := p.catalog.Find(lessonID)
	if i < 0 {
		return mine
	}
	l, err := p.lesson(&p.catalog.Lessons[i])
	if err != nil {
		return mine
	}
	for k := range l.Steps {
		if st := &l.Steps[k]; st.ID == stepID && (st.Plays() || st.Kind == lesson.Code) {
			return lab.Join(st, mine, theirs)
		}
	}
	return mine
}

// again shows the same address once more, with what is kept now.
func (p *program) again() {
	hash := p.hash
	next := p.prepare(hash)
	p.change(func() {
		if p.hash != hash {
			return // the reader has gone on
		}
		p.show(hash, next)
		p.later(p.measure)
	})
}

// listenTabs hears what other tabs keep.
func (p *program) listenTabs() {
	on("storage", func(e *dom.BasicEvent) {
		key, value := e.Get("key"), e.Get("newValue")
		if !key.Truthy() {
			return // all was thrown away, by hand: what this tab knows stays until it is closed
		}
		name, text := key.String(), ""
		if value.Truthy() {
			text = value.String()
		}
		p.change(func() { p.heard(name, text) })
	})
}

// heard takes up what another tab has kept, or thrown away.
func (p *program) heard(key, value string) {
	p.tell()
	if m, ok := p.page.(*lab.Model); ok && !m.Shared() && key == m.HistoryKey() {
		p.seen = value
		if value != "" {
			p.do(m.Update(lab.Elsewhere{History: value}))
			return
		}
		_ = save(key, "") // the step was reset there; this tab may have kept something meanwhile
		go func() {
			p.again()
			p.later(func() { announce(p.settings.Lang.Say("reset.elsewhere")) })
		}()
	}
	p.heardBench(key, value)
	if key == progress.Key {
		if other, err := progress.Read(value); err == nil {
			p.book.Merge(other)
		}
	}
}

// beside joins a history that is about to be kept with one that another tab has kept since this one looked.
func (p *program) beside(e effect.Store) effect.Store {
	if m, ok := p.page.(*lab.Model); ok && !m.Shared() && e.Key == m.HistoryKey() {
		if now := load(e.Key); now != "" && now != p.seen {
			m.Take(now)
			e.Value = m.History()
		}
		p.seen = e.Value
	}
	return e
}
