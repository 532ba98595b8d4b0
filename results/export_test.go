package results

// What the tests of this package, which stand outside it, look into.
var (
	FormatRuns = formatRuns
	ParseRuns  = parseRuns
)

const MaxLabels = maxLabels
