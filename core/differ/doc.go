// Package differ holds the core to the Go libraries that many programs use for the same: it runs them unmodified beside
// our mechanisms, on the same settings and the same outcomes, and compares what happens and when.
//
//	core/retry, core/backoff, core/retryafter   cenkalti/backoff, go-retryablehttp, failsafe-go (retrypolicy, failsafehttp)
//	core/breaker                                failsafe-go (circuitbreaker), gobreaker
//	core/limit                                  x/time/rate, failsafe-go (ratelimiter), throttled
//	core/bulkhead                               failsafe-go (bulkhead)
//
// It contains tests only. A library that asks the clock runs in a bubble of testing/synctest, where time passes only when
// everybody waits, so that its instants are exact and a test takes none.
//
// Settings and outcomes are random, from seeds that a failure prints. Where we differ on purpose, the list intended says
// so, with a reason and a predicate that recognises the situation from what was asked and from what both did. A
// difference that nobody intends fails, and so does an entry that no case has met.
package differ
