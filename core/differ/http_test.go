package differ

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go/failsafehttp"
	retryable "github.com/hashicorp/go-retryablehttp"

	"retrylab.example/core/backoff"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// httpCase is what the comparisons over HTTP set beside limits and script.
type httpCase struct {
	method string
	safety retry.Safety
	rule   retryafter.Rule
}

// asks says that the library looks at the answer's wish, and that the wish is of one of these kinds.
func (p *parting) asks(kinds ...wishKind) bool {
	a := p.answer()
	for _, k := range kinds {
		if a.wish.kind == k {
			return a.status == 429 || a.status == 503
		}
	}
	return false
}

// weFollow says that we did what our rule says to a wish of d.
func (p *parting) weFollow(d time.Duration) bool {
	wait, _ := p.http.rule.Wait(p.local(), d)
	return p.weWait(wait) || d > longest && p.ours == next{}
}

// refusal: the request may not be repeated, and we say so at once.
func refusal(p parting) bool {
	return p.http.method == "POST" && p.http.safety == retry.Standard && p.n == 1 && p.ours == next{}
}

// atOnce: a wish of 0 is followed.
func atOnce(p parting) bool {
	return p.asks(atZero, imfDate) && p.answer().wish.asked(p.at) == 0 && p.theirs == next{again: true} && p.weFollow(0)
}

// signed: a number with a sign is read.
func signed(p parting) bool {
	return p.asks(withPlus) && p.theyWait(p.answer().wish.asked(p.at)) && p.weFollow(0)
}

// wraps: what does not fit wraps around.
func wraps(p parting) bool {
	return p.asks(wrapping) && p.theyWait(p.answer().wish.asked(p.at)) && p.ours == next{}
}

// elsewhere: after another status the wish is not looked at, so they wait d.
func elsewhere(p *parting, d time.Duration) bool {
	a := p.answer()
	return a.wish.kind != noWish && a.status != 429 && a.status != 503 && p.theyWait(d)
}

// uncapped: they wait for as long as they are asked to.
func uncapped(p parting) bool {
	return p.asks(tooLong) && p.theyWait(p.answer().wish.asked(p.at)) && p.ours == next{}
}

// undercut: they wait for less than their own backoff, because they were asked to.
func undercut(p parting) bool {
	d := p.answer().wish.asked(p.at)
	return p.http.rule == retryafter.Floor && p.asks(inSeconds, imfDate) && d < p.local() && p.theyWait(d) && p.weFollow(d)
}

// unread: they cannot read a wish, and wait d.
func unread(p *parting, d time.Duration, kinds ...wishKind) bool {
	return p.asks(kinds...) && p.theyWait(d) && p.weFollow(p.answer().wish.asked(p.at))
}

// failsafeLocal is their own wait after n failures: a wish that was followed does not count as one.
func failsafeLocal(p *parting) time.Duration {
	k := 1
	for n := 1; n < p.n; n++ {
		q := parting{script: p.script, n: n}
		if !q.asks(inSeconds, atZero, negative, withPlus, wrapping, tooLong) {
			k++
		}
	}
	if k == 1 {
		return p.backoff.Base
	}
	return p.backoff.After(k, backoff.Spread{}, 0, one).Wait
}

const (
	ruleRefusal = "POST is repeated like GET"
	whyRefusal  = "RFC 9110 section 9.2.2: what is not idempotent is not repeated unless the client knows more"
	whyAtOnce   = "a wish of 0, and a date in the past, leave the backoff as it is, never a hot loop: rule 4 and A.2"
	whyGrammar  = "delay-seconds is 1*DIGIT: RFC 9110 section 10.2.3"
	whySaturate = "what is too large means very long; it saturates, and the policy's limit decides: rules 1 and 4"
	whyStatus   = "Retry-After is honoured on every status that is retried: A.2"
	whyLongest  = "a wish above MaxRetryAfter ends the call: rule 4"
	whyFloor    = "under Floor, wait = max(backoff, Retry-After): rule 4"
	whyLate     = "if now + wait ≥ deadline, stop now with the reason: rule 4"
	whyDates    = "recipients accept all three forms of an HTTP-date: RFC 9110 section 5.6.7"
	whyBlanks   = "blanks around a field value are no part of it: RFC 9110 section 5.5"
)

// intendedHTTP are the differences of the two libraries that retry over HTTP.
var intendedHTTP = []difference{
	{retryablehttp, ruleRefusal, whyRefusal, refusal},
	{failsafeHTTP, ruleRefusal, whyRefusal, refusal},
	{retryablehttp, "a Retry-After of 0 or of a date in the past is followed at once", whyAtOnce, atOnce},
	{failsafeHTTP, "a Retry-After of 0 is followed at once", whyAtOnce, atOnce},
	{retryablehttp, "+7 is read as 7", whyGrammar, signed},
	{failsafeHTTP, "+7 is read as 7", whyGrammar, signed},
	{failsafeHTTP, "-7 is read as a wait that is over", whyGrammar, func(p parting) bool {
		return p.asks(negative) && p.theirs == next{again: true} && p.weFollow(0)
	}},
	{retryablehttp, "seconds whose nanoseconds do not fit wrap around, to a retry at once", whySaturate, wraps},
	{failsafeHTTP, "seconds whose nanoseconds do not fit wrap around, to a retry at once", whySaturate, wraps},
	{retryablehttp, "digits that do not fit are ignored", whySaturate, func(p parting) bool {
		return p.asks(endless) && p.theyWait(p.local()) && p.ours == next{}
	}},
	{failsafeHTTP, "digits that do not fit are ignored", whySaturate, func(p parting) bool {
		return p.asks(endless) && p.theyWait(failsafeLocal(&p)) && p.ours == next{}
	}},
	{retryablehttp, "a Retry-After is waited for however long it is", whyLongest, uncapped},
	{failsafeHTTP, "a Retry-After is waited for however long it is", whyLongest, uncapped},
	{retryablehttp, "a Retry-After replaces a longer backoff", whyFloor, undercut},
	{failsafeHTTP, "a Retry-After replaces a longer backoff", whyFloor, undercut},
	{retryablehttp, "Retry-After counts after 429 and 503 only", whyStatus, func(p parting) bool {
		return elsewhere(&p, p.local())
	}},
	{failsafeHTTP, "Retry-After counts after 429 and 503 only", whyStatus, func(p parting) bool {
		return elsewhere(&p, failsafeLocal(&p))
	}},
	{retryablehttp, "a date of any zone is read as if in GMT", "an HTTP-date ends in GMT: RFC 9110 section 5.6.7", func(p parting) bool {
		return p.asks(otherZone) && p.theyWait(p.answer().wish.asked(p.at)) && p.weFollow(0)
	}},
	{retryablehttp, "dates as of RFC 850 and of asctime are ignored", whyDates, func(p parting) bool {
		return unread(&p, p.local(), rfc850, asctime)
	}},
	{failsafeHTTP, "dates are ignored", whyDates, func(p parting) bool {
		return unread(&p, failsafeLocal(&p), imfDate, rfc850, asctime)
	}},
	{retryablehttp, "a number with blanks around it is ignored", whyBlanks, func(p parting) bool {
		return unread(&p, p.local(), padded)
	}},
	{failsafeHTTP, "a number with blanks around it is ignored", whyBlanks, func(p parting) bool {
		return unread(&p, failsafeLocal(&p), padded)
	}},
	{failsafeHTTP, "the first wait is not capped", "min(cap, base · m^(n−1)) holds for n = 1 too: rule 2", func(p parting) bool {
		return p.backoff.Base > p.backoff.Cap && p.theyWait(p.backoff.Base) && failsafeLocal(&p) == p.backoff.Base && p.weFollow(0)
	}},
	{failsafeHTTP, "a wait that was asked for does not let the backoff grow", "the wait grows with the failures of the call, whoever chose the waits between: rule 2", func(p parting) bool {
		return failsafeLocal(&p) != p.local() && p.theyWait(failsafeLocal(&p)) && p.weFollow(0)
	}},
	{retryablehttp, "a wait that the context cannot survive is begun, and the caller is told at its end", whyLate, waitsInVain},
	{failsafeHTTP, "a wait that the context cannot survive is begun, and the caller is told at its end", whyLate, waitsInVain},
}

// partner is a transport that answers by a script and notes when it was asked.
type partner struct {
	begin  time.Time
	script []answer
	sends  []time.Duration
}

var errBroken = errors.New("the connection broke")

func (s *partner) RoundTrip(req *http.Request) (*http.Response, error) {
	s.sends = append(s.sends, time.Since(s.begin))
	a := at(s.script, len(s.sends))
	if a.status == 0 {
		return nil, errBroken
	}
	select {
	case <-time.After(a.cost):
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	h := http.Header{}
	if a.wish.kind != noWish {
		h["Retry-After"] = []string{a.wish.text}
	}
	return &http.Response{StatusCode: a.status, Header: h, Body: io.NopCloser(strings.NewReader("")), Request: req}, nil
}

// httpRun plays a call over HTTP in a bubble whose clock shows the date at which our runs begin.
func httpRun(t *testing.T, l limits, h httpCase, script []answer, do func(*partner, *http.Request) (*http.Response, error)) (got run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		<-time.After(time.Until(epoch))
		ctx := t.Context()
		if l.patience > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, l.patience)
			defer cancel()
		}
		req, err := http.NewRequestWithContext(ctx, h.method, "http://partner.example/total", nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &partner{begin: time.Now(), script: script}
		resp, err := do(s, req)
		if err == nil {
			resp.Body.Close()
		}
		got = run{sends: s.sends, ok: err == nil && resp.StatusCode/100 == 2, end: time.Since(s.begin)}
	})
	return got
}

func retryableRun(t *testing.T, l limits, h httpCase, script []answer) run {
	t.Helper()
	return httpRun(t, l, h, script, func(s *partner, req *http.Request) (*http.Response, error) {
		c := retryable.NewClient()
		c.HTTPClient, c.Logger = &http.Client{Transport: s}, nil
		c.RetryWaitMin, c.RetryWaitMax, c.RetryMax = l.backoff.Base, l.backoff.Cap, l.tries-1
		wrapped, err := retryable.FromRequest(req)
		if err != nil {
			return nil, err
		}
		return c.Do(wrapped)
	})
}

func failsafeHTTPRun(t *testing.T, l limits, h httpCase, script []answer) run {
	t.Helper()
	return httpRun(t, l, h, script, func(s *partner, req *http.Request) (*http.Response, error) {
		policy := failsafehttp.NewRetryPolicyBuilder().WithBackoff(l.backoff.Base, l.backoff.Cap).WithMaxRetries(l.tries - 1).
			AbortOnErrors(context.DeadlineExceeded).Build()
		return failsafehttp.NewRoundTripper(s, policy).RoundTrip(req)
	})
}

// httpPolicy is the policy of ours for a case.
func httpPolicy(l limits, h httpCase) retry.Policy {
	p := l.policy()
	p.Statuses, p.Safety = []int{429, 500, 502, 503, 504, 505}, h.safety
	p.RetryAfter, p.RetryAfterMode, p.MaxRetryAfter = h.rule, retryafter.Standard, longest
	return p
}

func compareHTTP(t *testing.T, b *book, seed uint64, library string, play func(*testing.T, limits, httpCase, []answer) run) {
	r := rand.New(rand.NewPCG(seed, 3))
	l := randomLimits(r)
	l.elapsed, l.backoff.Factor = 0, backoff.Factor{}
	l.tries = max(l.tries, 1+r.IntN(7))
	script := randomScript(r, []int{0, 200, 404, 429, 500, 501, 502, 504, 505}, randomWish)
	h := httpCase{method: "GET", safety: []retry.Safety{retry.AnyMethod, retry.Standard}[r.IntN(2)], rule: retryafter.Replace}
	if r.IntN(4) == 0 {
		h.rule = retryafter.Floor
	}
	if r.IntN(12) == 0 {
		h.method = "POST"
	}
	for i := range script {
		if s := script[i].status; s == 0 {
			script[i].cost = 0
		} else if i < len(script)-1 && s != 503 && r.IntN(3) == 0 {
			script[i].wish = randomWish(r)
		}
	}
	if parted, parts := part(l, script, play(t, l, h, script), ourRun(t, httpPolicy(l, h), h.method, script)); parts {
		parted.http = &h
		attribute(t, b, library, seed, parted)
	}
}

func compareRetryablehttp(t *testing.T, b *book, seed uint64) {
	compareHTTP(t, b, seed, retryablehttp, retryableRun)
}

func compareFailsafeHTTP(t *testing.T, b *book, seed uint64) {
	compareHTTP(t, b, seed, failsafeHTTP, failsafeHTTPRun)
}
