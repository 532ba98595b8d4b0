package study

import "math"

// A Claim is a statement beside what the cells say about it.
type Claim struct {
	ID        string  // unique in its study
	Statement string  // in words, plain text
	Sentence  string  // the statement with its count, without the full stop; empty: the two are written side by side
	Verdict   string  // Holds, Fails, Undecided or Counted
	Count, Of int     // what the verdict rests on; Of is 0 if nothing is known
	P         float64 // of the test behind the verdict; NaN: there is none
	Missing   int     // cells that the claim needs and that have no result
	Found     string  // sentences for Statement, counts and P where these would say too much; else empty
}

// What may come of a claim.
const (
	Holds     = "holds"
	Fails     = "does not hold"
	Undecided = "cannot be told"
	Counted   = "counted" // the claim is a count, there is nothing to decide
)

// verdict is Fails where something refutes a claim, else Undecided as long as
// something is open.
func verdict(refuted, open bool) string {
	switch {
	case refuted:
		return Fails
	case open:
		return Undecided
	}
	return Holds
}

// counted is a claim that is a count.
func counted(id, statement string, count, of int) Claim {
	return Claim{ID: id, Statement: statement, Verdict: Counted, Count: count, Of: of, P: math.NaN()}
}
