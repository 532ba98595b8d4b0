package experiments

import (
	"context"
	"reflect"
	"slices"

	"r2lmlbench/r2lml"
	"r2lmlbench/results/study"
)

// serves tells whether a measure can be taken of the fits of a method.
func serves(need study.Need, m Method) bool {
	switch need {
	case study.NeedsLocalMetric:
		return hasField(m)
	case study.NeedsObjective:
		return hasObjective(m)
	case study.NeedsGrid:
		return !m.Imported // the program fits it, or has it fitted
	}
	return false
}

// hasField tells whether the metric of a method is an r2lml.Field: those of GLML
// and DANN are made for every query, and the others give labels only.
func hasField(m Method) bool {
	return !slices.Contains([]string{"glml", "dann", "euclidean-ties", "external", importedID}, m.ID)
}

// hasObjective tells whether the objective of a method can be followed.
func hasObjective(m Method) bool {
	t := m.family.prototype()
	return t == reflect.TypeFor[r2lml.Efficient]() || t == reflect.TypeFor[r2lml.Transductive]()
}

// measureAll takes the wanted measures of a fit.
func measureAll(ctx context.Context, wanted []string, p problem, s setting, f r2lml.Fitted) (study.Measured, error) {
	return study.Take(ctx, wanted, study.Fit{Problem: p.Problem, Setting: s, Fitted: f, Neighbors: p.Neighbors})
}
