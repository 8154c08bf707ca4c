package trace

import "retrylab.example/core/event"

// Keep is a sink that keeps every event.
type Keep struct{ Events []event.Event }

// Event appends a copy of e.
func (k *Keep) Event(e *event.Event) { k.Events = append(k.Events, *e) }
