//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/web/site"
)

// longLesson is a lesson whose one call makes as many attempts as it may: a run of some thousand events.
const longLesson = `{
  "format": 1, "id": "long", "languages": ["en"], "title": {"en": "Long"}, "summary": {"en": "Long"}, "why": {"en": "Long"},
  "limits": {"en": "None"}, "checklist": [{"en": "None"}],
  "steps": [{
    "id": "run", "kind": "play", "title": {"en": "A long run"}, "body": {"en": "Fire once."}, "goal": {"en": "Fire once."},
    "scenario": {
      "script": [{"reply": 503}], "repeatLast": true, "latency": "5ms", "maxEvents": 20000,
      "clients": [{"name": "shop", "policy": {"preset": "contract-c", "attempts": %d, "backoff": {"base": "10ms", "cap": "10ms"}}}]
    },
    "allow": {"fire": true},
    "checks": [{"id": "one-call", "text": {"en": "There is one call"}, "kind": "count", "of": "calls", "equals": 1}],
    "hints": [{"en": "Fire."}], "explanation": {"en": "Fired."},
    "solution": {"inputs": [{"at": "0s", "fire": {}}]},
    "wrong": [{"id": "twice", "fails": "one-call", "inputs": [{"at": "0s", "fire": {}}, {"at": "0s", "fire": {}}]}]
  }]
}`

// longRun is the page of the long lesson, in a release build, with the whole run of so many calls done.
func longRun(b *testing.B, calls, attempts int) *tab {
	b.Helper()
	released := filepath.Join(root, "build", "e2e", "release")
	r, err := site.Build(site.Config{Root: root, Out: released, Release: true})
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "lessons"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lessons", "010-long.json"), fmt.Appendf(nil, longLesson, attempts), 0o644); err != nil {
		b.Fatal(err)
	}
	out := filepath.Join(dir, "site")
	_, err = site.Build(site.Config{
		Root: dir, Out: out, Static: os.DirFS(filepath.Join(root, "web", "static")),
		Wasm: func(string) ([]byte, error) { return os.ReadFile(filepath.Join(released, "b", r.Hash, "app.wasm")) },
	})
	if err != nil {
		b.Fatal(err)
	}
	h, err := serveSite(out)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(h.stop)
	p := openBlank(b, h.url)
	p.visit("#/lesson/long/run")
	p.waitFor(keptOffline) // its download is over
	for range calls {
		p.click("#fire")
		p.waitFor(happened + " > 0")
	}
	p.focus("#timeline")
	p.press("End")
	p.waitFor(idle(one("#run")))
	eval[bool](p, watchSteps)
	return p
}

// happened is how many events the page says have happened.
const happened = `+(document.querySelector("#events .note").textContent.match(/^\d+/) || [0])[0]`

func idle(what string) string {
	return `((b) => b.disabled || b.ariaDisabled === "true")(` + what + `)`
}

// watchSteps notes for each key how long it takes until the page has changed, and until the change is painted: the frame
// after the change has begun, and the task after that frame has run; and whether the clock was right in the first frame.
const watchSteps = `(() => {
	let pressed = 0, changed = 0, first = "";
	const clock = () => document.querySelector("#now").textContent;
	window.steps = [];
	const channel = new MessageChannel();
	channel.port1.onmessage = () => { window.steps.push([changed - pressed, performance.now() - pressed, Number(first === clock())]); pressed = 0; };
	addEventListener("keydown", (e) => { pressed = e.timeStamp; changed = 0; requestAnimationFrame(() => { first = clock(); }); }, true);
	new MutationObserver(() => {
		if (!pressed || changed) { return; }
		changed = performance.now();
		requestAnimationFrame(() => channel.port2.postMessage(0));
	}).observe(document.querySelector(".lab"), {attributes: true, characterData: true, childList: true, subtree: true});
	return true;
})()`

// steps presses a key so many times, each after the last was painted, and returns the milliseconds until the page had
// changed and until that was painted, and 1 for each step whose clock was right in the first frame, else 0.
func (p *tab) steps(key string, n int) (changed, painted, right []float64) {
	p.t.Helper()
	eval[bool](p, `(window.steps = [], true)`)
	for i := range n {
		p.press(key)
		p.waitFor("window.steps.length === " + strconv.Itoa(i+1))
	}
	for _, s := range eval[[][]float64](p, "window.steps") {
		changed, painted, right = append(changed, s[0]), append(painted, s[1]), append(right, s[2])
	}
	return changed, painted, right
}

// BenchmarkStep is the time from a key press to the painted step, at the start, in the middle and at the end of a run of
// a thousand events.
func BenchmarkStep(b *testing.B) { benchSteps(b, 1, 250) }

// BenchmarkStep10000 is the same in a run of ten thousand.
func BenchmarkStep10000(b *testing.B) { benchSteps(b, 2, 1000) }

func benchSteps(b *testing.B, calls, attempts int) {
	p := longRun(b, calls, attempts)
	all := eval[int](p, happened)
	for _, at := range []struct {
		name string
		of   float64
	}{{"start", 0.02}, {"middle", 0.5}, {"end", 0.9}} {
		b.Run(at.name, func(b *testing.B) {
			var changed, painted, right []float64
			for b.Loop() {
				eval[bool](p, fmt.Sprintf(`((e) => { e.value = e.max * %g; return e.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelector("#scrub"))`, at.of))
				p.drawn()
				for _, key := range []string{"ArrowRight", "Shift+ArrowRight", "ArrowLeft"} {
					c, s, r := p.steps(key, 6)
					changed, painted, right = append(changed, c...), append(painted, s...), append(right, r...)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(all), "events")
			b.ReportMetric(median(changed), "ms-changed")
			b.ReportMetric(median(painted), "ms-painted")
			b.ReportMetric(percentile(painted, 95), "ms-painted-p95")
			b.ReportMetric(100*mean(right), "%-clock-in-first-frame")
		})
	}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func percentile(values []float64, of int) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)*of/100, len(sorted)-1)]
}

// BenchmarkEngineInChromium is the core's own benchmark in the browser.
func BenchmarkEngineInChromium(b *testing.B) {
	p := testPage(b, "./core/sim")
	p.tolerate("Go program has already exited") // its timers outlive it
	line := regexp.MustCompile(`(?m)^BenchmarkEngine/(\w+)\S*\s.*?([0-9.e+]+) events/s`)
	speeds := map[string][]float64{}
	for b.Loop() {
		output := p.runTests("", "-test.run=^$", "-test.bench=^BenchmarkEngine$", "-test.benchtime=300ms")
		found := line.FindAllStringSubmatch(output, -1)
		if len(found) == 0 {
			b.Fatalf("no speed in:\n%s", output)
		}
		for _, m := range found {
			speed, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				b.Fatal(err)
			}
			speeds[m[1]] = append(speeds[m[1]], speed)
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, s := range speeds {
		b.ReportMetric(median(s), strings.ToLower(name)+"-events/s")
	}
}
