//go:build e2e

package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPaintNeverDrifts: after any series of actions, what was patched step by step is what the program writes anew for the
// same state.
func TestPaintNeverDrifts(t *testing.T) { paintNeverDrifts(t, rand.Uint32(), 100) }

func paintNeverDrifts(t *testing.T, seed uint32, actions int) {
	t.Logf("seed %d", seed)
	var places []string
	for _, l := range course(t) {
		for i := range l.Steps {
			if l.Steps[i].Plays() {
				places = append(places, l.ID+"/"+l.Steps[i].ID)
			}
		}
	}
	r := rand.New(rand.NewPCG(uint64(seed), 3))
	compared := 0
	const batch = 25
	for done := 0; done < actions; done += batch {
		p := open(t, "#/lesson/"+places[r.IntN(len(places))])
		eval[bool](p, "("+anyhow+fmt.Sprintf(`, window.chance = any.random(%d), %s, true)`, r.Uint32(), repaint))
		did := eval[[]string](p, fmt.Sprintf(`any.act(%d)`, batch))
		for _, d := range eval[[][3]string](p, `repaint()`) {
			if compared++; d[1] != d[2] {
				t.Errorf("with seed %d, after %s, #%s is\n%s\nand anew\n%s", seed, strings.Join(did, ", "), d[0], d[1], d[2])
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// repaint defines a function that tells of each part that is painted by hand its id, what is in it, and what the program
// writes into an empty element in its place. What only a person opens in it, and the order of attributes, do not count.
const repaint = `window.repaint = async () => {
	const inside = (n) => [...n.childNodes].map((k) => k.nodeType === 3 ? k.data : k.nodeType !== 1 ? "" :
		"\n<" + [k.localName, ...[...k.attributes].filter((a) => !["value", "checked", "selected", "open"].includes(a.name)).map((a) => a.name + "=" + a.value).sort(),
			...(k.localName === "input" || k.localName === "select" ? ["value:" + k.value, "checked:" + !!k.checked] : [])].join(" ") + ">" + inside(k)).join("");
	const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	if (!document.querySelector("#timeline")) { return []; }
	const nothing = () => document.querySelector("#timeline").dispatchEvent(new KeyboardEvent("keydown", {key: "-", bubbles: true, cancelable: true}));
	for (let i = 0; i < 12; i++) { nothing(); } // out to the whole axis: further keys do nothing
	await frames();
	const ids = [...document.querySelectorAll("#timeline, #clock, #events, #why" + (document.querySelector(".lab--cmp") ? "" : ", #totals"))].map((e) => e.id);
	const before = ids.map((id) => inside(document.getElementById(id)));
	// All at once, so that go-app, which knows the elements, draws nothing meanwhile.
	const own = ids.map((id) => document.getElementById(id)), empty = own.map((e) => e.cloneNode(false));
	own.forEach((e, i) => e.replaceWith(empty[i]));
	nothing();
	const anew = empty.map(inside);
	empty.forEach((e, i) => e.replaceWith(own[i])); // and nothing is done in this tab after that
	return ids.map((id, i) => [id, before[i], anew[i]]);
}`
