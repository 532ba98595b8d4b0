package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/diagnosis"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// The ends of the ids of the columns with step auto. The column of the printed steps
// has the id of the method.
const (
	autoSuffix         = "-auto"
	standardizedSuffix = "-auto-zscore"
)

// AutoSteps compares the steps that R2LML takes from the samples with the printed
// ones.
type AutoSteps struct {
	Coverage
	Rows []AutoRow // by method, then by data set
}

// An AutoRow is a method on one data set.
type AutoRow struct {
	Set          Set
	Method       string  // id
	Auto         Against // step auto against the printed step, on raw features
	Standardized Against // step auto on standardized features against the printed step on raw ones
	Ratio        float64 // the printed step over that of auto before it is halved; NaN if one is not known
	Fits         AutoFits
	Printed      AutoFits // those with the printed step, where there are any with auto
}

// An Against compares two columns by the seeds that both have.
type Against struct {
	Seeds       int
	Base, Other float64 // mean accuracies in percent; NaN without a seed
}

// AutoFits counts fits.
type AutoFits struct {
	Fits, Halved     int // of the settings that were chosen
	Points, Diverged int // of the grids
}

// ReadAutoSteps reads the cells of spec auto.
func ReadAutoSteps(in Input) (AutoSteps, error) {
	s := AutoSteps{Coverage: coverageOf(in.Table)}
	for _, method := range []string{Efficient, Transductive} {
		for i, r := range in.Table.Rows {
			printed, auto, standardized := in.column(i, method), in.column(i, method+autoSuffix), in.column(i, method+standardizedSuffix)
			row := AutoRow{
				Set: setOf(r), Method: method, Auto: against(printed, auto), Standardized: against(printed, standardized),
				Ratio: stepRatio(printed, auto),
			}
			for _, c := range slices.Concat(auto, standardized) {
				row.Fits.add(c)
			}
			if row.Auto.Seeds > 0 {
				for _, c := range printed {
					row.Printed.add(c)
				}
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s, nil
}

// column is the cells of a row in the column of that id.
func (in Input) column(row int, id string) []results.Cell {
	j := slices.IndexFunc(in.Table.Columns, func(c table.Column) bool { return c.ID == id })
	if j < 0 {
		return nil
	}
	return in.cells(row, j)
}

// against compares cells by seed.
func against(base, other []results.Cell) Against {
	var a, b []float64
	for _, one := range base {
		for _, two := range other {
			if one.Seed == two.Seed {
				a, b = append(a, percentOf(one)), append(b, percentOf(two))
			}
		}
	}
	if len(a) == 0 {
		return Against{Base: math.NaN(), Other: math.NaN()}
	}
	return Against{len(a), stat.Mean(a, nil), stat.Mean(b, nil)}
}

// Difference is how much more accurate the other is, in points; NaN without a seed.
func (a Against) Difference() float64 {
	if a.Seeds == 0 {
		return math.NaN()
	}
	return text.SixDigits(a.Other - a.Base)
}

// stepRatio is a printed step over the one that auto comes to before any halving.
func stepRatio(printed, auto []results.Cell) float64 {
	for _, c := range auto {
		at := slices.IndexFunc(c.Series, func(s results.Series) bool { return s.Name == r2lml.StepSeries })
		if at < 0 || len(printed) == 0 {
			continue
		}
		values, err := c.Series[at].Floats()
		step, ok := printed[0].Point().Params["step"].(float64)
		if err == nil && ok && len(values) == 1 && values[0] > 0 {
			return step / (values[0] * math.Exp2(float64(factIn(c, r2lml.HalvingsFact).Count)))
		}
	}
	return math.NaN()
}

// factIn is a fact of a cell, none of nothing without it.
func factIn(c results.Cell, name string) results.Fact {
	f, _ := results.FactOf(c.Facts, name)
	return f
}

// add counts a cell.
func (f *AutoFits) add(c results.Cell) {
	diverged, points := diagnosis.Diverged(c)
	f.Fits, f.Halved = f.Fits+1, f.Halved+one(factIn(c, r2lml.HalvingsFact).Count > 0)
	f.Points, f.Diverged = f.Points+points, f.Diverged+diverged
}

// plus adds counts.
func (f AutoFits) plus(g AutoFits) AutoFits {
	return AutoFits{f.Fits + g.Fits, f.Halved + g.Halved, f.Points + g.Points, f.Diverged + g.Diverged}
}

// Claims count the data sets on which auto is no worse, by method, and the fits that
// diverged.
func (s AutoSteps) Claims() []Claim {
	var claims []Claim
	var all, printed AutoFits
	for _, method := range []string{Efficient, Transductive} {
		name := published.MethodName(method)
		var auto, standardized []Against
		for _, r := range s.Rows {
			if r.Method == method {
				auto, standardized = append(auto, r.Auto), append(standardized, r.Standardized)
				all, printed = all.plus(r.Fits), printed.plus(r.Printed)
			}
		}
		claims = append(claims, atLeast("auto-"+method, name+" is at least as accurate with step auto as with the printed steps", auto),
			atLeast("standardized-"+method,
				name+" is at least as accurate with step auto on standardized features as with the printed steps on raw features", standardized))
	}
	return append(claims, counted("auto-diverged",
		"points of the grids at which fits with step auto diverged, even with the step halved 40 times", all.Diverged, all.Points),
		counted("printed-diverged", "points of the grids at which a fit with the printed steps diverged", printed.Diverged, printed.Points),
		counted("auto-halved", "fits of chosen settings whose step was halved after divergence", all.Halved, all.Fits))
}

// atLeast counts the data sets on which the other is no worse, and says how large the
// differences are.
func atLeast(id, statement string, all []Against) Claim {
	c := counted(id, statement, 0, 0)
	var differences []float64
	for _, a := range all {
		if a.Seeds == 0 {
			c.Missing++
			continue
		}
		differences = append(differences, a.Difference())
		c.Of, c.Count = c.Of+1, c.Count+one(a.Difference() >= 0)
	}
	if c.Of > 0 {
		c.Sentence = fmt.Sprintf("%s on %d of %s (mean difference %s points, means over the seeds)",
			statement, c.Count, text.Counted(c.Of, "data set"), text.Signed(stat.Mean(differences, nil)))
	}
	return c
}

// Listings are the data sets of each method, and the differences over them.
func (s AutoSteps) Listings() []table.Listing {
	var listings []table.Listing
	over := overSets("step")
	for _, method := range []string{Efficient, Transductive} {
		l := table.Listing{Title: published.MethodName(method) + " with the printed steps and with step auto", Head: []string{
			"data", "seeds", "printed steps", "auto", "difference", "printed step / auto",
			"seeds", "printed steps", "auto, standardized", "difference", "halved", "diverged", "diverged, printed steps",
		}, Notes: []string{"Accuracies are means over the seeds that both have, in percent; differences are to the printed steps. " +
			"Halved counts fits of chosen settings. Diverged counts points of the grids; with step auto, those that diverge even with the step halved 40 times."}}
		var raw, standardized []float64
		var absent []Set
		for _, r := range s.Rows {
			if r.Method != method {
				continue
			}
			if r.Auto.Seeds+r.Standardized.Seeds == 0 {
				absent = append(absent, r.Set)
				continue
			}
			raw, standardized = append(raw, r.Auto.Difference()), append(standardized, r.Standardized.Difference())
			l.Rows = append(l.Rows, []string{
				r.Set.Name, strconv.Itoa(r.Auto.Seeds), decimals(r.Auto.Base, 2), decimals(r.Auto.Other, 2), signed(r.Auto.Difference()), digits(r.Ratio, 2),
				strconv.Itoa(r.Standardized.Seeds), decimals(r.Standardized.Base, 2), decimals(r.Standardized.Other, 2), signed(r.Standardized.Difference()),
				ratio(known(r.Fits.Halved, r.Fits.Fits)), ratio(known(r.Fits.Diverged, r.Fits.Points)), ratio(known(r.Printed.Diverged, r.Printed.Points)),
			})
		}
		over.addDifferences(method, "auto", raw)
		over.addDifferences(method, "auto, standardized", standardized)
		l.Notes = append(l.Notes, notRun(absent)...)
		listings = append(listings, l)
	}
	return append(listings, over.corrected())
}

// notRun names the data sets without a seed that two columns have.
func notRun(sets []Set) []string {
	if len(sets) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s left out, not run or not with both: %s.", text.Counted(len(sets), "data set"), names(sets))}
}

// An overSetsListing sums up differences over the data sets.
type overSetsListing struct {
	table.Listing
	ps []float64
}

// overSets begins such a listing of methods with something.
func overSets(with string) *overSetsListing {
	return &overSetsListing{table.Listing{Title: "Differences over the data sets", Head: []string{
		"method", with, "data sets", "mean difference", "above", "equal", "below", "p", "p, Holm",
	}, Notes: []string{"p is that of Wilcoxon's test over the data sets, and after Holm's correction over the lines."}}, nil}
}

// corrected is the listing with the p values after Holm's correction.
func (l *overSetsListing) corrected() table.Listing {
	for i, holm := range stats.HolmKnown(l.ps) {
		l.Rows[i] = append(l.Rows[i], stats.ShortP(holm))
	}
	return l.Listing
}

// addDifferences adds a line if there is a difference; those that are not numbers are
// left out.
func (l *overSetsListing) addDifferences(method, with string, all []float64) {
	differences := slices.DeleteFunc(slices.Clone(all), math.IsNaN)
	if len(differences) == 0 {
		return
	}
	above, equal, below := signs(differences)
	p := stats.Wilcoxon(differences).P
	l.ps = append(l.ps, p)
	l.Rows = append(l.Rows, []string{
		published.MethodName(method), with, strconv.Itoa(len(differences)), text.Signed(stat.Mean(differences, nil)),
		strconv.Itoa(above), strconv.Itoa(equal), strconv.Itoa(below), stats.ShortP(p),
	})
}

// signs counts the differences above 0, those that are 0 and those below.
func signs(differences []float64) (above, equal, below int) {
	for _, d := range differences {
		above, equal, below = above+one(d > 0), equal+one(d == 0), below+one(d < 0)
	}
	return above, equal, below
}
