package ledger

// Errors says which errors of executed requests are saved and replayed. A request that was never executed saves nothing,
// whatever this says.
type Errors uint8

const (
	// All: the first result counts, a success or an error; a 500 stays a 500 for as long as the key is kept.
	All Errors = iota
	// Not5xx: a server error is forgotten, so that the same key executes anew.
	Not5xx
	// NoErrors: only a 2xx is saved.
	NoErrors
)

var errorsNames = [...]string{"all", "not-5xx", "none"}

// String returns the kebab-case name.
func (e Errors) String() string { return errorsNames[e] }

// ErrorsNames returns the names in their order.
func ErrorsNames() []string { return errorsNames[:] }

// ParseErrors returns the value of that name.
func ParseErrors(name string) (Errors, bool) {
	for i, n := range errorsNames {
		if n == name {
			return Errors(i), true
		}
	}
	return All, false
}

func (e Errors) saves(status int) bool {
	switch e {
	case Not5xx:
		return status < 500
	case NoErrors:
		return status >= 200 && status < 300
	}
	return true
}
