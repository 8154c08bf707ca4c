//go:build !browser

package text

import (
	"embed"
	"encoding/json"
	"maps"
	"path"
	"slices"
)

// catalog maps a message's name to its texts by language.
var catalog map[string]map[Lang]string

//go:embed messages/*.json
var files embed.FS

func init() { catalog = load() }

func load() map[string]map[Lang]string {
	all := map[string]map[Lang]string{}
	entries, err := files.ReadDir("messages")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		data, err := files.ReadFile(path.Join("messages", e.Name()))
		if err != nil {
			panic(err)
		}
		if err := json.Unmarshal(data, &all); err != nil { // adds to what is there; a test finds a name that stands twice
			panic(e.Name() + ": " + err.Error())
		}
	}
	return all
}

// Catalog returns all messages, what the browser program is given, which holds none of its own: of each in the order of
// their names a mark, the name and the texts in the order of Langs, each with a zero byte behind it.
func Catalog() []byte {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(catalog)) {
		b = append(append(append(b, begin...), name...), end...)
		for _, l := range Langs() {
			b = append(append(b, catalog[name][l]...), end...)
		}
	}
	return b
}

// Load does nothing where the messages are built in.
func Load(string) error { return nil }

// message returns the text of a message.
func message(name string, l Lang) (string, bool) {
	texts, ok := catalog[name]
	return texts[l], ok
}
