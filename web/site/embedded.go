//go:build embedded

package site

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Embedded gives the site that was put into this binary.
func Embedded() (fs.FS, bool) {
	sub, err := fs.Sub(dist, "dist")
	return sub, err == nil
}
