package scenario

import (
	"strconv"
	"strings"

	"retrylab.example/core/budget"
	"retrylab.example/core/document"
	"retrylab.example/core/field"
)

// readBudget reads what the retries of a client share:
//
//	{"kind": "quota", "tokens": "500", "cost": "14", "throttledCost": "5", "refill": "1"}
//	{"kind": "throttle", "tokens": "10", "refill": "0.1"}
//	{"kind": "share", "share": "0.2", "minimum": 3}
//	{"kind": "off"}
//
// "throttledCost" is "cost" if it is missing, "refill" 0, "minimum" 0.
func readBudget(n *document.Node) (c budget.Config) {
	r := n.Object()
	known := false
	if f := r.Need("kind"); f != nil {
		c.Kind = document.OneOf(f, budget.KindNames(), budget.ParseKind)
		_, known = budget.ParseKind(f.Text)
	}
	b := budgetReader{r, c.Kind, known}
	c.Tokens = b.tokens("tokens", 0, true, budget.Quota, budget.Throttle)
	c.Cost = b.tokens("cost", 0, true, budget.Quota)
	c.ThrottledCost = b.tokens("throttledCost", c.Cost, false, budget.Quota)
	c.Refill = b.tokens("refill", 0, false, budget.Quota, budget.Throttle)
	if f := b.field("share", true, budget.Share); f != nil {
		c.Share = f.Ratio()
	}
	if f := b.field("minimum", false, budget.Share); f != nil {
		c.Minimum = int(f.Int(0, 0, 1_000_000))
	}
	if c.Kind != budget.Quota {
		c.ThrottledCost = 0
	}
	r.Done()
	return c
}

// budgetReader reads the fields of one kind of budget.
type budgetReader struct {
	r     *document.Reader
	kind  budget.Kind
	known bool
}

// field returns a field of some kinds; nil if it is missing or of other kinds, which is a fault.
func (b budgetReader) field(name string, need bool, kinds ...budget.Kind) *document.Node {
	f := b.r.Field(name)
	for _, k := range kinds {
		if k == b.kind {
			if f == nil && need {
				b.r.Faultf("add it", "a retry budget of the kind %q needs %q", b.kind, name)
			}
			return f
		}
	}
	if f != nil && b.known {
		f.Faultf("leave it out", "a retry budget of the kind %q has no %q", b.kind, name)
	}
	return nil
}

func (b budgetReader) tokens(name string, missing int64, need bool, kinds ...budget.Kind) int64 {
	f := b.field(name, need, kinds...)
	if f == nil {
		return missing
	}
	text, ok := f.Match(func(s string) bool { _, ok := parseTokens(s); return ok },
		`use a decimal from 0 to 1000000 with at most 9 decimals, as in "14" or "0.1"`, "%q is not a count of tokens")
	if !ok {
		return missing
	}
	n, _ := parseTokens(text)
	if name == "tokens" && n == 0 {
		f.Fault("a bucket without tokens allows no retry", `use one token or more, or "attempts": 1`)
	}
	return n
}

// parseTokens reads a decimal exactly, in nano-tokens.
func parseTokens(s string) (int64, bool) {
	n, ok := field.ParseNumber(s)
	_, decimals, _ := strings.Cut(s, ".")
	if !ok || n.Whole > budget.MaxTokens/budget.Token || len(decimals) > 9 {
		return 0, false
	}
	nano := n.Whole*budget.Token + n.Nanos
	return nano, nano <= budget.MaxTokens
}

type budgetJSON struct {
	Kind          string `json:"kind"`
	Tokens        string `json:"tokens,omitempty"`
	Cost          string `json:"cost,omitempty"`
	ThrottledCost string `json:"throttledCost,omitempty"`
	Refill        string `json:"refill,omitempty"`
	Share         string `json:"share,omitempty"`
	Minimum       *int   `json:"minimum,omitempty"`
}

// writeBudget writes every field that the kind has.
func writeBudget(c budget.Config) budgetJSON {
	j := budgetJSON{Kind: c.Kind.String()}
	switch c.Kind {
	case budget.Quota:
		j.Cost, j.ThrottledCost = formatTokens(c.Cost), formatTokens(c.ThrottledCost)
		j.Tokens, j.Refill = formatTokens(c.Tokens), formatTokens(c.Refill)
	case budget.Throttle:
		j.Tokens, j.Refill = formatTokens(c.Tokens), formatTokens(c.Refill)
	case budget.Share:
		j.Share, j.Minimum = formatRatio(c.Share), &c.Minimum
	}
	return j
}

func formatTokens(nano int64) string {
	s := strconv.FormatInt(nano/budget.Token, 10)
	if part := nano % budget.Token; part > 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(budget.Token+part, 10)[1:], "0")
	}
	return s
}
