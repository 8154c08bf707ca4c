package batch

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// played is an engine that does what a test says with each batch.
type played struct {
	play  func(lines chan<- []byte)
	lines chan []byte
	ended bool
}

func (p *played) Send([]byte) error {
	if p.play == nil {
		return errors.New("it has ended")
	}
	go p.play(p.lines)
	return nil
}

func (p *played) Lines() <-chan []byte { return p.lines }
func (p *played) End()                 { p.ended = true }

// says gives lines, each after a while.
func says(after time.Duration, lines ...string) func(chan<- []byte) {
	return func(out chan<- []byte) {
		for _, line := range lines {
			time.Sleep(after) // of the bubble's clock
			out <- []byte(line)
		}
	}
}

func TestRun(t *testing.T) {
	const limit = `{"steps": [{"limit": "memory"}]}`
	for _, c := range []struct {
		name    string
		play    func(chan<- []byte)
		lines   string
		stopped string
		took    time.Duration
		fresh   bool // the next batch gets another engine
	}{
		{"all", says(0, "1", "2", "3"), "123", "", 0, false},
		{"slow", says(time.Second, "1", "2", "3"), "123", "", 3 * time.Second, false},
		{"a limit", says(0, "1", limit), "1" + limit, "", 0, true},
		{"a text that reads like one", says(0, "1", `\"limit\": \"memory\"`, "3"), `1\"limit\": \"memory\"3`, "", 0, false},
		{"never", says(0), "", "time", Limit, true},
		{"the second case never", says(0, "1"), "1", "time", Limit, true},
		{"each case long", says(Limit-1, "1", "2"), "12", "time", 3*Limit - 2, true},
		{"ended by itself", func(out chan<- []byte) { out <- []byte("1"); close(out) }, "1", "crash", 0, true},
		{"ended before", nil, "", "crash", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var engines []*played
				tried := 0
				r := Runner{Tried: func() { tried++ }, Start: func() (Engine, error) {
					engines = append(engines, &played{play: c.play, lines: make(chan []byte, 10)})
					return engines[len(engines)-1], nil
				}}
				begun := time.Now()
				lines, stopped, err := r.Run(nil, 3)
				if got := string(slices.Concat(lines...)); got != c.lines || stopped != c.stopped || err != nil || tried != len(lines) {
					t.Errorf("got %q %q %v, %d tried; want %q %q", got, stopped, err, tried, c.lines, c.stopped)
				}
				if took := time.Since(begun); took != c.took {
					t.Errorf("it took %s, want %s", took, c.took)
				}
				if engines[0].ended != c.fresh {
					t.Errorf("the engine is ended: %t, want %t", engines[0].ended, c.fresh)
				}
				if err := r.Warm(); err != nil || len(engines) > 1 != c.fresh {
					t.Errorf("%d engines were started (%v)", len(engines), err)
				}
			})
		})
	}
}

// TestWhole: a program that is slow in every case is ended too.
func TestWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Runner{Start: func() (Engine, error) {
			return &played{play: says(Limit-time.Nanosecond, slices.Repeat([]string{"x"}, 7)...), lines: make(chan []byte, 10)}, nil
		}}
		begun := time.Now()
		lines, stopped, err := r.Run(nil, 300)
		if len(lines) != 5 || stopped != "time" || err != nil || time.Since(begun) != 5*Limit {
			t.Errorf("got %d lines, %q, %v after %s", len(lines), stopped, err, time.Since(begun))
		}
		time.Sleep(3 * Limit) // until the engine has said all
	})
}

func TestNoEngine(t *testing.T) {
	why := errors.New("there is none")
	r := Runner{Start: func() (Engine, error) { return nil, why }}
	if lines, stopped, err := r.Run(nil, 1); !errors.Is(err, why) || lines != nil || stopped != "" {
		t.Errorf("got %s %q %v", lines, stopped, err)
	}
	r.Stop() // there is nothing to end
}
