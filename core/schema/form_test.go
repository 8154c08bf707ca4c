package schema

import (
	"encoding/json"
	"testing"

	words "retrylab.example/core/text"
)

// TestEveryFieldHasALabel: the form shows each field of a scenario by a text of its own, in every language.
func TestEveryFieldHasALabel(t *testing.T) {
	type fields []struct{ Name, Kind string }
	var form map[string]struct {
		Fields   fields
		By       string
		Variants []struct {
			Name   string
			Fields fields
		}
	}
	if err := json.Unmarshal(Form(), &form); err != nil {
		t.Fatal(err)
	}
	if len(form["client policy"].Fields) < 20 || len(form["breaker"].Variants) != 3 {
		t.Fatalf("the form lacks parts: %d fields of a policy", len(form["client policy"].Fields))
	}
	for object, o := range form {
		all := o.Fields
		for _, v := range o.Variants {
			all = append(all, v.Fields...)
		}
		if o.By != "" {
			all = append(all, struct{ Name, Kind string }{o.By, "choice"})
		}
		for _, f := range all {
			for _, l := range words.Langs() {
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("%s, %s: %v", object, f.Name, r)
						}
					}()
					if l.Field(object, f.Name) == "" {
						t.Errorf("%s, %s has no label in %s", object, f.Name, l)
					}
				}()
			}
			if f.Kind == "" {
				t.Errorf("%s, %s has no kind", object, f.Name)
			}
		}
	}
}
