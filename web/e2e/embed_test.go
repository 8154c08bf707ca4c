//go:build e2e

package e2e

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"retrylab.example/core/text"
)

// framing is a page of another site that frames an address, and the execution contexts of what it frames.
type framing struct {
	*tab
	mu   sync.Mutex
	last runtime.ExecutionContextID // of the framed document that came last
}

// framePage opens a page of another origin that frames an address.
func framePage(t *testing.T, address string, before string) *framing {
	t.Helper()
	h := newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write([]byte(`<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Blog</title><h1>Blog</h1>` + //nolint:errcheck // a browser that goes away
			`<iframe src="` + address + `" title="A run" width="100%" height="640"></iframe>`))
	}))
	f := &framing{tab: openBlank(t, h.url)}
	origin, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	f.tolerate("a request left the server: http://" + origin)
	err := chromedp.Listen(f.ctx, func(event any) {
		if e, ok := event.(*runtime.EventExecutionContextCreated); ok && e.Context.Origin == "http://"+origin {
			f.mu.Lock()
			f.last = e.Context.ID
			f.mu.Unlock()
		}
	})
	f.must(err, "listening")
	if before != "" {
		f.onNewDocument(before)
	}
	f.load("")
	return f
}

// inside evaluates an expression in the frame.
func inside[T any](f *framing, expression string) T {
	f.t.Helper()
	f.mu.Lock()
	id := f.last
	f.mu.Unlock()
	v, err := chromedp.Run(f.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise, func(p *runtime.EvaluateParams) { p.ContextID = id }))
	f.must(err, "evaluating %s in the frame", expression)
	return v
}

// insideIs waits until an expression has a value in the frame.
func insideIs(f *framing, expression string, value bool) {
	f.t.Helper()
	f.waitFor(`document.querySelector("iframe")`)
	for range 2000 {
		f.mu.Lock()
		there := f.last != 0
		f.mu.Unlock()
		if there && inside[bool](f, "!!("+expression+")") == value {
			return
		}
		eval[bool](f.tab, "new Promise((done) => setTimeout(() => done(true), 10))")
	}
	f.t.Fatalf("in the frame %s is not %t: %s", expression, value, inside[string](f, "document.body.innerText"))
}

const framed = `document.documentElement.dataset.ready === "1"`

// TestEmbed: a page of another origin shows a shared run; it can be stepped there, in the language of the link, and keeps
// nothing; its link opens the same state on a page of its own. So it does where a framed page may keep nothing at all.
func TestEmbed(t *testing.T) {
	from := inTheMiddle(t)
	from.choose(`select.select--quiet`, "ko")
	mouse{}.press(from.tab, one(shareButton))
	from.waitFor(shareLink + ` !== ""`)
	code := eval[string](from.tab, `document.querySelector("#share-embed").value`)
	address, _, _ := strings.Cut(strings.TrimPrefix(code, `<iframe src="`), `"`)
	if !strings.HasPrefix(address, lab.url+"/embed.html#/open/") {
		t.Fatalf("the code is %s", code)
	}
	denied := `if (window.top !== window.self) for (const name of ["localStorage", "sessionStorage", "caches"]) {
		Object.defineProperty(window, name, {configurable: true, get() { throw new DOMException("denied", "SecurityError"); }}); }`
	for name, script := range map[string]string{"kept apart": "", "denied": denied} {
		t.Run(name, func(t *testing.T) {
			f := framePage(t, address, script)
			insideIs(f, framed, true)
			insideIs(f, `document.documentElement.lang === "ko"`, true)
			want := eval[string](from.tab, `document.querySelector("#now").textContent`)
			if got := inside[string](f, `document.querySelector("#now").textContent`); got != want {
				t.Errorf("the frame shows %s, want %s", got, want)
			}
			before := inside[int](f, rows)
			inside[bool](f, `(document.querySelector("#next").click(), true)`)
			insideIs(f, rows+` > `+strconv.Itoa(before), true)
			inside[bool](f, `(document.querySelector("#embed-why").open = true, true)`)
			insideIs(f, `document.querySelector("#why .verdict").checkVisibility()`, true)
			f.shot("embed-" + strings.ReplaceAll(name, " ", "-"))
			if script == "" {
				if n := inside[int](f, `navigator.serviceWorker.getRegistrations().then((r) => r.length)`); n != 0 {
					t.Errorf("the frame has %d service workers", n)
				}
			}
			shown := inside[string](f, `document.querySelector("#now").textContent + document.querySelector("#totals").innerText`)
			f.opensInLab(shown)
		})
	}
}

// opensInLab follows the link in the frame with the mouse: a tab of its own shows the same.
func (f *framing) opensInLab(shown string) {
	f.t.Helper()
	at := inside[[]float64](f, `((r) => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector("#open-in-lab").getBoundingClientRect())`)
	off := eval[[]float64](f.tab, `((r) => [r.left, r.top])(document.querySelector("iframe").getBoundingClientRect())`)
	f.must(f.do(chromedp.MouseClickXY(at[0]+off[0], at[1]+off[1])), "following the link")
	var opened string
	for i := 0; opened == "" && i < 1000; i++ {
		for _, info := range call(f.tab, target.GetTargets, target.GetTargetsParams{}).TargetInfos {
			if strings.HasPrefix(info.URL, lab.url+"/#/open/") && info.OpenerID != "" {
				opened = info.URL
			}
		}
		eval[bool](f.tab, "new Promise((done) => setTimeout(() => done(true), 10))")
	}
	if opened == "" {
		opened = inside[string](f, `document.querySelector("#open-in-lab").href`)
	}
	p := openBlank(f.t, lab.url)
	p.visit(strings.TrimPrefix(opened, lab.url+"/"))
	want(p, `document.querySelector("#now").textContent + document.querySelector("#totals").innerText`, shown)
	want(p, `document.documentElement.lang`, "ko")
	want(p, `Object.keys(localStorage).filter((k) => k.startsWith("retrylab.history")).length`, 0)
}

// TestEmbedStep: a step of a lesson is shown in a frame; what is no step says so there, in the language of its address.
func TestEmbedStep(t *testing.T) {
	f := framePage(t, lab.url+"/embed.html#/lesson/lost-replies/third-attempt?lang=ja", "")
	insideIs(f, framed, true)
	insideIs(f, `document.documentElement.lang === "ja"`, true)
	f.viewport(360, 740)
	insideIs(f, `document.querySelector(".embed .clock").checkVisibility()`, true)
	f.shot("embed-step-ja-360")
	for rest, says := range map[string]string{"": "embed.nothing", "#/author": "embed.nothing", "#/lesson/none/none": "shell.no-lesson", "#/open/1.9": ""} {
		f := framePage(t, lab.url+"/embed.html?lang=ko"+rest, "")
		insideIs(f, framed, true)
		insideIs(f, `document.querySelector("[role=alert].notice")`, true)
		if got := inside[string](f, `document.querySelector("[role=alert].notice").innerText`); says != "" && got != text.Korean.Say(says) {
			t.Errorf("%q: the frame says %q", rest, got)
		}
	}
}

// TestFramesAreRefused: the browser shows no other page of the site in a frame; where the host sends no headers, the page
// itself does not start there, and leads to where it does.
func TestFramesAreRefused(t *testing.T) {
	for _, rest := range []string{"/", "/index.html", "/#/lesson/lost-replies/third-attempt"} {
		f := framePage(t, lab.url+rest, "")
		refused := func() bool {
			f.tab.mu.Lock()
			defer f.tab.mu.Unlock()
			all := strings.Join(f.tab.problems, "\n")
			return strings.Contains(all, "frame-ancestors")
		}
		for i := 0; !refused() && i < 1000; i++ {
			eval[bool](f.tab, "new Promise((done) => setTimeout(() => done(true), 10))")
		}
		if !refused() {
			t.Errorf("%s is framed", rest)
		}
		f.tab.mu.Lock()
		f.tab.problems = nil
		f.tab.mu.Unlock()
	}
	plain := newHost(t, http.FileServer(http.Dir(root+"/build/e2e/site")))
	f := framePage(t, plain.url+"/?lang=ko", "")
	insideIs(f, `document.querySelector("#boot-fail a[target=_blank]")`, true)
	insideIs(f, `document.documentElement.dataset.started`, false)
}
