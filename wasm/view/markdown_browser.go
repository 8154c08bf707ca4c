//go:build browser

package view

var prepared = Prose{}

// Prepare adds texts that the site's build has parsed.
func Prepare(p Prose) {
	for key, nodes := range p {
		prepared[key] = nodes
	}
}

// Markdown returns the elements of a text that was prepared; of another one its paragraphs as they are written.
func Markdown(source string) []Node {
	if nodes, known := prepared.Find(source); known {
		return nodes
	}
	return Paragraphs(source)
}
