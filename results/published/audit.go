package published

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/audit"
	"r2lmlbench/stats"
)

// Audit examines the paper's tables by arithmetic alone: the table of accuracies with
// the statements about it, and the zeros of the sparse study. The accuracies of the two
// tables on synthetic data are all possible, as a test says.
func Audit() []audit.Finding { return append(Table().Findings(), zeroedFeatures()) }

// zeroedFeatures compares what the text says of the features of the sparse study, that each
// is zeroed with probability 0.5, with the first column of its table in which all metrics
// have the same number of zeros, if they have any.
func zeroedFeatures() audit.Finding {
	const probability = 0.5
	column := slices.IndexFunc(LambdaPoints(), func(p Lambda) bool {
		return len(p.Zeros) > 0 && p.Zeros[0] > 0 && len(slices.Compact(slices.Clone(p.Zeros))) == 1
	})
	p := LambdaPoints()[column]
	zeros := p.Zeros[0]
	chance := distuv.Binomial{N: float64(p.Features), P: probability}.CDF(float64(zeros))
	return audit.Finding{
		Kind: audit.KindProse, Table: "lambda", Method: Efficient,
		Printed: fmt.Sprint(probability), Nearest: stats.Proportion(zeros, p.Features, 2), Bound: text.SixDigits(chance),
		Text: fmt.Sprintf("by the text each of %d features is zeroed with probability %g, by the table %d are; as few have probability %.2g",
			p.Features, probability, zeros, chance),
	}
}
