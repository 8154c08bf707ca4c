package vectors

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/field"
	"retrylab.example/core/idemkey"
	"retrylab.example/core/ratelimit"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/sfv"
)

// headerRow is what every row on a header has.
type headerRow struct {
	ID, Note string
	Lines    []string
}

// eachHeader runs check on every row of a list and prints how many ran.
func eachHeader[R any](t *testing.T, name string, list []byte, head func(R) headerRow, check func(*testing.T, R)) {
	t.Helper()
	var rows []R
	if err := json.Unmarshal(list, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatalf("%s: 0 rows", name)
	}
	for _, row := range rows {
		h := head(row)
		t.Run(h.ID, func(t *testing.T) {
			if check(t, row); t.Failed() {
				t.Logf("%s %q: %s", h.ID, h.Lines, h.Note)
			}
		})
	}
	fmt.Printf("%s: %d rows\n", name, len(rows))
}

// Retry-After: four policies on one value.

type retryAfterRow struct {
	headerRow
	Want map[string]retryAfterWant
}

type retryAfterWant struct {
	Result  string
	Seconds *int64
	AtLeast *int64 `json:"at_least"`
	Form    string
	Instant string
	Warn    string
	Leap    bool
	Reason  string
}

func TestVectorsRetryAfter(t *testing.T) {
	var file struct {
		Now     string
		Vectors json.RawMessage
	}
	if err := json.Unmarshal(readVectors(t, "retry_after.json"), &file); err != nil {
		t.Fatal(err)
	}
	now, ok := field.ParseTimestamp(file.Now)
	if !ok {
		t.Fatalf("now is %q", file.Now)
	}
	ran := map[string]int{}
	eachHeader(t, "retry_after.json", file.Vectors, func(r retryAfterRow) headerRow { return r.headerRow }, func(t *testing.T, row retryAfterRow) {
		vendor, given := row.Want["vendor"]
		if !given {
			vendor = row.Want["standards"]
		}
		for _, p := range []struct {
			mode retryafter.Mode
			want retryAfterWant
		}{
			{retryafter.Strict, row.Want["strict"]}, {retryafter.Standard, row.Want["standards"]},
			{retryafter.Integer, row.Want["lesson"]}, {retryafter.Vendor, vendor}, {retryafter.Wild, vendor},
		} {
			t.Run(p.mode.String(), func(t *testing.T) {
				p.want.check(t, retryafter.Read(p.mode, row.Lines, retryafter.Context{Now: now}), now.Time)
				ran[p.mode.String()]++
			})
		}
		if given {
			ran["given for vendor"]++
		}
	})
	for _, name := range append(retryafter.ModeNames(), "given for vendor") {
		if ran[name] > 0 {
			fmt.Printf("  %s: %d\n", name, ran[name])
		}
	}
}

func (w retryAfterWant) check(t *testing.T, got retryafter.Reading, now field.Time) {
	t.Helper()
	switch w.Result {
	case "ignored", "invalid":
		same(t, "valid", got.Valid, false)
		if w.Reason != "" {
			same(t, "reason", reasonText(got), w.Reason)
		}
	case "delay":
		same(t, "date", got.Date.Form, field.NoForm)
		w.checkSeconds(t, got)
	case "date":
		same(t, "kind", got.Kind, retryafter.HTTPDate)
		same(t, "form", got.Date.Form.String(), w.Form)
		same(t, "instant", got.Date.Time.String(), w.Instant)
		same(t, "leap", got.Date.Leap, w.Leap)
		same(t, "warning", got.Warn.Has(retryafter.WeekdayMismatch), w.Warn == "weekday-mismatch")
		same(t, "seconds", got.Seconds, max(int64(got.Date.Time-now), 0))
		w.checkSeconds(t, got)
	default:
		t.Errorf("unknown result %q", w.Result)
	}
}

func (w retryAfterWant) checkSeconds(t *testing.T, got retryafter.Reading) {
	t.Helper()
	same(t, "valid", got.Valid, true)
	if w.AtLeast != nil {
		if least := time.Duration(*w.AtLeast) * time.Second; got.Seconds < *w.AtLeast || got.Delay < least {
			t.Errorf("got %d s, %v; want at least %d s", got.Seconds, got.Delay, *w.AtLeast)
		}
		return
	}
	same(t, "seconds", got.Seconds, *w.Seconds)
	same(t, "delay", got.Delay, clock.Times(time.Second, uint64(*w.Seconds)))
}

// reasonText is a reason in the informative words of the file.
func reasonText(r retryafter.Reading) string {
	switch r.Reason {
	case retryafter.Empty:
		return "empty"
	case retryafter.Repeated:
		return "repeated singleton field"
	case retryafter.NoForm:
		return "no HTTP-date form"
	case retryafter.DayName:
		return "day-name"
	case retryafter.Punctuation:
		return "IMF punctuation/zone"
	case retryafter.TimeOfDay:
		return "time-of-day range"
	case retryafter.NoSuchDay:
		return "no such day"
	case retryafter.WrongWeekday:
		return "weekday does not match the date"
	}
	return r.Reason.String()
}

func TestVectorsReplaceDelayNumber(t *testing.T) {
	each(t, "replace_delay_number", func(t *testing.T, row delayRow) {
		var lines []string
		if row.Args.RetryAfter.sent {
			lines = []string{row.Args.RetryAfter.text}
		}
		r := retryafter.Read(retryafter.Decimal, lines, retryafter.Context{})
		got, _ := retryafter.Replace.Wait(row.Args.Local.Duration, r.Delay)
		same(t, "wait", got, row.Want.Duration)
	})
}

// RateLimit and RateLimit-Policy.

type rateLimitRow struct {
	headerRow
	Field, SF string
	Want      rateLimitWant
}

type rateLimitWant struct {
	Result  string
	Ignored bool
	Items   []limitItem
	Binding string
	Cap     bool
	Act     *bool
	Lenient json.RawMessage
	Compat  string
}

// limitItem is a limit or a policy; null stands for a parameter that was not sent.
type limitItem struct {
	Name       string
	R, T, Q, W *int64
	Qu, PK     *string
	PKText     string `json:"pk_text"`
}

func TestVectorsRateLimit(t *testing.T) {
	head := func(r rateLimitRow) headerRow { return r.headerRow }
	ran := map[string]int{}
	eachHeader(t, "ratelimit.json", readVectors(t, "ratelimit.json"), head, func(t *testing.T, row rateLimitRow) {
		ran[row.Field]++
		same(t, "structured field", writeList(row.Lines), row.SF)
		if row.Field == "RateLimit" {
			row.checkLimits(t)
		} else {
			row.checkPolicies(t)
		}
	})
	fmt.Printf("  RateLimit: %d\n  RateLimit-Policy: %d\n", ran["RateLimit"], ran["RateLimit-Policy"])
}

var statusNames = map[string]ratelimit.Status{
	"ok": ratelimit.OK, "malformed": ratelimit.Malformed, "sf-failure": ratelimit.NotAList, "absent": ratelimit.Absent,
}

func (row rateLimitRow) checkLimits(t *testing.T) {
	got := ratelimit.ReadLimits(ratelimit.Draft, row.Lines)
	var items []limitItem
	for _, l := range got.Items {
		i := limitItem{Name: l.Name, R: &l.Remaining}
		i.setPartition(l.Partition, l.HasPartition)
		if l.HasReset {
			i.T = &l.Reset
		}
		items = append(items, i)
	}
	row.checkItems(t, got.Status, items, got.Capped)
	if binding, _ := got.Binding(); row.Want.Binding != "" {
		same(t, "binding", binding.Name, row.Want.Binding)
	}
	if row.Want.Compat != "" {
		same(t, "compatible", ratelimit.ReadLimits(ratelimit.Compatible, row.Lines).Status, ratelimit.OK)
	}
}

func (row rateLimitRow) checkPolicies(t *testing.T) {
	got := ratelimit.ReadPolicies(ratelimit.Draft, row.Lines)
	var items []limitItem
	act := true
	for _, p := range got.Items {
		i := limitItem{Name: p.Name, Q: &p.Quota}
		i.setPartition(p.Partition, p.HasPartition)
		if p.HasWindow {
			i.W = &p.Window
		}
		if p.HasUnit {
			i.Qu = &p.Unit
		}
		items = append(items, i)
		act = act && p.UnitKnown()
	}
	row.checkItems(t, got.Status, items, got.Capped)
	same(t, "act", act, row.Want.Act == nil || *row.Want.Act)
	if row.Want.Compat != "" {
		same(t, "compatible", ratelimit.ReadPolicies(ratelimit.Compatible, row.Lines).Status, ratelimit.OK)
	}
}

func (i *limitItem) setPartition(text string, sent bool) {
	if coded := base64.StdEncoding.EncodeToString([]byte(text)); sent {
		i.PK, i.PKText = &coded, text
	}
}

func (row rateLimitRow) checkItems(t *testing.T, status ratelimit.Status, got []limitItem, capped bool) {
	t.Helper()
	same(t, "status", status, statusNames[row.Want.Result])
	same(t, "ignored", status > ratelimit.OK, row.Want.Ignored)
	same(t, "capped", capped, row.Want.Cap)
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(row.Want.Items)
	same(t, "items", string(a), string(b))
}

// writeList writes a List as the files do: 1: String(7){r=Integer(50);t=Integer(30)}.
func writeList(lines []string) string {
	list, fault := sfv.ParseList(lines)
	if fault != nil {
		return "fail"
	}
	var members []string
	for _, m := range list {
		var params []string
		for _, p := range m.Params {
			params = append(params, p.Key+"="+writeValue(p.Value))
		}
		members = append(members, writeValue(m.Value)+"{"+strings.Join(params, ";")+"}")
	}
	if len(list) == 0 {
		return "0:"
	}
	return strconv.Itoa(len(list)) + ": " + strings.Join(members, " | ")
}

// writeValue writes the type of a value, with its number or length where the files have one.
func writeValue(v sfv.Value) string {
	switch v.Kind {
	case sfv.Integer:
		return fmt.Sprintf("Integer(%d)", v.Int)
	case sfv.String:
		return fmt.Sprintf("String(%d)", len(v.Text))
	}
	return kindName(v.Kind)
}

func kindName(k sfv.Kind) string {
	return strings.ReplaceAll(strings.Replace(k.String(), "Sequence", "Seq", 1), " ", "")
}

// Idempotency-Key: two profiles, and the lab's own rule.

type keyRow struct {
	headerRow
	SF   string
	Want map[string]keyWant
}

type keyWant struct {
	Result, Key, Reason, Type string
	Status                    int
	KeepsQuotes               bool     `json:"keeps_quotes"`
	IgnoredParameters         []string `json:"ignored_parameters"`
}

func TestVectorsIdempotencyKey(t *testing.T) {
	head := func(r keyRow) headerRow { return r.headerRow }
	ran := map[string]int{}
	eachHeader(t, "idempotency_key.json", readVectors(t, "idempotency_key.json"), head, func(t *testing.T, row keyRow) {
		same(t, "structured field", writeItem(row.Lines), row.SF)
		for _, name := range idemkey.ProfileNames() {
			p, _ := idemkey.ParseProfile(name)
			got := idemkey.Read(p, row.Lines)
			want, given := row.Want[name]
			if p == idemkey.Lab && !given { // it refuses no key but these, and takes the draft's before the raw one
				want = row.labKey()
			}
			t.Run(name, func(t *testing.T) { want.check(t, got, p) })
			if given {
				ran[name]++
			}
		}
	})
	fmt.Printf("  draft: %d\n  raw: %d\n  lab: %d\n", ran["draft"], ran["raw"], ran["lab"])
}

func (row keyRow) labKey() keyWant {
	if w := row.Want["draft"]; w.Result == "key" {
		return w
	}
	return row.Want["raw"]
}

func (w keyWant) check(t *testing.T, got idemkey.Key, p idemkey.Profile) {
	t.Helper()
	results := map[string]idemkey.Result{"key": idemkey.Given, "absent": idemkey.Absent, "reject": idemkey.Refused}
	same(t, "result", got.Result, results[w.Result])
	same(t, "key", got.Text, w.Key)
	same(t, "status", got.Status, w.Status)
	same(t, "keeps quotes", got.Quoted, w.KeepsQuotes)
	if w.Type != "" {
		same(t, "type", kindName(got.Kind), w.Type)
	}
	if !slices.Equal(got.Ignored, w.IgnoredParameters) {
		t.Errorf("ignored parameters: got %q, want %q", got.Ignored, w.IgnoredParameters)
	}
	texts := map[idemkey.Reason]string{
		idemkey.NoReason: "", idemkey.EmptyValue: "empty value; ", idemkey.ParseFailure: "parse failure", idemkey.NotAString: "not a String",
		idemkey.Repeated: "two lines", idemkey.TooLong: "too long: ", idemkey.BadByte: "byte outside %x21-7E",
		idemkey.EmptyKey: "empty key", idemkey.ClientBug: "client-bug literal",
	}
	if text, known := texts[got.Reason]; !known || !strings.HasPrefix(w.Reason, text) || (text == "") != (w.Reason == "") {
		t.Errorf("reason: got %s, want %q", got.Reason, w.Reason)
	}
}

// writeItem writes an Item as the file does: its type, the length of a String, and that it has parameters.
func writeItem(lines []string) string {
	item, fault := sfv.ParseItem(lines)
	if fault != nil {
		return "fail"
	}
	s := kindName(item.Value.Kind)
	if item.Value.Kind == sfv.String {
		s = writeValue(item.Value)
	}
	if len(item.Params) > 0 {
		s += " params"
	}
	return s
}
