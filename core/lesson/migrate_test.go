package lesson

import (
	"strings"
	"testing"

	"retrylab.example/core/document"
)

// name2title stands for a format 2 in which a lesson has a title, where a format 1 had a name.
func name2title(root *document.Node) {
	for i := range root.Fields {
		if root.Fields[i].Name == "name" {
			root.Fields[i].Name = "title"
		}
	}
}

// An older file is read as one of the newest format, its faults stand where it was written, and a newer one is refused.
func TestOlderFormatsAreMigrated(t *testing.T) {
	base := readFile(t, "testdata/base.json")
	older := strings.Replace(base, `"title": {"en": "Base", "ko": "바탕"}`, `"name": {"en": "Base", "ko": "바탕"}`, 1)
	newest := strings.Replace(base, `"format": 1`, `"format": 2`, 1)
	for _, c := range []struct{ name, text, want string }{
		{"of format 1", older, ""},
		{"of format 2", newest, ""},
		{"with a fault in what is moved", strings.Replace(older, `"ko": "바탕"`, `"ko": ""`, 1),
			"lesson.json:5:32: /name/ko: the text in \"ko\" is empty; write it"},
		{"of format 2, with what was of format 1", strings.Replace(older, `"format": 1`, `"format": 2`, 1),
			"lesson.json:1:1: the field \"title\" is missing; add it"},
		{"of format 3", strings.Replace(base, `"format": 1`, `"format": 3`, 1),
			"lesson.json:2:13: /format: the file is made for a newer Retry Lab: format 3, and this one reads up to 2; " +
				"use that one, or write 2 if nothing in the file is newer"},
	} {
		doc, root, err := document.Read("lesson.json", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		l := fromOlder(root, []migration{name2title})
		err = doc.Err()
		if title, _ := l.Title.In("en"); c.want == "" && (err != nil || title != "Base") {
			t.Errorf("%s: title %q, %v", c.name, title, err)
		}
		if c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: got %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestEachFormatHasItsMigration(t *testing.T) {
	if len(migrations) != Format-1 {
		t.Fatalf("format %d needs %d migrations, there are %d", Format, Format-1, len(migrations))
	}
	for i, m := range migrations {
		if m == nil {
			t.Errorf("nothing brings format %d to the next", i+1)
		}
	}
}
