package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// featureScale is the parameter that multiplies all features.
const featureScale = "feature-scale"

// Scales has accuracies of the paper's methods on features times a power of two.
type Scales struct {
	Coverage
	Curves []ScaleCurve // by data set, then by method
}

// A ScaleCurve is a method on one data set.
type ScaleCurve struct {
	Set     Set
	Method  string // id
	Printed string // published accuracy; empty without one
	Steps   []ScaleStep
}

// A ScaleStep is the grid at one scale, of seed 1.
type ScaleStep struct {
	Scale      float64
	Validation *table.Tally // of the chosen setting; nil without a grid
	Grid       Grid         // without a result it has no seeds
	Failed     bool         // no setting has a result
}

// ReadScales reads the cells of spec scales. Scale 1 is in the spec surfaces.
func ReadScales(in Input) (Scales, error) {
	s := Scales{Coverage: coverageOf(in.Table)}
	for i, r := range in.Table.Rows {
		for j, c := range in.Table.Columns {
			scale, err := strconv.ParseFloat(c.Swept[featureScale], 64)
			if err != nil {
				continue
			}
			step := ScaleStep{Scale: scale, Grid: Grid{Set: setOf(r), Column: c, Printed: printedOf(r.Letter, c.Method)}}
			step.Failed = cellAt(r, j).Status == table.StatusFailed
			for _, cell := range in.cells(i, j) {
				if seed, ok := gridSeed(cell, nil); ok && len(step.Grid.Seeds) == 0 {
					step.Grid.Seeds, step.Validation = []GridSeed{seed}, cellAt(r, j).Validation
				}
			}
			curve := s.curve(setOf(r), c.Method)
			curve.Printed, curve.Steps = step.Grid.Printed, append(curve.Steps, step)
		}
	}
	for i := range s.Curves {
		s.Curves[i].addUnscaled(in.Surfaces)
	}
	for _, c := range s.Curves {
		slices.SortStableFunc(c.Steps, func(a, b ScaleStep) int { return cmp.Compare(a.Scale, b.Scale) })
	}
	return s, nil
}

// curve is that of a data set and method, a new one if there is none yet.
func (s *Scales) curve(set Set, method string) *ScaleCurve {
	i := slices.IndexFunc(s.Curves, func(c ScaleCurve) bool { return c.Set.Dataset == set.Dataset && c.Method == method })
	if i < 0 {
		i = len(s.Curves)
		s.Curves = append(s.Curves, ScaleCurve{Set: set, Method: method})
	}
	return &s.Curves[i]
}

// addUnscaled adds scale 1 from the surfaces of the same data set and method, unless
// there is one already.
func (c *ScaleCurve) addUnscaled(surfaces Surfaces) {
	if c.At(1) != nil {
		return
	}
	for _, set := range surfaces.Sets {
		for _, g := range set.Grids {
			if set.Dataset != c.Set.Dataset || g.Column.Method != c.Method || len(g.Seeds) == 0 {
				continue
			}
			g.Seeds = g.Seeds[:1]
			c.Steps = append(c.Steps, ScaleStep{Scale: 1, Validation: g.Seeds[0].validation(), Grid: g})
			return
		}
	}
}

// At is the step of a scale, nil without a result.
func (c ScaleCurve) At(scale float64) *ScaleStep {
	for i, s := range c.Steps {
		if s.Scale == scale && len(s.Grid.Seeds) > 0 {
			return &c.Steps[i]
		}
	}
	return nil
}

// scaled tells whether there is a result at another scale than 1.
func (c ScaleCurve) scaled() bool {
	return slices.ContainsFunc(c.Steps, func(s ScaleStep) bool { return s.Scale != 1 && len(s.Grid.Seeds) > 0 })
}

// ByValidation is the step with the most validation samples right, of several the
// one whose scale is nearest to 1, the smaller one of two; nil without any.
func (c ScaleCurve) ByValidation() *ScaleStep {
	var best *ScaleStep
	for i, s := range c.Steps {
		if s.Validation == nil || len(s.Grid.Seeds) == 0 {
			continue
		}
		nearer := best != nil && math.Abs(math.Log2(s.Scale)) < math.Abs(math.Log2(best.Scale))
		if best == nil || s.Validation.Correct > best.Validation.Correct || s.Validation.Correct == best.Validation.Correct && nearer {
			best = &c.Steps[i]
		}
	}
	return best
}

// nearest is the smallest gap of the printed accuracy over the scales other than 1,
// by choice on validation and by the best on the test samples; NaN without any.
func (c ScaleCurve) nearest() (chosen, best float64) {
	chosen, best = math.NaN(), math.NaN()
	for _, s := range c.Steps {
		if a, b, ok := s.Grid.Gaps(); ok && s.Scale != 1 {
			chosen, best = math.Min(orElse(chosen, a), a), math.Min(orElse(best, b), b)
		}
	}
	return chosen, best
}

// Reached counts the settings whose printed accuracy is more than a point from ours
// on unscaled features and within a point of it at another scale.
func (s Scales) Reached() (chosen, best Claim) {
	chosen = counted("scale-reaches-chosen", "another scale of the features comes within a point of the printed accuracy by choice on validation, "+
		"where the unscaled features do not", 0, 0)
	best = counted("scale-reaches-best", "another scale of the features comes within a point of the printed accuracy by the best setting on the test samples, "+
		"where the unscaled features do not", 0, 0)
	for _, c := range s.Curves {
		otherChosen, otherBest := c.nearest()
		unscaled := c.At(1)
		if unscaled == nil || math.IsNaN(otherChosen) {
			chosen.Missing, best.Missing = chosen.Missing+1, best.Missing+1
			continue
		}
		unscaledChosen, unscaledBest, _ := unscaled.Grid.Gaps()
		if unscaledChosen > 1 {
			chosen.Of, chosen.Count = chosen.Of+1, chosen.Count+one(otherChosen <= 1)
		}
		if unscaledBest > 1 {
			best.Of, best.Count = best.Of+1, best.Count+one(otherBest <= 1)
		}
	}
	chosen.Sentence = chosen.ofPairs("by choice on validation")
	best.Sentence = best.ofPairs("by choice on test")
	return chosen, best
}

// ofPairs says of which pairs of a data set and a method a claim is; nothing where there
// is none.
func (c Claim) ofPairs(how string) string {
	if c.Of == 0 {
		return ""
	}
	return fmt.Sprintf("of %s of data set and method over a point off %s, another scale of the features brings %d within a point",
		text.Counted(c.Of, "pair"), how, c.Count)
}

// Scaled says whether a scale chosen on the validation samples is more accurate on
// the test samples than none, by Wilcoxon's test over data sets and methods.
func (s Scales) Scaled() Claim {
	c := Claim{ID: "scale-by-validation", P: math.NaN()}
	var differences []float64
	for _, curve := range s.Curves {
		by, unscaled := curve.ByValidation(), curve.At(1)
		if by == nil || unscaled == nil || !curve.scaled() {
			c.Missing++
			continue
		}
		scaled, _ := by.Grid.Chosen()
		before, _ := unscaled.Grid.Chosen()
		if d := text.SixDigits(scaled - before); !math.IsNaN(d) {
			differences = append(differences, d)
		}
	}
	higher := 0
	for _, d := range differences {
		higher += one(d > 0)
	}
	c.Count, c.Of = higher, len(differences)
	c.Statement = "a scale of the features that is chosen on validation makes the methods more accurate"
	test := stats.Wilcoxon(differences)
	if c.Of > 0 {
		c.P = test.P
	}
	c.Verdict = verdict(c.P <= Level && test.WMinus > test.WPlus, !(c.P <= Level))
	return c
}

// Claims are those of Reached and of Scaled.
func (s Scales) Claims() []Claim {
	chosen, best := s.Reached()
	return []Claim{chosen, best, s.Scaled()}
}

// Listings have a line for every scale.
func (s Scales) Listings() []table.Listing {
	l := table.Listing{
		Title: "Accuracy by the scale of the features",
		Head:  []string{"data", "method", "scale", "validation", "chosen on validation", "best on test", "printed", "failed fits"},
		Notes: []string{"The scale multiplies every feature. A k-NN rule does not see it; a gradient step of fixed length does."},
	}
	for _, c := range s.Curves {
		for _, step := range c.Steps {
			failed := "all"
			if f := step.Grid.Failed(); f.Of > 0 {
				failed = strconv.Itoa(f.Count) + " of " + strconv.Itoa(f.Of)
			} else if !step.Failed {
				continue
			}
			chosen, best := step.Grid.Chosen()
			l.Rows = append(l.Rows, []string{
				c.Set.Name, published.MethodName(c.Method), digits(step.Scale, 6), tally(step.Validation), decimals(chosen, 2), decimals(best, 2),
				orDash(c.Printed), failed,
			})
		}
	}
	return []table.Listing{l}
}
