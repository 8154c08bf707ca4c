//go:build e2e

package e2e

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/web/live"
	"retrylab.example/web/live/sqlite"
	"retrylab.example/web/server"
)

// labServer serves the common site with labs that are kept in a file.
type labServer struct {
	t    *testing.T
	file string
	addr string
	stop func()
}

func newLabServer(t *testing.T) *labServer {
	t.Helper()
	s := &labServer{t: t, file: filepath.Join(t.TempDir(), "labs.db"), addr: "127.0.0.1:0"}
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

// start serves at the address where it served before.
func (s *labServer) start() {
	s.t.Helper()
	store, err := sqlite.Open(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	house := live.NewHouse(live.HouseConfig{Store: store})
	site, err := server.New(os.DirFS(filepath.Join(root, "build", "e2e", "site")))
	if err == nil {
		err = site.Labs(house)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	l, err := net.Listen("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Run(ctx, l, site, log.New(io.Discard, "", 0))
	}()
	s.stop = func() {
		house.Close()
		cancel()
		<-done
		_ = store.Close()
	}
}

// send adds 10 to the total of a lab as a client with a key, and returns the status, 0 if the connection broke.
func (s *labServer) send(base, key string) int {
	s.t.Helper()
	r, err := http.NewRequest("POST", base+"/add", strings.NewReader(`{"amount":10}`))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Close = true // Go would send a request with a key again by itself where a kept connection breaks
	r.Header = http.Header{"Content-Type": {"application/json"}, "X-Client-Id": {"till"}}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}

// clickNamed presses the button with that text.
func (p *tab) clickNamed(name string) {
	p.t.Helper()
	eval[bool](p, `([...document.querySelectorAll("main button")].find((b) => b.innerText === `+quote(name)+`).click(), true)`)
}

// TestLiveLab: a lab that the page makes shows what Go code sends to it, as it arrives, with the totals, the receipt of
// each decision and the report; it goes on after the server was started again, and says when it is gone.
func TestLiveLab(t *testing.T) {
	s := newLabServer(t)
	p := openBlank(t, "http://"+s.addr)
	p.visit("#/")
	p.click(`.ov__live a`)
	p.waitFor(`document.querySelectorAll("#live-starter option").length > 3`)
	p.axe()
	p.shot("watch-start-1440")
	p.choose("#live-starter", "lost-reply")
	p.clickNamed(text.English.Say("live.make"))
	p.waitFor(`location.hash.startsWith("#/watch/") && document.querySelector(".wt__state--live") && document.querySelector("#live-none")`)
	p.axe()
	base := eval[string](p, `document.querySelector("#live-base").value`)
	if code := eval[string](p, `document.querySelector("#live-snippet").value`); !strings.Contains(code, base+"/add") {
		t.Errorf("the programs do not ask %s:\n%s", base, code)
	}
	p.shot("watch-empty-1440")

	if got := s.send(base, "order-1"); got != 0 {
		t.Errorf("the reply that gets lost: got %d", got)
	}
	p.waitFor(`document.querySelector("#events tbody tr")`)
	if got := s.send(base, "order-1"); got != 200 {
		t.Errorf("the second attempt: got %d", got)
	}
	s.send(base, "")
	p.waitFor(`document.querySelector("#naive")?.innerText === "30" && document.querySelector("#deduped").innerText === "20"`)
	want(p, `document.querySelector("#actual").innerText`, "20")
	p.waitFor(`document.querySelector("#timeline svg.tl") && document.querySelector("#why .slip") && document.querySelectorAll("#report li").length > 3`)
	want(p, `document.querySelector("#report h3").innerText`, "till")
	p.axe()
	p.shot("watch-1440")
	first := eval[string](p, `[...document.querySelectorAll("#events tbody tr")].at(-1).querySelector(".ev__n").innerText`)
	p.click(`#row-` + first + ` button`)
	want(p, `document.querySelector("#events .is-sel .ev__n").innerText`, first)
	want(p, `document.querySelector("#live-follow").checked`, false)

	before := eval[int](p, `document.querySelectorAll("#events tbody tr").length`)
	p.tolerate(`net::ERR`)
	s.stop()
	p.waitFor(`document.querySelector(".wt__state--lost")`)
	s.start()
	p.waitFor(`document.querySelector(".wt__state--live")`)
	s.send(base, "order-2")
	p.waitFor(`document.querySelectorAll("#events tbody tr").length > ` + strconv.Itoa(before))
	want(p, `new Set([...document.querySelectorAll("#events .ev__n")].map((e) => e.innerText)).size === document.querySelectorAll("#events tbody tr").length`, true)

	p.viewport(360, 780)
	p.prefer("prefers-color-scheme", "dark")
	p.choose("select.select--quiet", "ko")
	p.waitFor(`document.documentElement.lang === "ko"`)
	want(p, `document.documentElement.scrollWidth <= 360`, true)
	p.axe()
	p.shot("watch-dark-ko-360")
	r, err := http.NewRequest("DELETE", base, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil || res.StatusCode != 204 {
		t.Fatalf("ending the lab: %v, %v", res, err)
	}
	p.tolerate(`404`)
	p.waitFor(`document.querySelector(".wt__state--gone")`)
	p.shot("watch-gone-360")
}

// TestNoLiveLabs: on a host of files the page says that there are no labs, asks for nothing, and leads elsewhere.
func TestNoLiveLabs(t *testing.T) {
	p := open(t, "#/watch")
	p.waitFor(`document.querySelector(".wt .notice")`)
	p.axe()
	p.typeInto("#live-address", "http://127.0.0.1:1/v1/labs/AbcdefghijklmnopqrstuQ")
	p.clickNamed(text.English.Say("live.open"))
	p.waitFor(`document.querySelector("#live-leads")`)
	want(p, `document.querySelector("#live-leads").href`, "http://127.0.0.1:1/#/watch/AbcdefghijklmnopqrstuQ")
	p.choose("select.select--quiet", "ja")
	p.viewport(360, 780)
	want(p, `document.documentElement.scrollWidth <= 360`, true)
	p.axe()
	p.shot("watch-none-ja-360")
}
