package export

import (
	"strconv"
	"strings"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/measure"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

// Markdown returns the run as a document in a language: what it is, its totals, a table of its events with a sentence
// for each, and the scenario file, so that somebody else can repeat it. The file is left out if it could not be read.
func (r *Run) Markdown(l text.Lang) []byte {
	var b strings.Builder
	line := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
		b.WriteByte('\n')
	}
	names := text.Names(r.Scenario.Names())
	line("# ", l.Say("export.title"), "\n")
	for _, item := range [][2]string{
		{"export.clients", strings.Join(names, ", ")},
		{"export.seed", strconv.FormatUint(r.Scenario.Seed, 10)},
		{"lab.events", strconv.Itoa(len(r.Events))},
		{"export.inputs", strconv.Itoa(len(r.Scenario.Inputs))},
		{"export.scenario-digest", "`" + r.Scenario.Digest() + "`"},
		{"export.run-digest", "`" + trace.Digest(r.Events) + "`"},
	} {
		line("- ", l.Say(item[0]), ": ", item[1])
	}
	line("\n## ", l.Say("export.totals"), "\n")
	totals := measure.Of(r.Events)
	for _, list := range [2][]string{
		{"sent", "arrived", "applied", "replayed", "duplicates", "refused", "refused-locally"}, {"naive", "deduped", "actual"},
	} {
		for _, name := range list {
			line("- ", l.Say("totals."+name), ": ", number(lesson.TotalOf(totals, name)))
		}
	}
	line("\n## ", l.Say("lab.events"), "\n")
	line("| ", l.Say("lab.col-number"), " | ", l.Say("lab.col-time"), " | ", l.Say("lab.col-who"), " | ", l.Say("lab.col-what"), " |")
	line("| ---: | ---: | --- | --- |")
	for i := range r.Events {
		e := &r.Events[i]
		line("| ", strconv.Itoa(e.Seq), " | ", trace.Seconds(e.At.Sub(clock.Start)), " | ",
			plain(l.Who(e, names)), " | ", plain(text.Plain(l.Event(e, names))), " |")
	}
	if file, err := r.File(); err == nil {
		line("\n## ", l.Say("export.scenario"), "\n\n", l.Say("export.repeat"), "\n")
		line("```json\n", escaped(file), "```")
	}
	return []byte(b.String())
}

// marks are what Markdown, and the kinds of it that turn addresses into links, would take for more than itself.
var marks = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "~", `\~`, "&", `\&`,
	"://", `:\//`, "www.", `www\.`, "@", `\@`, "\r", " ", "\n", " ", "\t", " ",
)

// plain keeps what somebody wrote into a request a text on one line of a table.
func plain(s string) string { return marks.Replace(s) }
