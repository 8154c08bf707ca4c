package view

import (
	"testing"
)

const everything = "One **bold** *soft* `code` 250 ms.\n\n- a\n- b\n\n1. c\n\n> quote\n\n### Head\n\n```\nx < y\n```"

// What the browser is given draws the same as the text parsed on the spot.
func TestProseIsReadBack(t *testing.T) {
	p := Prose{}
	p.Add(everything)
	read, err := ReadProse(p.Write())
	if err != nil {
		t.Fatal(err)
	}
	nodes, known := read.Find(everything)
	if !known {
		t.Fatal("the text is not found")
	}
	got, want := El("div", nodes).HTML(), El("div", Markdown(everything)).HTML()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, known := read.Find("another text"); known {
		t.Error("a text that was not added is found")
	}
}

// The file comes over the wire: elements that Markdown does not make give only what is in them.
func TestProseDropsOtherElements(t *testing.T) {
	p, err := ReadProse([]byte(`{"k":[{"t":"script","k":[{"x":"alert(1)"}]},{"t":"p","c":"x","k":[{"x":"<b>"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := El("div", p["k"]).HTML(), `<div>alert(1)<p class="x">&lt;b&gt;</p></div>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := ReadProse([]byte(`{`)); err == nil {
		t.Error("a broken file is read")
	}
}

func TestParagraphs(t *testing.T) {
	if got, want := El("div", Paragraphs(" a **b**\n\n\n\nc ")).HTML(), `<div><p>a **b**</p><p>c</p></div>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
