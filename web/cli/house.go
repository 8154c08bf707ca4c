package cli

import (
	"context"
	"log"
	"time"

	"retrylab.example/web/live"
	"retrylab.example/web/live/sqlite"
)

// openHouse opens the labs: in a file, or in memory without one. close ends what keeps them.
func openHouse(ctx context.Context, file string, errors *log.Logger) (h *live.House, close func() error, err error) {
	c := live.HouseConfig{Log: func(err error) { errors.Printf("labs: %v", err) }}
	close = func() error { return nil }
	if file != "" {
		s, err := sqlite.Open(file)
		if err != nil {
			return nil, nil, err
		}
		c.Store, close = s, s.Close
	}
	h = live.NewHouse(c)
	go expire(ctx, h, errors)
	context.AfterFunc(ctx, h.Close)
	return h, close, nil
}

// expire ends labs that are over, once a minute.
func expire(ctx context.Context, h *live.House, errors *log.Logger) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := h.Expire(ctx); err != nil {
				errors.Printf("labs that are over: %v", err)
			}
		case <-ctx.Done():
			return
		}
	}
}
