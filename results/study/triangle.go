package study

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// triangleFact counts the triples of training samples whose distances violate the
// triangle inequality.
const triangleFact = "triangle inequality violated"

// takeTriangle writes that fact.
func takeTriangle(ctx context.Context, _ Fit, f *r2lml.LocalMetric) (Measured, error) {
	violations, triples, err := r2lml.TriangleViolations(ctx, f)
	return Measured{Facts: []results.Fact{{Name: triangleFact, Count: violations, Of: triples}}}, err
}

// Triangle counts the triples that violate the triangle inequality, which a
// combination of local metrics need not keep.
type Triangle struct {
	Coverage
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
	all := Triangle{Coverage: coverageOf(t)}
	for _, r := range t.Rows {
		for i, c := range t.Columns {
			all.Fits = append(all.Fits, TriangleFit{
				Set: setOf(r), Method: c.Method, Variant: c.Swept["variant"], Metrics: c.Swept["metrics"], Violations: factOf(cellAt(r, i).Score, triangleFact),
			})
		}
	}
	return all, nil
}

// Kept says whether a variant keeps the triangle inequality.
type Kept struct {
	Claim
	Variant  string
	Fits     int          // that were measured
	Violated int          // of them, those with a violation
	Triples  Total        // violations of all fits
	Worst    results.Fact // the fit with the largest share
}

// Kept checks the paper's statement on a variant: it found no violation.
func (t Triangle) Kept(variant string) Kept {
	k := Kept{Variant: variant}
	missing := 0
	for _, fit := range t.Fits {
		switch {
		case fit.Variant != variant:
			continue
		case fit.Violations == nil:
			missing++
			continue
		}
		f := *fit.Violations
		k.Fits++
		k.Triples.add(f)
		if f.Count > 0 {
			k.Violated++
		}
		if !less(f, k.Worst) {
			k.Worst = f
		}
	}
	k.Claim = Claim{
		ID: "triangle-" + variant, Statement: fmt.Sprintf("the local distances of the %s variant keep the triangle inequality", variant),
		Verdict: verdict(k.Violated > 0, k.Fits == 0 || missing > 0), Count: k.Triples.Count, Of: k.Triples.Of, P: math.NaN(), Missing: missing,
	}
	return k
}

// Claims are the statement on each variant.
func (t Triangle) Claims() []Claim {
	var all []Claim
	for _, variant := range Variants {
		all = append(all, t.Kept(variant).Claim)
	}
	return all
}

// Listings have a line for every fit.
func (t Triangle) Listings() []table.Listing {
	l := table.Listing{Title: "The triangle inequality", Head: []string{"data", "method", "variant", "K", "violations", "triples", "percent"}}
	for _, fit := range t.Fits {
		row := []string{fit.Set.Name, published.MethodName(fit.Method), orDash(fit.Variant), orDash(fit.Metrics), "-", "-", "-"}
		if f := fit.Violations; f != nil {
			row = append(row[:4], strconv.Itoa(f.Count), strconv.Itoa(f.Of), stats.Percent(f.Count, f.Of, 4))
		}
		l.Rows = append(l.Rows, row)
	}
	return []table.Listing{l}
}
