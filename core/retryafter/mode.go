package retryafter

// Mode says which values of Retry-After are read, and which other fields beside it.
type Mode uint8

const (
	// Integer reads whole seconds only: contracts A and D. Every date is passed over, so it retries too early on each
	// that lies ahead; that is what the lessons show.
	Integer Mode = iota
	// Decimal reads whole seconds and decimals, exactly: contract E.
	Decimal
	// Standard reads delay-seconds and the three forms of an HTTP-date (RFC 9110 section 10.2.3), and takes a date with
	// the wrong day of the week.
	Standard
	// Strict is Standard without that leniency: exactly the grammar.
	Strict
	// Vendor is Standard and reads decimals too, rounded up to whole seconds: some partners send 2.0.
	Vendor
	// Wild is Vendor and reads what partners send beside Retry-After: gRPC's pushback, waits in milliseconds, RateLimit,
	// and the fields from before it.
	Wild
)

var modeNames = [...]string{"integer", "decimal", "standard", "strict", "vendor", "wild"}

// String returns the name used in scenarios.
func (m Mode) String() string { return modeNames[m] }

// ModeNames returns the names in their order.
func ModeNames() []string { return modeNames[:] }

// ParseMode returns the mode of that name.
func ParseMode(name string) (Mode, bool) {
	for i, n := range modeNames {
		if n == name {
			return Mode(i), true
		}
	}
	return Integer, false
}

// decimals reports whether the mode reads decimals.
func (m Mode) decimals() bool { return m == Decimal || m >= Vendor }

// Kind says what a value was read as.
type Kind uint8

const (
	// NoKind: as nothing; the reading is not valid.
	NoKind Kind = iota
	// DelaySeconds: whole seconds from receipt.
	DelaySeconds
	// DecimalSeconds: a decimal number of seconds from receipt.
	DecimalSeconds
	// HTTPDate: an instant.
	HTTPDate
	// Milliseconds: a number of milliseconds from receipt, in a field of some partners.
	Milliseconds
	// RateLimit: the reset of an exhausted limit in RateLimit.
	RateLimit
	// Reset: the reset in a field from before RateLimit.
	Reset
	// Pushback: the wait of gRPC's pushback, exactly, or that there is to be no retry.
	Pushback
	numKinds
)

var kindNames = [numKinds]string{
	"none", "delay-seconds", "decimal-seconds", "http-date", "milliseconds", "rate-limit", "reset", "pushback",
}

// String returns the kebab-case name.
func (k Kind) String() string { return kindNames[k] }

// Reason says why nothing valid was read. In every case the field counts as absent, and the client waits its own
// backoff: never 0, and never for ever (our choice where RFC 9110 is silent).
type Reason uint8

const (
	// NoReason: the reading is valid.
	NoReason Reason = iota
	// Absent: the field was not sent.
	Absent
	// Empty: it was sent with nothing in it.
	Empty
	// Repeated: it was sent more than once. It is a singleton field (RFC 9110 sections 5.3 and 5.5), and no rule says
	// which line counts.
	Repeated
	// NotDigits: it is something else than digits, which are all that the mode Integer reads.
	NotDigits
	// NotDecimal: it is no number without a sign, which is all that the mode Decimal reads.
	NotDecimal
	// NoForm: it is neither digits nor of the shape of an HTTP-date.
	NoForm
	// DayName: its day of the week is no name that the form has.
	DayName
	// MonthName: its month is no name that the form has.
	MonthName
	// Punctuation: its blanks, commas, hyphens, colons, digits or zone are not those of the form.
	Punctuation
	// TimeOfDay: there is no such time of day.
	TimeOfDay
	// NoSuchDay: the month has no such day.
	NoSuchDay
	// WrongWeekday: the day of the week is not that of the date, which only Strict minds.
	WrongWeekday
	numReasons
)

var reasonNames = [numReasons]string{
	"none", "absent", "empty", "repeated", "not-digits", "not-decimal", "no-form", "day-name", "month-name",
	"punctuation", "time-of-day", "no-such-day", "weekday-mismatch",
}

// String returns the kebab-case name.
func (r Reason) String() string { return reasonNames[r] }

// Reasons returns every reason but NoReason, for tests of completeness.
func Reasons() []Reason {
	all := make([]Reason, 0, numReasons-1)
	for r := NoReason + 1; r < numReasons; r++ {
		all = append(all, r)
	}
	return all
}

// Warning is something that a reader let pass, or that a sender should mend.
type Warning uint8

const (
	// WeekdayMismatch: the day of the week is not that of the date.
	WeekdayMismatch Warning = iota
	// Saturated: the wait is longer than any duration, so it is the longest one.
	Saturated
	// LeapSecond: the date is 23:59:60, reckoned as the midnight after it.
	LeapSecond
	// RoundedUp: a decimal was rounded up to whole seconds.
	RoundedUp
	// DateUnread: the response's own Date could not be read, so the instant of receipt stands in for it.
	DateUnread
	// BeforeReset: the wait is shorter than the reset in RateLimit, which the sender should not do (draft-10 section 6).
	BeforeReset
	numWarnings
)

var warningNames = [numWarnings]string{
	"weekday-mismatch", "saturated", "leap-second", "rounded-up", "date-unread", "before-reset",
}

// String returns the kebab-case name.
func (w Warning) String() string { return warningNames[w] }

// Warnings is a set of them.
type Warnings uint16

// Has reports whether w is in the set.
func (s Warnings) Has(w Warning) bool { return s&(1<<w) != 0 }

func (s *Warnings) add(w Warning, when bool) {
	if when {
		*s |= 1 << w
	}
}

// List returns the warnings in their order.
func (s Warnings) List() []Warning {
	var list []Warning
	for w := range numWarnings {
		if s.Has(w) {
			list = append(list, w)
		}
	}
	return list
}
