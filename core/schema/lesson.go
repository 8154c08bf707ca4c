package schema

import (
	"strings"

	"retrylab.example/core/codelab"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/partner"
	"retrylab.example/core/scenario"
)

func id(what string) Field {
	return Field{
		Name: "id", Doc: "The id of the " + what + ": it stands in links and in saved progress.", Need: true, Type: idText(),
		Example: `"` + strings.ReplaceAll(what, " ", "-") + `"`,
	}
}

func idText() Type { return text(idPattern, "1 to 40 lower-case letters, digits and hyphens") }

func said(name, doc string, need bool) Field {
	return Field{Name: name, Doc: doc, Need: need, Type: translated()}
}

func lessonObjects() []Object {
	return []Object{
		{Name: "lesson", Doc: "One file of the course.", Fields: []Field{
			{Name: "$schema", Doc: "Lets an editor check the file and complete its words.", Type: text("", "a text"), Example: `"lesson.schema.json"`},
			{Name: "format", Doc: "The version of the format.", Need: true, Type: between(lesson.Format, lesson.Format), Example: "1"},
			id("lesson"),
			{Name: "languages", Doc: "The languages of every text; the first is the lesson's own.", Need: true, Type: listOf(1, 10, text(tagPattern, "a language tag")), Example: `["en", "ko"]`},
			said("title", "The title.", true),
			said("summary", "One line for the overview.", true),
			said("why", "What it is good for at work.", true),
			said("limits", "What the model leaves out.", true),
			{Name: "checklist", Doc: "What to do at work: the last page of the lesson.", Type: listOf(0, 20, translated())},
			{Name: "minutes", Doc: "How long the lesson takes, in minutes.", Default: "10", Type: between(1, 600), Example: "15"},
			{Name: "after", Doc: "The ids of lessons that are better taken before.", Type: listOf(0, 20, idText()), Example: `["lost-replies"]`},
			{Name: "references", Doc: "Sources to read on.", Type: listOf(0, 30, obj("reference"))},
			{Name: "steps", Doc: "The pages, in their order.", Need: true, Type: listOf(1, lesson.MaxSteps, obj("step"))},
		}},
		{Name: "reference", Doc: "A source to read on. Its address is shown as text and never fetched.", Fields: []Field{
			{Name: "title", Doc: "What it is called.", Need: true, Type: text("", "a text"), Example: `"RFC 9110"`},
			{Name: "address", Doc: "Where it is found.", Type: text("", "a text"), Example: `"https://www.rfc-editor.org/rfc/rfc9110"`},
		}},
		step(), allow(),
		{Name: "offer", Doc: "A whole request that the learner may choose.", Base: "sent request", Fields: []Field{
			id("request"),
			said("label", "How the request is called in the list.", true),
			{Name: "keys", Doc: "The keys from which the learner chooses; \"\" is none.", Default: "no key", Type: listOf(0, 20, keyText()), Example: `["", "order-1"]`},
		}},
		{Name: "question", Doc: "What the learner predicts before the run.", Fields: []Field{
			said("text", "The question.", true),
			{Name: "options", Doc: "The answers to choose from. Exactly one must hold at the end of the run.", Need: true, Type: listOf(2, 6, obj("option"))},
		}},
		{Name: "option", Doc: "One answer to the question. It is right if its test holds: nobody writes down which one is.", Fields: []Field{
			id("option"),
			said("label", "The answer.", true),
			{Name: "if", Doc: "What makes it the right one.", Need: true, Type: obj("test")},
		}},
		{Name: "answer", Doc: "What a learner does.", Fields: answered()},
		{Name: "wrong answer", Doc: "What a learner might do and must not pass with.", Fields: join([]Field{id("wrong answer")}, answered(), []Field{
			{Name: "fails", Doc: "The id of the check that it fails, or `prediction`.", Need: true, Type: idText(), Example: `"check"`},
		})},
		{Name: "exercise", Doc: "The function that a code step asks for.", Fields: []Field{
			{Name: "function", Doc: "Its name in the contract.", Need: true, Type: named(codelab.Names()...), Example: `"backoff"`},
			said("starter", "The program that the learner begins with. It defines the function.", true),
			{Name: "solution", Doc: "A program that passes, on top of the solutions of the steps before.", Need: true, Type: text("", "a text"), Example: `"def backoff(…"`},
			{Name: "wrong", Doc: "Programs that must not pass.", Need: true, Type: listOf(0, 20, obj("wrong program"))},
		}},
		{Name: "wrong program", Doc: "A program that a learner might write and must not pass with.", Fields: []Field{
			id("wrong program"),
			{Name: "program", Doc: "The program.", Need: true, Type: text("", "a text"), Example: `"def backoff(…"`},
			{Name: "fails", Doc: "How it is judged.", Need: true, Type: named(names(codelab.Codes()[1:])...), Example: `"wrong-value"`},
		}},
	}
}

func answered() []Field {
	return []Field{
		{Name: "inputs", Doc: "What is done, in the order of time.", Type: listOf(0, scenario.MaxInputs, obj("input"))},
		{Name: "prediction", Doc: "The id of the chosen option. Only in a predict step.", Type: idText(), Example: `"option"`},
	}
}

func step() Object {
	played := []Field{
		{Name: "allow", Doc: "What the learner may do. What is not listed is not offered.", Need: true, Type: obj("allow")},
		{Name: "checks", Doc: "What must hold.", Need: true, Type: listOf(1, 20, obj("check"))},
		{Name: "solution", Doc: "An answer that passes.", Need: true, Type: obj("answer")},
		{Name: "wrong", Doc: "Answers that must not pass, each with the check that it fails.", Need: true, Type: listOf(1, 20, obj("wrong answer"))},
		{Name: "scenario", Doc: "The world of the step.", Need: true, Type: obj("scenario")},
	}
	unplayed := Field{Name: "scenario", Doc: "The world of the step; without a run it is only read.", Type: obj("scenario")}
	question := Field{Name: "question", Doc: "What is predicted.", Need: true, Type: obj("question")}
	return Object{
		Name: "step", Doc: "One page of a lesson.", By: "kind",
		Fields: []Field{
			id("step"),
			said("title", "The title of the page.", true),
			said("body", "What the learner sees there, as Markdown.", true),
			said("goal", "What is to be reached.", false),
			said("explanation", "What stays after the success.", false),
			{Name: "hints", Doc: "Help, one after the other.", Type: listOf(0, 10, translated())},
		},
		Variants: []Variant{
			{Name: "explain", Doc: "A text to read.", Fields: []Field{unplayed}},
			{Name: "play", Doc: "A run that meets the checks.", Fields: played},
			{Name: "predict", Doc: "A prediction, and then the run.", Fields: append([]Field{question}, played...)},
			{Name: "policy", Doc: "A policy that meets the checks, also on 20 seeds that are not shown.", Fields: played},
			{Name: "code", Doc: "A function that the learner writes.", Fields: []Field{unplayed, {Name: "exercise", Doc: "What is written.", Need: true, Type: obj("exercise")}}},
		},
	}
}

func allow() Object {
	return Object{Name: "allow", Doc: "What the learner may do in a step.", Fields: []Field{
		{Name: "fire", Doc: "Whether requests may be sent.", Default: "false", Type: flagged(), Example: "true"},
		{Name: "methods", Doc: "The methods to choose from.", Default: "the one of the scenario's request", Type: listOf(0, 10, text(methodPattern, "1 to 20 letters")), Example: `["GET", "POST"]`},
		{Name: "keys", Doc: "The keys to choose from; \"\" is none.", Default: "the one of the scenario's request", Type: listOf(0, 20, keyText()), Example: `["", "order-1"]`},
		{Name: "freeKey", Doc: "Whether a key may be typed.", Default: "false", Type: flagged(), Example: "true"},
		{Name: "amounts", Doc: "The amounts to choose from.", Default: "the one of the scenario's request", Type: listOf(0, 10, between(1, partner.MaxAmount)), Example: "[10, 20]"},
		{Name: "requests", Doc: "Whole requests to choose from, in the place of methods, keys and amounts.", Type: listOf(0, 20, obj("offer"))},
		{Name: "times", Doc: "How many may be sent at once, rising.", Default: "one", Type: listOf(0, 6, between(1, scenario.MaxTimes)), Example: "[1, 10]"},
		{Name: "inject", Doc: "What may be ordered for the next reply: a status, or a fault.", Type: listOf(0, len(lesson.Injectable()), named(lesson.Injectable()...)), Example: `["503", "lost-reply"]`},
		{Name: "knobs", Doc: "The settings that may be turned.", Type: listOf(0, len(lesson.Knobs()), named(lesson.Knobs()...)), Example: `["attempts", "jitter"]`},
	}, Never: [][2]string{{"requests", "methods"}, {"requests", "keys"}, {"requests", "amounts"}}}
}

func keyText() Type { return text(keyPattern, "up to 255 printable ASCII characters") }

// names returns the names of a list of values.
func names[T interface{ String() string }](values []T) (list []string) {
	for _, v := range values {
		list = append(list, v.String())
	}
	return list
}

// maxNumber bounds the numbers of checks.
const maxNumber = 1_000_000_000_000

func reason(doc string, need bool) Field {
	return Field{Name: "reason", Doc: doc, Need: need, Type: oneOfThe("reasons", names(decision.Reasons())), Example: `"attempts-spent"`}
}

func status(doc string) Field {
	return Field{Name: "status", Doc: doc, Default: "any", Type: between(100, 599), Example: "503"}
}

func times() Field {
	return Field{Name: "times", Doc: "How often at least.", Default: "1", Type: between(1, 1000), Example: "2"}
}

func clientField(doc, missing string) Field {
	return Field{Name: "client", Doc: doc, Default: missing, Type: text(namePattern, "the name of a client"), Example: `"shop"`}
}

func ofCall() []Field {
	return []Field{
		clientField("Whose call it is.", "the first client"),
		{Name: "call", Doc: "Which call of the client, counted from 1.", Default: "1", Type: between(1, 1000), Example: "1"},
	}
}

var bounds = []string{"equals", "min", "max"}

func bound(t Type, example string) []Field {
	return []Field{
		{Name: "equals", Doc: "Exactly so much.", Type: t, Example: example},
		{Name: "min", Doc: "At least so much.", Type: t, Example: example},
		{Name: "max", Doc: "At most so much.", Type: t, Example: example},
	}
}

func join(lists ...[]Field) (all []Field) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func checkObjects() []Object {
	test := Object{Name: "test", Doc: "What is tested of a run. Tests read events and never texts.", By: "kind", Variants: tests(), Like: "It is a [check](#check) without `id` and `text`."}
	check := test
	check.Name, check.Doc, check.Like = "check", "One goal of a step: a test with its words.", ""
	check.Fields = []Field{id("check"), said("text", "The goal in words.", true)}
	return []Object{check, test, {Name: "moment", Doc: "Which events are meant. What is left out matches anything.", Fields: moment()}}
}

func moment() []Field {
	return []Field{
		{Name: "event", Doc: "The kind of the event.", Need: true, Type: oneOfThe("events", names(event.Kinds())), Example: `"attempt-sent"`},
		clientField("Whose request it is about.", "any"),
		{Name: "call", Doc: "Which call of the client, counted from 1.", Default: "any", Type: between(1, 1000), Example: "1"},
		{Name: "attempt", Doc: "Which attempt of the call, counted from 1.", Default: "any", Type: between(1, 1000), Example: "2"},
		status("The status of the response."),
		reason("The reason of the decision; left out, any.", false),
	}
}
