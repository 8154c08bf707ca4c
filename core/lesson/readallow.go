package lesson

import (
	"slices"

	"retrylab.example/core/document"
	"retrylab.example/core/scenario"
)

func (l *Lesson) readAllow(n *document.Node) Allow {
	r := n.Object()
	a := Allow{Fire: r.Bool("fire"), FreeKey: r.Bool("freeKey")}
	for _, item := range r.Items("methods", 10) {
		method, _ := item.Match(scenario.ValidMethod, "use 1 to 20 letters, as in POST", "%q is not a method")
		a.Methods = append(a.Methods, method)
	}
	for _, item := range r.Items("keys", 20) {
		a.Keys = append(a.Keys, scenario.ReadKey(item))
	}
	for _, item := range r.Items("amounts", 10) {
		a.Amounts = append(a.Amounts, item.Int(1, 1, 1_000_000_000))
	}
	l.readOffers(r, &a)
	readTimes(r, &a)
	a.Inject = listed(r, "inject", Injectable())
	a.Knobs = listed(r, "knobs", Knobs())
	r.Done()
	return a
}

// readOffers reads the whole requests. What they say may not be said a second time.
func (l *Lesson) readOffers(r *document.Reader, a *Allow) {
	ids := map[string]bool{}
	for _, item := range r.Items("requests", 20) {
		o := item.Object()
		offer := Offer{ID: readID(o), Label: l.need(o, "label")}
		own(ids, item, offer.ID)
		if f := o.Field("key"); f != nil {
			f.Fault("a request on offer has a list of keys", `write "keys": ["r-1"]; in it "" is no key`)
		}
		offer.Request = scenario.ReadRequest(o)
		for _, key := range o.Items("keys", 20) {
			offer.Keys = append(offer.Keys, scenario.ReadKey(key))
		}
		o.Done()
		a.Requests = append(a.Requests, offer)
	}
	if len(a.Requests) == 0 {
		return
	}
	needFire(r, a, "requests")
	for _, name := range []string{"methods", "keys", "amounts"} {
		if f := r.Field(name); f != nil {
			f.Faultf("remove it", "the requests say which %s there are", name)
		}
	}
}

func readTimes(r *document.Reader, a *Allow) {
	last := 0
	for _, item := range r.Items("times", 6) {
		n := int(item.Int(int64(last)+1, 1, scenario.MaxTimes))
		if n <= last {
			item.Fault("the numbers do not rise", "put them in order, each once")
		}
		last = max(n, last)
		a.Times = append(a.Times, n)
	}
	if len(a.Times) > 0 {
		needFire(r, a, "times")
	}
}

// needFire adds a fault to a field of what is fired where nothing may be.
func needFire(r *document.Reader, a *Allow, name string) {
	if !a.Fire {
		r.Field(name).Fault("the step does not let the learner fire", `add "fire": true`)
	}
}

// listed reads a list of names that must be known.
func listed(r *document.Reader, name string, known []string) []string {
	var list []string
	for _, item := range r.Items(name, len(known)) {
		list = append(list, document.OneOf(item, known, func(s string) (string, bool) {
			return s, slices.Contains(known, s)
		}))
	}
	return list
}
