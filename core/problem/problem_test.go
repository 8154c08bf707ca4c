package problem

import (
	"encoding/json"
	"strings"
	"testing"

	"retrylab.example/core/call"
)

// The rows of the standards, P01 to P10, are tested in core/vectors. Here is what else may come.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
		ok                      bool
		want                    Details
	}{
		{"another type", "text/plain", `{"title":"t"}`, false, Details{}},
		{"no type", "", `{}`, false, Details{}},
		{"a longer type", MediaType + "x", `{}`, false, Details{}},
		{"an escape", MediaType, `{"title":"\u00e9"}`, true, Details{Type: Blank, Title: "é"}},
		{"another letter case", MediaType, `{"Type":"u","TITLE":"t"}`, true, Details{Type: Blank}},
		{"an empty type", MediaType, `{"type":""}`, true, Details{Type: Blank}},
		{"two of one name", MediaType, `{"type":"u","type":"v"}`, true, Details{Type: "v"}},
		{"no status", MediaType, `{"status":42}`, true, Details{Type: Blank}},
		{"half a status", MediaType, `{"status":429.5}`, true, Details{Type: Blank}},
		{"a flag", MediaType, `{"retryable":false}`, true, Details{Type: Blank, Retryable: call.FlagFalse}},
		{"no list", MediaType, `{"violated-policies":"daily"}`, true, Details{Type: Blank}},
		{"a list of others", MediaType, `{"violated-policies":["daily",1]}`, true, Details{Type: Blank}},
		{"something behind", MediaType, `{} {}`, false, Details{}},
		{"as long as can be", MediaType, `{}` + strings.Repeat(" ", MaxBody-2), true, Details{Type: Blank}},
		{"too long", MediaType, `{}` + strings.Repeat(" ", MaxBody-1), false, Details{}},
	} {
		got, ok := Read(c.contentType, c.body)
		if ok != c.ok || got.Type != c.want.Type || got.Status != c.want.Status || got.Title != c.want.Title ||
			got.Retryable != c.want.Retryable || len(got.Violated) != 0 {
			t.Errorf("%s: got %+v, %t", c.name, got, ok)
		}
	}
}

func TestEnvelopes(t *testing.T) {
	for body, want := range map[string]call.Body{
		`{"error":{"code":"c","message":"m","retryable":true}}`: {Code: "c", Message: "m", Flag: call.FlagTrue},
		`{"error":{"code":7,"retryable":null}}`:                 {},
		`{"error":"rate_limited"}`:                              {Code: "rate_limited"},
		`{"error":["a"],"retryable":true}`:                      {},
		`{"total":10}`:                                          {},
		`{"error`:                                               {},
	} {
		if got := Body("application/json; charset=utf-8", body); got != want {
			t.Errorf("%s: got %+v, want %+v", body, got, want)
		}
	}
	if got := Body("text/html", `{"error":"c"}`); got != (call.Body{}) {
		t.Errorf("a body of another type: got %+v", got)
	}
}

// Whatever is sent, what is read of it is what the JSON says, and a flag comes from a boolean only.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`{}`, `{"type":"u","status":429,"retryable":true}`, `{"error":{"code":"c","retryable":false}}`, `[1]`, `{"type":{}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		d, ok := Read(MediaType, body)
		var all map[string]any
		err := json.Unmarshal([]byte(body), &all)
		if want := err == nil && all != nil && len(body) <= MaxBody; ok != want {
			t.Fatalf("read: %t, it is an object: %t", ok, want)
		}
		flag, isFlag := all["retryable"].(bool)
		if ok && (isFlag != (d.Retryable != call.NoFlag) || flag != (d.Retryable == call.FlagTrue)) {
			t.Fatalf("flag %d of %v", d.Retryable, all["retryable"])
		}
		title, _ := all["title"].(string)
		if ok && (d.Title != title || d.Type == "" || d.Status != 0 && (d.Status < 100 || d.Status > 599)) {
			t.Fatalf("got %+v of %v", d, all)
		}
		if b := Body(MediaType, body); !ok && b != (call.Body{}) {
			t.Fatalf("a body that cannot be read says %+v", b)
		}
	})
}
