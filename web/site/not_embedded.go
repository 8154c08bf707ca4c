//go:build !embedded

package site

import "io/fs"

// Embedded gives the site that was put into this binary; here there is none.
func Embedded() (fs.FS, bool) { return nil, false }
