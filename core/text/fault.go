package text

import (
	"strconv"
	"strings"

	"retrylab.example/core/document"
)

// FileFault says what is wrong with a value of a file, and how to mend it; lang is the language in which both are said:
// English where there are no words in the reader's. What a file might do to a page or a terminal is escaped.
func (l Lang) FileFault(f document.Fault) (problem, mend string, lang Lang) {
	problem, mend, known := l.faultWords(f)
	if !known || l == English {
		return document.Visible(f.Problem), document.Visible(f.Mend), English
	}
	return document.Visible(problem), document.Visible(mend), l
}

// FaultLine says a fault of a file on one line, with its place.
func (l Lang) FaultLine(f document.Fault) string {
	problem, mend, _ := l.FileFault(f)
	if mend != "" {
		problem += "; " + mend
	}
	if f.Line > 0 {
		problem = strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column) + ": " + problem
	}
	return problem
}

// faultWords is FileFault with the messages alone; known is false where one lacks.
func (l Lang) faultWords(f document.Fault) (problem, mend string, known bool) {
	form, args := f.Form, strings.Split(f.Args, "\x00")
	if form == "" {
		form, args = f.Problem, nil
	}
	if problem, known = l.inWords("problem."+form, args); !known {
		problem, known = l.inParts(form, args)
	}
	if f.Mend == "" || !known {
		return problem, "", known
	}
	form, args = mendForm(f.Mend)
	mend, known = l.inWords("mend."+form, args)
	return problem, mend, known
}

// inParts is inWords for a problem that is told in parts, with colons between them: of what it is, what it is, and why. A
// part that is a parameter alone stands as it is.
func (l Lang) inParts(form string, args []string) (s string, known bool) {
	var said []string
	for part := range strings.SplitSeq(form, ": ") {
		n := strings.Count(part, "%")
		if n > len(args) {
			return "", false
		}
		if part == "%s" {
			said, args = append(said, args[0]), args[1:]
			continue
		}
		words, known := l.inWords("problem."+part, args[:n])
		if !known {
			return "", false
		}
		said, args = append(said, words), args[n:]
	}
	return strings.Join(said, ": "), true
}

// inWords fills a message with its parameters, {a} and so on. Kinds of values are said in the language too.
func (l Lang) inWords(name string, args []string) (s string, known bool) {
	if !Has(name) {
		return "", false
	}
	var named []string
	for i, arg := range args {
		if Has("value." + arg) {
			arg = l.Say("value." + arg)
		}
		named = append(named, string(rune('a'+i)), arg)
	}
	return l.Say(name, named...), true
}

// mendForm returns a mend with %s in the place of what it lists, of its numbers and durations, or of an example.
func mendForm(mend string) (form string, args []string) {
	if before, list, found := strings.Cut(mend, "use one of: "); found {
		return before + "use one of: %s", []string{list}
	}
	if i := strings.IndexByte(mend, '{'); i >= 0 {
		return mend[:i] + "%s", []string{mend[i:]}
	}
	words := strings.Split(mend, " ")
	for i, w := range words {
		if end := strings.TrimRight(w, ","); measured(end) {
			args = append(args, end)
			words[i] = "%s" + w[len(end):]
		}
	}
	return strings.Join(words, " "), args
}

// measured reports whether a word is a number or a duration.
func measured(w string) bool {
	w = strings.TrimPrefix(w, "-")
	return w != "" && w[0] >= '0' && w[0] <= '9' && strings.Trim(w, "0123456789.nµmsh") == ""
}
