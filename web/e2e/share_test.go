//go:build e2e

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/export"
	"retrylab.example/core/link"
	"retrylab.example/core/text"
)

// sharedStep is the step that these tests share.
const sharedLesson, sharedStep = "lost-replies", "with-a-key"

// inTheMiddle plays a step half through its solution, in a tab that keeps what is copied and handed out.
func inTheMiddle(t *testing.T) *player {
	t.Helper()
	p := openBlank(t, lab.url)
	p.onNewDocument(keepsFiles + `
		const write = navigator.clipboard.writeText;
		navigator.clipboard.writeText = (s) => { if (window.refuse) { return Promise.reject(new DOMException("no")); } window.copied = s; return write.call(navigator.clipboard, s); };`)
	p.visit(hashOf(sharedLesson, sharedStep))
	play := newPlayer(p, mouse{}, stepOf(t, sharedLesson, sharedStep))
	play.answer(play.step.Solution)
	for range 3 {
		play.h.tick(p, "ArrowRight", "#next")
	}
	play.arrive(play.played.After(play.pos.Count+3, play.pos))
	return play
}

// place is what two readers of one link must both see: clock, events, the explained choice, totals.
const place = `JSON.stringify([
	document.querySelector("#now").textContent, document.querySelector("#events").innerText,
	[...document.querySelectorAll("#events [aria-current]")].map((e) => e.innerText),
	document.querySelector("#why").innerText, document.querySelector("#totals").innerText])`

const (
	shareButton = `.top__tools button:has([href="#i-share"])`
	shareLink   = `document.querySelector("#share-link").value`
)

// fragmentOf returns what a visitor loads behind the server's address.
func fragmentOf(t *testing.T, address string) string {
	t.Helper()
	_, fragment, ok := strings.Cut(address, "#")
	if !ok || !strings.HasPrefix(address, lab.url+"/#"+link.Route) {
		t.Fatalf("the link is %q", address)
	}
	return "#" + fragment
}

// TestShareAndOpen: by the keyboard a state in the middle of a run is shared; a fresh browser shows the same, in the
// language of the link, and keeps nothing until its reader says so.
func TestShareAndOpen(t *testing.T) {
	from := inTheMiddle(t)
	from.choose(`select.select--quiet`, "ko")
	from.waitFor(`document.documentElement.lang === "ko"`)
	from.focus(shareButton)
	from.press("Enter")
	from.waitFor(`document.querySelector("#share").open && ` + shareLink + ` !== ""`)
	address := eval[string](from.tab, shareLink)
	from.focus("#share .btn--primary")
	from.press("Enter")
	want(from.tab, `document.querySelector("#share [role=status]").textContent`, text.Korean.Say("share.copied"))
	want(from.tab, "window.copied", address)
	eval[bool](from.tab, "window.refuse = true")
	from.press("Enter")
	want(from.tab, `document.querySelector("#share [role=status]").textContent`, text.Korean.Say("share.copy-by-key"))
	want(from.tab, "getSelection().toString() || "+shareLink+".slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)", address)
	from.axe()
	from.shot("share-ko-1440")
	from.press("Escape")
	want(from.tab, `document.activeElement.matches(`+quote(shareButton)+`)`, true)
	shown := eval[string](from.tab, place)

	to := openBlank(t, lab.url)
	to.prefer("prefers-color-scheme", "dark")
	to.visit(fragmentOf(t, address))
	want(to, place, shown)
	want(to, `document.documentElement.lang + localStorage.getItem("retrylab.lang")`, "konull")
	to.axe()
	to.shot("shared-run-dark-ko")
	history := `Object.keys(localStorage).filter((k) => k.startsWith("retrylab.history")).length`
	want(to, history, 0)
	to.focus("#timeline")
	to.press("ArrowRight", "f")
	to.drawn()
	want(to, history, 0)
	mouse{}.press(to, one(`.sharedrun a`))
	to.shows(hashOf(sharedLesson, sharedStep))
	want(to, rows, 0)
	to.goTo(fragmentOf(t, address))
	want(to, place, shown)
	mouse{}.press(to, one(`.sharedrun button`))
	to.shows(hashOf(sharedLesson, sharedStep))
	want(to, `document.querySelector("#now").textContent + !document.querySelector(".sharedrun")`,
		text.Korean.Seconds(from.pos.Now.Sub(0))+"true")
	want(to, "("+history+") > 0", true)
}

// TestBrokenLinks: a link that is cut, newer, or made by somebody gets its sentence in the reader's language, and a way on.
func TestBrokenLinks(t *testing.T) {
	p := open(t, "?lang=ja")
	for _, fragment := range []string{"/open/1.155.VOYACe3MqqZbfUR85YGlmYfchIjFWr1A", "/open/9.4.abcd", "/open/1.12.AAAAAAAAAAAA", "/open/x%20y"} {
		_, err := link.Read(strings.ReplaceAll(fragment, "%20", " "))
		var problem *link.Error
		if !errors.As(err, &problem) {
			t.Fatalf("%s is good", fragment)
		}
		p.goTo("#" + fragment)
		want(p, `document.querySelector("[role=alert]").textContent`, text.Japanese.LinkProblem(problem))
		p.waitFor(`document.querySelector("main a[href='#/']")`)
		p.axe()
	}
	p.shot("broken-link-ja")
	p.goTo("#/")
}

// TestCommittedLinksOpen: links of format 1 open in the page, at the place that was shared.
func TestCommittedLinksOpen(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "core", "link", "testdata", "format1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	count := regexp.MustCompile(`^(\S+) lesson= .* lang=(\w+) .* count=(\d+)`)
	p := open(t, "")
	opened := 0
	for _, line := range strings.Split(string(data), "\n") {
		m := count.FindStringSubmatch(line)
		if m == nil { // a link into a lesson that was made up for its test
			continue
		}
		p.goTo("#" + m[1])
		n, _ := strconv.Atoi(m[3])
		want(p, rows, n)
		want(p, "document.documentElement.lang", m[2])
		p.axe()
		opened++
	}
	if opened == 0 {
		t.Error("no link was opened")
	}
	p.viewport(360, 780)
	p.drawn()
	p.shot("shared-scenario-360")
}

// exportAs presses one of the exports and returns the file.
func (p *tab) exportAs(label string) (name string, data []byte) {
	p.t.Helper()
	eval[bool](p, "(files = [], true)")
	mouse{}.press(p, by("#share button", label))
	p.waitFor("files.length === 1")
	data, err := base64.StdEncoding.DecodeString(eval[string](p, "files[0].data"))
	p.must(err, "reading the file")
	want(p, `document.querySelector("#share [role=status]").textContent.includes(files[0].name)`, true)
	return eval[string](p, "files[0].name"), data
}

// TestExports: each file is byte for byte what the core makes natively; the pictures show the timeline on white.
func TestExports(t *testing.T) {
	play := inTheMiddle(t)
	p := play.tab
	r, err := export.Of(&play.step.Scenario, play.step.Asked(), play.inputs)
	if err != nil {
		t.Fatal(err)
	}
	file, _ := r.File()
	goTest, _ := r.GoTest()
	stem := sharedLesson + "-" + sharedStep + "."
	p.prefer("prefers-color-scheme", "dark") // pictures are light all the same
	mouse{}.press(p, one(shareButton))
	p.waitFor(`document.querySelector("#share").open`)
	for form, want := range map[string]struct {
		name string
		data []byte
	}{
		"scenario": {stem + "scenario.json", file}, "csv": {stem + "events.csv", r.CSV()},
		"markdown": {stem + "trace.md", r.Markdown(text.English)}, "go-test": {r.TestFile(), goTest},
	} {
		if name, data := p.exportAs(text.English.Say("share.as-" + form)); name != want.name || !bytes.Equal(data, want.data) {
			t.Errorf("%s: got %s with %d bytes, want %s with %d", form, name, len(data), want.name, len(want.data))
		}
	}
	name, svg := p.exportAs(text.English.Say("share.as-svg"))
	if name != stem+"timeline.svg" || bytes.Contains(svg, []byte("class=")) || !bytes.Contains(svg, []byte("url(&quot;#p-")) || bytes.Contains(svg, []byte("var(")) {
		t.Errorf("%s depends on the page: %.400s", name, svg)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%s is no XML: %v", name, err)
		}
	}
	name, data := p.exportAs(text.English.Say("share.as-png"))
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil || name != stem+"timeline.png" {
		t.Fatalf("%s: %v", name, err)
	}
	// What succeeded, what failed, what is selected: were the sheet's colours lost, all would be black.
	green, orange, yellow := color.RGBA{0, 158, 115, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{240, 228, 66, 255}
	white, colours := color.RGBAModel.Convert(color.White), map[color.Color]bool{}
	for x := range picture.Bounds().Dx() {
		for y := range picture.Bounds().Dy() {
			colours[color.RGBAModel.Convert(picture.At(x, y))] = true
		}
	}
	if picture.Bounds().Dx() != 2*960 || !colours[white] || !colours[green] || !colours[orange] || !colours[yellow] {
		t.Errorf("the picture is %v, with %d colours", picture.Bounds(), len(colours))
	}
	p.shot("share-dark-1440")
	shots := filepath.Join(root, "build", "shots")
	for name, data := range map[string][]byte{"export.png": data, "export.svg": svg} {
		if err := os.WriteFile(filepath.Join(shots, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.viewport(360, 780)
	p.axe()
	p.shot("share-dark-360")
}
