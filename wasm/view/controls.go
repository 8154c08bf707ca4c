package view

// Button draws a button that sends msg.
func Button(class string, msg any, parts ...any) Node {
	return El("button", append([]any{Class(class), A("type", "button"), Click(msg)}, parts...)...)
}

// Idle makes a button that does nothing now and keeps the focus: pressed to the end of a run, it must not throw the
// keyboard back to the start of the page.
func Idle(off bool) any { return If(off, A("aria-disabled", "true")) }

// Option is one option of a select.
func Option(value, label string, chosen bool) Node {
	return El("option", A("value", value), If(chosen, A("selected", "")), label)
}

// Value gives a field its text. go-app leaves the text of a field that becomes empty, so the shell is told.
func Value(s string) *Attr {
	if s == "" {
		return A("data-empty", "1")
	}
	return A("value", s)
}

// Name returns the name where ok holds, else none: for Class.
func Name(ok bool, name string) string {
	if ok {
		return name
	}
	return ""
}
