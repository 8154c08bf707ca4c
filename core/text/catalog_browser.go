//go:build browser

package text

import (
	"encoding/json"
	"fmt"
)

// Load takes the messages, as Catalog wrote them. The browser program fetches them, so that it stays small; without
// them nothing can be said.
func Load(data []byte) error {
	if err := json.Unmarshal(data, &catalog); err != nil {
		return fmt.Errorf("the messages cannot be read: %w", err)
	}
	return nil
}
