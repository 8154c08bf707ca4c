package sandbox

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// Messages of the text as a whole.
type (
	// Typed is the whole text of the JSON field, once it was left. Raw shows it, or the form.
	Typed struct{ Text string }
	Raw   struct{ On bool }
	// Undo takes the last edit back, Redo does it again. Empty begins anew, Start with a starting situation.
	Undo  struct{}
	Redo  struct{}
	Empty struct{}
	Start struct{ ID string }
)

// Messages of the form. Pointers are JSON pointers.
type (
	// Set writes what was typed or chosen into a field; an empty value takes the field out.
	Set struct {
		Pointer, Value string
		Kind           string // as in the table: whole, text, wait, choice, flag, or words for a list
	}
	// Become makes an object another variant of its kind.
	Become struct{ Pointer, Object, Variant string }
	// Add makes an object that lacks. Insert adds an element to a list, Copy some more like one, Remove takes a value out.
	Add    struct{ Pointer, Object string }
	Insert struct{ List, Object string }
	Copy   struct {
		List  string
		Count int
	}
	Remove struct{ Pointer string }
	// Move lets the shown element change places with its neighbour, Pick shows another one.
	Move struct {
		List string
		By   int
	}
	Pick struct {
		List  string
		Index int
	}
	// Instead gives an object one of the fields of which it has exactly one, in the place of the other.
	Instead struct{ Pointer, Object, Field string }
	// Copies says how many more clients like one are made.
	Copies struct{ Count int }
)

// Update does what a message says. What is no message of this page is one of the run's.
func (m *Model) Update(msg any) []effect.Effect {
	if effects, ok := m.whole(msg); ok {
		return effects
	}
	if effects, ok := m.formed(msg); ok {
		return effects
	}
	if effects, ok := m.kept(msg); ok {
		return effects
	}
	var effects []effect.Effect
	for _, e := range m.bench.Update(msg) {
		if s, stores := e.(effect.Store); stores {
			if !strings.HasSuffix(s.Key, StepID+"/"+StepID) {
				continue // there is no progress here
			}
			e = effect.Store{Key: progress.SandboxRun, Value: s.Value}
		}
		effects = append(effects, e)
	}
	return effects
}

// whole does the messages of the text as a whole.
func (m *Model) whole(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case Typed:
		m.note("", false)
		return m.set(unix(msg.Text)), true
	case Raw:
		m.raw = msg.On
		return []effect.Effect{effect.SetValue{ID: jsonID, Value: m.text}}, true
	case Undo:
		return m.travel(&m.past, &m.undone), true
	case Redo:
		return m.travel(&m.undone, &m.past), true
	case Empty:
		return m.replace("", begin), true
	case Start:
		for i := range m.starters {
			if s := &m.starters[i]; s.id == msg.ID {
				return m.replace(s.title(m.Settings.Lang), s.text), true
			}
		}
		return nil, true
	case frame.OpenSeed:
		return m.openSeed(msg.Seed), true
	case frame.File:
		return m.file(msg), true
	}
	return nil, false
}

// openSeed gives the scenario another seed.
func (m *Model) openSeed(seed uint64) []effect.Effect {
	number := strconv.FormatUint(seed, 10)
	effects := m.put("/seed", number)
	m.note("sandbox.seed-set", false, "seed", number)
	return append(effects, m.announce()...)
}

func (m *Model) travel(from, to *[]state) []effect.Effect {
	n := len(*from)
	if n == 0 {
		return nil
	}
	m.note("", false) // it was about what is taken back
	back := (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, state{m.name, m.text})
	if m.typed == m.name {
		m.typed = back.name
	}
	m.name = back.name
	return m.show(back.text)
}

// replace puts another scenario in the place of all that is there: undo brings it back.
func (m *Model) replace(name, text string) []effect.Effect {
	m.typed = name
	m.picked = map[string]int{}
	m.note("sandbox.opened", false)
	return append(m.setAs(name, text), m.announce()...)
}

// note notes what the page has to say; a name of a message, or empty.
func (m *Model) note(name string, trouble bool, args ...string) {
	m.notice, m.trouble = "", trouble
	if name != "" {
		m.notice = m.say(name, args...)
	}
}

func (m *Model) announce() []effect.Effect { return []effect.Effect{effect.Announce{Text: m.notice}} }

// formed does the messages of the form.
func (m *Model) formed(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case Pick:
		m.picked[msg.List] = msg.Index
		return nil, true
	case Copies:
		m.copies = min(max(msg.Count, 1), scenario.MaxClients)
		return nil, true
	}
	if m.broken || m.form == nil {
		return nil, false
	}
	if effects, ok := m.goal(msg); ok {
		return effects, true
	}
	switch msg := msg.(type) {
	case Set:
		return m.write(msg), true
	case Become:
		if n := m.at(msg.Pointer); n != nil && m.form[msg.Object] != nil {
			return m.edit(n.Replace(m.form.as(msg.Object, msg.Variant, n))), true
		}
	case Instead:
		return m.instead(msg), true
	case Add:
		return m.put(msg.Pointer, m.form.fresh(msg.Object)), true
	case Insert:
		return m.insert(msg.List, m.form.fresh(msg.Object)), true
	case Copy:
		return m.copy(msg.List, msg.Count), true
	case Remove:
		return m.remove(msg.Pointer), true
	case Move:
		i := m.index(msg.List)
		first := min(i, i+msg.By)
		if n := m.at(msg.List); n != nil && first >= 0 && first+1 < len(n.Items) {
			m.picked[msg.List] = i + msg.By
			return m.edit(n.Swap(first)), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// instead puts another one of some fields in the place of the one that is there.
func (m *Model) instead(msg Instead) []effect.Effect {
	n, o := m.at(msg.Pointer), m.form[msg.Object]
	if n == nil || o == nil || n.Kind != document.Object {
		return nil
	}
	var parts []string
	for _, f := range n.Fields {
		if !slices.Contains(o.OneOf, f.Name) {
			parts = append(parts, document.Quote(f.Name)+": "+f.Value.Written())
		}
	}
	for _, f := range o.Fields {
		if f.Name == msg.Field {
			parts = append(parts, document.Quote(f.Name)+": "+m.form.begin(f))
		}
	}
	return m.edit(n.Replace("{" + join(parts) + "}"))
}

// write writes a field.
func (m *Model) write(msg Set) []effect.Effect {
	value := strings.TrimSpace(msg.Value)
	n := m.at(msg.Pointer)
	if value == "" || msg.Kind == "flag" && value == "false" {
		if n == nil || msg.Pointer == "" { // the document itself cannot be taken out
			return nil
		}
		return m.edit(n.Remove())
	}
	switch msg.Kind {
	case "flag":
		return m.put(msg.Pointer, "true")
	case "whole":
		return m.put(msg.Pointer, scalar(value))
	case "words", "numbers":
		return m.put(msg.Pointer, words(value, msg.Kind == "numbers"))
	case "wait":
		value = strings.ReplaceAll(value, " ", "") // people write 1.5 s
	}
	if n != nil && strings.HasSuffix(msg.Pointer, "/name") {
		return m.rename(n, value)
	}
	return m.put(msg.Pointer, document.Quote(value))
}

// scalar writes a whole number as a number, and all else as a text, which the reader refuses with its place.
func scalar(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return document.Quote(value)
}

// words writes a list of what stands between commas or blanks.
func words(value string, numbers bool) string {
	var list []string
	for _, w := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		if numbers {
			list = append(list, scalar(w))
		} else {
			list = append(list, document.Quote(w))
		}
	}
	return "[" + join(list) + "]"
}

// rename gives a client or a pool another name, wherever the scenario speaks of it.
func (m *Model) rename(n *document.Node, name string) []effect.Effect {
	old, text := n.Text, m.text
	named := map[string]bool{"client": true}
	if strings.HasPrefix(n.Pointer(), "/pools/") {
		named = map[string]bool{"pool": true}
	}
	var places []*document.Node
	var find func(p *document.Node)
	find = func(p *document.Node) {
		for _, f := range p.Fields {
			if named[f.Name] && f.Value.Kind == document.String && f.Value.Text == old {
				places = append(places, f.Value)
			}
			find(f.Value)
		}
		for _, item := range p.Items {
			find(item)
		}
	}
	find(m.doc)
	if !named["client"] || strings.HasPrefix(n.Pointer(), "/clients/") {
		places = append(places, n)
	} else {
		places = []*document.Node{n}
	}
	edits := make([]document.Edit, len(places))
	for i, p := range places {
		edits[i] = p.Replace(document.Quote(name))
	}
	for len(edits) > 0 { // from the end on, so that the places before stay where they are
		last := 0
		for i := range edits {
			if edits[i].From > edits[last].From {
				last = i
			}
		}
		text = edits[last].Apply(text)
		edits = append(edits[:last], edits[last+1:]...)
	}
	return m.set(text)
}

// put puts a value, as JSON, at a JSON pointer; the object around it is there.
func (m *Model) put(pointer, value string) []effect.Effect {
	if n := m.at(pointer); n != nil {
		return m.edit(n.Replace(value))
	}
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return nil
	}
	p := m.at(pointer[:i])
	if p == nil || p.Kind != document.Object {
		return nil
	}
	return m.edit(p.SetField(pointer[i+1:], value))
}

func (m *Model) remove(pointer string) []effect.Effect {
	n := m.at(pointer)
	if n == nil || pointer == "" {
		return nil
	}
	i := strings.LastIndexByte(pointer, '/')
	return append(m.edit(n.Remove()), effect.Focus{ID: listID(pointer[:i])})
}

// insert adds an element to a list, which is made if it lacks, and shows it.
func (m *Model) insert(list, value string) []effect.Effect {
	n := m.at(list)
	if strings.HasSuffix(list, "/pools") || list == "/clients" {
		value = renamed(value, freeName(n, "new"))
	}
	if n == nil || n.Kind != document.Array {
		m.picked[list] = 0
		return m.put(list, "["+value+"]")
	}
	m.picked[list] = len(n.Items)
	return append(m.edit(n.Insert(len(n.Items), value)), effect.Focus{ID: listID(list)})
}

// copy adds elements like the shown one. Names are new ones.
func (m *Model) copy(list string, count int) []effect.Effect {
	n := m.at(list)
	if n == nil || n.Kind != document.Array || len(n.Items) == 0 {
		return nil
	}
	shown := n.Items[m.index(list)]
	value := shown.Written()
	var all []string
	used := 0
	for range min(count, scenario.MaxClients) {
		next := value
		if name := shown.Child("name"); name != nil {
			var free string
			free, used = numbered(n, name.Text, used+1)
			next = renamed(value, free)
		}
		all = append(all, next)
	}
	m.picked[list] = len(n.Items)
	return m.edit(n.Insert(len(n.Items), strings.Join(all, ",\n    ")))
}

// renamed gives an object, as JSON, a name.
func renamed(value, name string) string {
	_, root, err := document.Read("", []byte(value))
	if err != nil || root.Child("name") == nil {
		return value
	}
	return root.Child("name").Replace(document.Quote(name)).Apply(value)
}

// numbered returns a name that no element has: the same word with the next free number from a number on.
func numbered(list *document.Node, name string, from int) (free string, number int) {
	word := strings.TrimRight(name, "0123456789")
	word = strings.TrimSuffix(word, "-")
	if len(word) > 30 {
		word = word[:30]
	}
	taken := map[string]bool{}
	for _, item := range list.Items {
		if n := item.Child("name"); n != nil {
			taken[n.Text] = true
		}
	}
	for i := max(from, 2); ; i++ {
		if free = word + "-" + strconv.Itoa(i); !taken[free] {
			return free, i
		}
	}
}

func freeName(list *document.Node, word string) string {
	if list == nil {
		return word
	}
	name, _ := numbered(list, word, 1)
	return name
}

// index returns the place of the element of a list that is shown.
func (m *Model) index(list string) int {
	n := m.doc.At(list)
	if n == nil {
		return 0
	}
	return max(min(m.picked[list], len(n.Items)-1), 0)
}
