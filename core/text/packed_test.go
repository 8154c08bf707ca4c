package text

import (
	"strings"
	"testing"
)

// TestPackedMessagesSayTheSame: the browser program, which reads the messages from a file, says what everybody says.
func TestPackedMessagesSayTheSame(t *testing.T) {
	p, err := unpack(string(Catalog()))
	if err != nil {
		t.Fatal(err)
	}
	if len(catalog) == 0 {
		t.Fatal("there are no messages")
	}
	for name, texts := range catalog {
		for _, l := range Langs() {
			if s, ok := p.message(name, l); !ok || s != texts[l] {
				t.Errorf("%s in %s is %q, want %q", name, l, s, texts[l])
			}
		}
	}
	for _, name := range []string{"", "0", "no.such-message", "zzz", end, begin} {
		if s, ok := p.message(name, Japanese); ok || s != "" {
			t.Errorf("%q, a message that there is not, says %q", name, s)
		}
	}
}

// TestCutMessages: a file that came broken is told from a whole one.
func TestCutMessages(t *testing.T) {
	whole := string(Catalog())
	lastButOne := strings.LastIndex(whole[:len(whole)-1], end) + 1
	for _, data := range []string{"", whole[:len(whole)-1], whole[:lastButOne], "<!doctype html>"} {
		if _, err := unpack(data); err == nil {
			t.Errorf("%d of %d bytes were read without an error", len(data), len(whole))
		}
	}
}
