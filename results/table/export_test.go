package table

// What the tests of this package, which stand outside it, look into.
var (
	CSVHeader = csvHeader
	GridNote  = gridNote
	LaTeXText = latexText
	Ordinal   = ordinal
)
