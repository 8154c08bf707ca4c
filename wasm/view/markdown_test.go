package view

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func markdown(s string) string { return El("div", Markdown(s)).HTML() }

// What a lesson may say, and how it comes out.
func TestMarkdown(t *testing.T) {
	code := func(s string) string { return `<code lang="en" translate="no">` + s + `</code>` }
	for source, want := range map[string]string{
		"":                              "",
		"one\ntwo":                      "<p>one two</p>",
		"one\n\ntwo":                    "<p>one</p><p>two</p>",
		"*a* **b** `c < d`":             "<p><em>a</em> <b>b</b> " + code("c &lt; d") + "</p>",
		"# Title":                       "<h3>Title</h3>",
		"- a\n- b":                      `<ul class="list"><li>a</li><li>b</li></ul>`,
		"1. a\n2. b":                    `<ol class="list"><li>a</li><li>b</li></ol>`,
		"> quote":                       "<blockquote><p>quote</p></blockquote>",
		"```\nGET / <x>\n```":           `<pre class="http" lang="en" tabindex="0" translate="no">GET / &lt;x&gt;` + "\n</pre>",
		"wait 1.5 s or 250 ms, 5 steps": "<p>wait 1.5\u00a0s or 250\u00a0ms, 5 steps</p>",
		"12 h, 3 min; 1 second, 2 sx, 5 s_, 6 S, x s, 7 s 8 s": "<p>12\u00a0h, 3\u00a0min; 1 second, 2 sx, 5 s_, 6 S, x s, 7\u00a0s 8\u00a0s</p>",
		`\*plain\* 1\. \<b\>`:         "<p>*plain* 1. &lt;b&gt;</p>",
		"[text](https://example.com)": `<p>text <span class="ext">` + code("https://example.com") + "</span></p>",
		"[text](javascript:alert(1))": "<p>text</p>",
		"<https://example.com>":       "<p>" + code("https://example.com") + "</p>",
		"a <b onclick=x>b</b> c":      "<p>a b c</p>",
		"<div>x</div>":                "",
		"![alt](x.png) after":         "<p> after</p>",
	} {
		if got, want := markdown(source), "<div>"+want+"</div>"; got != want {
			t.Errorf("%q\ngot  %s\nwant %s", source, got, want)
		}
	}
	if got := El("p", Inline("a **b**")).HTML(); got != "<p>a <b>b</b></p>" {
		t.Errorf("one line came out as %s", got)
	}
}

var (
	allowedTags  = []string{"", "p", "h3", "b", "em", "code", "pre", "ul", "ol", "li", "blockquote", "span"}
	allowedAttrs = []string{"class", "lang", "translate", "tabindex"}
)

// checkHarmless checks that there is nothing in the nodes that could be run, fetched or clicked, and how deep they are.
func checkHarmless(t *testing.T, nodes []Node, depth int) {
	t.Helper()
	if depth > maxDepth+3 { // an item, and code in it
		t.Fatalf("elements stand %d deep in each other", depth)
	}
	for _, n := range nodes {
		if !slices.Contains(allowedTags, n.Tag) || len(n.On) > 0 {
			t.Fatalf("there is an element %s with %d handlers", n.Tag, len(n.On))
		}
		for _, a := range n.Attrs {
			if !slices.Contains(allowedAttrs, a.Name) || a.Name == "class" && a.Value != "list" && a.Value != "http" && a.Value != "ext" {
				t.Fatalf("there is an attribute %s=%q", a.Name, a.Value)
			}
		}
		checkHarmless(t, n.Kids, depth+1)
	}
}

var hostile = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "[x][y]\n\n[y]: javascript:alert(1)",
	"![x](http://evil.example/x.png)", "![x][y]\n\n[y]: http://evil.example/", "<javascript:alert(1)>", "<a href='#' onclick=1>x</a>",
	"<iframe src=//x></iframe>\n\ntext", "<!-- -->", "<?php ?>", "<![CDATA[x]]>", "<svg/onload=alert(1)>", "`<b>`", "```js\nalert(1)\n```",
	"# <h1 onclick=x>", "- <li>\n  - <ul>", "> <b>", "&lt;script&gt;", "a\x00b", "\xff\xfe", "<style>*{}</style>", "{.class #id onclick=x}",
	"# x {#id .c onclick=alert(1)}", "[x](https://evil.example/\"onclick=1)", "[x](data:text/html,x)", "~~x~~ | a | b |\n|---|---|", "\u202egnp.exe", "http://evil.example www.evil.example",
}

func TestHostileMarkdown(t *testing.T) {
	for _, s := range hostile {
		checkHarmless(t, Markdown(s), 0)
		checkHarmless(t, Inline(s), 0)
		if html := markdown(s); strings.Contains(html, "<script") || strings.Contains(html, "href") || strings.Contains(html, "src=") {
			t.Errorf("%q came out as %s", s, html)
		}
	}
}

// A text as long as a lesson may have, made to nest as deep as it can, is shown soon and not deep.
func TestDeepMarkdown(t *testing.T) {
	for _, s := range []string{">", "> ", "- ", "1. ", "*", "**a ", "*a **b ", "[", "[a](", "![", "`", "``a", "<", "<a ", "- > ", "\t", "> - 1. ", "_a_ ", "\\"} {
		text := strings.Repeat(s, 8000/len(s)) + "x"
		began := time.Now()
		nodes := Markdown(text)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q again and again took %v", s, took)
		}
		checkHarmless(t, nodes, 0)
	}
}

// 100 KB of ordinary text is no trouble.
func TestLongMarkdown(t *testing.T) {
	nodes := Markdown(strings.Repeat("A paragraph with **bold**, `code` and a list:\n\n- one\n- two\n\n", 1700))
	checkHarmless(t, nodes, 0)
	if len(nodes) != 3400 {
		t.Errorf("there are %d blocks, want 3400", len(nodes))
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Add(strings.Repeat("> - ", 30))
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 8000 {
			return
		}
		checkHarmless(t, Markdown(s), 0)
		checkHarmless(t, Inline(s), 0)
	})
}
