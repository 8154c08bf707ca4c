package live

import (
	_ "embed"
	"net/http"
)

//go:embed openapi.json
var openAPIText []byte

// openAPI answers GET /v1/openapi.json: what the API is, for programs.
func (h *House) openAPI(w http.ResponseWriter, _ *http.Request, _ string) {
	w.Header().Set("Cache-Control", "no-cache")
	sendBody(w, http.StatusOK, "application/json", openAPIText)
}
