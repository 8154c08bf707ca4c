package view

import (
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Markdown turns a lesson's text into elements. A lesson is not trusted, so there is an allow-list: paragraphs, lists,
// emphasis, code, quotes and the text of links. Raw HTML and pictures are left out; nothing in it can be fetched,
// clicked or run. Names of characters as &amp; stand as they are written: their table would be larger than all texts.
func Markdown(source string) []Node {
	known.Lock()
	defer known.Unlock()
	if nodes, ok := known.of[source]; ok {
		return nodes
	}
	src := []byte(source)
	nodes := markdownKids(grammar.Parse(text.NewReader(src)), src, 0)
	if known.of == nil || len(known.of) == mostKnown {
		known.of = map[string][]Node{}
	}
	known.of[source] = slices.Clip(nodes)
	return nodes
}

// known keeps what was made of the texts that a page shows: they are the same at every step, and Patch passes by what is the
// very same.
var known struct {
	sync.Mutex
	of map[string][]Node
}

const mostKnown = 100

// maxDepth is how deep elements stand in each other: what lies deeper gives its text. A browser that lays out thousands
// of quotes in quotes gives up.
const maxDepth = 12

// joinUnits puts a space at which no line breaks between each number and its unit.
func joinUnits(s string) string {
	joined, from := "", 0
	for i := 1; i < len(s)-1; i++ {
		if s[i] != ' ' || s[i-1] < '0' || s[i-1] > '9' {
			continue
		}
		end := i + 1
		for end < len(s) && inWord(s[end]) {
			end++
		}
		switch s[i+1 : end] {
		case "s", "ms", "min", "h", "KB", "MB":
			joined += s[from:i] + "\u00a0"
			from = i + 1
		}
	}
	return joined + s[from:]
}

func inWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// grammar is CommonMark without what the library adds to it for writing HTML.
var grammar = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
)

func markdownKids(n ast.Node, src []byte, depth int) []Node {
	var kids []Node
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		kids = append(kids, markdownNode(c, src, depth+1)...)
	}
	return kids
}

func markdownNode(n ast.Node, src []byte, depth int) []Node {
	_, item := n.(*ast.ListItem)
	if tooDeep := depth > maxDepth && !(item && depth == maxDepth+1); tooDeep && n.HasChildren() { // a list holds items only
		if _, image := n.(*ast.Image); image {
			return nil
		}
		return markdownKids(n, src, depth)
	}
	switch n := n.(type) {
	case *ast.Text:
		s := joinUnits(string(util.UnescapePunctuations(n.Segment.Value(src))))
		if n.SoftLineBreak() || n.HardLineBreak() {
			s += " "
		}
		return []Node{Text(s)}
	case *ast.String:
		return []Node{Text(string(n.Value))}
	case *ast.Paragraph:
		return []Node{El("p", markdownKids(n, src, depth))}
	case *ast.Heading:
		return []Node{El("h3", markdownKids(n, src, depth))}
	case *ast.Emphasis:
		if n.Level == 2 {
			return []Node{El("b", markdownKids(n, src, depth))}
		}
		return []Node{El("em", markdownKids(n, src, depth))}
	case *ast.CodeSpan:
		return []Node{Code(plainText(n, src))}
	case *ast.CodeBlock:
		return []Node{codeBlock(n.Lines(), src)}
	case *ast.FencedCodeBlock:
		return []Node{codeBlock(n.Lines(), src)}
	case *ast.List:
		if n.IsOrdered() {
			return []Node{El("ol", Class("list"), markdownKids(n, src, depth))}
		}
		return []Node{El("ul", Class("list"), markdownKids(n, src, depth))}
	case *ast.ListItem:
		return []Node{El("li", markdownKids(n, src, depth))}
	case *ast.Blockquote:
		return []Node{El("blockquote", markdownKids(n, src, depth))}
	case *ast.AutoLink:
		return []Node{Code(string(n.URL(src)))}
	case *ast.Link:
		return append(markdownKids(n, src, depth), external(string(n.Destination))...)
	case *ast.HTMLBlock, *ast.RawHTML, *ast.Image:
		return nil
	}
	return markdownKids(n, src, depth) // text blocks give what is in them
}

// external returns the address of a link as a text that is marked as leading elsewhere; it cannot be clicked, so a reader
// sees where it would lead. Other addresses than those of pages say nothing to a reader, and are left out.
func external(address string) []Node {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") || len(address) > maxAddress {
		return nil
	}
	return []Node{Text(" "), El("span", Class("ext"), Code(address))}
}

// maxAddress is how long an address may be in bytes: nobody reads a longer one.
const maxAddress = 300

func plainText(n ast.Node, src []byte) string {
	s := ""
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			s += string(t.Segment.Value(src))
		}
	}
	return s
}

func codeBlock(lines *text.Segments, src []byte) Node {
	s := ""
	for i := range lines.Len() {
		line := lines.At(i)
		s += string(line.Value(src))
	}
	return preformatted([]Node{Text(s)})
}
