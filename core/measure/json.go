package measure

import "strconv"

// AppendJSON appends the totals as one JSON object. The bytes are made by hand so that they are the same on every
// platform and in every Go release. Fallbacks are left out where there are none: most runs have no fallback.
func (t Totals) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, f := range [...]struct {
		name  string
		value int64
	}{
		{"calls", int64(t.Calls)}, {"sent", int64(t.Sent)}, {"arrived", int64(t.Arrived)},
		{"applied", int64(t.Applied)}, {"replayed", int64(t.Replayed)}, {"refused", int64(t.Refused)},
		{"refusedLocally", int64(t.RefusedLocally)}, {"duplicates", int64(t.Duplicates)},
		{"succeeded", int64(t.Succeeded)}, {"gaveUp", int64(t.GaveUp)},
		{"naive", t.Naive}, {"deduped", t.Deduped}, {"actual", t.Actual},
	} {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, f.name) // plain letters, so Go's quoting is JSON's
		b = append(b, ':')
		b = strconv.AppendInt(b, f.value, 10)
	}
	if t.Fallbacks > 0 {
		b = strconv.AppendInt(append(b, `,"fallbacks":`...), int64(t.Fallbacks), 10)
	}
	return append(b, '}')
}
