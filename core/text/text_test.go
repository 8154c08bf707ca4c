package text_test

import (
	"time"

	"retrylab.example/core/clock"
)

func at(ms int) clock.Instant { return clock.Start.Add(time.Duration(ms) * time.Millisecond) }
