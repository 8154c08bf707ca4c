package trace

import (
	"strings"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// TestReadIsTheInverse: what was read is written as the same bytes, whatever the kind and the texts.
func TestReadIsTheInverse(t *testing.T) {
	bodies := []call.Body{
		{}, {Code: "conflict"}, {Code: "a\"b", Flag: call.FlagTrue, Message: "wait"}, {Code: "x", Flag: call.FlagFalse},
		{HasTotal: true, Total: -3}, {Text: `{"id":7}`}, {Text: `{"total":"7"}`}, {Text: "no JSON"}, {Text: `[1]`},
	}
	for i, k := range event.Kinds() {
		for j, s := range strange {
			e := full(k, valid(s))
			e.Response.Body = bodies[(i+j)%len(bodies)]
			if j%2 == 1 {
				e.Until = clock.Max
			}
			line := AppendJSON(nil, &e)
			got, err := Read(line)
			if err != nil {
				t.Fatalf("%s: %v\n%s", k, err, line)
			}
			if again := AppendJSON(nil, &got); string(again) != string(line) {
				t.Errorf("%s: written again as\n%s, want\n%s", k, again, line)
			}
			if got.Response.Body != e.Response.Body {
				t.Errorf("%s: the body %+v came back as %+v", k, e.Response.Body, got.Response.Body)
			}
		}
		bare := event.Event{Seq: 1, Kind: k}
		if hasUntil(k) {
			bare.Until = clock.Max
		}
		if got, err := Read(AppendJSON(nil, &bare)); err != nil || got != bare {
			t.Errorf("%s: got %+v, %v; want %+v", k, got, err, bare)
		}
	}
}

// TestReadNamesWhatIsWrong: a line of anybody gives an error with its place, and no receipt grows too long.
func TestReadNamesWhatIsWrong(t *testing.T) {
	terms := strings.Repeat(`{"name":"key","mark":"plain"},`, decision.MaxTerms+1)
	for _, c := range []struct{ line, want string }{
		{``, "trace"},
		{`[]`, "this is a list, not an object"},
		{`{"seq":1,"at":0}`, `the field "event" is missing`},
		{`{"seq":1,"at":0,"event":"sneezed","who":"client"}`, `/event: "sneezed" is not known here`},
		{`{"seq":-1,"at":0,"event":"notified","who":"client"}`, "/seq: -1 is out of range"},
		{`{"seq":1,"at":0,"event":"notified","who":"client","mood":1}`, `the field "mood" is not known`},
		{`{"seq":1,"at":0,"event":"notified","who":"client","decision":{"verdict":"retry","reason":"key-new","terms":[` +
			strings.TrimSuffix(terms, ",") + `]}}`, "the list has 14 elements"},
	} {
		if _, err := Read([]byte(c.line)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: got %v, want %q", c.line, err, c.want)
		}
	}
}

// FuzzTraceLine: no line makes Read fail otherwise than with an error, and what it accepts is written and read again as
// the same.
func FuzzTraceLine(f *testing.F) {
	for _, k := range event.Kinds() {
		e := full(k, "text")
		f.Add(AppendJSON(nil, &e))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := Read(line)
		if err != nil {
			return
		}
		written := AppendJSON(nil, &e)
		again, err := Read(written)
		if err != nil {
			t.Fatalf("%v in what was written: %s", err, written)
		}
		if got := AppendJSON(nil, &again); string(got) != string(written) {
			t.Errorf("written as\n%s and then as\n%s", written, got)
		}
	})
}
