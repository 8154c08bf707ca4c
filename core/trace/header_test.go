package trace

import "testing"

func TestHeader(t *testing.T) {
	got := string(AppendHeader([]byte("before"), "abc", 1<<64-1))
	if want := `before{"format":1,"scenario":"abc","seed":18446744073709551615}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
