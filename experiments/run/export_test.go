package run

// What the tests of this package, which stand outside it, look into.
var (
	Classify = classify
	Correct  = correct
	Dealt    = dealt
)
