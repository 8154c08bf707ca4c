package trace

import "strconv"

// Format is the version of the lines that AppendHeader and AppendJSON write.
const Format = 1

// AppendHeader appends the first line of a run: the format's version, the digest of the scenario file, and the seed
// that the run used, which need not be the file's own.
func AppendHeader(b []byte, scenario string, seed uint64) []byte {
	o := object{b: append(b, '{')}
	o.int("format", Format)
	o.str("scenario", scenario)
	o.name("seed")
	o.b = strconv.AppendUint(o.b, seed, 10)
	return append(o.b, '}', '\n')
}
