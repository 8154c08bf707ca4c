package scenario

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/document"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// None is what a knob says where there is no breaker, no pool, no limiter or no fallback.
const None = "none"

// GuardKnobs are the parts of what wraps a client's calls that a person may turn, in the order in which they are turned:
// which ones a breaker has depends on its window.
func GuardKnobs() []string {
	return []string{
		"breaker.window", "breaker.size", "breaker.failures", "breaker.percent", "breaker.minimum", "breaker.open",
		"breaker.probes", "pool", "limiter", "fallback",
	}
}

// GuardText returns what a knob says of guards; "" if they have no such part.
func (s *Scenario) GuardText(g sim.Guards, knob string) string {
	b := &g.Breaker
	switch knob {
	case "pool":
		if g.Pool == 0 {
			return None
		}
		return s.Pools[g.Pool-1].Name
	case "limiter":
		if g.Limiter.Capacity == 0 {
			return None
		}
		return g.Limiter.Mode.String()
	case "fallback":
		if g.Fallback.Status == 0 {
			return None
		}
		return strconv.Itoa(g.Fallback.Status)
	case "breaker.window":
		if *b == (breaker.Config{}) {
			return None
		}
		return b.Window.String()
	case "breaker.open":
		if b.Open > 0 {
			return document.FormatDuration(b.Open)
		}
		return ""
	}
	if n := breakerNumber(b, knob); n != nil && *n > 0 {
		return strconv.Itoa(*n)
	}
	return ""
}

// breakerNumber returns the number of a breaker that a knob turns, nil if its window has none.
func breakerNumber(b *breaker.Config, knob string) *int {
	switch {
	case *b == (breaker.Config{}):
	case knob == "breaker.probes":
		return &b.Probes
	case knob == "breaker.failures" && b.Window == breaker.InARow:
		return &b.Failures
	case knob == "breaker.size" && b.Window == breaker.Count:
		return &b.Size
	case knob == "breaker.percent" && b.Window != breaker.InARow:
		return &b.Percent
	case knob == "breaker.minimum" && b.Window != breaker.InARow:
		return &b.Minimum
	}
	return nil
}

// TurnGuard sets one part of guards to what a person typed, as GuardText writes it. What is switched on has the settings
// of own, the guards that the client began with, else those of contract D. A part that there is not stays so. ok is false,
// and nothing changes, if the text cannot be that part.
func (s *Scenario) TurnGuard(g, own *sim.Guards, knob, text string) (ok bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	next := *g
	switch knob {
	case "pool":
		next.Pool = s.pool(text)
		ok = next.Pool > 0 || text == None
	case "limiter":
		next.Limiter, next.Poll, ok = turnedLimiter(g, own, text)
	case "fallback":
		status, err := strconv.Atoi(text)
		if ok = err == nil && status >= 200 && status <= 599; ok {
			next.Fallback = ScriptedResponse(status)
		} else if ok = text == None; ok {
			next.Fallback = sim.Guards{}.Fallback
		}
	case "breaker.window":
		next.Breaker, ok = turnedWindow(&g.Breaker, own, text)
	default:
		if g.Breaker == (breaker.Config{}) {
			return true
		}
		ok = turnBreaker(&next.Breaker, knob, text)
	}
	if ok {
		*g = next
	}
	return ok
}

func turnedLimiter(g, own *sim.Guards, text string) (limit.BucketConfig, time.Duration, bool) {
	if text == None {
		return limit.BucketConfig{}, 0, true
	}
	mode, ok := limit.ParseMode(text)
	c, poll := g.Limiter, g.Poll
	if c.Capacity == 0 && own != nil {
		c, poll = own.Limiter, own.Poll
	}
	if c.Capacity == 0 {
		c, poll = limit.BucketConfig{Capacity: 3, Refill: 3, Period: time.Second}, 50*time.Millisecond
	}
	c.Mode = mode
	return c, poll, ok
}

func turnedWindow(b *breaker.Config, own *sim.Guards, text string) (breaker.Config, bool) {
	if text == None {
		return breaker.Config{}, true
	}
	window, ok := breaker.ParseWindow(text)
	switch {
	case !ok || *b != (breaker.Config{}) && b.Window == window:
		return *b, ok
	case own != nil && own.Breaker != (breaker.Config{}) && own.Breaker.Window == window:
		return own.Breaker, true
	}
	c := breaker.Config{Window: window, Open: cmp.Or(b.Open, 5*time.Second), Probes: b.Probes, Failing: b.Failing, Ignoring: b.Ignoring}
	switch window {
	case breaker.InARow:
		c.Failures = 1
	case breaker.Count:
		c.Size, c.Percent = 10, 50
	case breaker.Time:
		c.Span, c.Percent = 10*time.Second, 50
	}
	return filled(c)
}

// turnBreaker turns a number or the time of a breaker. What was as large as that, because nothing else was said, stays so.
func turnBreaker(b *breaker.Config, knob, text string) (ok bool) {
	was := *b
	if knob == "breaker.open" {
		if b.Open, ok = document.ParseDuration(text); !ok || b.Open > MaxWait {
			return false
		}
		if was.Lease == was.Open {
			b.Lease = b.Open
		}
	} else if number := breakerNumber(b, knob); number != nil {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxPlaces {
			return false
		}
		*number = n
		if was.Minimum == was.Size {
			b.Minimum = b.Size
		}
		if was.Successes == was.Probes {
			b.Successes = b.Probes
		}
		if knob == "breaker.minimum" {
			b.Minimum = n
		}
	}
	*b, ok = filled(*b)
	return ok
}

func filled(c breaker.Config) (breaker.Config, bool) {
	b, err := breaker.New(c)
	return b.Config(), err == nil
}

// TurnedGuards returns the knobs by which two guards differ, in the order of GuardKnobs, and "other" last for a part
// without a knob. nil is no guards; own are those that the client began with.
func (s *Scenario) TurnedGuards(own, a, b *sim.Guards) (turned []string) {
	var from, to sim.Guards
	if a != nil {
		from = *a
	}
	if b != nil {
		to = *b
	}
	for _, knob := range GuardKnobs() {
		if text := s.GuardText(to, knob); text != s.GuardText(from, knob) {
			s.TurnGuard(&from, own, knob, text)
			turned = append(turned, knob)
		}
	}
	if from != to {
		turned = append(turned, "other")
	}
	return turned
}

// LimitSetting returns the limit that the partner begins with, as it would be written; count 0 for none.
func (s *Scenario) LimitSetting() limit.Setting {
	c := s.Partner.Limit
	return limit.Setting{Count: strconv.Itoa(c.Limit), Window: seconds(c.Window)}
}
