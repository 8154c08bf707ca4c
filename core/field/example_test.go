package field_test

import (
	"fmt"

	"retrylab.example/core/field"
)

// The name of a field is found in any letter case; one that stands twice has no single value.
func ExampleSingle() {
	fields := field.Split("retry-after:  120 \nAge: 1\nage: 2\n")
	for _, name := range []string{"Retry-After", "Age"} {
		value, once := field.Single(fields, name)
		fmt.Printf("%s: %q %v\n", name, value, once)
	}
	// Output:
	// Retry-After: "120" true
	// Age: "" false
}

// A date in a header is read exactly, or refused with the reason.
func ExampleParseDate() {
	d, fault := field.ParseDate("Mon, 30 Nov 2026 12:02:00 GMT", 0)
	fmt.Println(d.Time, d.Form, fault == field.NoFault)
	_, fault = field.ParseDate("Tue, 31 Nov 2026 12:02:00 GMT", 0)
	fmt.Println(fault == field.NoSuchDay)
	// Output:
	// 2026-11-30T12:02:00Z imf-fixdate true
	// true
}
