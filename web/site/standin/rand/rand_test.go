package rand

import (
	"bytes"
	"io"
	"testing"
)

func TestReader(t *testing.T) {
	for n := range 20 {
		a, b := make([]byte, n), make([]byte, n)
		for _, to := range [][]byte{a, b} {
			if _, err := io.ReadFull(Reader, to); err != nil {
				t.Fatal(err)
			}
		}
		if n >= 16 && (bytes.Equal(a, b) || bytes.Equal(a[8:], make([]byte, n-8))) {
			t.Errorf("%d bytes are %x and then %x; want others each time, to the last", n, a, b)
		}
	}
}
