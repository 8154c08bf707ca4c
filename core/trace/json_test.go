package trace

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// strange are strings that JSON or a terminal may trip over.
var strange = []string{
	"", "plain", `quote " and \`, "line\nfeed\r\ttab", "\x00\x1f\x7f", "\xff\xfe not UTF-8", "한글 日本語 é 😀",
	"\u2028\u2029</script>", "\ufffd",
}

// line is what a program reads back.
type line struct {
	Seq      int
	At       int64
	Event    string
	Who      string
	Client   *int
	Call     int
	Attempt  int
	Method   string
	Path     string
	Key      *string
	Amount   int64
	Response *struct {
		Status     int
		RetryAfter *string
		Fields     string
		Replayed   bool
		Body       string
	}
	Failure  string
	Fault    string
	Until    *int64
	Delta    *int64
	Total    *int64
	Decision *struct {
		Verdict, Reason string
		Wait            int64
		Terms           []struct {
			Name, Mark  string
			Value, A, B int64
			Text        string
		}
		Flips []struct {
			Name, Bound, Verdict, Reason string
			Value, Wait                  int64
		}
	}
}

// full returns an event of a kind in which everything is set, with a strange string everywhere.
func full(k event.Kind, s string) event.Event {
	e := event.Event{
		Seq: 7, At: clock.Instant(1500 * time.Millisecond), Kind: k, Who: event.Partner,
		Request:  call.Request{Client: 1, Call: 2, Attempt: 3, ClientID: s, Method: s, Path: s, Key: s, Keyed: true, Amount: 10},
		Response: call.Response{Status: 429, RetryAfter: s, HasRetryAfter: true, Fields: s, Replayed: true, Body: call.Body{Code: s}},
		Failure:  call.Reset, Until: clock.Max - 1, Delta: -5, Total: 5, Fault: event.CrashAfter,
		Decision: decision.Decision{Verdict: decision.GiveUp, Reason: decision.BudgetTooShort, Wait: clock.MaxDuration},
	}
	for _, n := range decision.Names()[:decision.MaxTerms] {
		e.Decision.Add(decision.Term{Name: n, Mark: decision.Ignored, Value: -1, A: 1<<63 - 1, B: -1 << 63, Text: s})
	}
	for range decision.MaxFlips {
		e.Decision.AddFlip(decision.Flip{Name: decision.Key, Bound: decision.MoreThan, Value: 3, Verdict: decision.Retry, Reason: decision.BackoffDecides})
	}
	return e
}

func read(t *testing.T, e *event.Event) line {
	t.Helper()
	text := AppendJSON(nil, e)
	if !json.Valid(text) || !utf8.Valid(text) || slices.Index(text, '\n') != len(text)-1 {
		t.Fatalf("%s: not one line of JSON: %q", e.Kind, text)
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatalf("%s: %v\n%s", e.Kind, err, text)
	}
	return l
}

// valid is what a string comes back as: bytes that are not UTF-8 are U+FFFD.
func valid(s string) string { return string([]rune(s)) }

func TestEveryKindIsOneLineOfJSONThatReadsBack(t *testing.T) {
	for _, k := range event.Kinds() {
		for _, s := range strange {
			e := full(k, s)
			l := read(t, &e)
			if l.Seq != 7 || l.At != 1_500_000_000 || l.Event != k.String() || l.Who != "partner" ||
				*l.Client != 1 || l.Call != 2 || l.Attempt != 3 || l.Method != valid(s) || l.Path != valid(s) ||
				*l.Key != valid(s) || l.Amount != 10 {
				t.Errorf("%s %q: request read back as %+v", k, s, l)
			}
			if r := l.Response; r.Status != 429 || *r.RetryAfter != valid(s) || r.Fields != valid(s) || !r.Replayed || !json.Valid([]byte(r.Body)) {
				t.Errorf("%s %q: response read back as %+v", k, s, r)
			}
			d := l.Decision
			if d.Verdict != "give-up" || d.Reason != "budget-too-short" || d.Wait != int64(clock.MaxDuration) ||
				len(d.Terms) != decision.MaxTerms || len(d.Flips) != decision.MaxFlips {
				t.Errorf("%s %q: decision read back as %+v", k, s, d)
			}
			if term := d.Terms[1]; term.Name != "key" || term.Mark != "ignored" || term.Value != -1 ||
				term.A != 1<<63-1 || term.B != -1<<63 || term.Text != valid(s) {
				t.Errorf("%s %q: term read back as %+v", k, s, term)
			}
			if f := d.Flips[3]; f.Name != "key" || f.Bound != "more-than" || f.Value != 3 || f.Reason != "backoff-decides" {
				t.Errorf("%s %q: flip read back as %+v", k, s, f)
			}
			checkNumbers(t, k, l)
		}
	}
}

// checkNumbers: which kinds have an end, and which a total.
func checkNumbers(t *testing.T, k event.Kind, l line) {
	t.Helper()
	ends := slices.Contains([]event.Kind{
		event.CallStarted, event.AttemptSent, event.RequestAdmitted, event.WorkBegan, event.RetryScheduled,
		event.RunStopped, event.TaskQueued, event.TaskStarted, event.AttemptHeld, event.CircuitOpened,
	}, k)
	if (l.Until != nil) != ends || ends && *l.Until != int64(clock.Max-1) {
		t.Errorf("%s: until %v", k, l.Until)
	}
	sums := k == event.EffectApplied || k == event.ReplyReplayed
	if (l.Total != nil) != sums || sums && (*l.Total != 5 || *l.Delta != -5) {
		t.Errorf("%s: delta %v, total %v", k, l.Delta, l.Total)
	}
	if l.Failure != "reset" || l.Fault != "crash-after" {
		t.Errorf("%s: failure %s, fault %s", k, l.Failure, l.Fault)
	}
}

func TestWhatAnEventHasNotIsLeftOut(t *testing.T) {
	for _, k := range event.Kinds() {
		e := event.Event{Seq: 1, Kind: k, Until: clock.Max}
		l := read(t, &e)
		if l.Call != 0 || l.Key != nil || l.Response != nil || l.Failure != "" || l.Fault != "" || l.Until != nil || l.Decision != nil {
			t.Errorf("%s: %+v", k, l)
		}
		if (l.Client != nil) != (k == event.PolicyChanged || k == event.GuardsChanged) {
			t.Errorf("%s: client %v", k, l.Client)
		}
	}
}

func TestDigestSeesEveryByte(t *testing.T) {
	one := []event.Event{full(event.AttemptSent, "a"), full(event.ReplyArrived, "b")}
	digest := Digest(one)
	if len(digest) != 64 || digest != Digest(slices.Clone(one)) {
		t.Errorf("not one digest: %s", digest)
	}
	one[1].Request.Amount++
	if Digest(one) == digest || Digest(one[:1]) == digest || Digest(nil) == digest {
		t.Error("a change does not show")
	}
}

func TestSecondsRoundDown(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0.000 s"}, {1, "0.000 s"}, {999_999, "0.000 s"}, {time.Millisecond, "0.001 s"},
		{1_850 * time.Millisecond, "1.850 s"}, {-1_850 * time.Millisecond, "-1.850 s"}, {time.Hour, "3600.000 s"},
		{clock.MaxDuration, "9223372036.854 s"}, {clock.MinDuration, "-9223372036.854 s"},
	} {
		if got := Seconds(c.d); got != c.want {
			t.Errorf("Seconds(%d) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestColumnsStayOnOneLine(t *testing.T) {
	for _, k := range event.Kinds() {
		for _, s := range strange {
			e := full(k, s)
			if text := Columns(&e); slices.ContainsFunc([]byte(text), func(b byte) bool { return b < 0x20 }) {
				t.Errorf("%s: %s", k, strconv.Quote(text))
			}
		}
	}
}

func TestKeepCopies(t *testing.T) {
	var k Keep
	e := event.Event{Seq: 1}
	k.Event(&e)
	e.Seq = 2
	k.Event(&e)
	if len(k.Events) != 2 || k.Events[0].Seq != 1 || k.Events[1].Seq != 2 {
		t.Errorf("got %v", k.Events)
	}
}
