package published

import (
	"fmt"

	"r2lmlbench/results/audit"
	"r2lmlbench/stats"
)

// Audit examines the paper's tables by arithmetic alone: the table of accuracies with
// the statements about it, then the two of accuracies on synthetic data.
func Audit() []audit.Finding {
	return append(Table().Findings(), unreachableLambda(LambdaPoints())...)
}

// unreachableLambda finds accuracies that no count of correct samples gives.
func unreachableLambda(points []Lambda) []audit.Finding {
	var all []audit.Finding
	for _, p := range points {
		fit, err := stats.CheckProportion(p.Accuracy, p.Test)
		if err != nil {
			panic(fmt.Sprintf("results: published numbers: %v", err)) // a test reads the embedded file
		}
		if fit.Possible {
			continue
		}
		f := audit.Finding{
			Kind: audit.KindUnreachable, Table: "lambda", Letter: p.Study, Method: Efficient,
			Printed: p.Accuracy, Nearest: stats.Proportion(fit.Nearest, p.Test, 3),
		}
		f.Text = "at lambda " + p.Lambda + ", " + audit.UnreachableText(f, p.Test, fit.Nearest)
		all = append(all, f)
	}
	return all
}
