package shell

import "syscall/js"

// tabKey does a key on a tab, and reports whether it is one of theirs: the arrows, Home and End go to another tab and
// choose it, Delete presses the button that closes the chosen one.
func tabKey(tab js.Value, key string) bool {
	list := tab.Call("closest", "[role=tablist]")
	if !list.Truthy() {
		return false
	}
	tabs := list.Call("querySelectorAll", "[role=tab]")
	last, here := tabs.Length()-1, 0
	for here < last && !tabs.Index(here).Call("contains", tab).Bool() {
		here++
	}
	switch key {
	case "ArrowRight", "ArrowDown":
		here = (here + 1) % (last + 1)
	case "ArrowLeft", "ArrowUp":
		here = (here + last) % (last + 1)
	case "Home":
		here = 0
	case "End":
		here = last
	case "Delete":
		if closes := list.Get("parentElement").Call("querySelector", "[data-closes-tab]"); closes.Truthy() {
			closes.Call("click")
		}
		return true
	default:
		return false
	}
	tabs.Index(here).Call("focus")
	tabs.Index(here).Call("click")
	return true
}
