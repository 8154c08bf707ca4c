package codelab

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/document"
)

// PartKind says what a part of a case is.
type PartKind uint8

// The kinds of parts: seconds with decimals, a whole number, a text or None where it is empty, one of some words (the one that it is may be another), and a
// list of seconds.
const (
	Seconds PartKind = iota
	Count
	Words
	Choice
	SecondsList
)

// Part is something of a case that a person may set.
type Part struct {
	// Name is that of a parameter, or one of the world's: replies, draws, oversleep, and status, takes and after with the
	// number of the reply behind them, as in status-2.
	Name string
	Kind PartKind
	// Low and High bound a number; of seconds in nanoseconds.
	Low, High int64
	// Options are the words of a Choice.
	Options []string
	// Text is what it is set to.
	Text string

	get func(*Case) string
	set func(c *Case, text string) bool
}

// PartError is a part that cannot be set so.
type PartError struct{ Part Part }

// Error says which part, and what it may be.
func (e *PartError) Error() string { return e.Part.Name + " cannot be set to that" }

// MaxReplies is how many replies a person may order.
const MaxReplies = 8

// Parts returns what a person may set in a case of the function, as it is set.
func (f *Function) Parts(c *Case) []Part {
	all := f.parts(c)
	for i := range all {
		all[i].Text = all[i].get(c)
	}
	return all
}

// Set sets one part of a case. The error is a *PartError, or says that there is no such part.
func (f *Function) Set(c *Case, s Setting) error {
	for _, p := range f.parts(c) {
		if p.Name != s.Name {
			continue
		}
		text := strings.TrimSpace(s.Text)
		if p.Kind == Choice && text == p.get(c) || len(text) <= 200 && p.set(c, text) {
			return nil // a case may have a word of its own
		}
		return &PartError{p}
	}
	return errSpec
}

// parts are the parts of the functions that send.
func (f *Function) parts(c *Case) []Part {
	const s = int64(time.Second)
	switch f.Name {
	case "execute":
		return slices.Concat([]Part{
			f.choice("method", "GET", "POST", "PUT", "DELETE", "HEAD", "PATCH"), f.words("key"),
			f.seconds("timeout", -s, 60*s), f.count("maximum", -1, 10),
		}, replyParts(c, false), []Part{drawsPart(s), oversleepPart()})
	case "call_until":
		return slices.Concat([]Part{f.secondsList("waits"), f.seconds("deadline", s/4, 60*s)}, replyParts(c, false), []Part{oversleepPart()})
	case "send_all":
		return []Part{f.count("calls", 0, 30), f.seconds("poll", s/20, 5*s), takesPart(0)}
	case "retry":
		return append([]Part{f.count("attempts", -2, 10)}, outcomeParts(c)...)
	case "fetch":
		return slices.Concat(requestParts(), []Part{f.count("attempts", 1, 10)}, replyParts(c, true), []Part{drawsPart(s - s/1000)})
	}
	return nil
}

// place returns the place of a parameter, from 0, and -1 if there is none of that name.
func (f *Function) place(name string) (place int, standard string) {
	i := 0
	for _, p := range strings.Split(f.Params, ", ") {
		named, standard, _ := strings.Cut(p, "=")
		if named == name {
			return i, standard
		}
		if named != "*" {
			i++
		}
	}
	return -1, ""
}

// argument returns the argument of a parameter in the first call, with its default if it is not given; nil if there is
// none of that name.
func (f *Function) argument(c *Case, name string) *Value {
	step := &c.Steps[0]
	place, standard := f.place(name)
	if place < 0 {
		return nil
	}
	if place < len(step.Args) {
		return &step.Args[place]
	}
	for i := range step.Keys {
		if step.Keys[i].Name == name {
			return &step.Keys[i].Value
		}
	}
	d, _ := document.ParseDuration(standard + "s")
	v := seconds(d)
	if d%time.Second == 0 && !strings.Contains(standard, ".") {
		v = whole(int64(d / time.Second))
	}
	return &v
}

// give gives the first call an argument, in its place or by its name.
func (f *Function) give(c *Case, name string, v Value) {
	step := &c.Steps[0]
	if place, _ := f.place(name); place < len(step.Args) {
		step.Args[place] = v
		return
	}
	for i := range step.Keys {
		if step.Keys[i].Name == name {
			step.Keys[i].Value = v
			return
		}
	}
	step.Keys = append(step.Keys, Named{name, v})
}

// plain writes a value as a person would type it: a text without quotes, None as nothing.
func plain(v Value) string {
	switch v.Kind {
	case None:
		return ""
	case Str:
		return v.Text
	case Dec:
		return strings.TrimSuffix(v.String(), ".0")
	}
	return v.String()
}

func parseSeconds(text string, low, high int64) (time.Duration, bool) {
	d, ok := document.ParseDuration(text + "s")
	return d, ok && int64(d) >= low && int64(d) <= high
}

func (f *Function) seconds(name string, low, high int64) Part {
	return Part{
		Name: name, Kind: Seconds, Low: low, High: high,
		get: func(c *Case) string { return plain(*f.argument(c, name)) },
		set: func(c *Case, text string) bool {
			d, ok := parseSeconds(text, low, high)
			if ok {
				f.give(c, name, seconds(d))
			}
			return ok
		},
	}
}

func (f *Function) count(name string, low, high int64) Part {
	return countPart(name, low, high, func(c *Case) int64 { return f.argument(c, name).Int },
		func(c *Case, n int64) { f.give(c, name, whole(n)) })
}

func countPart(name string, low, high int64, get func(*Case) int64, set func(*Case, int64)) Part {
	return Part{
		Name: name, Kind: Count, Low: low, High: high,
		get: func(c *Case) string { return strconv.FormatInt(get(c), 10) },
		set: func(c *Case, text string) bool {
			n, err := strconv.ParseInt(text, 10, 32)
			if err != nil || n < low || n > high {
				return false
			}
			set(c, n)
			return true
		},
	}
}

func (f *Function) choice(name string, options ...string) Part {
	return Part{
		Name: name, Kind: Choice, Options: options,
		get: func(c *Case) string { return plain(*f.argument(c, name)) },
		set: func(c *Case, word string) bool {
			f.give(c, name, text(word))
			return slices.Contains(options, word)
		},
	}
}

// words is a text, or None where nothing is typed.
func (f *Function) words(name string) Part {
	return wordsPart(name, func(c *Case) Value { return *f.argument(c, name) }, func(c *Case, v Value) { f.give(c, name, v) })
}

func wordsPart(name string, get func(*Case) Value, set func(*Case, Value)) Part {
	return Part{
		Name: name, Kind: Words, High: 40,
		get: func(c *Case) string { return plain(get(c)) },
		set: func(c *Case, typed string) bool {
			v := Value{}
			if typed != "" {
				v = text(typed)
			}
			set(c, v)
			return len(typed) <= 40 && !strings.ContainsFunc(typed, func(r rune) bool { return r < ' ' || r > '~' })
		},
	}
}

// secondsPart is a time of the world.
func secondsPart(name string, high int64, at func(*Case) *time.Duration) Part {
	return Part{
		Name: name, Kind: Seconds, High: high,
		get: func(c *Case) string { return plain(seconds(*at(c))) },
		set: func(c *Case, text string) bool {
			d, ok := parseSeconds(text, 0, high)
			*at(c) = d
			return ok
		},
	}
}

func oversleepPart() Part {
	return secondsPart("oversleep", int64(5*time.Second), func(c *Case) *time.Duration { return &c.Over })
}

// listPart is a list of seconds, with commas between them.
func listPart(name string, high int64, least, most int, get func(*Case) []Value, set func(*Case, []Value)) Part {
	return Part{
		Name: name, Kind: SecondsList, High: high,
		get: func(c *Case) string {
			var parts []string
			for _, v := range get(c) {
				parts = append(parts, plain(v))
			}
			return strings.Join(parts, ", ")
		},
		set: func(c *Case, text string) bool {
			var all []Value
			for _, item := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
				d, ok := parseSeconds(item, 0, high)
				if !ok {
					return false
				}
				all = append(all, seconds(d))
			}
			set(c, all)
			return len(all) >= least && len(all) <= most
		},
	}
}

func (f *Function) secondsList(name string) Part {
	return listPart(name, int64(10*time.Second), 0, 8, func(c *Case) []Value { return f.argument(c, name).Items },
		func(c *Case, all []Value) { f.give(c, name, list(all...)) })
}

func drawsPart(high int64) Part {
	return listPart("draws", high, 1, 8, func(c *Case) []Value { return c.Draws }, func(c *Case, all []Value) { c.Draws = all })
}

func takesPart(i int) Part {
	return secondsPart("takes-"+strconv.Itoa(i+1), int64(30*time.Second), func(c *Case) *time.Duration { return &c.Answers[i].Cost })
}

// repliesPart is how many replies there are; a new one is as the last.
func repliesPart() Part {
	return countPart("replies", 1, MaxReplies, func(c *Case) int64 { return int64(len(c.Answers)) }, func(c *Case, n int64) {
		for len(c.Answers) < int(n) {
			c.Answers = append(slices.Clip(c.Answers), c.Answers[len(c.Answers)-1])
		}
		c.Answers = c.Answers[:n]
	})
}

// replyParts are the replies, each with how long it takes and its Retry-After. A lossy network may also have an error.
func replyParts(c *Case, lossy bool) []Part {
	parts := []Part{repliesPart()}
	options := []string{"200", "503", "429", "502", "504", "500", "400", "409"}
	if lossy {
		options = append(options, network)
	}
	for i := range c.Answers {
		number := strconv.Itoa(i + 1)
		parts = append(parts, statusPart("status-"+number, i, options), takesPart(i),
			wordsPart("after-"+number, func(c *Case) Value { return c.Answers[i].After }, func(c *Case, v Value) { c.Answers[i].After = v }))
	}
	return parts
}

func statusPart(name string, i int, options []string) Part {
	return Part{
		Name: name, Kind: Choice, Options: options,
		get: func(c *Case) string {
			if c.Answers[i].Raise != "" {
				return network
			}
			return strconv.Itoa(c.Answers[i].Status)
		},
		set: func(c *Case, word string) bool {
			a := &c.Answers[i]
			status, err := strconv.Atoi(word)
			a.Status, a.Raise, a.Retryable = status, "", Value{}
			if err != nil {
				a.Raise = "NetworkError"
			}
			return slices.Contains(options, word) || err == nil && status >= 100 && status <= 599
		},
	}
}

// outcomeParts are what an operation does, one after the other.
func outcomeParts(c *Case) []Part {
	parts := []Part{repliesPart()}
	for i := range c.Answers {
		parts = append(parts, Part{
			Name: "outcome-" + strconv.Itoa(i+1), Kind: Choice, Options: []string{"ok", temporary, invalid},
			get: func(c *Case) string { return plain(c.Answers[i].Value) },
			set: func(c *Case, word string) bool {
				v := text(word)
				c.Answers[i] = Answer{Raise: failureOf(statusOf(v)), Value: v}
				return word == "ok" || word == temporary || word == invalid
			},
		})
	}
	return parts
}

// requestParts are those of the request that is fetched.
func requestParts() []Part {
	item := func(name string, i int, options ...string) Part {
		return Part{
			Name: name, Kind: Choice, Options: options,
			get: func(c *Case) string { return c.Vars[0].Value.Items[i].Text },
			set: func(c *Case, word string) bool {
				c.Vars[0].Value.Items[i] = text(word)
				return slices.Contains(options, word)
			},
		}
	}
	key := wordsPart("key", func(c *Case) Value {
		if headers := c.Vars[0].Value.Items[2].Items; len(headers) == 2 {
			return headers[1]
		}
		return Value{}
	}, func(c *Case, v Value) {
		headers := dict()
		if v.Kind == Str {
			headers = dict(text("Idempotency-Key"), v)
		}
		c.Vars[0].Value.Items[2] = headers
	})
	return []Part{item("method", 0, "GET", "POST", "DELETE", "PATCH"), item("path", 1, reservations, estimate), key}
}
