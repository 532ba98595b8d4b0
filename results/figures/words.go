package figures

import (
	"fmt"
	"strings"
)

// paragraph joins the sentences that are not empty.
func paragraph(sentences ...string) string {
	var all []string
	for _, s := range sentences {
		if s != "" {
			all = append(all, s)
		}
	}
	return strings.Join(all, " ")
}

// series is "a, b and c".
func series(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}

// counted is "1 cell" or "2 cells".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// gaps says how many points of all have no result; nothing if they all have one.
func gaps(missing, all int, noun string) string {
	switch missing {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 of %s has no result and is left out.", counted(all, noun))
	}
	return fmt.Sprintf("%d of %s have no result and are left out.", missing, counted(all, noun))
}
