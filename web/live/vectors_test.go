package live_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/web/live"
)

// seconds is a decimal number of seconds, rounded to whole nanoseconds.
type seconds struct{ time.Duration }

func (s *seconds) UnmarshalJSON(text []byte) error {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || r.Sign() < 0 {
		return fmt.Errorf("not a number of seconds from 0: %s", text)
	}
	r.Mul(r, big.NewRat(1e9, 1)).Add(r, big.NewRat(1, 2))
	n := new(big.Int).Quo(r.Num(), r.Denom())
	if !n.IsInt64() {
		return fmt.Errorf("more seconds than fit: %s", text)
	}
	s.Duration = time.Duration(n.Int64())
	return nil
}

type workRow struct {
	Limit  int
	Window seconds
	Steps  []struct {
		At         seconds
		Client     *string // null: no header
		Status     int
		Body       any
		RetryAfter *string `json:"retry_after"`
	}
}

// TestVectorsWorkRequestsHTTP plays the rows of contract B through the handler. RETRYLAB_VECTORS names another folder
// with a contracts.json.
func TestVectorsWorkRequestsHTTP(t *testing.T) {
	folder := os.Getenv("RETRYLAB_VECTORS")
	if folder == "" {
		folder = "../../core/vectors/testdata"
	}
	text, err := os.ReadFile(filepath.Join(folder, "contracts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var functions struct {
		Rows []workRow `json:"work_requests"`
	}
	if err := json.Unmarshal(text, &functions); err != nil {
		t.Fatal(err)
	}
	if len(functions.Rows) == 0 {
		t.Fatal("work_requests: 0 rows")
	}
	for i, row := range functions.Rows {
		t.Run(fmt.Sprint(i), func(t *testing.T) { row.play(t) })
	}
	fmt.Printf("work_requests over HTTP: %d rows\n", len(functions.Rows))
}

func (row workRow) play(t *testing.T) {
	a := newApp(t, live.HouseConfig{}, fmt.Sprintf(`{"partner":{"limit":{"count":%d,"window":%q}}}`,
		row.Limit, document.FormatDuration(row.Window.Duration)))
	begun := a.now
	for i, step := range row.Steps {
		a.now = begun.Add(step.At.Duration)
		var client []string
		if step.Client != nil {
			client = []string{"X-Client-ID", *step.Client}
		}
		w := a.ask("GET", a.base+"/work", "", client...)
		var body any
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatalf("step %d: body %q: %v", i, w.Body, err)
		}
		if w.Code != step.Status || !reflect.DeepEqual(body, step.Body) {
			t.Errorf("step %d: got %d %v, want %d %v", i, w.Code, body, step.Status, step.Body)
		}
		var wait []string
		if step.RetryAfter != nil {
			wait = []string{*step.RetryAfter}
		}
		if got := w.Header()["Retry-After"]; !reflect.DeepEqual(got, wait) {
			t.Errorf("step %d: Retry-After: got %v, want %v", i, got, wait)
		}
	}
}
