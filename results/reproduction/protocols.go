package reproduction

import (
	"bytes"
	"encoding/csv"

	"r2lmlbench/results/document"
	"r2lmlbench/results/verdict"
)

const protocolsTitle = "Which protocol gives the printed numbers"

// verdictsFile is the list of all verdicts.
const verdictsFile = Folder + "/verdicts.csv"

// protocols has the tables behind the verdicts: the ladder by method, decoys, our own
// seeds as if printed, which protocol fits a column, and ranks if all choose alike.
func protocols(v verdict.Verdicts) document.Section {
	s := document.Section{Title: protocolsTitle}
	s.Say("%s prints these tables below the list of verdicts.", document.Code("r2lmlbench verdict accuracy"))
	for _, l := range v.Tables() {
		s.Heading("%s", l.Title)
		addListing(&s, l)
	}
	if fits := v.Fits.Sentences(); len(fits) > 0 {
		s.Gist = document.Plain(fits[0])
	}
	return s
}

// verdictsCSV lists the verdicts on all numbers.
func verdictsCSV(v verdict.Verdicts) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head, rows := v.Listing()
	err := w.WriteAll(append([][]string{head}, rows...))
	return b.Bytes(), err
}
