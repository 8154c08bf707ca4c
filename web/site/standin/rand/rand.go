// Package rand is what the browser program links in place of crypto/rand, for the names that go-app gives to a device and
// to a tab. The real package brings the whole of Go's certified cryptography along. See docs/adr/0014-stand-ins.md.
package rand

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
)

// Reader gives bytes of the runtime's generator, ChaCha8, which the browser's crypto.getRandomValues seeds at the start. It
// never fails.
var Reader io.Reader = source{}

type source struct{}

func (source) Read(b []byte) (int, error) {
	var word [8]byte
	for rest := b; len(rest) > 0; {
		binary.LittleEndian.PutUint64(word[:], rand.Uint64())
		rest = rest[copy(rest, word[:]):]
	}
	return len(b), nil
}
