package sim_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
)

// arguments are those of one transcript command.
type arguments struct{ list []datadriven.CmdArg }

// word returns the n-th argument without a value, or "".
func (a arguments) word(n int) string {
	for _, arg := range a.list {
		if len(arg.Vals) == 0 {
			if n == 0 {
				return arg.Key
			}
			n--
		}
	}
	return ""
}

func (a arguments) has(word string) bool {
	for _, arg := range a.list {
		if arg.Key == word {
			return true
		}
	}
	return false
}

func (a arguments) text(key string) (string, bool) {
	for _, arg := range a.list {
		if arg.Key == key && len(arg.Vals) > 0 {
			return strings.Join(arg.Vals, ", "), true
		}
	}
	return "", false
}

func (a arguments) integer(key string) (int64, error) {
	text, ok := a.text(key)
	if !ok {
		return 0, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

func (a arguments) mishap() (m sim.Mishap, err error) {
	var ok bool
	if m.Fault, ok = event.ParseFault(a.word(0)); !ok && a.word(0) != "none" {
		return m, fmt.Errorf("no fault %q", a.word(0))
	}
	if a.word(1) != "" {
		if m.Response.Status, err = strconv.Atoi(a.word(1)); err != nil {
			return m, err
		}
	}
	m.Response.RetryAfter, m.Response.HasRetryAfter = a.text("retry-after")
	for _, arg := range a.list {
		if arg.Key == "field" {
			m.Response.Fields += strings.Join(arg.Vals, ", ") + "\n"
		}
	}
	if flag, ok := a.text("flag"); ok {
		m.Response.Body.Flag = map[string]call.Flag{"false": call.FlagFalse, "true": call.FlagTrue}[flag]
	}
	if text, ok := a.text("delay"); ok {
		m.Delay, err = time.ParseDuration(text)
	}
	return m, err
}

// world starts a new run.
func (p *play) world(a arguments, input string) (err error) {
	*p = play{}
	c := sim.Config{RepeatLast: a.has("repeat-last"), Partner: partner.Config{IgnoreKeys: a.has("ignore-keys")}}
	set := setter{arguments: a}
	set.duration("latency", &c.Latency)
	set.duration("max-time", &c.MaxTime)
	set.duration("lifetime", &c.Partner.Ledger.Lifetime)
	set.integer("max-events", &c.MaxEvents)
	set.partner(&c.Partner)
	set.field("limit", func(text string) (err error) {
		c.Partner.Limit, err = parseLimit(text)
		return err
	})
	set.field("seed", func(text string) (err error) {
		c.Seed, err = strconv.ParseUint(text, 10, 64)
		return err
	})
	if set.err != nil {
		return set.err
	}
	for line := range strings.Lines(input) {
		cmd, args, err := datadriven.ParseLine(line)
		if err != nil {
			return err
		}
		a := arguments{args}
		switch cmd {
		case "script":
			m, err := a.mishap()
			if err != nil {
				return err
			}
			times, err := a.integer("times")
			if err != nil {
				return err
			}
			for range max(times, 1) {
				c.Script = append(c.Script, m)
			}
		case "client", "on-notice", "work":
			if err := partyLine(&c, cmd, a); err != nil {
				return fmt.Errorf("line %q: %w", line, err)
			}
		default:
			if err := guardLine(&c, cmd, a); err != nil {
				return fmt.Errorf("line %q: %w", line, err)
			}
		}
	}
	p.clients, p.pools = c.Clients, c.Pools
	p.state, err = sim.New(c)
	return err
}

// partyLine reads a line of a world about a client, or about the time that the partner takes on a path.
func partyLine(c *sim.Config, cmd string, a arguments) (err error) {
	switch cmd {
	case "work":
		w := partner.PathWork{Path: a.word(0)}
		w.Least, err = time.ParseDuration(a.word(1))
		c.Partner.Paths = append(c.Partner.Paths, w)
		return err
	case "client":
		cl := sim.Client{Name: a.word(0)}
		err = a.policy(&cl)
		c.Clients = append(c.Clients, cl)
		return err
	}
	r := call.Request{Method: a.word(1), Path: a.word(2)}
	if r.Slot, err = a.integer("slot"); err != nil {
		return err
	}
	r.Amount, err = a.integer("amount")
	for i := range c.Clients {
		if c.Clients[i].Name == a.word(0) {
			c.Clients[i].OnNotice = &r
		}
	}
	return err
}

func parseLimit(text string) (c limit.Config, err error) {
	n, window, _ := strings.Cut(text, "/")
	if c.Limit, err = strconv.Atoi(n); err == nil {
		c.Window, err = time.ParseDuration(window)
	}
	return c, err
}

// setter sets fields from arguments, until one is wrong.
type setter struct {
	arguments
	err error
}

func (s *setter) field(key string, set func(text string) error) {
	if text, ok := s.text(key); ok && s.err == nil {
		if s.err = set(text); s.err != nil {
			s.err = fmt.Errorf("%s: %w", key, s.err)
		}
	}
}

func (s *setter) duration(key string, to *time.Duration) {
	s.field(key, func(text string) (err error) { *to, err = time.ParseDuration(text); return err })
}

func (s *setter) integer(key string, to *int) {
	s.field(key, func(text string) (err error) { *to, err = strconv.Atoi(text); return err })
}

func named[T any](s *setter, key string, to *T, parse func(string) (T, bool)) {
	s.field(key, func(text string) error {
		v, ok := parse(text)
		if !ok {
			return fmt.Errorf("no such name: %q", text)
		}
		*to = v
		return nil
	})
}

// policy changes a client: a preset first, then single fields.
func (a arguments) policy(c *sim.Client) error {
	set := setter{arguments: a}
	pol := &c.Policy
	set.field("preset", func(name string) (err error) { *pol, err = preset(name); return err })
	set.integer("attempts", &pol.Attempts)
	set.duration("deadline", &pol.Deadline)
	set.duration("timeout", &pol.AttemptTimeout)
	set.duration("oversleep", &c.Oversleep)
	set.duration("base", &pol.Backoff.Base)
	set.duration("cap", &pol.Backoff.Cap)
	named(&set, "jitter", &pol.Jitter, backoff.ParseJitter)
	named(&set, "retry-after", &pol.RetryAfter, retryafter.ParseRule)
	named(&set, "safety", &pol.Safety, retry.ParseSafety)
	named(&set, "exhausted", &pol.Exhausted, retry.ParseExhausted)
	named(&set, "fractions", &pol.Fractions, parseFractions)
	a.newer(&set, pol)
	pol.FreshDeadline = pol.FreshDeadline || a.has("fresh-deadline")
	pol.CutTimeout = pol.CutTimeout || a.has("cut-timeout")
	return set.err
}

// newer changes what contracts D and E and the strict contract bring.
func (a arguments) newer(set *setter, pol *retry.Policy) {
	named(set, "deadline-test", &pol.DeadlineTest, budget.ParseDeadlineTest)
	named(set, "shape", &pol.Backoff.Shape, backoff.ParseShape)
	named(set, "mode", &pol.RetryAfterMode, retryafter.ParseMode)
	named(set, "failures", &pol.Failures, func(text string) ([]call.Failure, bool) {
		f, ok := call.ParseFailure(text)
		return []call.Failure{f}, ok
	})
	set.duration("max-retry-after", &pol.MaxRetryAfter)
	set.duration("above", &pol.AboveRetryAfter)
	set.field("factor", func(text string) error {
		_, err := fmt.Sscanf(text, "%d/%d", &pol.Backoff.Factor.Num, &pol.Backoff.Factor.Den)
		return err
	})
	set.field("share", func(text string) error {
		shares, ok := parseFractions(text)
		if !ok {
			return fmt.Errorf("no share: %q", text)
		}
		pol.Share = shares[0]
		return nil
	})
	set.field("retry-budget", func(text string) (err error) {
		pol.Budget, err = parseBudget(text)
		return err
	})
	pol.KeepAtCap = pol.KeepAtCap || a.has("keep-at-cap")
	pol.Envelope = pol.Envelope || a.has("envelope")
}

// parseBudget reads quota/TOKENS/COST, throttle/TOKENS and share/MINIMUM, the last of a fifth of the calls.
func parseBudget(text string) (c budget.Config, err error) {
	parts := strings.Split(text, "/")
	var numbers [3]int64
	for i, part := range parts[1:] {
		if numbers[i], err = strconv.ParseInt(part, 10, 64); err != nil {
			return c, err
		}
	}
	c.Kind, _ = budget.ParseKind(parts[0])
	switch c.Kind {
	case budget.Quota:
		c.Tokens, c.Cost, c.Refill = numbers[0]*budget.Token, numbers[1]*budget.Token, budget.Token
		c.ThrottledCost = c.Cost
	case budget.Throttle:
		c.Tokens, c.Refill = numbers[0]*budget.Token, budget.Token/10
	case budget.Share:
		c.Share, c.Minimum = rng.Ratio{Num: 1, Den: 5}, int(numbers[0])
	default:
		return c, fmt.Errorf("no budget %q", text)
	}
	return c, nil
}

// parseFractions reads "1/2,0,1".
func parseFractions(text string) (all []rng.Ratio, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		num, den, _ := strings.Cut(part+"/1", "/")
		den, _, _ = strings.Cut(den, "/")
		n, err1 := strconv.ParseUint(num, 10, 64)
		d, err2 := strconv.ParseUint(den, 10, 64)
		if err1 != nil || err2 != nil {
			return nil, false
		}
		all = append(all, rng.Ratio{Num: n, Den: d})
	}
	return all, true
}

func preset(name string) (retry.Policy, error) {
	switch name {
	case "lesson-a":
		p, err := retry.NewLessonA(5*time.Second, 3)
		p.Fractions = []rng.Ratio{{Num: 1, Den: 2}}
		return p, err
	case "lesson-c":
		return retry.Policy{
			Attempts: 4, AttemptTimeout: time.Second, Backoff: backoff.Config{Base: time.Second, Cap: 4 * time.Second},
			Statuses: retry.LessonStatuses(), Failures: []call.Failure{call.TimedOut, call.Reset},
			Exhausted: retry.LastError,
		}, nil
	}
	return retry.Policy{}, fmt.Errorf("no preset %q", name)
}
