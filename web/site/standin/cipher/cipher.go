// Package cipher is what the browser program links in place of crypto/cipher. See web/site/standin/aes.
package cipher

import "errors"

// Block is never implemented here.
type Block interface {
	BlockSize() int
}

// AEAD is never implemented here.
type AEAD interface {
	NonceSize() int
	Seal(dst, nonce, plaintext, additionalData []byte) []byte
	Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error)
}

// NewGCM returns an error: this program encrypts nothing.
func NewGCM(Block) (AEAD, error) {
	return nil, errors.New("this program is built without AES: see web/site/standin")
}
