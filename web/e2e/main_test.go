//go:build e2e

// Package e2e plays the real page in a real Chromium against the real server.
//
// A test opens a tab of its own with open, which has its own storage and service worker. What the page must never do
// fails the test by itself: an error on the console (a violated policy is one), an uncaught exception, a request to
// another host, a stopped program. Nothing sleeps; waitFor waits for what the page says.
package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"retrylab.example/web/site"
)

var (
	root    string          // of the source tree
	lab     *host           // the server that most tests use
	browser context.Context // the one Chromium
)

func TestMain(m *testing.M) {
	os.Exit(setUp(m))
}

func setUp(m *testing.M) int {
	path, err := findChromium()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	root, err = site.FindRoot(".")
	if err == nil {
		lab, err = newLab()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer lab.stop()
	stop, err := startChromium(path)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Chromium (%s) does not start: %v\n", path, err)
		return 1
	}
	defer stop()
	return m.Run()
}

// newLab builds the site as make run does and serves it.
func newLab() (*host, error) {
	out := filepath.Join(root, "build", "e2e", "site")
	if _, err := site.Build(site.Config{Root: root, Out: out}); err != nil {
		return nil, err
	}
	return serveSite(out)
}

// findChromium gives the browser that the variable CHROMIUM names, or one in PATH.
func findChromium() (string, error) {
	if named := os.Getenv("CHROMIUM"); named != "" {
		return exec.LookPath(named)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("the browser tests need Chromium, and there is none in PATH: install it (as root on Debian, " +
		"make test does so), or name one in the variable CHROMIUM")
}

func startChromium(path string) (stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, // root has no sandbox
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// Nothing but the servers of the tests has an address, whatever the page or the browser would like.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		// With each new window the browser loads pages of its own behind the address bar: a second of work that a test
		// would wait for, and a benchmark would measure.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup"),
		chromedp.WindowSize(1440, 900))
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	var quit context.CancelFunc
	browser, quit = chromedp.NewContext(allocator)
	stop = func() { quit(); stopAllocator() }
	if err := chromedp.Do(browser); err != nil { // the first Do binds the browser's life to its context
		stop()
		return nil, err
	}
	return stop, nil
}
