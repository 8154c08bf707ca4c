package view

import (
	"strings"
	"testing"
)

// Whatever stands in a text or a value stays text.
func TestHTMLEscapes(t *testing.T) {
	bad := `<script>alert("1")</script> & 'x' > y`
	got := El("p", A("title", bad), bad).HTML()
	want := `<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 'x' &gt; y">` +
		`&lt;script&gt;alert("1")&lt;/script&gt; &amp; 'x' &gt; y</p>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The form is canonical: attributes by name, whatever the order they were given in; handlers leave no trace.
func TestHTMLIsCanonical(t *testing.T) {
	for want, n := range map[string]Node{
		`<a aria-label="x" class="c" href="#/"></a>`: El("a", A("href", "#/"), Class("c"), A("aria-label", "x")),
		`<input disabled type="text" value>`:         El("input", A("value", ""), A("type", "text"), A("disabled", "")),
		`<br>`:                                       El("br"),
		`<ul><li>1</li><li>2</li></ul>`:              El("ul", []Node{El("li", "1"), El("li", "2")}),
		`<b class="x z"></b>`:                        El("b", Class("x", "", "z"), Click(1), nil, If(false, A("hidden", ""))),
		`<b hidden></b>`:                             El("b", If(true, A("hidden", ""))),
	} {
		if got := n.HTML(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWritingChangesNothing(t *testing.T) {
	n := El("p", A("b", "1"), A("a", "2"))
	first := n.HTML()
	if n.Attrs[0].Name != "b" || n.HTML() != first {
		t.Errorf("writing left the attributes %v", n.Attrs)
	}
}

func TestElRefusesWhatIsNoPart(t *testing.T) {
	for _, part := range []any{1, true, []string{"x"}, struct{}{}, []any{"x"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T was taken as a part", part)
				}
			}()
			El("p", part)
		}()
	}
}

func TestHandlersAndAttributesAreFound(t *testing.T) {
	n := El("input", A("value", "1"), Change(func(v string) any { return "c" + v }), Input(func(v string) any { return "i" + v }), Click("x"))
	if v, ok := n.Get("value"); !ok || v != "1" {
		t.Errorf("value is %q %t", v, ok)
	}
	if _, ok := n.Get("type"); ok {
		t.Error("an attribute is found that is not there")
	}
	if len(n.On) != 3 || n.On[0].Event != "change" || n.On[0].With("1") != "c1" || n.On[1].Event != "input" || n.On[2].Msg != "x" {
		t.Errorf("the handlers are %+v", n.On)
	}
}

// Each symbol that is used by name is in the page, and no two have the same name.
func TestIcons(t *testing.T) {
	all := Icons().HTML()
	for _, s := range symbols {
		if strings.Count(all, `id="i-`+s.id+`"`) != 1 {
			t.Errorf("the symbol %s does not stand once", s.id)
		}
	}
	if got := Icon("check").HTML(); !strings.Contains(got, `href="#i-check"`) || !strings.Contains(got, `aria-hidden="true"`) {
		t.Errorf("an icon is %s", got)
	}
}
