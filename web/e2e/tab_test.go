//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for what the page should do in a fraction of a second.
const patience = 20 * time.Second

// tab is a page in its own browser context. Its methods fail the test instead of returning errors.
type tab struct {
	t   testing.TB
	ctx context.Context // of one test's patience
	own context.Context // of the browser context that the tab is in
	url string          // of the server

	mu        sync.Mutex
	problems  []string
	guideless page.ScriptIdentifier // the script that marks the tour as over
	requests  []string              // addresses of all requests, in order
	tolerated []*regexp.Regexp      // problems that this test provokes
}

// open opens the page with a query or fragment ("#/lesson/…", "?lang=ko") and waits until it can be used.
func open(t testing.TB, rest string) *tab {
	t.Helper()
	p := openBlank(t, lab.url)
	p.visit(rest)
	return p
}

// openBlank makes a tab for a server, in a browser context of its own, that has not loaded anything yet.
func openBlank(t testing.TB, url string) *tab {
	t.Helper()
	return newTab(t, url, browser, chromedp.WithNewBrowserContext())
}

// sibling makes a second tab in the same browser context: same storage, same service worker.
func (p *tab) sibling() *tab {
	p.t.Helper()
	return p.another(p.t)
}

// another is a sibling for a test of its own, within this one.
func (p *tab) another(t testing.TB) *tab {
	t.Helper()
	return newTab(t, p.url, p.own)
}

func newTab(t testing.TB, url string, parent context.Context, options ...chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	t.Cleanup(cancel)
	own := ctx
	ctx, cancelTime := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancelTime)
	p := &tab{t: t, ctx: ctx, own: own, url: url}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	call(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	p.viewport(1440, 900)
	p.guideless = p.onNewDocument(`try { localStorage.getItem("retrylab.tour") || localStorage.setItem("retrylab.tour", "over"); } catch {}`)
	t.Cleanup(p.finish)
	return p
}

// hear notes what a page must not do. It runs in the loop that reads from the browser, so it only notes.
func (p *tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		p.problem("uncaught: " + text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			p.problem("console: " + argumentText(e.Args))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			p.problem("browser: " + e.Entry.Text + " " + e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		address := e.Request.URL
		p.mu.Lock()
		p.requests = append(p.requests, address)
		p.mu.Unlock()
		if !strings.HasPrefix(address, p.url+"/") && !strings.HasPrefix(address, "data:") && address != "about:blank" {
			p.problem("a request left the server: " + address)
		}
	}
}

func argumentText(args []*runtime.RemoteObject) string {
	var parts []string
	for _, a := range args {
		if a.Description != "" {
			parts = append(parts, a.Description)
		} else {
			parts = append(parts, strings.Trim(string(a.Value), `"`))
		}
	}
	return strings.Join(parts, " ")
}

func (p *tab) problem(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.tolerated {
		if r.MatchString(text) {
			return
		}
	}
	p.problems = append(p.problems, text)
}

// tolerate lets problems pass that the test provokes, by regular expression. Call it before they occur.
func (p *tab) tolerate(pattern string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tolerated = append(p.tolerated, regexp.MustCompile(pattern))
}

// finish fails the test for what was heard, and leaves a picture of a failed one in build/shots.
func (p *tab) finish() {
	// What the page did before this call has been heard when it returns.
	report, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`(document.querySelector("#crash:not([hidden]) textarea") || {value: ""}).value`))
	if err == nil && report != "" {
		p.problem("the program stopped: " + report)
	}
	p.mu.Lock()
	problems := p.problems
	p.mu.Unlock()
	for _, text := range problems {
		p.t.Error(text)
	}
	if p.t.Failed() && err == nil {
		p.shot("failed-" + strings.ReplaceAll(p.t.Name(), "/", "-"))
	}
}

// do runs actions, and gives up when the page does not answer.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Do(ctx, actions...)
}

// must fails the test for an error.
func (p *tab) must(err error, doing string, args ...any) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s: %v%s", fmt.Sprintf(doing, args...), err, p.state())
	}
}

// state describes the page for a failure.
func (p *tab) state() string {
	p.mu.Lock()
	heard := strings.Join(p.problems, "\n")
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText.slice(0, 2000)`))
	if err != nil {
		text = err.Error()
	}
	return "\nheard: " + heard + "\npage: " + text
}

// call sends a command of the browser's protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	r, err := chromedp.Call(p.ctx, command, params)
	p.must(err, "%s", command.Method)
	return r
}

// load navigates and does not wait for the program.
func (p *tab) load(rest string) {
	p.t.Helper()
	address := p.url + "/" + rest
	p.must(p.do(chromedp.Navigate(address)), "loading %s", address)
}

// visit navigates and waits until the page can be used.
func (p *tab) visit(rest string) {
	p.t.Helper()
	p.load(rest)
	p.ready()
}

// reload loads the same address again and waits until the page can be used.
func (p *tab) reload() {
	p.t.Helper()
	p.must(p.do(chromedp.Reload()), "reloading")
	p.ready()
}

func (p *tab) ready() {
	p.t.Helper()
	p.waitFor(`document.documentElement.dataset.ready === "1"`)
}

// waitFor waits until a JavaScript expression is true. It survives a navigation.
func (p *tab) waitFor(expression string) {
	p.t.Helper()
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); {
		_, err = chromedp.Run(p.ctx, chromedp.Poll[chromedp.Void](expression,
			chromedp.WithPollingInterval(10*time.Millisecond), chromedp.WithPollingTimeout(time.Until(end))))
		if err == nil || p.ctx.Err() != nil {
			break
		}
	}
	p.must(err, "waiting for %s", expression)
}

// eval evaluates a JavaScript expression; a promise is awaited.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	p.must(err, "evaluating %s", expression)
	return v
}

// want waits until an expression has a value, and says what it had instead.
func want[T comparable](p *tab, expression string, value T) {
	p.t.Helper()
	var got T
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if got = eval[T](p, expression); got == value {
			return
		}
	}
	p.t.Fatalf("%s: got %v, want %v%s", expression, got, value, p.state())
}

// shot saves a picture of the page as build/shots/NAME.png.
func (p *tab) shot(name string) {
	p.t.Helper()
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.must(err, "taking a picture")
	file := filepath.Join(root, "build", "shots", name+".png")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.t.Logf("picture: build/shots/%s.png", name)
}

// onNewDocument runs a script in each new page before any of its own.
func (p *tab) onNewDocument(script string) page.ScriptIdentifier {
	p.t.Helper()
	return call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}).Identifier
}
