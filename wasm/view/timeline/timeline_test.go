package timeline

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

var update = flag.Bool("update", false, "write testdata anew")

// forms calls f with every run, wide and for phones, at every event of it.
func forms(t *testing.T, f func(t *testing.T, in Input)) {
	for name, in := range runs(t) {
		for _, vertical := range []bool{false, true} {
			in.Vertical = vertical
			if vertical {
				in.Width = 328
			}
			t.Run(name+"/vertical="+strconv.FormatBool(vertical), func(t *testing.T) { f(t, in) })
		}
	}
}

// prefix returns the drawing's input after the first k events.
func prefix(in Input, k int) Input {
	in.Events = in.Events[:k]
	in.Now = 0
	if k > 0 {
		in.Now = in.Events[k-1].At
	}
	return in
}

func TestDrawingsStayAsTheyAre(t *testing.T) {
	for name, in := range runs(t) {
		for suffix, in := range map[string]Input{"": in, "-phone": phone(in), "-ko": korean(in)} {
			if suffix != "" && name != "lost-reply" {
				continue
			}
			in.Selected = 13
			got := lines(Draw(in)) + lines(Pair(measure.Of(in.Events), in.Events, in.Lang))
			golden(t, name+suffix+".html", got)
		}
	}
	golden(t, "defs.html", lines(Defs())+lines(Legend(text.English)))
}

func phone(in Input) Input {
	in.Vertical, in.Width = true, 328
	return in
}

func korean(in Input) Input {
	in.Lang = text.Korean
	return in
}

// lines returns canonical HTML with every element on a line of its own, so that a difference is short.
func lines(n view.Node) string { return strings.ReplaceAll(n.HTML(), "><", ">\n<") + "\n" }

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range g {
			if i >= len(w) || g[i] != w[i] {
				t.Errorf("%s:%d: got %s", file, i+1, g[i])
				break
			}
		}
		t.Errorf("%s differs; -update writes it anew", file)
	}
}

func TestEveryEventHasAPlace(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		var placed []int
		for _, sp := range plan(in).spots {
			placed = append(placed, sp.seq)
		}
		for _, e := range in.Events {
			other := in.Vertical && e.Request.Client != in.Client
			if !other && !slices.Contains(placed, e.Seq) {
				t.Errorf("event %d, %s, is nowhere in the drawing", e.Seq, e.Kind)
			}
		}
	})
}

func TestEveryMarkIsHitWhereItStands(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		for sp := range plan(in).own() {
			if seq, ok := HitTest(in, sp.x, sp.y); !ok || seq != sp.seq {
				t.Errorf("at the mark of event %d: got %d, %v", sp.seq, seq, ok)
			}
		}
		if seq, ok := HitTest(in, -100, -100); ok {
			t.Errorf("outside: got event %d, want none", seq)
		}
	})
}

func TestSteppingBackDrawsTheSame(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		for k := range len(in.Events) {
			before := Draw(prefix(in, k)).HTML()
			Draw(prefix(in, k+1))
			if after := Draw(prefix(in, k)).HTML(); after != before {
				t.Fatalf("after %d events: the drawing differs after a step forth and back", k)
			}
		}
	})
}

func TestRowsNeverChange(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		rows := map[*event.Event]int{}
		for k := range len(in.Events) + 1 {
			s := plan(prefix(in, k))
			for _, a := range s.story.attempts {
				e := a.sent
				if e == nil {
					continue
				}
				if row, seen := rows[e]; seen && row != a.row {
					t.Errorf("event %d: row %d became %d after %d events", e.Seq, row, a.row, k)
				}
				rows[e] = a.row
			}
		}
	})
}

var number = regexp.MustCompile(`-?\d+(\.\d+)?`)

func TestNumbersAreNumbers(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		for k := range len(in.Events) + 1 {
			html := Draw(prefix(in, k)).HTML()
			if strings.Contains(html, "NaN") || strings.Contains(html, "Inf") || strings.Contains(html, "e+") {
				t.Fatalf("after %d events: a coordinate is not a number", k)
			}
		}
	})
}

// nudge is how far a mark may stand right of its instant, so that marks of one instant do not hide each other.
const nudge = 12

func TestNothingHappensRightOfNow(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		for k := range len(in.Events) + 1 {
			in := prefix(in, k)
			s := plan(in)
			now := s.axis.in(in.Now)
			for _, sp := range s.spots {
				at := sp.x
				if in.Vertical {
					at = sp.y
				}
				if at > now+nudge {
					t.Errorf("after %d events: the mark of event %d stands %.0f px after now", k, sp.seq, at-now)
				}
			}
			for _, l := range []layer{linkLayer, barLayer} {
				for _, n := range s.layers[l] {
					if class, _ := n.Get("class"); !strings.HasPrefix(class, "pl-place") && !in.Vertical {
						if right := rightEnd(t, n); right > now+nudge {
							t.Errorf("after %d events: %s ends %.0f px after now", k, class, right-now)
						}
					}
				}
			}
		}
	})
}

// rightEnd returns how far to the right a rectangle or a path of absolute commands reaches.
func rightEnd(t *testing.T, n view.Node) float64 {
	t.Helper()
	get := func(name string) float64 {
		v, _ := n.Get(name)
		f, _ := strconv.ParseFloat(v, 64)
		return f
	}
	switch n.Tag {
	case "rect":
		return get("x") + get("width")
	case "circle":
		return get("cx") + get("r")
	}
	d, _ := n.Get("d")
	end := 0.0
	for _, cmd := range regexp.MustCompile(`[MLHC][^A-Za-z]*`).FindAllString(d, -1) {
		all := number.FindAllString(cmd, -1)
		for i, v := range all {
			if f, _ := strconv.ParseFloat(v, 64); i%2 == 0 {
				end = max(end, f)
			}
		}
	}
	return end
}

// The scrubber has the range of the axis and lies under it, so its thumb continues the now line.
func TestTheAxisEndsOnARoundInstant(t *testing.T) {
	if got, want := AxisEnd(runs(t)["lost-reply"]), clock.Instant(5200*time.Millisecond); got != want {
		t.Errorf("AxisEnd: got %v, want %v", got, want)
	}
}

func TestASelectedEventIsRinged(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		for _, e := range in.Events {
			if in.Vertical && e.Request.Client != in.Client {
				continue
			}
			in.Selected = e.Seq
			if n := strings.Count(Draw(in).HTML(), "tl-sel"); n != 1 {
				t.Errorf("event %d, %s: got %d rings, want 1", e.Seq, e.Kind, n)
			}
		}
	})
}

func TestAllMarksAreDefined(t *testing.T) {
	defs := Defs().HTML()
	for _, kind := range event.Kinds() {
		for _, code := range []int{200, 429, 503, 404} {
			e := event.Event{Kind: kind, Response: call.Response{Status: code}}
			name := MarkFor(&e)
			for _, id := range []string{`id="mk-` + name + `"`, `id="ms-` + name + `"`} {
				if !strings.Contains(defs, id) {
					t.Errorf("%s %d: the shape %q has no %s", kind, code, name, id)
				}
			}
		}
	}
	for _, name := range Marks() {
		if !strings.Contains(MarkIcon(name).HTML(), "#ms-"+name) {
			t.Errorf("icon %s does not refer to its shape", name)
		}
	}
}

func TestAllMessagesExist(t *testing.T) {
	data, err := os.ReadFile("../../../core/text/messages/timeline.json")
	if err != nil {
		t.Fatal(err)
	}
	var messages map[string]map[text.Lang]string
	if err := json.Unmarshal(data, &messages); err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\{\w+\}`)
	for name, texts := range messages {
		want := parameter.FindAllString(texts[text.English], -1)
		slices.Sort(want)
		for _, l := range text.Langs() {
			got := parameter.FindAllString(texts[l], -1)
			slices.Sort(got)
			if texts[l] == "" || !slices.Equal(got, want) {
				t.Errorf("%s in %s: got %q with %v, want the parameters %v", name, l, texts[l], got, want)
			}
		}
	}
	for _, name := range namesInUse() {
		if !text.Has("timeline." + name) {
			t.Errorf("no message timeline.%s", name)
		}
	}
	for _, in := range runs(t) {
		for _, in.Lang = range text.Langs() {
			for k := range len(in.Events) + 1 {
				if html := Draw(prefix(in, k)).HTML() + Legend(in.Lang).HTML(); strings.Contains(html, "{") {
					t.Errorf("in %s after %d events: a parameter was not given", in.Lang, k)
				}
			}
		}
	}
}

// namesInUse lists the messages whose names are made from codes.
func namesInUse() []string {
	names := []string{"crash-before", "crash-after", "say.crash-before", "say.crash-after", "requestLost", "neverSent"}
	for _, f := range call.Failures() {
		names = append(names, "bar."+f.String(), "bar."+f.String()+".short", "say."+f.String())
	}
	for _, r := range []decision.Reason{
		decision.NotRetryable, decision.NotReplaySafe, decision.AttemptsSpent, decision.BudgetTooShort,
		decision.DeadlinePassed, decision.CircuitOpen, decision.ProbesRunning, decision.BulkheadFull,
		decision.TokensMissing, decision.CallerLeft,
	} {
		names = append(names, "end."+r.String())
	}
	for _, kind := range meterNames {
		names = append(names, "lane."+kind, "meter."+kind)
	}
	for kind := range told {
		names = append(names, "say."+kind.String())
	}
	return names
}

func TestALongRunStaysSmall(t *testing.T) {
	in := manyEvents(t, 1000)
	for _, in.Vertical = range []bool{false, true} {
		if n := nodes(Draw(in)); n > 150 {
			t.Errorf("vertical=%v: got %d elements and texts for %d events, want at most 150", in.Vertical, n, len(in.Events))
		}
		in.Selected = in.Events[500].Seq
		if html := Draw(in).HTML(); !in.Vertical && !strings.Contains(html, "tl-sel") {
			t.Error("the selected event has no ring")
		}
	}
}

func nodes(n view.Node) int {
	sum := 1
	for _, k := range n.Kids {
		sum += nodes(k)
	}
	return sum
}

func BenchmarkDraw(b *testing.B) {
	lesson, long := runs(b)["lost-reply"], manyEvents(b, 1000)
	for name, in := range map[string]Input{"lesson": lesson, "phone": phone(lesson), "1000": long, "guards": stormy(b, 1000)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Draw(in)
			}
		})
	}
}

// What is said of a wait stands beside it: left of the attempt after it, even where the request takes the room.
func TestAWaitIsNamedBesideIt(t *testing.T) {
	in := runs(t)["five-attempts"]
	for _, n := range plan(in).layers[textLayer] {
		if html := n.HTML(); strings.Contains(html, "wait 0.500") {
			x, _ := n.Get("x")
			if at, err := strconv.ParseFloat(x, 64); err != nil || at > plan(in).axis.at(clock.Start.Add(600*time.Millisecond)) {
				t.Errorf("%s begins right of the attempt that it leads to", html)
			}
			return
		}
	}
	t.Error("the first wait is not named")
}

// What got lost is drawn in the lane of who sent it, also in its last row.
func TestALossStaysInItsLane(t *testing.T) {
	forms(t, func(t *testing.T, in Input) {
		if in.Vertical {
			return
		}
		w := &wide{sheet: newSheet(in), top: 30}
		w.story = tell(in)
		w.layLanes()
		for _, a := range w.story.attempts {
			b := w.place(a)
			if y, l := w.inLane(b, b.bar.y+b.bar.h, w.partnerY), w.clients[b.req.Client]; y+5 > l.bottom()+1 {
				t.Errorf("attempt %d of client %d: a loss at %.0f, below its lane, which ends at %.0f", b.req.Attempt, b.req.Client, y, l.bottom())
			}
		}
	})
}
