//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"retrylab.example/core/codelab"
)

// BenchmarkFirstVerdict is the time from a page that has no worker yet to the first verdict of a release build: the
// program as a worker, the engine, and all cases of the function. What is fetched comes from the service worker.
func BenchmarkFirstVerdict(b *testing.B) {
	p := openBlank(b, benchHost(b).url)
	p.visit("")
	p.waitFor(keptOffline)
	eval[bool](p, `(retrylabKeepLate(), true)`)
	p.waitFor(keptLate)
	var took []float64
	for b.Loop() {
		p.reload()
		eval[bool](p, grader)
		begun := time.Now()
		p.next("the start")
		took = append(took, float64(time.Since(begun).Microseconds())/1000)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(took), "ms-first-verdict")
}

// BenchmarkVerdictInChromium is the time of further verdicts: of the smallest function and the longest, right and wrong.
func BenchmarkVerdictInChromium(b *testing.B) {
	p := openBlank(b, benchHost(b).url)
	p.visit("")
	eval[bool](p, grader)
	for _, c := range []struct{ name, function, file string }{
		{"remaining", "remaining", ""},
		{"execute", "execute", "right/execute-alone.py"},
		{"execute-shrunk", "execute", "subtle/execute-late.py"},
		{"create_app", "create_app", "right/create_app-class.py"},
	} {
		source := []byte(rightRemaining)
		if c.file != "" {
			var err error
			if source, err = os.ReadFile(filepath.Join(root, "web", "codelab", "testdata", filepath.FromSlash(c.file))); err != nil {
				b.Fatal(err)
			}
		}
		program := programOf(b, c.function, string(source))
		b.Run(c.name, func(b *testing.B) {
			p.verdict(c.function, program)
			var took []float64
			for b.Loop() {
				begun := time.Now()
				p.verdict(c.function, program)
				took = append(took, float64(time.Since(begun).Microseconds())/1000)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(took), "ms-verdict")
		})
	}
}

// programOf is what runs when somebody hands in source for the step that asks for a function.
func programOf(t testing.TB, function, source string) codelab.Program {
	t.Helper()
	for _, l := range codeLessons(t) {
		for i := range l.Steps {
			if l.Steps[i].Exercise.Function == function {
				return l.Program(i, source)
			}
		}
	}
	t.Fatalf("no step asks for %s", function)
	return codelab.Program{}
}
