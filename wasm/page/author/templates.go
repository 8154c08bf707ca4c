package author

import (
	"slices"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
)

// checkFields are the fields with which a check of a kind begins.
var checkFields = map[string]string{
	"count":    `"of":"applied","equals":1`,
	"total":    `"of":"actual","equals":10`,
	"waits":    `"equals":["1s"]`,
	"outcome":  `"is":"succeeded"`,
	"ends":     `"max":"5s"`,
	"starts":   `"attempt":2,"equals":"1s"`,
	"decided":  `"reason":"backoff-decides"`,
	"fired":    `"method":"POST"`,
	"injected": `"fault":"lost-reply"`,
	"retries":  `"equals":1`,
	"order":    `"first":{"event":"attempt-sent"},"then":{"event":"attempt-failed"}`,
	"happens":  `"event":"attempt-sent","min":1`,
	"state":    `"of":"running","max":1`,
}

// emptyText is a text that is still to be written, in every language of the lesson.
func emptyText(langs []string) string {
	var list []string
	for _, l := range langs {
		list = append(list, document.Quote(l)+`:""`)
	}
	return "{" + strings.Join(list, ",") + "}"
}

func newCheck(id, kind, text string) string {
	return `{"id":` + document.Quote(id) + `,"text":` + text + `,"kind":` + document.Quote(kind) + "," + checkFields[kind] + "}"
}

// The worlds with which new steps begin: a reply that is lost, and two replies that ask for a retry.
const (
	lostReply = `"scenario":{"script":[{"fault":"lost-reply"}],"clients":[{"name":"shop","policy":{"preset":"contract-c"}}]}`
	twoErrors = `"scenario":{"script":[{"reply":503},{"reply":503}],"clients":[{"name":"shop","policy":{"preset":"contract-c"},"request":{"key":"order-1"}}]}`
)

// newStep returns a step to begin with. It can be played, and its texts are still to be written.
func newStep(kind, id string, langs []string) string {
	text := emptyText(langs)
	s := `{"id":` + document.Quote(id) + `,"kind":` + document.Quote(kind) + `,"title":` + text + `,"body":` + text
	switch kind {
	case lesson.Play.String():
		s += `,"goal":` + text + `,"hints":[` + text + `],` + lostReply +
			`,"allow":{"fire":true,"keys":["","order-1"]},"checks":[` + newCheck("once", "total", text) + `]` +
			`,"solution":{"inputs":[{"at":"0s","fire":{"key":"order-1"}}]}` +
			`,"wrong":[{"id":"no-key","inputs":[{"at":"0s","fire":{"key":null}}],"fails":"once"}]`
	case lesson.Predict.String():
		s += "," + twoErrors + `,"allow":{"fire":true},"checks":[` + newCheck("done", "outcome", text) + `]` +
			`,"question":{"text":` + text + `,"options":[` + newOption("two", text, 2) + "," + newOption("three", text, 3) + `]}` +
			`,"solution":{"inputs":[{"at":"0s","fire":{}}],"prediction":"three"}` +
			`,"wrong":[{"id":"too-few","inputs":[{"at":"0s","fire":{}}],"prediction":"two","fails":"prediction"}]`
	case lesson.Policy.String():
		s += `,"goal":` + text + `,"scenario":{"script":[{"reply":503},{"reply":503}],"clients":[{"name":"shop","policy":{"attempts":2,` +
			`"backoff":{"base":"1s","cap":"4s"},"jitter":{"kind":"full"},"retry":{"statuses":[503]}}}],"inputs":[{"at":"1s","fire":{}}]}` +
			`,"allow":{"knobs":["attempts"]},"checks":[` + newCheck("done", "outcome", text) + `]` +
			`,"solution":{"inputs":[{"at":"0s","policy":{"set":{"attempts":3}}}]},"wrong":[{"id":"nothing","inputs":[],"fails":"done"}]`
	case lesson.Code.String():
		s += `,"exercise":{"function":"backoff","starter":` + text + `,"solution":"","wrong":[]}`
	}
	return s + "}"
}

func newOption(id, text string, sent int) string {
	return `{"id":` + document.Quote(id) + `,"label":` + text + `,"if":{"kind":"count","of":"sent","equals":` + string(rune('0'+sent)) + `}}`
}

// setCheckKind gives a check another kind: id and text stay, the other fields are those that the kind needs.
func (m *Model) setCheckKind(msg SetCheckKind) []effect.Effect {
	if checkFields[msg.Kind] == "" || !m.fresh() {
		return nil
	}
	n := m.at(msg.Pointer)
	if n == nil {
		return nil
	}
	id, text := `"check"`, emptyText(m.langs())
	if f := n.Child("id"); f != nil {
		id = f.Written()
	}
	if f := n.Child("text"); f != nil {
		text = f.Written()
	}
	value := `{"id":` + id + `,"text":` + text + `,"kind":` + document.Quote(msg.Kind) + "," + checkFields[msg.Kind] + "}"
	effects := m.set(msg.Pointer, value)
	m.typed, m.past.open = typed{}, false
	m.read()
	return effects
}

// kinds lists the kinds of checks that the form can begin.
func kinds() []string {
	var names []string
	for _, k := range lesson.CheckKinds() {
		if name := k.String(); checkFields[name] != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
