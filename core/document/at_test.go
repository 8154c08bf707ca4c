package document_test

import (
	"testing"

	"retrylab.example/core/document"
)

// TestAt: a pointer leads to its value, and to nothing where there is none, unlike Find.
func TestAt(t *testing.T) {
	_, root, err := document.Read("f", []byte(`{"a": [{"b": "x"}, 7], "c": null}`))
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{"": root.Written(), "/a/0/b": `"x"`, "/a/1": "7", "/c": "null"} {
		if n := root.At(pointer); n == nil || n.Written() != want {
			t.Errorf("%q: got %v, want %s", pointer, n, want)
		}
	}
	for _, pointer := range []string{"/d", "/a/2", "/a/-1", "/a/x", "/a/1/b", "/c/d/e"} {
		if n := root.At(pointer); n != nil {
			t.Errorf("%q: got %s, want nothing", pointer, n.Written())
		}
	}
}
