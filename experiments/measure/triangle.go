package measure

import (
	"context"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// TriangleFact names the count of triples of training samples whose distances violate
// the triangle inequality.
const TriangleFact = "triangle inequality violated"

// takeTriangle writes TriangleFact.
func takeTriangle(ctx context.Context, _ Fit, f *r2lml.LocalMetric) (Measured, error) {
	violations, triples, err := r2lml.TriangleViolations(ctx, f)
	return Measured{Facts: []results.Count{{Name: TriangleFact, Count: violations, Of: triples}}}, err
}
