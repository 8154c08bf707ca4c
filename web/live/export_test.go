package live

// Patterns returns the paths of the API.
func Patterns() (list []string) {
	for _, r := range routes {
		list = append(list, r.pattern)
	}
	return list
}
