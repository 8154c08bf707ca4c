package author

import u "unicode/utf16"

func utf16(s string) []uint16     { return u.Encode([]rune(s)) }
func fromUTF16(c []uint16) string { return string(u.Decode(c)) }
