package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"r2lmlbench/internal/text"
)

// An Excluded is a column of a method with published numbers that is not comparable
// with any: its settings are not those of the publication.
type Excluded struct {
	Method  string   `json:"method"`  // id of the column
	Letters []string `json:"letters"` // rows of the table that the spec has
	Reason  string   `json:"reason"`  // what the column does instead: "fixes metrics; ..."
}

// unpublished says why a spec has no published number.
func (v Verdicts) unpublished() []string {
	if len(v.Excluded) > 0 {
		return append([]string{"The spec has no published number to compare its columns with."}, v.excluded()...)
	}
	return []string{"The spec has no published number: none of its rows and columns is in " + cmp.Or(v.Title, "the table that it names") + "."}
}

// excluded are the notes on columns that are left out, one for each reason.
func (v Verdicts) excluded() []string {
	columns := map[string][]string{}
	var reasons []string
	for _, l := range v.Excluded {
		reasons = text.AppendNew(reasons, l.Reason)
		columns[l.Reason] = text.AppendNew(columns[l.Reason], l.Method)
	}
	var notes []string
	for _, reason := range reasons {
		notes = append(notes, fmt.Sprintf("Not comparable with a published number: %s, as the spec %s.", strings.Join(columns[reason], ", "), reason))
	}
	return notes
}
