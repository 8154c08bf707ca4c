package differ

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/retry"
)

// wish is a Retry-After.
type wish struct {
	kind wishKind
	text string
	// seconds is what a number says, and what a date says from the start of the run on.
	seconds int64
}

type wishKind uint8

const (
	noWish    wishKind = iota
	inSeconds          // 7
	atZero             // 0
	negative           // -1
	withPlus           // +7
	decimal            // 1.5
	padded             // blanks around a number
	wrapping           // seconds that fit 63 bits, and whose nanoseconds do not
	endless            // digits that fit nothing
	tooLong            // two hours, longer than our policy waits
	imfDate            // Mon, 30 Nov 2026 12:00:07 GMT
	rfc850             // Monday, 30-Nov-26 12:00:07 GMT
	asctime            // Mon Nov 30 12:00:07 2026
	otherZone          // an imfDate that ends in PST
	numWishes
)

// longest is the longest wish that our policies wait for.
const longest = time.Hour

// epoch is the instant at which runs begin.
var epoch = time.Unix(int64(retry.Epoch), 0).UTC()

// makeWish returns a wish of a kind for a number of seconds from 1 to 40.
func makeWish(kind wishKind, seconds int64) wish {
	w := wish{kind: kind, seconds: seconds}
	date := epoch.Add(time.Duration(seconds) * time.Second)
	switch kind {
	case inSeconds:
		w.text = strconv.FormatInt(seconds, 10)
	case atZero:
		w.text, w.seconds = "0", 0
	case negative:
		w.text, w.seconds = "-"+strconv.FormatInt(seconds, 10), -seconds
	case withPlus:
		w.text = "+" + strconv.FormatInt(seconds, 10)
	case decimal:
		w.text = strconv.FormatInt(seconds, 10) + ".5"
	case padded:
		w.text = " " + strconv.FormatInt(seconds, 10) + " "
	case wrapping:
		w.seconds = 9223372036 + seconds
		w.text = strconv.FormatInt(w.seconds, 10)
	case endless:
		w.text = strings.Repeat("9", 20)
	case tooLong:
		w.seconds += 7200
		w.text = strconv.FormatInt(w.seconds, 10)
	case imfDate:
		w.text = date.Format("Mon, 02 Jan 2006 15:04:05 GMT")
	case rfc850:
		w.text = date.Format("Monday, 02-Jan-06 15:04:05 GMT")
	case asctime:
		w.text = date.Format(time.ANSIC)
	case otherZone:
		w.text = date.Format("Mon, 02 Jan 2006 15:04:05 PST")
	}
	return w
}

// asked returns what is asked for at an instant of the run by the plain meaning of the text, ≥ 0.
func (w wish) asked(at time.Duration) time.Duration {
	d := time.Duration(w.seconds) * time.Second // wraps, where it does not fit
	if w.kind >= imfDate {
		d -= at
	}
	return max(d, 0)
}

// randomWish returns a wish, mostly one that all read alike.
func randomWish(r *rand.Rand) wish {
	kind := inSeconds
	switch r.IntN(10) {
	case 0:
		kind = wishKind(r.IntN(int(numWishes)))
	case 1, 2, 3, 4, 5:
		kind = noWish
	}
	return makeWish(kind, 1+r.Int64N(40))
}
