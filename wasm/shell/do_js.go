package shell

import (
	"strings"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/sandbox"
	"retrylab.example/wasm/progress"
)

// do does the effects of a page.
func (p *program) do(effects []effect.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case effect.Store:
			p.store(e)
		case effect.Announce:
			if p.mounted {
				announce(e.Text) // at once: the browser would lay the page out a second time for it
			}
		case effect.Focus:
			p.later(func() {
				if !p.editors.focus(e.ID) {
					focus(e.ID)
				}
			})
		case effect.Reveal:
			p.later(func() { reveal(e.ID) })
		case effect.SetValue:
			p.later(func() { setValue(e.ID, e.Value) })
		default:
			p.doMore(e)
		}
	}
}

// doMore does the effects of the pages that handle files.
func (p *program) doMore(e effect.Effect) {
	switch e := e.(type) {
	case effect.Forget:
		forget(e.Prefix)
		*p.fileBook = progress.Book{OfFile: true}
	case effect.SaveProgress:
		p.saveProgress()
	case effect.TakeProgress:
		p.takeProgress(e)
	case effect.Go:
		window.Get("location").Set("hash", e.Hash)
	case effect.After:
		p.after(e)
	case effect.Splice:
		splice(e)
	case effect.SelectText:
		p.later(func() { selectText(e) })
	case effect.Download:
		download(e.Name, e.Text)
	case effect.Picture:
		p.picture(e)
	case effect.Copy:
		p.copyText(e)
	case effect.SetLink:
		if link := byID(e.ID); link != nil {
			link.SetAttribute("href", e.Address)
		}
	case effect.Show:
		p.later(func() { show(e.ID) })
	case effect.Fetch:
		p.fetch(e.Name)
	case effect.Frame:
		p.frames.next(p, e.First)
	case effect.Ask:
		p.ask(e)
	case effect.Follow:
		p.stream.follow(p, e.Address)
	case effect.Job:
		p.worker.do(p, e)
	}
}

// store keeps a text. Progress is merged with what another tab has kept meanwhile; a history also goes into the report
// that a crash would show.
func (p *program) store(e effect.Store) {
	switch e.Key {
	case p.book.Key(), p.fileBook.Key():
		book := p.book
		if e.Key != book.Key() {
			book = p.fileBook
		}
		if other, err := progress.Read(load(e.Key)); err == nil {
			book.Merge(other)
		}
		e.Value = book.Write()
	case progress.SandboxKey:
		p.besideBench(e.Value)
	case progress.DraftKey, progress.OpenedKey, progress.SandboxNext:
	default:
		e = p.beside(e)
		p.offerUndo("", "") // undoing it would take away what is done now
		p.applySettings()
		window.Set("retrylabCrash", e.Key+"\n"+e.Value)
	}
	err := save(e.Key, e.Value)
	if m, ok := p.page.(*sandbox.Model); ok && err != nil && strings.HasPrefix(e.Key, progress.SavedPrefix) {
		p.do(m.Update(sandbox.NotSaved{}))
	}
	if err != nil && p.settings.Trouble == "" {
		p.settings.Trouble = "shell.storage-off"
		if isFull(err) {
			p.settings.Trouble = "shell.quota"
		}
		p.applySettings()
	}
}

func (p *program) loadBook() {
	if book, err := progress.Read(load(p.fileBook.Key())); err == nil {
		*p.fileBook = book
		p.fileBook.OfFile = true
	}
	stored := load(progress.Key)
	book, err := progress.Read(stored)
	if err != nil {
		_ = save(progress.Broken, stored) // set aside: the next write would lose it
		p.settings.Trouble = "shell.progress-broken"
	}
	*p.book = book
}
