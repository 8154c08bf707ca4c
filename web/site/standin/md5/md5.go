// Package md5 is what the browser program links in place of crypto/md5, which a kind of name in google/uuid mentions; the
// program does not use it. See docs/adr/0014-stand-ins.md.
package md5

import "hash"

// Size is the length of a sum in bytes.
const Size = 16

const missing = "this program is built without MD5: see web/site/standin"

// New panics.
func New() hash.Hash { panic(missing) }

// Sum panics.
func Sum([]byte) [Size]byte { panic(missing) }
