package limit_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
	"retrylab.example/core/trace"
)

// Transcripts are the readable tests of the limiters: the name of a file is its claim. The commands are
//
//	log limit= window= | fixed limit= period= | bucket capacity= period= [refill=] [mode=] |
//	gcra limit= period= [burst=] | concurrency limit=
//	take INSTANT… [key=] [cost=]     one line for each request
//	acquire [N]                      take N slots, numbered from 1
//	release N…                       return them
//	receipt                          of the last decision
//
// `go test ./core/limit -run TestTranscripts -rewrite` rewrites the files.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		var p play
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text, err := p.command(d)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return text
		})
	})
}

// text returns the value of an argument.
func text(d *datadriven.TestData, name, absent string) string {
	for _, a := range d.CmdArgs {
		if a.Key == name && len(a.Vals) > 0 {
			return a.Vals[0]
		}
	}
	return absent
}

// play is the limiter of one transcript.
type play struct {
	take    func(key string, now clock.Instant, cost int64) decision.Decision
	slots   limit.Concurrency
	permits []limit.Permit
	n       int
	last    decision.Decision
}

func (p *play) command(d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "take":
		return p.takes(d)
	case "acquire":
		return p.acquires(d)
	case "release":
		return p.releases(d)
	case "receipt":
		return trace.Receipt(&p.last), nil
	}
	p.n = 0
	return "", p.limiter(d)
}

func (p *play) limiter(d *datadriven.TestData) (err error) {
	span := func(name string) time.Duration {
		v, _ := time.ParseDuration(text(d, name, "0s"))
		return v
	}
	count := func(name string) int64 {
		n, _ := strconv.ParseInt(text(d, name, "0"), 10, 64)
		return n
	}
	most := int(count("limit"))
	switch d.Cmd {
	case "log":
		var l limit.Log
		l, err = limit.New(limit.Config{Limit: most, Window: span("window")})
		p.take = func(key string, now clock.Instant, _ int64) (r decision.Decision) {
			l, r = l.Take(key, now)
			return r
		}
	case "fixed":
		var f limit.Fixed
		f, err = limit.NewFixed(limit.FixedConfig{Limit: most, Period: span("period")})
		p.take = func(key string, now clock.Instant, _ int64) (r decision.Decision) {
			f, r = f.Take(key, now)
			return r
		}
	case "bucket":
		mode, _ := limit.ParseMode(text(d, "mode", "batch"))
		var b limit.Bucket
		b, err = limit.NewBucket(limit.BucketConfig{
			Capacity: count("capacity"), Refill: count("refill"), Period: span("period"), Mode: mode,
		})
		p.take = func(key string, now clock.Instant, cost int64) (r decision.Decision) {
			b, r = b.TakeN(key, now, cost)
			return r
		}
	case "gcra":
		var g limit.GCRA
		g, err = limit.NewGCRA(limit.GCRAConfig{Limit: int64(most), Period: span("period"), Burst: count("burst")})
		p.take = func(key string, now clock.Instant, cost int64) (r decision.Decision) {
			g, r = g.TakeN(key, now, cost)
			return r
		}
	case "concurrency":
		p.slots, err = limit.NewConcurrency(limit.ConcurrencyConfig{Limit: most})
	default:
		err = fmt.Errorf("unknown command %s", d.Cmd)
	}
	return err
}

// line writes one decision.
func (p *play) line(b *strings.Builder, now clock.Instant, key string) {
	p.n++
	fmt.Fprintf(b, "%4d %-9s %s %s:%s", p.n, trace.Seconds(time.Duration(now)), key, p.last.Verdict, p.last.Reason)
	if passes, late := p.last.Term(decision.Passes); late {
		if clock.Instant(passes.Value) == clock.Max {
			b.WriteString(" passes=never")
		} else {
			fmt.Fprintf(b, " passes=%s", trace.Seconds(time.Duration(passes.Value)))
			fmt.Fprintf(b, " retry-after=%d", p.last.Wait/time.Second)
		}
	}
	b.WriteByte('\n')
}

func (p *play) takes(d *datadriven.TestData) (string, error) {
	key := text(d, "key", "a")
	cost, err := strconv.ParseInt(text(d, "cost", "1"), 10, 64)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, a := range d.CmdArgs {
		if len(a.Vals) > 0 {
			continue
		}
		at, err := time.ParseDuration(a.Key)
		if err != nil {
			return "", err
		}
		now := clock.Start.Add(at)
		p.last = p.take(key, now, cost)
		p.line(&b, now, key)
	}
	return b.String(), nil
}

func (p *play) acquires(d *datadriven.TestData) (string, error) {
	n := 1
	if len(d.CmdArgs) > 0 {
		var err error
		if n, err = strconv.Atoi(d.CmdArgs[0].Key); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	for range n {
		var permit limit.Permit
		p.slots, permit, p.last = p.slots.Acquire("a")
		p.permits = append(p.permits, permit)
		p.line(&b, clock.Start, "a")
	}
	return b.String(), nil
}

func (p *play) releases(d *datadriven.TestData) (string, error) {
	var b strings.Builder
	for _, a := range d.CmdArgs {
		i, err := strconv.Atoi(a.Key)
		if err != nil || i < 1 || i > len(p.permits) {
			return "", fmt.Errorf("no permit %s", a.Key)
		}
		var ok bool
		p.slots, ok = p.slots.Release(p.permits[i-1])
		fmt.Fprintf(&b, "permit %d returned: %t, in flight %d\n", i, ok, p.slots.InFlight("a"))
	}
	return b.String(), nil
}
