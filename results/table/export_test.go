package table

// What the tests of this package, which stand outside it, look into.
var (
	GridNote  = gridNote
	LaTeXText = latexText
	Ordinal   = ordinal
)
