package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/andybalholm/brotli"
)

// compressible are the kinds of file that get smaller.
var compressible = []string{".css", ".html", ".js", ".json", ".py", ".svg", ".txt", ".wasm", ".webmanifest"}

// worthwhile is the size in bytes under which compressing saves less than the headers cost.
const worthwhile = 256

// compressor makes the compressed variants of files, and keeps them by the hash of their content: brotli at its best
// takes some twenty seconds for the program.
type compressor struct {
	cache   string
	release bool
}

func newCompressor(cache string, release bool) compressor {
	return compressor{cache: cache, release: release}
}

// variants gives the variants of a file by suffix, ".br" and ".gz"; none where they would not be smaller.
func (c compressor) variants(name string, data []byte) (map[string][]byte, error) {
	out := map[string][]byte{}
	if !slices.Contains(compressible, path.Ext(name)) || len(data) < worthwhile {
		return out, nil
	}
	for suffix, pack := range map[string]func([]byte) ([]byte, error){".br": c.brotli, ".gz": c.gzip} {
		packed, err := c.cached(data, suffix, pack)
		if err != nil {
			return nil, fmt.Errorf("%s%s: %w", name, suffix, err)
		}
		if len(packed) < len(data) {
			out[suffix] = packed
		}
	}
	return out, nil
}

func (c compressor) cached(data []byte, suffix string, pack func([]byte) ([]byte, error)) ([]byte, error) {
	quality := "fast"
	if c.release {
		quality = "best"
	}
	name := filepath.Join(c.cache, fmt.Sprintf("%x-%s%s", sha256.Sum256(data), quality, suffix))
	if packed, err := os.ReadFile(name); err == nil {
		return packed, nil
	}
	packed, err := pack(data)
	if err != nil {
		return nil, err
	}
	c.forget()
	return packed, writeFile(name, packed)
}

// forget removes what was made more than a week ago: each change of the program leaves some megabytes.
func (c compressor) forget() {
	entries, _ := os.ReadDir(c.cache) // no folder, nothing to forget
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 7*24*time.Hour {
			os.Remove(filepath.Join(c.cache, e.Name()))
		}
	}
}

func (c compressor) brotli(data []byte) ([]byte, error) {
	options := brotli.WriterOptions{Quality: 3, LGWin: 22}
	if c.release {
		options = brotli.WriterOptions{Quality: 11, LGWin: 24}
	}
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, options)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

func (c compressor) gzip(data []byte) ([]byte, error) {
	level := gzip.BestSpeed
	if c.release {
		level = gzip.BestCompression
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
