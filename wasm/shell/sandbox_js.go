package shell

import (
	"slices"

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
	k.Open, _ = progress.ReadBench(load(progress.SandboxKey))
	k.Open.Run = load(progress.SandboxRun)
	k.Next, _ = progress.ReadBench(load(progress.SandboxNext))
	keys := keptKeys(progress.SavedPrefix)
	slices.Sort(keys)
	for _, key := range keys[:min(len(keys), progress.MaxSaved)] {
		if b, ok := progress.ReadBench(load(key)); ok && key == progress.SavedPrefix+b.Name {
			k.Saved = append(k.Saved, b)
		}
	}
	return sandbox.New(s, k, func(l *lesson.Lesson, history string) sandbox.Bench {
		return freeBench{lab.New(s, p.size, freePlace, l, 0, &progress.Book{}, history)}
	})
}
