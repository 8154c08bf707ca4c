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

// Name returns the name where ok holds, else none: for Class.
func Name(ok bool, name string) string {
	if ok {
		return name
	}
	return ""
}
