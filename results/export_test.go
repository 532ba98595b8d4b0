package results

// What the tests of this package, which stand outside it, look into.
var (
	FormatRuns = formatRuns
)

const MaxLabels = maxLabels

type CellFile = cellFile
