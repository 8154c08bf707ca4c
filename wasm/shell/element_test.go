package shell

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/lessons"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

func drawn(n view.Node) string {
	return app.HTMLString(element(n, "", func(app.Context, app.Event, view.Handler) {}))
}

// What go-app is told: words for switches, an unchecked box, no attribute without a value.
func TestElement(t *testing.T) {
	for _, c := range []struct {
		n         view.Node
		has, lack string
	}{
		{view.El("button", view.A("disabled", "")), "disabled", ""},
		{view.El("button"), "<button", "disabled"},
		{view.El("input", view.A("type", "checkbox"), view.A("checked", "")), "checked", `checked="false"`},
		{view.El("input", view.A("type", "text")), `type="text"`, "checked"},
		{view.El("p", "<script>"), "&lt;script&gt;", "<script>"},
		{view.El("a", view.A("href", "#/lesson/x/y")), `href="#/lesson/x/y"`, ""},
	} {
		got := drawn(c.n)
		if !strings.Contains(got, c.has) || c.lack != "" && strings.Contains(got, c.lack) {
			t.Errorf("%s is drawn as %s", c.n.HTML(), got)
		}
	}
}

func TestWhatMustBeTold(t *testing.T) {
	for _, name := range []string{"checked", "disabled", "hidden", "open", "selected"} {
		if got := attribute(view.Attr{Name: name}); got != "true" {
			t.Errorf("%s is told as %q", name, got)
		}
	}
	if got := attribute(view.Attr{Name: "value"}); got != "" {
		t.Errorf("an empty value is told as %q", got)
	}
	radio, box := view.El("input", view.A("type", "radio")), view.El("input", view.A("type", "checkbox"), view.A("checked", ""))
	if !needsChecked(radio) || needsChecked(box) || needsChecked(view.El("input", view.A("type", "range"))) || needsChecked(view.El("p")) {
		t.Error("the wrong inputs are told that they are not checked")
	}
}

// go-app keeps the handler of an element whose scope does not change, with all that it captured. So wherever two handlers
// have the same scope, in any step of the course, they must send the same messages.
func TestEqualScopesSendEqualMessages(t *testing.T) {
	known := map[string]map[string]any{}
	entries, err := lessons.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := lessons.Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Read(e.Name(), data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(l.Steps) + 1 {
			m := lab.New(frame.Settings{Lang: text.English}, lab.Size{Stage: 640}, lab.Place{}, &l, i, &progress.Book{}, "")
			checkScopes(t, known, m.View())
			for _, msg := range []any{lab.SetClient{Index: 1}, lab.KeepPrediction{}, lab.Fire{}, lab.Next{}, lab.ShowSolution{}, lab.Run{}} {
				m.Update(msg)
				checkScopes(t, known, m.View())
			}
		}
	}
	if len(known) < 50 {
		t.Errorf("there are only %d kinds of handlers", len(known))
	}
}

func checkScopes(t *testing.T, known map[string]map[string]any, n view.Node) {
	t.Helper()
	for _, h := range n.On {
		sends := map[string]any{"": h.Msg}
		if h.With != nil {
			sends = map[string]any{}
			for _, value := range append(options(n), "0", "true", "false", "x") {
				sends[value] = sent(h, value)
			}
		}
		place := n.Tag + " " + h.Event + " " + scope(h)
		if known[place] == nil {
			known[place] = map[string]any{}
		}
		for value, msg := range sends {
			if before, is := known[place][value]; is && before != msg {
				t.Errorf("%s: %q sends %+v here and %+v there", place, value, msg, before)
			}
			known[place][value] = msg
		}
	}
	for _, k := range n.Kids {
		checkScopes(t, known, k)
	}
}

// options are the values that a select offers.
func options(n view.Node) []string {
	var values []string
	for _, k := range n.Kids {
		if v, ok := k.Get("value"); ok && n.Tag == "select" {
			values = append(values, v)
		}
	}
	return values
}

// sent returns the message of a value, nil for one that no control has.
func sent(h view.Handler, value string) (msg any) {
	defer func() { _ = recover() }()
	return h.With(value)
}
