package site

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNeverLinked looks for the packages whose weight the stand-ins keep out: a new import brings them back unseen, since
// the program goes on working.
func TestNeverLinked(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := writeOverlay(root)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-deps", "-tags=browser", "-overlay", overlay, "./wasm/app")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if len(linked) < 50 {
		t.Fatalf("the program links %d packages; want its whole list", len(linked))
	}
	for _, pkg := range linked {
		for _, heavy := range []string{"crypto/internal/fips140/aes", "crypto/internal/fips140/drbg", "crypto/tls", "math/big", "net", "regexp/syntax", "text/template"} {
			if pkg == heavy {
				t.Errorf("the browser program links %s, which no visitor needs: find who imports it with "+
					"\"go mod why\" or \"go list -deps\", or add a stand-in to web/site/standin", pkg)
			}
		}
	}
}
