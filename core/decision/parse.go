package decision

import "slices"

// ParseVerdict returns the verdict of that name.
func ParseVerdict(name string) (Verdict, bool) { return parse[Verdict](verdictNames[:], name) }

// ParseName returns the name of a row.
func ParseName(name string) (Name, bool) { return parse[Name](names[:], name) }

// ParseMark returns the mark of that name.
func ParseMark(name string) (Mark, bool) { return parse[Mark](markNames[:], name) }

// ParseBound returns the bound of that name.
func ParseBound(name string) (Bound, bool) { return parse[Bound](boundNames[:], name) }

func parse[T ~uint8](names []string, name string) (T, bool) {
	i := slices.Index(names, name)
	return T(max(i, 0)), i >= 0
}
