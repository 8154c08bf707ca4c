package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"retrylab.example/wasm/view"
)

// labelBox returns where a label stands, by the same estimate of its width by which it was placed.
func labelBox(n view.Node) (place, box) {
	at := func(name string) float64 {
		v, _ := n.Get(name)
		f, _ := strconv.ParseFloat(v, 64)
		return f
	}
	side, _ := n.Get("text-anchor")
	class, _ := n.Get("class")
	p := place{n.Kids[0].Text, at("x"), at("y"), left}
	p.at = map[string]anchor{"middle": middle, "end": right}[side]
	f := face(max(slices.Index(faceClass[:], class), 0))
	return p, p.box(f)
}

// No label stands on another one, in any run and in any part of it: one without room is left out.
func TestNoLabelStandsOnAnother(t *testing.T) {
	check := func(t *testing.T, in Input) {
		if in.Vertical {
			return
		}
		var texts []string
		var boxes []box
		for _, n := range plan(in).layers[textLayer] {
			if n.Tag != "text" {
				continue
			}
			p, b := labelBox(n)
			for i, o := range boxes {
				if b.meets(o) {
					t.Errorf("%q stands on %q", p.text, texts[i])
				}
			}
			texts, boxes = append(texts, p.text), append(boxes, b)
		}
	}
	parts(t, check)
	for seed := range uint64(12) { // many calls at one instant
		check(t, atOnce(t, seed))
	}
	forms(t, func(t *testing.T, in Input) {
		for k := range len(in.Events) + 1 {
			if check(t, prefix(in, k)); t.Failed() {
				t.Fatalf("after %d events", k)
			}
		}
	})
}

// atOnce returns a run in which some clients send at few instants, drawn from a seed.
func atOnce(t *testing.T, seed uint64) Input {
	draw := rand.New(rand.NewPCG(seed, 3))
	var steps []step
	at := time.Duration(0)
	for i := range 14 {
		steps = append(steps, fire(at, draw.IntN(3), fmt.Sprint("k-", i)))
		at += time.Duration(draw.IntN(3)) * 40 * ms
	}
	return simulate(t, threeClients(), at+time.Duration(draw.IntN(4000))*ms, steps...)
}
