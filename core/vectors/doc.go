// Package vectors holds the project to rows that an independent implementation in another language made: arguments and
// expected results of the five contracts (contracts.json), and values of header fields with what they are read as
// (retry_after.json, ratelimit.json, idempotency_key.json).
//
// It contains tests only. Whatever a row can see through a run, as execute, retry_script and ledger, goes through the
// real simulation and is read from its events. When RETRYLAB_VECTORS names a folder, the same tests read that folder's
// files.
package vectors
