package breaker_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/trace"
)

// Transcripts are the readable tests of the breaker: the name of a file is its claim. The commands are
//
//	breaker [window=] [failures=] [size=] [span=] [percent=] [minimum=] open= [probes=] [successes=] [lease=] [ignoring=]
//	admit INSTANT…                      asks for permits, numbered from 1
//	record INSTANT PERMIT… CLASS        brings them back with a result
//	results INSTANT [× or ·]…           admits and records one call after the other, × for a failure, · for a success
//	cancel INSTANT PERMIT…              brings them back without one
//	receipt                             of the last decision
//
// and each prints the decisions. `go test ./core/breaker -run TestTranscripts -rewrite` rewrites the files.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		p := play{permits: []breaker.Permit{{}}}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text, err := p.command(d)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return text
		})
	})
}

// play is the breaker of one transcript.
type play struct {
	b       breaker.Breaker
	permits []breaker.Permit // from 1
	n       int
	last    decision.Decision
	out     strings.Builder
}

func (p *play) command(d *datadriven.TestData) (string, error) {
	p.out.Reset()
	var words []string
	for _, a := range d.CmdArgs {
		if len(a.Vals) == 0 {
			words = append(words, a.Key)
		}
	}
	switch d.Cmd {
	case "receipt":
		return trace.Receipt(&p.last), nil
	case "breaker":
		return "", p.breaker(d)
	case "admit":
		for _, w := range words {
			now, err := instant(w)
			if err != nil {
				return "", err
			}
			p.admit(now)
		}
		return p.out.String(), nil
	}
	now, err := instant(words[0])
	if err != nil {
		return "", err
	}
	switch d.Cmd {
	case "record":
		err = p.record(now, words[1:len(words)-1], words[len(words)-1])
	case "results":
		for _, r := range strings.Join(words[1:], "") {
			p.b, p.permits[0], p.last = p.b.Admit(now)
			p.result(now, 0, map[rune]call.Class{'×': call.Transient, '·': call.Success}[r])
		}
	case "cancel":
		err = p.cancel(now, words[1:])
	default:
		err = fmt.Errorf("unknown command %s", d.Cmd)
	}
	return p.out.String(), err
}

func instant(word string) (clock.Instant, error) {
	d, err := time.ParseDuration(word)
	return clock.Start.Add(d), err
}

func (p *play) breaker(d *datadriven.TestData) (err error) {
	var c breaker.Config
	for _, a := range d.CmdArgs {
		n, _ := strconv.Atoi(a.Vals[0])
		span, _ := time.ParseDuration(a.Vals[0])
		switch a.Key {
		case "window":
			c.Window, _ = breaker.ParseWindow(a.Vals[0])
		case "failures":
			c.Failures = n
		case "size":
			c.Size = n
		case "span":
			c.Span = span
		case "percent":
			c.Percent = n
		case "minimum":
			c.Minimum = n
		case "open":
			c.Open = span
		case "probes":
			c.Probes = n
		case "successes":
			c.Successes = n
		case "lease":
			c.Lease = span
		case "ignoring":
			c.Ignoring = breaker.ClassesOf(class(a.Vals[0]))
		default:
			return fmt.Errorf("unknown setting %s", a.Key)
		}
	}
	p.b, err = breaker.New(c)
	return err
}

func class(name string) call.Class {
	for c := call.Success; c <= call.Unknown; c++ {
		if c.String() == name {
			return c
		}
	}
	return call.Success
}

func (p *play) line(now clock.Instant, permit, what string) {
	p.n++
	fmt.Fprintf(&p.out, "%4d %-9s %-9s %-7s %s:%s", p.n, trace.Seconds(time.Duration(now)), p.b.State(now), permit,
		p.last.Verdict, p.last.Reason)
	if what != "" {
		p.out.WriteString(" " + what)
	}
	if p.last.Wait > 0 {
		p.out.WriteString(" wait=" + p.last.Wait.String())
	}
	p.out.WriteByte('\n')
}

func (p *play) admit(now clock.Instant) {
	var permit breaker.Permit
	p.b, permit, p.last = p.b.Admit(now)
	name := "-"
	if p.last.Verdict == decision.Admit {
		p.permits = append(p.permits, permit)
		name = "#" + strconv.Itoa(len(p.permits)-1)
	}
	p.line(now, name, "")
}

func (p *play) permit(word string) (int, error) {
	i, err := strconv.Atoi(word)
	if err != nil || i < 1 || i >= len(p.permits) {
		return 0, fmt.Errorf("no permit %s", word)
	}
	return i, nil
}

func (p *play) record(now clock.Instant, permits []string, of string) error {
	for _, w := range permits {
		i, err := p.permit(w)
		if err != nil {
			return err
		}
		p.result(now, i, class(of))
	}
	return nil
}

func (p *play) result(now clock.Instant, permit int, of call.Class) {
	p.b, p.last = p.b.Record(now, p.permits[permit], of)
	name := ""
	if permit > 0 {
		name = "#" + strconv.Itoa(permit)
	}
	p.line(now, name, of.String())
}

func (p *play) cancel(now clock.Instant, permits []string) error {
	for _, w := range permits {
		i, err := p.permit(w)
		if err != nil {
			return err
		}
		var ok bool
		p.b, ok = p.b.Cancel(now, p.permits[i])
		fmt.Fprintf(&p.out, "permit %d returned: %t, probes running %d\n", i, ok, p.b.RunningProbes(now))
	}
	return nil
}
