package live_test

import (
	"testing"

	"retrylab.example/web/live"
	"retrylab.example/web/live/storetest"
)

func TestMemory(t *testing.T) {
	m := &live.Memory{}
	storetest.Suite(t, func(*testing.T) live.Store { return m })
}
