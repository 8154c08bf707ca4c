package view

import "retrylab.example/core/text"

// preformatted is a block of code: it may be wider than the page, so the keyboard can scroll it.
func preformatted(kids []Node) Node {
	return El("pre", Class("http"), A("lang", "en"), A("translate", "no"), A("tabindex", "0"), kids)
}

// Code is a word of a protocol or program: the same in every language.
func Code(s string) Node { return El("code", A("lang", "en"), A("translate", "no"), s) }

// Inline returns the elements of a single line of Markdown, without its paragraph.
func Inline(source string) []Node {
	blocks := Markdown(source)
	if len(blocks) == 1 && blocks[0].Tag == "p" {
		return blocks[0].Kids
	}
	return blocks
}

// Bold turns **marks** into elements.
func Bold(s string) []Node {
	var nodes []Node
	for _, span := range text.Spans(s) {
		n := Text(span.Text)
		if span.Strong {
			n = El("b", span.Text)
		}
		nodes = append(nodes, n)
	}
	return nodes
}
