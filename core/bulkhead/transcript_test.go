package bulkhead_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/trace"
)

// Transcripts are the readable tests of the bulkhead: the name of a file is its claim. The commands are
//
//	bulkhead running= [queue=] [timeout=]
//	submit INSTANT…            submits tasks, numbered by the bulkhead
//	finish INSTANT TASK…       ends their work
//	leave INSTANT TASK…        lets their callers go, if it is time
//	receipt                    of the last decision
//
// and each prints the decisions and who is where then. `go test ./core/bulkhead -run TestTranscripts -rewrite` rewrites
// the files.
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

// play is the bulkhead of one transcript.
type play struct {
	b    bulkhead.Bulkhead
	n    int
	last decision.Decision
	out  strings.Builder
}

func (p *play) command(d *datadriven.TestData) (string, error) {
	p.out.Reset()
	switch d.Cmd {
	case "receipt":
		return trace.Receipt(&p.last), nil
	case "bulkhead":
		return "", p.bulkhead(d)
	case "submit":
		for _, a := range d.CmdArgs {
			at, err := time.ParseDuration(a.Key)
			if err != nil {
				return "", err
			}
			now := clock.Start.Add(at)
			var task bulkhead.Task
			p.b, task, p.last = p.b.Submit(now)
			p.line(now, task.Serial)
		}
		return p.out.String(), nil
	}
	at, err := time.ParseDuration(d.CmdArgs[0].Key)
	if err != nil {
		return "", err
	}
	for _, a := range d.CmdArgs[1:] {
		serial, err := strconv.ParseUint(a.Key, 10, 64)
		if err != nil {
			return "", err
		}
		p.step(d.Cmd, clock.Start.Add(at), serial)
	}
	return p.out.String(), nil
}

func (p *play) bulkhead(d *datadriven.TestData) (err error) {
	var c bulkhead.Config
	for _, a := range d.CmdArgs {
		n, _ := strconv.Atoi(a.Vals[0])
		switch a.Key {
		case "running":
			c.Running = n
		case "queue":
			c.Queue = n
		case "timeout":
			c.CallerTimeout, err = time.ParseDuration(a.Vals[0])
		default:
			err = fmt.Errorf("unknown setting %s", a.Key)
		}
	}
	if err == nil {
		p.b, err = bulkhead.New(c)
	}
	return err
}

func (p *play) step(cmd string, now clock.Instant, serial uint64) {
	var d decision.Decision
	if cmd == "finish" {
		var next bulkhead.Task
		p.b, next, d = p.b.Finish(now, serial)
		serial = next.Serial
	} else {
		p.b, d = p.b.Leave(now, serial)
	}
	if d.Verdict == decision.NoVerdict {
		fmt.Fprintf(&p.out, "     %-9s nothing, running %d, queued %d\n", trace.Seconds(time.Duration(now)), p.b.Running(), p.b.Queued())
		return
	}
	p.last = d
	p.line(now, serial)
}

func (p *play) line(now clock.Instant, task uint64) {
	p.n++
	name := "-"
	if task > 0 {
		name = "task " + strconv.FormatUint(task, 10)
	}
	fmt.Fprintf(&p.out, "%4d %-9s %-7s %s:%s running %d, queued %d\n", p.n, trace.Seconds(time.Duration(now)), name,
		p.last.Verdict, p.last.Reason, p.b.Running(), p.b.Queued())
}
