package view

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Prose holds texts whose Markdown was parsed when the site was built, by the digest of their source. A parser in the
// browser program would cost every visitor a twentieth of the download, for texts that are known before.
type Prose map[string][]Node

// Add parses a text and keeps its elements.
func (p Prose) Add(source string) { p[digest(source)] = Markdown(source) }

// Find returns the elements of a text.
func (p Prose) Find(source string) ([]Node, bool) {
	nodes, known := p[digest(source)]
	return nodes, known
}

func digest(source string) string {
	h := fnv.New64a()
	h.Write([]byte(source)) //nolint:errcheck // it never fails
	return strconv.FormatUint(h.Sum64(), 36)
}

// stored is an element as it is written: tag, text, class, language, and what is in it.
type stored struct {
	Tag   string   `json:"t,omitempty"`
	Text  string   `json:"x,omitempty"`
	Class string   `json:"c,omitempty"`
	Kids  []stored `json:"k,omitempty"`
}

// Write returns the texts as JSON that ReadProse reads.
func (p Prose) Write() []byte {
	all := make(map[string][]stored, len(p))
	for key, nodes := range p {
		all[key] = store(nodes)
	}
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // texts and lists always encode
	}
	return data
}

func store(nodes []Node) []stored {
	list := make([]stored, len(nodes))
	for i, n := range nodes {
		class, _ := n.Get("class")
		list[i] = stored{Tag: n.Tag, Text: n.Text, Class: class, Kids: store(n.Kids)}
	}
	return list
}

// proseTags are the elements that Markdown makes; another one in a file gives only what is in it.
var proseTags = []string{"p", "h3", "b", "em", "code", "pre", "ul", "ol", "li", "blockquote"}

// ReadProse reads what Write wrote.
func ReadProse(data []byte) (Prose, error) {
	var all map[string][]stored
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	p := make(Prose, len(all))
	for key, list := range all {
		p[key] = restore(list)
	}
	return p, nil
}

func restore(list []stored) []Node {
	var nodes []Node
	for _, s := range list {
		kids := restore(s.Kids)
		switch {
		case s.Tag == "":
			nodes = append(nodes, Text(s.Text))
		case !slices.Contains(proseTags, s.Tag):
			nodes = append(nodes, kids...)
		case s.Tag == "code" && len(kids) == 1:
			nodes = append(nodes, Code(kids[0].Text))
		case s.Tag == "pre":
			nodes = append(nodes, preformatted(kids))
		case s.Class != "":
			nodes = append(nodes, El(s.Tag, Class(s.Class), kids))
		default:
			nodes = append(nodes, El(s.Tag, kids))
		}
	}
	return nodes
}

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

// Paragraphs returns a text as plain paragraphs, where its Markdown was not parsed.
func Paragraphs(source string) []Node {
	var nodes []Node
	for _, p := range strings.Split(source, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			nodes = append(nodes, El("p", p))
		}
	}
	return nodes
}
