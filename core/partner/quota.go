package partner

import (
	"strconv"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
)

// Quota returns the fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10) that belong to the
// limiter's decision about a request, each as a line; "" where no limiter was asked, and for GCRA, which counts no requests.
func (res *Result) Quota(now clock.Instant) string {
	d := &res.Admission
	if d.Verdict == decision.NoVerdict {
		return ""
	}
	var q quota
	for _, t := range d.Terms() {
		switch t.Name {
		case decision.Counted, decision.InPeriod:
			q = quota{most: t.A, window: time.Duration(t.B), left: t.A - t.Value, known: true, opens: res.PlaceOpens}
		case decision.Opens:
			q.opens = clock.Instant(t.Value)
		case decision.Tokens:
			q = quota{most: t.A / limit.Token, left: t.Value / limit.Token, known: true}
		case decision.InFlight:
			q = quota{most: t.A, left: t.A - t.Value, known: true, unit: `;qu="concurrent-requests"`}
		}
	}
	if !q.known {
		return ""
	}
	if d.Verdict == decision.Refuse {
		q.left, q.opens = 0, now.Add(d.Wait)
	}
	return q.text(now)
}

// quota is what two fields say of one policy.
type quota struct {
	most, left int64
	window     time.Duration
	opens      clock.Instant // when more is left, 0 for unknown
	unit       string
	known      bool
}

func (q *quota) text(now clock.Instant) string {
	policy := `RateLimit-Policy: "default";q=` + strconv.FormatInt(q.most, 10) + q.unit
	if q.window >= time.Second && q.window%time.Second == 0 {
		policy += ";w=" + strconv.FormatInt(int64(q.window/time.Second), 10)
	}
	left := `RateLimit: "default";r=` + strconv.FormatInt(max(q.left, 0), 10)
	if wait := q.opens.Sub(now); q.opens > 0 && wait >= 0 {
		left += ";t=" + strconv.FormatInt(int64((wait+time.Second-1)/time.Second), 10)
	}
	return policy + "\n" + left
}
