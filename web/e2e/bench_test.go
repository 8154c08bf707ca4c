//go:build e2e

package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"retrylab.example/web/site"
)

// noteReady keeps when the page said that it can be used, in milliseconds since the navigation began, and the first
// paint that had content.
const noteReady = `new MutationObserver((_, o) => {
	if (document.documentElement.dataset.ready === "1") { window.readyAt = performance.now(); o.disconnect(); }
}).observe(document, {attributes: true, subtree: true, attributeFilter: ["data-ready"]})`

const firstPaint = `(performance.getEntriesByName("first-contentful-paint")[0] || {startTime: 0}).startTime`

// benchHost serves a release build, as visitors get it.
func benchHost(b *testing.B) *host {
	b.Helper()
	out := filepath.Join(root, "build", "e2e", "release")
	if _, err := site.Build(site.Config{Root: root, Out: out, Release: true}); err != nil {
		b.Fatal(err)
	}
	h, err := serveSite(out)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(h.stop)
	return h
}

// BenchmarkCold is a first visit: nothing is cached.
func BenchmarkCold(b *testing.B) { benchCold(b, 1) }

// BenchmarkColdSlow is a first visit on a processor that is four times slower.
func BenchmarkColdSlow(b *testing.B) { benchCold(b, 4) }

func benchCold(b *testing.B, slower float64) {
	h := benchHost(b)
	var ready, paint []float64
	for b.Loop() {
		p := openBlank(b, h.url)
		p.slowCPU(slower)
		p.onNewDocument(noteReady)
		p.visit("")
		ready, paint = append(ready, eval[float64](p, "readyAt")), append(paint, eval[float64](p, firstPaint))
		p.slowCPU(1)
		p.waitFor(keptOffline) // what a visit still does then would slow the next one
		if err := chromedp.Cancel(p.own); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(median(ready), "ms-ready")
	b.ReportMetric(median(paint), "ms-paint")
}

// BenchmarkWarm is a later visit: everything comes from the service worker.
func BenchmarkWarm(b *testing.B) {
	p := openBlank(b, benchHost(b).url)
	p.onNewDocument(noteReady)
	p.visit("")
	p.waitFor(keptOffline)
	p.reload()
	p.reload()
	var ready, paint []float64
	for b.Loop() {
		p.reload()
		ready, paint = append(ready, eval[float64](p, "readyAt")), append(paint, eval[float64](p, firstPaint))
	}
	b.ReportMetric(median(ready), "ms-ready")
	b.ReportMetric(median(paint), "ms-paint")
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
