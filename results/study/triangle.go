package study

import (
	"r2lmlbench/experiments/measure"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// Triangle counts the triples that violate the triangle inequality, which a
// combination of local metrics need not keep.
type Triangle struct {
	Fits []TriangleFit // by data set, then by column
}

// A TriangleFit is one fit.
type TriangleFit struct {
	Set        Set
	Method     string
	Variant    string        // empty if the spec sweeps none
	Metrics    string        // K, likewise
	Violations *results.Fact // of all triples; nil if it was not measured
}

// ReadTriangle reads the table of spec triangle.
func ReadTriangle(t table.Table) (Triangle, error) {
	var all Triangle
	for _, r := range t.Rows {
		for i, c := range t.Columns {
			all.Fits = append(all.Fits, TriangleFit{
				Set: setOf(r), Method: c.Method, Variant: c.Swept["variant"], Metrics: c.Swept["metrics"], Violations: factOf(cellAt(r, i).Score, measure.TriangleFact),
			})
		}
	}
	return all, nil
}

// Claims are the violations of all fits of each variant. The paper found none.
func (t Triangle) Claims() []Claim {
	var all []Claim
	for _, variant := range Variants {
		c := Claim{ID: "triangle-" + variant}
		for _, fit := range t.Fits {
			if fit.Variant == variant && fit.Violations != nil {
				c.add(*fit.Violations)
			}
		}
		all = append(all, c)
	}
	return all
}
