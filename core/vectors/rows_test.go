package vectors

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/rng"
)

// readVectors reads a file of vectors: the committed one, or that of the folder in RETRYLAB_VECTORS.
func readVectors(t *testing.T, name string) []byte {
	t.Helper()
	folder := os.Getenv("RETRYLAB_VECTORS")
	if folder == "" {
		folder = "testdata"
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// each runs check on every row of one function, prints how many ran, and fails when there is none.
func each[R any](t *testing.T, function string, check func(t *testing.T, row R)) {
	t.Helper()
	text := readVectors(t, "contracts.json")
	var functions map[string][]json.RawMessage
	if err := json.Unmarshal(text, &functions); err != nil {
		t.Fatal(err)
	}
	rows := functions[function]
	if len(rows) == 0 {
		t.Fatalf("%s: 0 rows", function)
	}
	for i, raw := range rows {
		var row R
		if err := json.Unmarshal(raw, &row); err != nil {
			t.Errorf("%s row %d: %v\n%s", function, i, err, raw)
			continue
		}
		t.Run(fmt.Sprintf("%s/%d", function, i), func(t *testing.T) {
			check(t, row)
			if t.Failed() {
				t.Logf("row: %s", raw)
			}
		})
	}
	fmt.Printf("%s: %d rows\n", function, len(rows))
}

// same compares a result with the row's.
func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// seconds is a decimal number of seconds, rounded to whole nanoseconds; what does not fit saturates.
type seconds struct{ time.Duration }

func (s *seconds) UnmarshalJSON(text []byte) error {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || text[0] == '"' {
		return fmt.Errorf("not a number of seconds: %s", text)
	}
	r.Mul(r, big.NewRat(1e9, 1))
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	r.Add(r, half)
	n := new(big.Int).Quo(r.Num(), r.Denom())
	switch {
	case n.IsInt64():
		s.Duration = time.Duration(n.Int64())
	case n.Sign() < 0:
		s.Duration = clock.MinDuration
	default:
		s.Duration = clock.MaxDuration
	}
	return nil
}

func (s seconds) instant() clock.Instant { return clock.Instant(s.Duration) }

func instants(all []seconds) []clock.Instant {
	list := []clock.Instant{}
	for _, s := range all {
		list = append(list, s.instant())
	}
	return list
}

func durations(all []seconds) []time.Duration {
	list := []time.Duration{}
	for _, s := range all {
		list = append(list, s.Duration)
	}
	return list
}

// result is what a function returns: seconds, or a refused argument.
type result struct {
	seconds
	refused bool
}

func (r *result) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return r.seconds.UnmarshalJSON(text)
	}
	r.refused = true
	return isArgumentError(text)
}

func isArgumentError(text []byte) error {
	var e struct{ Error string }
	if err := json.Unmarshal(text, &e); err != nil || e.Error != "invalid_argument" {
		return fmt.Errorf("unknown result: %s", text)
	}
	return nil
}

func (r result) check(t *testing.T, got time.Duration, err error) {
	t.Helper()
	same(t, "refused", err != nil, r.refused)
	if err == nil {
		same(t, "seconds", got, r.Duration)
	}
}

// fraction is an exact ratio; one that rng.Ratio cannot hold is outside [0, 1].
type fraction struct{ rng.Ratio }

var outside = rng.Ratio{Num: 2, Den: 1}

func (f *fraction) UnmarshalJSON(text []byte) error {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || text[0] == '"' {
		return fmt.Errorf("not a fraction: %s", text)
	}
	if r.Sign() < 0 || r.Cmp(big.NewRat(1, 1)) > 0 {
		f.Ratio = outside
		return nil
	}
	if !r.Denom().IsUint64() {
		return fmt.Errorf("too many digits: %s", text)
	}
	f.Ratio = rng.Ratio{Num: r.Num().Uint64(), Den: r.Denom().Uint64()}
	return nil
}

// header is a header's text. A JSON value that is not a string stands for its own text, and null for no header.
type header struct {
	text string
	sent bool
}

func (h *header) UnmarshalJSON(text []byte) error {
	switch {
	case string(text) == "null":
		return nil
	case text[0] == '"':
		h.sent = true
		return json.Unmarshal(text, &h.text)
	}
	h.text, h.sent = string(text), true
	return nil
}
