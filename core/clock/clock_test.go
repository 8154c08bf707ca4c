package clock

import (
	"testing"
	"time"
)

func TestArithmeticSaturates(t *testing.T) {
	for _, c := range []struct{ got, want int64 }{
		{int64(Max.Add(1)), int64(Max)},
		{int64(Min.Add(-1)), int64(Min)},
		{int64(Start.Add(time.Second)), 1_000_000_000},
		{int64(Max.Sub(Min)), int64(MaxDuration)},
		{int64(Min.Sub(Max)), int64(MinDuration)},
		{int64(Instant(-2).Sub(Max)), int64(MinDuration)},
		{int64(Start.Sub(Min)), int64(MaxDuration)},
		{int64(Instant(-1).Sub(Min)), int64(MaxDuration)},
		{int64(Instant(5).Sub(7)), -2},
		{int64(Times(time.Second, 1<<40)), int64(MaxDuration)},
		{int64(Times(3, 4)), 12},
		{int64(Times(MaxDuration, 1)), int64(MaxDuration)},
	} {
		if c.got != c.want {
			t.Errorf("got %d, want %d", c.got, c.want)
		}
	}
}
