package rows

import (
	"strings"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

func TestRoundTrip(t *testing.T) {
	var w Writer
	w.Row("numbers")
	w.Int(int64(clock.Min))
	w.Uint(1<<64 - 1)
	w.Bool(true)
	w.Text("é \"☃\" \\ \x00\n")
	request := call.Request{Client: 1, Call: 2, Attempt: 3, ClientID: "c", Method: "POST", Path: "/p", Key: "k", Keyed: true, Amount: -4, Slot: 5, IfMatch: `"e"`}
	response := call.Response{
		Status: 409, RetryAfter: "1", HasRetryAfter: true, Fields: "A: b\nC: d", Replayed: true, Location: "/l",
		Body: call.Body{Code: "x", Flag: call.FlagTrue, Message: "m", HasTotal: true, Total: -7, Text: "{}"},
	}
	w.Row("request")
	w.Request(&request)
	w.Row("response")
	w.Response(&response)
	w.Response(&call.Response{})
	var d decision.Decision
	d.Verdict, d.Wait = decision.Refuse, 5
	d.Add(decision.Term{Name: decision.Counted, Mark: decision.Decided, Value: -1, A: 2, B: 3, Text: "t"})
	d.AddFlip(decision.Flip{Name: decision.Opens, Bound: decision.AtMost, Value: 9, Verdict: decision.Admit, Reason: decision.WindowFull})
	w.Decision(&d)

	r := NewReader(w.Bytes())
	r.Need("numbers")
	if a, b, c, s := r.Int(int64(clock.Min), 0), r.Uint(), r.Bool(), r.Text(100); a != int64(clock.Min) || b != 1<<64-1 || !c || s != "é \"☃\" \\ \x00\n" {
		t.Errorf("got %d %d %v %q", a, b, c, s)
	}
	r.Next()
	if got := r.Request(); got != request {
		t.Errorf("got %+v", got)
	}
	r.Next()
	if got, none := r.Response(), r.Response(); got != response || none != (call.Response{}) {
		t.Errorf("got %+v and %+v", got, none)
	}
	r.Next()
	if got := r.Decision(); got != d {
		t.Errorf("got %+v", got)
	}
	r.End()
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

// TestFaults: each malformed text has one fault, with its place, and nothing is read after it.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", `line 1, value 1: here should be a line of "a"`},
		{"x", "line 1, value 1: a line begins with ["},
		{`["a",1]`, "line 1, value 2: the line goes on after its end"},
		{"[\"a\",1", "line 1, value 2: the line breaks off"},
		{"[\"a\",1,2]\n", "line 1, value 3: the line has too many values"},
		{"[\"a\"]\n", "line 1, value 2: the line has too few values"},
		{"[\"a\",01]\n", "line 1, value 2: this is not a whole number of 64 bits"},
		{"[\"a\",1.5]\n", "line 1, value 2: this is not a whole number of 64 bits"},
		{"[\"a\",9223372036854775808]\n", "line 1, value 2: this is not a whole number of 64 bits"},
		{"[\"a\",11]\n", "line 1, value 2: 11 is not from 0 to 10"},
		{"[\"b\",1]\n", `line 1, value 1: here should be a line of "a"`},
		{"[a,1]\n", "line 1, value 1: this is not a text"},
		{"[\"\",1]\n", "line 1, value 1: the line has no kind"},
		{"[\"a\",1]\n[\"b\"]\n", "line 2, value 1: nothing should follow here"},
		{"[\"\xff\",1]\n", "line 1, value 1: this is not UTF-8"},
		{"[\"" + strings.Repeat("a", 41) + "\",1]\n", "line 1, value 1: the text has 41 bytes, more than 40"},
	} {
		r := NewReader([]byte(c.text))
		r.Need("a")
		r.Int(0, 10)
		r.Next()
		r.End()
		if err := r.Err(); err == nil || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.says)
		}
		if r.More() || r.Is("a") || r.Text(9) != "" || r.Uint() != 0 {
			t.Errorf("%q: something is read after the fault", c.text)
		}
	}
	r := NewReader([]byte("[\"a\",\"none\",\"other\"]\n"))
	if One(r, decision.ParseVerdict) != decision.NoVerdict || r.Err() != nil {
		t.Error("a name that is known is not read")
	}
	if One(r, decision.ParseVerdict); r.Err() == nil {
		t.Error("a name that is not known is read")
	}
}
