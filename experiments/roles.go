package experiments

// The specs with a part of their own in verdicts and reports. Those of studies
// stand in the registry of studies.
const (
	// Paper is the spec of the paper's table. Its report has the findings on the
	// paper and all figures.
	Paper = "accuracy"
	// Memory measures the memory of methods whose cells in the paper's table take
	// too long to be computed by one worker.
	Memory = "memory"
)

// Evidence are the specs of further seeds, splits and values of open parameters, whose
// cells verdicts and comparisons read beside those of the paper's table.
var Evidence = []string{"seeds", "splits", "open"}
