package table

// What the tests of this package, which stand outside it, look into.
var (
	LaTeXText = latexText
	Ordinal   = ordinal
)
