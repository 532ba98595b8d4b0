package table

import (
	"fmt"

	"r2lmlbench/internal/text"
)

// Mark compares our printed accuracy with the published one: "=" when they are
// the same number, else the difference in points, such as "+0.45"; "" when
// there is nothing to compare.
func Mark(ours, published string) string {
	a, err1 := text.Hundredths(ours)
	b, err2 := text.Hundredths(published)
	switch {
	case err1 != nil || err2 != nil:
		return ""
	case a == b:
		return "="
	case a < b:
		return "-" + points(b-a)
	}
	return "+" + points(a-b)
}

func points(hundredths int) string {
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}
