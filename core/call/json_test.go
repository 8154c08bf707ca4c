package call

import (
	"encoding/json"
	"testing"
)

// strange are strings that JSON may trip over.
var strange = []string{
	"plain", `quote " and \`, "line\nfeed\r\ttab", "\x00\x1f\x7f", "\xff\xfe not UTF-8", "한글 日本語 é 😀",
	"\u2028\u2029</script>", "\ufffd",
}

// valid is what a string comes back as: bytes that are not UTF-8 are U+FFFD.
func valid(s string) string { return string([]rune(s)) }

// A body is JSON, whatever code a scenario orders.
func TestBodiesAreJSON(t *testing.T) {
	for _, s := range strange {
		var body struct{ Error string }
		text := Body{Code: s}.String()
		if err := json.Unmarshal([]byte(text), &body); err != nil || body.Error != valid(s) {
			t.Errorf("%q: got %s, read back as %q, %v", s, text, body.Error, err)
		}
	}
	for want, b := range map[string]Body{
		`{"ok":true}`: {}, `{"total":-3}`: {HasTotal: true, Total: -3}, `{"total":0}`: {HasTotal: true},
	} {
		if got := b.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func FuzzAppendJSONString(f *testing.F) {
	f.Add("")
	for _, s := range strange {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		text := AppendJSONString(nil, s)
		if err := json.Unmarshal(text, &got); err != nil || got != valid(s) {
			t.Errorf("got %q from %s, want %q: %v", got, text, valid(s), err)
		}
	})
}

func TestClass(t *testing.T) {
	for status, want := range map[int]Class{
		0: Permanent, 199: Permanent, 200: Success, 299: Success, 301: Permanent, 400: Permanent, 409: Permanent,
		422: Permanent, 429: Throttled, 499: Permanent, 500: Transient, 503: Transient, 599: Transient,
	} {
		if got := (Outcome{Response: Response{Status: status}}).Class(); got != want {
			t.Errorf("%d: got %s, want %s", status, got, want)
		}
	}
	if got := (Outcome{Failure: TimedOut}).Class(); got != Unknown {
		t.Errorf("a time-out: got %s", got)
	}
}

func TestOps(t *testing.T) {
	for method, want := range map[string]int64{
		"GET": 7, "head": 7, "POST": 10, "patch": 10, "PUT": 3, "delete": 0, "BREW": 7, "": 7,
	} {
		if got := (Request{Method: method}).Op().Apply(7, 3); got != want {
			t.Errorf("%q makes 7 with 3 to %d, want %d", method, got, want)
		}
	}
}

func TestABlankKeyIsNone(t *testing.T) {
	for _, r := range []Request{{}, {Key: "k"}, {Keyed: true}, {Key: " \t", Keyed: true}} {
		if r.HasKey() {
			t.Errorf("%+v has a key", r)
		}
	}
	if !(Request{Key: "k", Keyed: true}).HasKey() {
		t.Error("k is no key")
	}
}
