package trace

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
)

// Columns returns one event as a line of text with codes: number, instant, who, what, and its numbers. It is what
// transcripts are made of; sentences for people are the text package's.
func Columns(e *event.Event) string {
	var b strings.Builder
	pad(&b, strconv.Itoa(e.Seq), 4)
	pad(&b, Seconds(time.Duration(e.At)), 11)
	pad(&b, e.Who.String(), 8)
	pad(&b, e.Kind.String(), 17)
	if e.Request.Call > 0 {
		pad(&b, "call "+strconv.Itoa(e.Request.Call)+"."+strconv.Itoa(e.Request.Attempt), 9)
	}
	details(&b, e)
	return strings.TrimRight(b.String(), " ")
}

func pad(b *strings.Builder, s string, width int) {
	b.WriteString(s)
	for i := len(s); i < width; i++ {
		b.WriteByte(' ')
	}
	b.WriteByte(' ')
}

func details(b *strings.Builder, e *event.Event) {
	switch e.Kind {
	case event.CallStarted:
		word(b, printable(e.Request.Method+" "+e.Request.Path))
		if e.Request.Keyed {
			word(b, "key="+strconv.Quote(e.Request.Key))
		}
		if e.Request.IfMatch != "" {
			word(b, "if-match="+strconv.Quote(e.Request.IfMatch))
		}
		if e.Request.Amount != 0 {
			word(b, "amount="+strconv.FormatInt(e.Request.Amount, 10))
		}
		if e.Request.Slot != 0 {
			word(b, "slot="+strconv.FormatInt(e.Request.Slot, 10))
		}
	case event.EffectApplied, event.ReplyReplayed:
		word(b, "delta="+strconv.FormatInt(e.Delta, 10))
		word(b, "total="+strconv.FormatInt(e.Total, 10))
	}
	if e.Pool > 0 {
		word(b, "pool="+strconv.Itoa(e.Pool))
	}
	if e.Response.Status > 0 {
		word(b, strconv.Itoa(e.Response.Status))
		if e.Response.HasRetryAfter {
			word(b, "retry-after="+strconv.Quote(e.Response.RetryAfter))
		}
		for f := range strings.Lines(e.Response.Fields) {
			word(b, strconv.Quote(strings.TrimSuffix(f, "\n")))
		}
		if e.Response.Replayed {
			word(b, "replayed")
		}
	}
	if e.Failure > 0 {
		word(b, e.Failure.String())
	}
	if e.Fault > 0 {
		word(b, "fault="+e.Fault.String())
	}
	if e.Decides() {
		word(b, e.Decision.Verdict.String()+":"+e.Decision.Reason.String())
	}
	if e.Decision.Wait > 0 {
		word(b, "wait="+Seconds(e.Decision.Wait))
	}
	if e.Until > 0 && e.Until != clock.Max {
		word(b, "until="+Seconds(time.Duration(e.Until)))
	}
}

// printable keeps a line one line, and a terminal's settings its own.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return '\ufffd'
		}
		return r
	}, s)
}

func word(b *strings.Builder, s string) {
	b.WriteString(s)
	b.WriteByte(' ')
}
