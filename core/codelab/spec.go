package codelab

import (
	"errors"
	"fmt"
)

// Spec says which case of a function is meant, so that it can be kept and sent. The zero value is the first fixed one.
type Spec struct {
	// Made says that the case is made of Choices; else it is the fixed one of the number Fixed, from 0.
	Made    bool  `json:"made,omitempty"`
	Fixed   int   `json:"fixed,omitempty"`
	Choices []int `json:"choices,omitempty"`
	// Set is what a person has set in it since, in that order.
	Set []Setting `json:"set,omitempty"`
}

// Setting is a part of a case that a person has set.
type Setting struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Bounds of a Spec, which may come from anywhere.
const (
	MaxChoices  = 500
	MaxSettings = 100
)

var errSpec = errors.New("no such case")

// Make makes the case of a Spec.
func (f *Function) Make(s Spec) (Case, error) {
	if len(s.Choices) > MaxChoices || len(s.Set) > MaxSettings {
		return Case{}, errSpec
	}
	var c Case
	if s.Made {
		c = f.generate(&choices{replay: true, given: s.Choices})
	} else {
		fixed := f.fixed()
		if s.Fixed < 0 || s.Fixed >= len(fixed) {
			return Case{}, errSpec
		}
		c = fixed[s.Fixed]
	}
	for _, set := range s.Set {
		if err := f.Set(&c, set); err != nil {
			return Case{}, fmt.Errorf("%w: %w", errSpec, err)
		}
	}
	return c, nil
}

// SpecOf returns which case a verdict tells of; ok is false if it passed.
func (f *Function) SpecOf(v *Verdict) (s Spec, ok bool) {
	if v.Passed() || v.Cases < 0 {
		return Spec{}, false
	}
	if v.Cases < len(f.fixed()) {
		return Spec{Fixed: v.Cases}, true
	}
	return Spec{Made: true, Choices: v.Choices}, true
}

// Seeded returns the generated case of a number from 1 to Generated.
func (f *Function) Seeded(number int) Spec {
	c := choices{seed: Seed, number: min(max(number, 1), Generated) - 1}
	f.generate(&c)
	return Spec{Made: true, Choices: withoutEnd(c.made)}
}

// Example is a fixed case as it is shown: what makes its world, and each call with what is wanted of it.
type Example struct {
	Setup []string
	Calls []ExampleCall
}

// ExampleCall is one call of an example, as Python.
type ExampleCall struct {
	Call string
	// Wanted is the result, or the exception if Raises.
	Wanted string
	Raises bool
	// World is what is done to the world, Vars the variables that it changes, each as it is afterwards.
	World, Vars []string
}

// Examples returns all fixed cases.
func (f *Function) Examples() []Example {
	var all []Example
	for _, c := range f.fixed() {
		wanted := f.want(&c)
		calls := c.calls(f.Name, len(c.Steps)-1)
		e := Example{Setup: c.setup()}
		for i, o := range wanted {
			e.Calls = append(e.Calls, c.exampleCall(calls[i], &o))
		}
		all = append(all, e)
	}
	return all
}

func (c *Case) exampleCall(call string, o *Outcome) ExampleCall {
	x := ExampleCall{Call: call, Wanted: o.Result.String()}
	if o.Raised != "" {
		x.Wanted, x.Raises = o.Raised, true
	}
	for _, did := range o.Trace {
		x.World = append(x.World, did.String()+"  # "+Decimal(int64(did.At)))
	}
	for i, v := range o.Vars {
		if !v.accepts(c.Vars[i].Value) {
			x.Vars = append(x.Vars, c.Vars[i].Name+" = "+v.String())
		}
	}
	return x
}
