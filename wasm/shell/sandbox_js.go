package shell

import (
	"slices"
	"strings"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/page/sandbox"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// freeBench is the lab page as the run of the sandbox.
type freeBench struct{ *lab.Model }

var freePlace = lab.Place{Base: sandbox.Hash, Mark: "sandbox.mark", Alone: true, Free: true}

// Revise returns the lab page of an edited scenario.
func (b freeBench) Revise(l *lesson.Lesson) (sandbox.Bench, []effect.Effect) {
	next, effects := b.Revised(l, freePlace)
	return freeBench{next}, effects
}

// prepareSandbox makes the page of free play with what the browser has kept of it.
func (p *program) prepareSandbox(s frame.Settings) page {
	var k sandbox.Kept
	p.seenBench = load(progress.SandboxKey)
	k.Open, _ = progress.ReadBench(p.seenBench)
	k.Open.Run = load(progress.SandboxRun)
	k.Next, _ = progress.ReadBench(load(progress.SandboxNext))
	k.Saved = savedBenches()
	return sandbox.New(s, k, func(l *lesson.Lesson, history string) sandbox.Bench {
		return freeBench{lab.New(s, p.size, freePlace, l, 0, &progress.Book{}, history)}
	})
}

// savedBenches returns the saved scenarios in the order of their names.
func savedBenches() (saved []progress.Bench) {
	keys := keptKeys(progress.SavedPrefix)
	slices.Sort(keys)
	for _, key := range keys[:min(len(keys), progress.MaxSaved)] {
		if b, ok := progress.ReadBench(load(key)); ok && key == progress.SavedPrefix+b.Name {
			saved = append(saved, b)
		}
	}
	return saved
}

// takeSaved takes up saved scenarios of a file, in the place of those that are kept or beside them.
func takeSaved(list []progress.Bench, replace bool) error {
	if replace {
		forget(progress.SavedPrefix)
	}
	saved := savedBenches()
	for _, b := range list {
		if b.Name = progress.Free(saved, b); len(saved) >= progress.MaxSaved {
			break
		}
		if err := save(progress.SavedPrefix+b.Name, b.Write()); err != nil {
			return err
		}
		saved = progress.Put(saved, b)
	}
	return nil
}

// besideBench sees to it that this tab does not write over what another one has open in the sandbox: that is saved under a
// name of its own first, the same each time.
func (p *program) besideBench(mine string) {
	now := load(progress.SandboxKey)
	seen := p.seenBench
	p.seenBench = mine
	m, open := p.page.(*sandbox.Model)
	theirs, ok := progress.ReadBench(now)
	own, _ := progress.ReadBench(mine)
	if !open || !ok || now == seen || now == mine || theirs.Text == own.Text {
		return
	}
	theirs.Name = p.settings.Lang.Say("sandbox.other-tab")
	if save(progress.SavedPrefix+theirs.Name, theirs.Write()) == nil {
		p.do(m.Update(sandbox.Elsewhere{Name: theirs.Name, Bench: theirs, Open: true}))
	}
}

// heardBench takes up what another tab has saved or deleted by name.
func (p *program) heardBench(key, value string) {
	_, open := p.page.(*sandbox.Model)
	name, saved := strings.CutPrefix(key, progress.SavedPrefix)
	if !open || !saved {
		return
	}
	b, ok := progress.ReadBench(value)
	if value == "" || ok && b.Name == name {
		p.update(sandbox.Elsewhere{Name: name, Bench: b})
	}
}
