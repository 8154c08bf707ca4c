// Package aes is what the browser program links in place of crypto/aes, for go-app's encrypted storage, which the program
// never uses. The real package brings the whole of Go's certified cryptography along, with its tests at every start. See
// docs/adr/0014-stand-ins.md.
package aes

import (
	"crypto/cipher"
	"errors"
)

// NewCipher returns an error: this program encrypts nothing.
func NewCipher([]byte) (cipher.Block, error) {
	return nil, errors.New("this program is built without AES: see web/site/standin")
}
