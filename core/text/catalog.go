//go:build !browser

package text

import (
	"embed"
	"encoding/json"
	"path"
)

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

// Catalog returns all messages as JSON: what the browser program is given, which holds none of its own.
func Catalog() []byte {
	data, err := json.Marshal(catalog)
	if err != nil {
		panic(err) // texts always encode
	}
	return data
}

// Load does nothing where the messages are built in.
func Load([]byte) error { return nil }
