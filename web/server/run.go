package server

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"time"
)

// grace is how long running answers may take after the wish to stop.
const grace = 5 * time.Second

// Run serves until the context ends; then it takes no new connections, lets running answers finish, and returns nil.
// It closes the listener.
func Run(ctx context.Context, l net.Listener, h http.Handler, errorLog *log.Logger) error {
	s := &http.Server{
		Handler:           h,
		ErrorLog:          errorLog,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      2 * time.Minute, // the program, uncompressed, over a slow line
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := s.Shutdown(end); errors.Is(err, context.DeadlineExceeded) {
		return s.Close() // who still reads after that has had its time
	} else if err != nil {
		return err
	}
	return nil
}
