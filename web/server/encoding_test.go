package server

import "testing"

// TestChoose holds RFC 9110, 12.5.3: weights, the star, what is not mentioned, and what is not well-formed.
func TestChoose(t *testing.T) {
	all := func(string) bool { return true }
	plain := func(coding string) bool { return coding == "identity" }
	for _, c := range []struct {
		header string
		has    func(string) bool
		want   string // "" means that nothing is acceptable
	}{
		{"", all, "identity"},
		{" ", all, "identity"},
		{",,", all, "identity"},
		{"gzip", all, "gzip"},
		{"gzip, deflate, br, zstd", all, "br"},
		{"GZip;Q=1", all, "gzip"},
		{"x-gzip", all, "gzip"},
		{"br;q=0.5, gzip;q=0.9", all, "gzip"},
		{"br; q=0.5 ,gzip;q=0.5", all, "br"},
		{"br;q=0, gzip", all, "gzip"},
		{"br;q=0", all, "identity"},
		{"*", all, "br"},
		{"*;q=0.3, br;q=0", all, "gzip"},
		{"*;q=0", all, ""},
		{"identity;q=0", plain, ""},
		{"identity;q=0, br", all, "br"},
		{"*;q=0, identity", all, "identity"},
		{"*;q=0, gzip;q=0.001", all, "gzip"},
		{"identity, br;q=0.2", all, "identity"},
		{"br;q=2, gzip;q=x, *;q=0.1", all, "br"}, // both malformed: the star decides
		{"br;q=-1", all, "identity"},
		{"br;q=NaN", all, "identity"},
		{"br;level=3", all, "identity"},
		{"brotli, gzipped", all, "identity"},
		{"br, gzip", plain, "identity"},
		{"gzip;q=0.0001", all, "gzip"},
	} {
		got, ok := choose(c.header, c.has)
		if !ok {
			got = ""
		}
		if got != c.want {
			t.Errorf("Accept-Encoding %q: got %q, want %q", c.header, got, c.want)
		}
	}
}
