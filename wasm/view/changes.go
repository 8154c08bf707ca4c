package view

import (
	"strconv"
	"strings"
)

// Changes is a Surface that writes down what is done to it, as one text for the browser to do: a call into the browser for
// each change costs more than the change. The zero value is ready.
//
// A change is its kind, a path of numbers with points between, and one or two texts; unitSeparator stands between its parts
// and recordSeparator between changes. Neither can be shown, and in texts both are left out.
type Changes struct{ text strings.Builder }

const (
	recordSeparator = "\x1e"
	unitSeparator   = "\x1f"
)

var unseparated = strings.NewReplacer(recordSeparator, "", unitSeparator, "")

// String returns the changes, empty if there are none.
func (c *Changes) String() string { return c.text.String() }

func (c *Changes) add(kind string, path []int, parts ...string) {
	if c.text.Len() > 0 {
		c.text.WriteString(recordSeparator)
	}
	c.text.WriteString(kind)
	c.text.WriteString(unitSeparator)
	for i, n := range path {
		if i > 0 {
			c.text.WriteByte('.')
		}
		c.text.WriteString(strconv.Itoa(n))
	}
	for _, p := range parts {
		c.text.WriteString(unitSeparator)
		if strings.ContainsAny(p, recordSeparator+unitSeparator) {
			p = unseparated.Replace(p)
		}
		c.text.WriteString(p)
	}
}

// SetAttr writes down that an attribute is set.
func (c *Changes) SetAttr(path []int, name, value string) { c.add("set", path, name, value) }

// DropAttr writes down that an attribute is taken away.
func (c *Changes) DropAttr(path []int, name string) { c.add("drop", path, name) }

// SetText writes down that a text is another.
func (c *Changes) SetText(path []int, text string) { c.add("text", path, text) }

// Replace writes down that something else stands in the place of a node.
func (c *Changes) Replace(path []int, html string) { c.add("replace", path, html) }

// Append writes down that something comes behind the last node inside of one.
func (c *Changes) Append(path []int, html string) { c.add("append", path, html) }

// Insert writes down that something comes before a node.
func (c *Changes) Insert(path []int, html string) { c.add("insert", path, html) }

// Remove writes down that a node is taken away.
func (c *Changes) Remove(path []int) { c.add("remove", path) }
