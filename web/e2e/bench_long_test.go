//go:build e2e

package e2e

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
)

// BenchmarkBack10000 is the time from a key press to the painted step back, at the end of a run of ten thousand events.
func BenchmarkBack10000(b *testing.B) {
	p := longRun(b, 2, 1000)
	all := eval[int](p, happened)
	var painted []float64
	for b.Loop() {
		p.press("End")
		p.waitFor(happened + " === " + strconv.Itoa(all))
		p.drawn()
		_, s, _ := p.steps("ArrowLeft", 6)
		painted = append(painted, s...)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(all), "events")
	b.ReportMetric(median(painted), "ms-painted")
	b.ReportMetric(percentile(painted, 95), "ms-painted-p95")
}

// scrubbed moves the scrubber from the start to the end in so many frames, and gives the milliseconds between frames.
const scrubbed = `new Promise((done) => {
	const thumb = document.querySelector("#scrub"), gaps = [], frames = 120;
	let n = 0, last = 0;
	const frame = (now) => {
		if (last) { gaps.push(now - last); }
		last = now;
		if (n++ === frames) { done(gaps); return; }
		thumb.value = thumb.max * n / frames;
		thumb.dispatchEvent(new Event("input", {bubbles: true}));
		requestAnimationFrame(frame);
	};
	requestAnimationFrame(frame);
})`

// BenchmarkScrub2000 is how many frames a second are drawn while the scrubber moves along a run of two thousand events.
func BenchmarkScrub2000(b *testing.B) {
	p := longRun(b, 1, 400)
	all := eval[int](p, happened)
	var gaps []float64
	for b.Loop() {
		gaps = append(gaps, eval[[]float64](p, scrubbed)...)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(all), "events")
	b.ReportMetric(1000/mean(gaps), "frames/s")
	b.ReportMetric(percentile(gaps, 95), "ms-frame-p95")
}

// resets fires and resets the step so many times, each after the last was drawn.
const resets = `(async (n) => {
	const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	const until = async (f) => { while (!f()) { await drawn(); } };
	const rows = () => document.querySelectorAll("tr[id^=ev-]").length;
	for (let i = 0; i < n; i++) {
		document.querySelector("#fire").click();
		await until(() => rows() > 0);
		document.querySelector(".resetrow button").click();
		await until(() => document.querySelector("#reset").open);
		document.querySelector("#reset li button").click();
		await until(() => rows() === 0);
	}
	return true;
})`

// BenchmarkResets is what resets of a step leave in memory: of the program's own, which never gets smaller, of JavaScript's
// heap and in the page. With -benchtime 7x it is a thousand resets and fifty.
func BenchmarkResets(b *testing.B) {
	p := openBlank(b, benchHost(b).url)
	p.visit(travelStep)
	p.waitFor(keptOffline)
	eval[bool](p, resets+"(50)")
	before, n := p.memory(), 0
	for b.Loop() {
		eval[bool](p, resets+"(150)")
		n += 150
	}
	after := p.memory()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(n), "resets")
	b.ReportMetric(after.program/1e6, "MB-program")
	b.ReportMetric((after.program-before.program)/1e6, "MB-program-more")
	b.ReportMetric((after.heap-before.heap)/1e6, "MB-js-more")
	b.ReportMetric(after.nodes-before.nodes, "nodes-more")
}

// memory is how many bytes the program and JavaScript hold, and how many nodes the page has.
type memory struct{ program, heap, nodes float64 }

func (p *tab) memory() memory {
	p.t.Helper()
	call(p, heapprofiler.CollectGarbage, cdp.Empty{})
	heap := call(p, runtime.GetHeapUsage, cdp.Empty{})
	kind := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: "WebAssembly.Memory.prototype"})
	all := call(p, runtime.QueryObjects, runtime.QueryObjectsParams{PrototypeObjectID: kind.Result.ObjectID})
	size := call(p, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: all.Objects.ObjectID, ReturnByValue: new(true),
		FunctionDeclaration: "function () { return this.reduce((sum, m) => sum + m.buffer.byteLength, 0); }",
	})
	var program float64
	p.must(json.Unmarshal(size.Result.Value, &program), "the size of the program's memory")
	return memory{program, heap.UsedSize, eval[float64](p, `document.querySelectorAll("*").length`)}
}
