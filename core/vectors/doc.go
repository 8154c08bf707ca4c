// Package vectors holds the project to the rows of contracts.json: arguments and expected results of the five
// contracts, made by an independent implementation in another language.
//
// It contains tests only. Whatever a row can see through a run, as execute, retry_script and ledger, goes through the
// real simulation and is read from its events. When RETRYLAB_VECTORS names a folder, the same tests read that folder's
// contracts.json.
package vectors
