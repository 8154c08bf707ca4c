//go:build browser

package text

var catalog packed

// Load takes the messages, as Catalog wrote them. The browser program fetches them, so that it stays small; without
// them nothing can be said.
func Load(data string) (err error) {
	catalog, err = unpack(data)
	return err
}

// message returns the text of a message.
func message(name string, l Lang) (string, bool) { return catalog.message(name, l) }
