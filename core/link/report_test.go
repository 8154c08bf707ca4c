package link

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrylab.example/core/lesson"
)

// A link that was made without playing holds the same run, of which nobody says that it has changed.
func TestUnplayed(t *testing.T) {
	s := world(t)
	rapid.Check(t, func(t *rapid.T) {
		l := drawLink(t, s)
		text, err := l.Unplayed()
		if err != nil {
			t.Fatal(err)
		}
		played, err := l.Fragment()
		if err != nil {
			t.Fatal(err)
		}
		opened := func(text string) Opened {
			sealed, err := Read(text)
			if err != nil {
				t.Fatal(err)
			}
			o, err := sealed.Open(lesson.Step{Scenario: l.Scenario})
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		if got, want := opened(text), opened(played); !got.Same || !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
	})
}

// The link of a crash report is the one of its line, whatever else stands in the report.
func TestReport(t *testing.T) {
	l := Link{Scenario: world(t)}
	text, err := l.Unplayed()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("goroutine 1 [running]: #/open/1.4.abcd\n", 10_000)
	report := ReportTitle + "\nbuild: b/0\n" + ReportLine + "https://lab.example/x/#" + text + "\n\n" + long
	for _, given := range []string{report, "\n " + strings.ReplaceAll(report, "\n", "\r\n"), text, "#" + text, "https://lab.example/#" + text} {
		if _, err := Read(given); err != nil || Find(given) != text {
			t.Errorf("%.60q: %v, found %.60s", given, err, Find(given))
		}
	}
	for given, want := range map[string]Problem{
		ReportTitle: Empty, ReportTitle + "\n" + ReportLine: Empty, ReportTitle + "\n" + ReportLine + "https://lab.example/#/lesson/x/y\n": NoLink,
		ReportTitle + "\n" + long: Empty, "A " + report: TooLarge,
	} {
		var problem *Error
		if _, err := Read(given); !errors.As(err, &problem) || problem.Problem != want {
			t.Errorf("%.60q: got %v, want %s", given, err, want)
		}
	}
}
