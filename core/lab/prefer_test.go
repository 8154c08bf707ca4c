package lab

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/event"
	"retrylab.example/core/partner"
	"retrylab.example/core/scenario"
)

func TestPrefer(t *testing.T) {
	reply := scenario.ScriptedResponse(503)
	reply.RetryAfter, reply.HasRetryAfter = "7", true
	for _, c := range []struct {
		lines   string
		want    partner.Fate
		applied string
	}{
		{"", partner.Fate{}, ""},
		{"respond-async, wait=10", partner.Fate{}, ""},
		{"fault=lost-reply", partner.Fate{Fault: event.LostReply}, "fault=lost-reply"},
		{`respond-async, Fault="slow" ; delay=2s`, partner.Fate{Fault: event.Slow, Delay: 2 * time.Second}, "fault=slow"},
		{"fault=none", partner.Fate{}, "fault=none"},
		{`reply=503;retry-after="7"`, partner.Fate{Fault: event.Reply, Response: reply}, "reply=503"},
		{"fail=502;delay=\"1.5s\"", partner.Fate{Fault: event.Fail, Response: scenario.ScriptedResponse(502), Delay: 1500 * time.Millisecond}, "fail=502"},
		{"fault=slow\nfault=lost-reply", partner.Fate{Fault: event.Slow}, "fault=slow"},
		{`x="a, fault=slow", fault=lost-reply`, partner.Fate{Fault: event.LostReply}, "fault=lost-reply"},
	} {
		got, applied, err := Prefer(strings.Split(c.lines, "\n"))
		if err != nil || got != c.want || applied != c.applied {
			t.Errorf("%q: got %+v, %q, %v", c.lines, got, applied, err)
		}
	}
	for _, line := range []string{
		"fault=", "fault", "fault=other", "fault=reply", "fault=fail", "reply=99", "reply=600", "reply=+503", "reply=0503",
		"fail=200", "fault=slow;delay=2m", "fault=slow;delay=-1s", "fault=slow;delay=x", "fault=slow;retry-after=3",
		"reply=503;other=1", `reply=503;retry-after="é"`,
	} {
		if got, _, err := Prefer([]string{line}); err != ErrPrefer {
			t.Errorf("%q: got %+v, %v", line, got, err)
		}
	}
}

// FuzzPrefer: what is read is a fate that a script could have, and never a wait that is too long.
func FuzzPrefer(f *testing.F) {
	f.Add(`a, reply=503;retry-after="7";delay=2s`)
	f.Fuzz(func(t *testing.T, line string) {
		fate, applied, err := Prefer([]string{line})
		if fate.Delay < 0 || fate.Delay > MaxWait || err != nil && applied != "" || strings.ContainsAny(applied, "\r\n,;") {
			t.Errorf("%q: %+v, %q, %v", line, fate, applied, err)
		}
	})
}
