// Package link writes and reads share links: a place in a lesson or a whole scenario, with the seed, what a person did,
// where they stood and their language, in the fragment of an address. A fragment never leaves the browser for a server.
//
// A fragment is
//
//	/open/FORMAT.LENGTH.PACKED
//
// where PACKED is base64url without padding (RFC 4648, section 5) of six bytes of a SHA-256 and a deflated JSON object
// (RFC 1951), and LENGTH its number of characters. The length stands in front, so that a link whose end got lost on the
// way is told from one that was changed, and the checksum tells that from one which somebody made by hand. A format that
// was ever published is read for ever; a change that an older reader would take for a fault or for something else, such
// as a new field, needs a new number.
//
// A link is untrusted. Whatever it holds, reading it allocates less than MaxAlloc bytes, and it ends.
package link

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	_ "embed" // the dictionary
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/limit"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// Format is the newest version. Format 2 adds the code that was written in a step, format 3 goals beside a scenario of its
// own; a link without either is written in format 1, which has all else.
const Format = 3

// Route begins every fragment.
const Route = "/open/"

// Bounds of a link. What is written keeps them too.
const (
	// MaxLength is the most characters that the packed part has.
	MaxLength = 32 << 10
	// MaxBytes is the most that it unpacks to.
	MaxBytes = 256 << 10
	// FreeBytes may be unpacked from any link; beyond it, at most MaxRatio bytes from each byte. Deflate itself reaches a
	// thousand.
	FreeBytes = 64 << 10
	MaxRatio  = 100
	// MaxRuns is how many runs go along: the one that is shown, and the latest others.
	MaxRuns = 4
	// MaxCode is the most bytes of code.
	MaxCode = 20_000
	// MaxAlloc is more than reading takes, most of it for as many JSON values as a document may hold. Playing the run
	// comes on top, within the bounds of every run.
	MaxAlloc = 64 << 20
)

// dictionary is what the packed text is likely to repeat. It belongs to the formats and never changes.
//
//go:embed dictionary1.txt
var dictionary []byte

const sumSize = 6

// Link is what a link holds: a place in a lesson, or a scenario of its own.
type Link struct {
	// Lesson and Step are ids; both are empty for a scenario of its own.
	Lesson, Step string
	// Scenario is the step's or the own one, with the seed of the run. The own one goes along whole; of a step's, the seed.
	Scenario scenario.Scenario
	// Goals are those of the scenario, as lesson.Step.Asked gives them; empty for none. Those of a step do not go along.
	Goals string
	// Tree is what a person did; At where they stood in the run that the tree shows.
	Tree scenario.Tree
	At   scenario.Position
	// Lang is the tag of the language in which it was seen, "" for none.
	Lang string
	// Code is what was written in a step that asks for code, which has no run: Tree and At are empty there.
	Code string
}

// content is the packed object. Its fields are in the order of format 1.
type content struct {
	Lesson   string          `json:"lesson,omitempty"`
	Step     string          `json:"step,omitempty"`
	Seed     uint64          `json:"seed"`
	Scenario json.RawMessage `json:"scenario,omitempty"`
	Tree     json.RawMessage `json:"tree,omitempty"`
	Count    int             `json:"count"`
	Lang     string          `json:"lang,omitempty"`
	Run      string          `json:"run"`
	Code     string          `json:"code,omitempty"`
}

// Fragment returns the fragment of the link, without the #. Equal links give equal fragments. Of the other runs of the
// tree only as many go along as fit; the error is TooMuch if not even the one that is shown does.
func (l *Link) Fragment() (string, error) {
	if l.Code != "" {
		return l.fragmentOfCode()
	}
	played, err := l.Scenario.Play(l.Tree.Path())
	if err != nil {
		return "", err
	}
	return l.fragment(runSum(&played))
}

// Unplayed is Fragment without playing the run, which may be what stops a program that makes a report of its crash.
// Whoever opens such a link is not told whether the run is still the same.
func (l *Link) Unplayed() (string, error) { return l.fragment("") }

// fragmentOfCode returns the fragment of a step with code.
func (l *Link) fragmentOfCode() (string, error) {
	if len(l.Code) > MaxCode {
		return "", &Error{Problem: TooMuch}
	}
	data, err := json.Marshal(&content{Lesson: l.Lesson, Step: l.Step, Lang: l.Lang, Code: l.Code})
	if err != nil {
		return "", err
	}
	if text, ok := pack(data, 2); ok {
		return Route + text, nil
	}
	return "", &Error{Problem: TooMuch}
}

func (l *Link) fragment(run string) (string, error) {
	c := content{Lesson: l.Lesson, Step: l.Step, Seed: l.Scenario.Seed, Count: l.At.Count, Lang: l.Lang, Run: run}
	if l.Lesson == "" {
		c.Scenario = lesson.WriteFree(&l.Scenario, l.Goals)
	}
	format := 1
	if l.Lesson == "" && l.Goals != "" {
		format = 3
	}
	for runs := MaxRuns; runs > 0; runs-- {
		tree := l.Tree.Prune(runs)
		c.Tree = l.Scenario.WriteTree(&tree, l.At.Now)
		data, err := json.Marshal(&c)
		if err != nil {
			return "", err
		}
		if text, ok := pack(data, format); ok {
			return Route + text, nil
		}
	}
	return "", &Error{Problem: TooMuch}
}

// runSum names a run: enough of its digest to see by accident that it is another.
func runSum(p *scenario.Played) string { return trace.Digest(p.Events)[:16] }

// pack returns the text of a link of a format, and false if it were larger than Read takes.
func pack(data []byte, format int) (text string, ok bool) {
	var b bytes.Buffer
	w, err := flate.NewWriterDict(&b, flate.BestCompression, dictionary)
	if err != nil {
		panic(err) // the level is a constant
	}
	w.Write(data) // a buffer takes everything
	w.Close()
	if len(data) > allowed(b.Len()) {
		return "", false
	}
	return seal(b.Bytes(), format)
}

// seal adds checksum, length and format.
func seal(packed []byte, format int) (text string, ok bool) {
	sum := sumOf(packed, format)
	body := base64.RawURLEncoding.EncodeToString(append(sum[:], packed...))
	return strconv.Itoa(format) + "." + strconv.Itoa(len(body)) + "." + body, len(body) <= MaxLength
}

// sumOf is the checksum of what was packed. It finds accidents; anybody can compute it.
func sumOf(packed []byte, format int) (sum [sumSize]byte) {
	whole := sha256.Sum256(append([]byte{byte(format)}, packed...))
	copy(sum[:], whole[:])
	return sum
}

// allowed returns how many bytes so many packed ones may unpack to.
func allowed(packed int) int { return min(MaxBytes, FreeBytes+MaxRatio*packed) }

// Sealed is a link that has been read and waits for its step.
type Sealed struct {
	// Lesson and Step are ids; both are empty for a scenario of its own.
	Lesson, Step string
	// Seed is the seed of the run.
	Seed uint64
	// Lang is the tag of the language in which it was seen, "" for none.
	Lang string
	// Code is what was written in a step that asks for code; such a link has no run to open.
	Code string

	own   lesson.Step
	tree  *document.Node
	doc   *document.Document
	count int
	run   string
}

// Read reads a fragment, or the one in a crash report, with or without the # and with or without the address before it. Blanks and line ends, which
// mail adds, are passed over. The error is always an *Error.
func Read(text string) (*Sealed, error) {
	packed, format, err := body(text)
	if err != nil {
		return nil, err
	}
	data, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	doc, root, failed := document.Read("link", data)
	if failed != nil {
		return nil, invalid(failed)
	}
	s := &Sealed{doc: doc}
	s.read(root, format)
	if failed := doc.Err(); failed != nil {
		return nil, invalid(failed)
	}
	return s, nil
}

func invalid(err error) error { return &Error{Problem: Invalid, Faults: document.FaultsOf(err)} }

// body returns the packed bytes whose length and checksum are right, and their format.
func body(text string) (packed []byte, format int, err error) {
	rest, err := strip(text)
	if err != nil {
		return nil, 0, err
	}
	format, rest, err = measured(rest)
	if err != nil {
		return nil, 0, err
	}
	data, failed := base64.RawURLEncoding.Strict().DecodeString(rest)
	if failed != nil || len(data) < sumSize || sumOf(data[sumSize:], format) != [sumSize]byte(data) {
		return nil, 0, &Error{Problem: Damaged}
	}
	return data[sumSize:], format, nil
}

// measured returns the format, and the rest if it is as long as is said.
func measured(rest string) (format int, body string, err error) {
	number, rest, more := strings.Cut(rest, ".")
	format, ok := count(number)
	switch {
	case !ok || format == 0:
		return 0, "", &Error{Problem: NoLink}
	case !more && format <= Format:
		return 0, "", &Error{Problem: Cut}
	case format > Format:
		return 0, "", &Error{Problem: Newer, Format: format}
	}
	number, rest, more = strings.Cut(rest, ".")
	want, ok := count(number)
	switch have := len(rest); {
	case number == "" && !more, ok && !more:
		return 0, "", &Error{Problem: Cut}
	case !ok:
		return 0, "", &Error{Problem: Damaged}
	case want > MaxLength:
		return 0, "", &Error{Problem: TooLarge}
	case have < want:
		return 0, "", &Error{Problem: Cut, Have: have, Want: want}
	case have > want:
		return 0, "", &Error{Problem: Joined, Have: have, Want: want}
	}
	return format, rest, nil
}

// strip takes away what may stand before a link and between its characters.
func strip(text string) (string, error) {
	const most = 2 * MaxLength // with an address before it, and blanks
	text = ofReport(text)
	if len(text) > most {
		return "", &Error{Problem: TooLarge}
	}
	text = strings.Join(strings.Fields(text), "")
	text = text[strings.LastIndexByte(text, '#')+1:]
	if text == "" {
		return "", &Error{Problem: Empty}
	}
	if strings.HasPrefix(Route, text) {
		return "", &Error{Problem: Cut}
	}
	return strings.TrimPrefix(text, Route), nil
}

// The crash report of the page begins with ReportTitle; in it, a line that begins with ReportLine has a link that replays
// the run.
const (
	ReportTitle = "Retry Lab crash report"
	ReportLine  = "replay: "
)

// ofReport returns the link in a crash report, and any other text as it is.
func ofReport(text string) string {
	report, ok := strings.CutPrefix(strings.TrimSpace(text), ReportTitle)
	if !ok {
		return text
	}
	for line := range strings.Lines(report) {
		if found, ok := strings.CutPrefix(line, ReportLine); ok {
			return found
		}
	}
	return ""
}

// Find returns the fragment in a text that Read reads, for an address: without the #, the blanks and what stands around
// it. It is empty if there is none; whether it is good is for Read to say.
func Find(text string) string {
	rest, err := strip(text)
	if err != nil {
		return ""
	}
	return Route + rest
}

// count reads a whole number of at most six digits that does not begin with 0, unless it is that.
func count(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && len(digits) <= 6 && strconv.Itoa(n) == digits
}

// unpack inflates within the bounds.
func unpack(packed []byte) ([]byte, error) {
	from := bytes.NewReader(packed)
	most := allowed(len(packed))
	data, err := io.ReadAll(io.LimitReader(flate.NewReaderDict(from, dictionary), int64(most)+1))
	switch {
	case len(data) > most:
		return nil, &Error{Problem: TooLarge}
	case err != nil || from.Len() > 0:
		return nil, &Error{Problem: Invalid}
	}
	return data, nil
}

func (s *Sealed) read(root *document.Node, format int) {
	const mendID = "use 1 to 40 letters, digits and hyphens"
	r := root.Object()
	id, step, own := r.Field("lesson"), r.Field("step"), r.Field("scenario")
	s.Seed = uint64(r.Int("seed", 1, 0, scenario.MaxSeed))
	switch {
	case own != nil && id == nil && step == nil:
		if format == 3 {
			s.own = lesson.ReadFree(own)
		} else {
			s.own = lesson.Step{Kind: lesson.Play, Scenario: scenario.FromNode(own)}
		}
	case own == nil && id != nil && step != nil:
		s.Lesson, _ = id.Match(limit.ValidClientKey, mendID, "%q cannot be an id")
		s.Step, _ = step.Match(limit.ValidClientKey, mendID, "%q cannot be an id")
	default:
		r.Faultf("give one of them", `there is "lesson" with "step", or else "scenario"`)
	}
	if format != 2 {
		s.tree = r.Need("tree")
	}
	s.count = int(r.Int("count", 0, 0, sim.DefaultMaxEvents+1))
	if f := r.Field("lang"); f != nil {
		s.Lang, _ = f.Match(limit.ValidClientKey, "use a tag such as en", "%q is no language")
	}
	s.run = r.String("run", "")
	if format == 2 {
		s.readCode(r)
	}
	r.Done()
}

// readCode reads what was written in a step. It is shown as text, and run only if somebody says so.
func (s *Sealed) readCode(r *document.Reader) {
	r.Need("code")
	s.Code = r.String("code", "")
	switch {
	case s.Lesson == "" || s.Code == "":
		r.Faultf("give a lesson, its step and code", "there is no code of a step")
	case len(s.Code) > MaxCode:
		r.Faultf("write less", "the code has %d bytes, more than %d", len(s.Code), MaxCode)
	case strings.ContainsFunc(s.Code, hidden):
		r.Faultf("remove it", "the code holds a hidden character")
	}
}

// hidden reports whether a character changes how a page shows the rest.
func hidden(c rune) bool {
	return unicode.IsControl(c) && c != '\n' && c != '\t' || unicode.Is(unicode.Bidi_Control, c)
}

// Opened is a link with its run.
type Opened struct {
	Link
	// Of is its step, or one made of the scenario of its own; in either, the scenario has the link's seed.
	Of     lesson.Step
	Played scenario.Played
	// Same reports whether the run is the very one that was shared. It is another if the lesson or the program has changed
	// since; then it is shown as it is now. Of a link that was made without playing the run nothing else is known.
	Same bool
}

// Open plays the link. step is its step, of which a link to a scenario of its own takes no notice. The error is always an
// *Error. A link is opened once: its faults stay with it.
func (s *Sealed) Open(step lesson.Step) (Opened, error) {
	if s.Code != "" {
		return Opened{}, &Error{Problem: NoStep, Lesson: s.Lesson, Step: s.Step} // none that has a run
	}
	if s.Lesson == "" {
		step = s.own
	}
	step.Scenario.Seed = s.Seed
	o := Opened{Link: Link{Lesson: s.Lesson, Step: s.Step, Scenario: step.Scenario, Goals: step.Asked(), Lang: s.Lang}, Of: step}
	o.Tree, o.At.Now = o.Scenario.TreeFromNode(s.tree)
	if err := s.doc.Err(); err != nil {
		problem := Invalid
		if s.Lesson != "" {
			problem = Outdated
		}
		return Opened{}, &Error{Problem: problem, Faults: document.FaultsOf(err)}
	}
	var err error
	if o.Played, err = o.Scenario.Play(o.Tree.Path()); err != nil {
		return Opened{}, &Error{Problem: Invalid}
	}
	o.Same = s.run == "" || runSum(&o.Played) == s.run
	o.At = position(&o.Played, scenario.Position{Count: s.count, Now: o.At.Now})
	return o, nil
}

// position returns the position that was shared; where it is none of this run, the one that its clock shows.
func position(p *scenario.Played, at scenario.Position) scenario.Position {
	n := len(p.Events)
	if at.Count > n || at.Count > 0 && p.Events[at.Count-1].At > at.Now || at.Count < n && p.Events[at.Count].At < at.Now {
		return p.At(at.Now)
	}
	return at
}
