// Package sha1 is what the browser program links in place of crypto/sha1, which go-app's server and a kind of name in
// google/uuid mention; the program uses neither. See docs/adr/0014-stand-ins.md.
package sha1

import "hash"

// Size is the length of a sum in bytes.
const Size = 20

const missing = "this program is built without SHA-1: see web/site/standin"

// New panics.
func New() hash.Hash { panic(missing) }

// Sum panics.
func Sum([]byte) [Size]byte { panic(missing) }
