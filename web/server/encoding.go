package server

import (
	"strconv"
	"strings"
)

// encodings are the content codings of a site's files, best first, with the suffix of the file that holds each.
var encodings = []struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"identity", ""}}

// choose picks the coding with the highest weight in an Accept-Encoding header (RFC 9110, 12.5.3) among those that
// has says there are; at equal weight the smaller one. Without a header only identity is safe. A client that forbids
// everything that there is gets false.
func choose(header string, has func(coding string) bool) (coding string, ok bool) {
	weights := weigh(header)
	best := 0.0
	for _, e := range encodings {
		if w := weightOf(weights, e.coding); w > best && has(e.coding) {
			coding, best = e.coding, w
		}
	}
	return coding, best > 0
}

// weigh reads the header: weights by coding in lower case. An element that is not well-formed counts as absent.
func weigh(header string) map[string]float64 {
	weights := map[string]float64{}
	for element := range strings.SplitSeq(header, ",") {
		coding, parameter, weighted := strings.Cut(element, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		weight := 1.0
		if weighted {
			name, value, _ := strings.Cut(parameter, "=")
			w, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !strings.EqualFold(strings.TrimSpace(name), "q") || !(w >= 0 && w <= 1) {
				continue
			}
			weight = w
		}
		if coding != "" {
			weights[strings.TrimPrefix(coding, "x-")] = weight // x-gzip is gzip
		}
	}
	return weights
}

// weightOf gives the weight of a coding. Identity that is not mentioned stays acceptable, after all that is, unless
// "*;q=0" forbids it.
func weightOf(weights map[string]float64, coding string) float64 {
	if w, ok := weights[coding]; ok {
		return w
	}
	w, star := weights["*"]
	if coding == "identity" && (!star || w > 0) {
		return 0.0001
	}
	return w
}
