// Package rng makes the random numbers of a run.
//
// There is no stream. A draw is a pure function of what it is for, so that another client, another policy or a skipped
// attempt never shifts the draws of the rest: two policies can be compared on the same randomness.
package rng

import (
	"math/bits"
	"time"
)

// Purpose says what a draw decides; draws for different purposes are independent.
type Purpose uint8

const (
	// Jitter spreads a wait.
	Jitter Purpose = iota + 1
	// Latency varies how long a message takes.
	Latency
	// Above spreads a wait above what the partner asked for.
	Above
)

// Draw returns the 64 random bits of one decision. Equal arguments give equal bits on every platform.
// It chains the SplitMix64 finaliser (Steele, Lea, Flood 2014) over the arguments.
func Draw(seed uint64, client, call, attempt int, purpose Purpose) uint64 {
	h := mix(seed + golden)
	for _, part := range [...]uint64{uint64(client), uint64(call), uint64(attempt), uint64(purpose)} {
		h = mix(h + golden + part)
	}
	return h
}

const golden = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Ratio is a fraction Num/Den in [0, 1], exact. Den 0 stands for 2^64, so a draw is the Ratio{Num: draw} as it is.
// The zero value is 0.
type Ratio struct{ Num, Den uint64 }

// One is the closed upper end, which no draw reaches.
var One = Ratio{1, 1}

// OfDraw returns the ratio draw/2^64, in [0, 1).
func OfDraw(draw uint64) Ratio { return Ratio{Num: draw} }

// Scale returns ⌊d·r⌋ for d ≥ 0 and r ≤ 1, without overflow and without floats.
func (r Ratio) Scale(d time.Duration) time.Duration {
	hi, lo := bits.Mul64(uint64(d), r.Num)
	if r.Den == 0 {
		return time.Duration(hi) // multiply-high: the product divided by 2^64
	}
	q, _ := bits.Div64(hi, lo, r.Den) // hi < Den because r ≤ 1 and d fits 63 bits
	return time.Duration(q)
}

// Valid reports whether r lies in [0, 1].
func (r Ratio) Valid() bool { return r.Den == 0 || r.Num <= r.Den }

// Thousandths returns ⌊1000·r⌋, for display.
func (r Ratio) Thousandths() int64 { return int64(r.Scale(1000)) }
