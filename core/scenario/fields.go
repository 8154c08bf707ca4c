package scenario

import (
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/field"
)

// MaxFields bounds the fields of a response beside Retry-After.
const MaxFields = 20

// fieldJSON is one field of a response.
type fieldJSON struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// readFields reads the list "fields" of a response, as call.Response.Fields holds it:
//
//	[{"name": "Date", "value": "Mon, 30 Nov 2026 12:00:01 GMT"}, {"name": "RateLimit", "value": "\"hour\";r=0;t=12"}]
//
// It is a list because a field may be sent on several lines, and what that means is a thing to learn.
func readFields(r *document.Reader) string {
	var fields []field.Field
	for _, item := range r.Items("fields", MaxFields) {
		o := item.Object()
		var f field.Field
		if n := o.Need("name"); n != nil {
			f.Name = readFieldName(n)
		}
		if n := o.Need("value"); n != nil {
			f.Value, _ = n.Match(sendableLine, "use at most 200 characters on one line", "this cannot be the value of a field")
		}
		o.Done()
		fields = append(fields, f)
	}
	return field.Join(fields)
}

func readFieldName(n *document.Node) string {
	name, ok := n.Match(func(s string) bool { return field.IsToken(s) && len(s) <= 50 },
		"use 1 to 50 letters, digits and hyphens", "%q is not the name of a field")
	switch strings.ToLower(name) {
	case "retry-after":
		n.Fault("Retry-After has a member of its own", `write "retryAfter" beside "fields"`)
	case "content-type", "content-length", "location", "idempotent-replayed":
		n.Faultf("leave it out", "the response says %s by itself", name)
	}
	if !ok {
		return ""
	}
	return name
}

// sendableLine reports whether s can be the value of a field. Blanks, and characters beyond ASCII, are for the reader of
// the field to judge.
func sendableLine(s string) bool {
	return len(s) <= 200 && strings.IndexFunc(s, func(c rune) bool { return c < 0x20 && c != '\t' || c == 0x7f }) < 0
}
