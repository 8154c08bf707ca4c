package clients

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/page/watch"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/web/live"
)

// browser does the effects of the watch page as the shell does them.
type browser struct {
	t      *testing.T
	url    string
	page   *watch.Model
	stream *bufio.Reader
}

func (b *browser) visit(lab string) {
	b.t.Helper()
	b.page = watch.New(frame.Settings{Lang: text.English, Address: b.url + "/"}, watch.Size{Stage: 900}, watch.Kept{Labs: "v1/labs", Lab: lab})
	b.do(b.page.Visit())
}

func (b *browser) do(effects []effect.Effect) {
	b.t.Helper()
	for _, e := range effects {
		switch e := e.(type) {
		case effect.Fetch:
			data, err := os.ReadFile("../../lessons/starters/030-lost-reply.json")
			if err != nil {
				b.t.Fatal(err)
			}
			b.do(b.page.Update(frame.File{Name: e.Name, Text: "[" + string(data) + "]"}))
		case effect.Ask:
			status, body := b.ask(e)
			b.do(b.page.Update(frame.Asked{Name: e.Name, Status: status, Text: body}))
		case effect.Go:
			b.visit(strings.TrimPrefix(e.Hash, watch.Hash+"/"))
		case effect.Follow:
			b.follow(e.Address)
		case effect.After:
			b.do(b.page.Update(e.Msg))
		}
	}
}

func (b *browser) ask(e effect.Ask) (status int, body string) {
	b.t.Helper()
	r, err := http.NewRequest(e.Method, b.url+"/"+e.Address, strings.NewReader(e.Body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

func (b *browser) follow(address string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), "GET", b.url+"/"+address, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(r)
	if err != nil || res.StatusCode != 200 {
		b.t.Fatalf("no stream: %v %v", res, err)
	}
	b.t.Cleanup(func() { res.Body.Close() })
	b.stream = bufio.NewReader(res.Body)
	b.do(b.page.Update(frame.Stream{State: frame.StreamOpen}))
}

// hear takes lines of the stream until the page shows a text.
func (b *browser) hear(until string) {
	b.t.Helper()
	for !strings.Contains(b.page.View().HTML(), until) {
		line, err := b.stream.ReadString('\n')
		if err != nil {
			b.t.Fatalf("the stream ended before %q was shown: %v", until, err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			b.do(b.page.Update(frame.Told{Lines: []string{strings.TrimSpace(data)}}))
		}
	}
}

// TestWatchPageAndHouse: what the house of labs writes, the page reads: making a lab, its trace, totals, names and report.
func TestWatchPageAndHouse(t *testing.T) {
	house := live.NewHouse(live.HouseConfig{})
	server := httptest.NewServer(house)
	t.Cleanup(server.Close)
	t.Cleanup(house.Close)
	b := &browser{t: t, url: server.URL}
	b.visit("")
	b.do(b.page.Update(watch.Make{}))
	base := server.URL + "/v1/labs/"
	_, rest, ok := strings.Cut(b.page.View().HTML(), base)
	if !ok || b.stream == nil {
		t.Fatalf("no lab is shown: %s", b.page.View().HTML())
	}
	id := rest[:strings.IndexAny(rest, "/\"")]
	run(t, goProgram(t, "retryablehttp").argv(base+id), base+id) // the first reply gets lost
	b.hear(`id="row-1"`)
	b.hear(`<dd>1</dd></div><div class="count count--refused`) // one replayed
	for _, want := range []string{"go-retryablehttp", `id="naive">20<`, `id="deduped">10<`, `id="actual">10<`, `class="wt__finding wt__finding--good"`} {
		b.hear(want)
	}
	if html := b.page.View().HTML(); strings.Contains(html, text.English.Say("live.client", "n", "1")) || strings.Contains(html, "could not be read") {
		t.Errorf("the page has no name for the client, or cannot read a line: %s", html)
	}
}
