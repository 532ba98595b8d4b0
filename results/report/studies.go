package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/published"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// A cell that is missing, or that lacks a fact or a series, leaves a gap in these drawings.
// Only a series of a wrong length is an error.

// paperMethods are the paper's two methods in the order of legends.
var paperMethods = []string{published.Efficient, published.Transductive}

// measured are the facts and series of a cell, none without a result.
func measured(c table.Result) ([]results.Count, []results.Series) {
	if c.Score == nil {
		return nil, nil
	}
	return c.Facts, c.Series
}

// numberOf is the link to a cell, empty where the page does not have it.
func (in Input) numberOf(r table.Row, c table.Result) string {
	if in.Elsewhere || c.Score == nil {
		return ""
	}
	return link(r.Dataset, c.Method)
}

// sweptCounts are the numbers K of metrics that a table sweeps, ascending, with their axis.
func sweptCounts(t table.Table) ([]int, Axis) {
	var all []int
	for _, c := range t.Columns {
		if k, err := strconv.Atoi(c.Swept["metrics"]); err == nil {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	axis := Axis{Label: "number K of metrics"}
	for _, k := range all {
		axis.Ticks = append(axis.Ticks, float64(k))
	}
	return all, axis
}

// metrics has the accuracy of the paper's methods against the number K of metrics, as the
// paper's two figures.
func metrics(in Input) ([]Chart, error) {
	counts, axis := sweptCounts(in.Table)
	var panels []Panel
	for _, r := range in.Table.Rows {
		p := Panel{Title: setName(r.Letter, r.Name), X: axis, Y: accuracyAxis}
		if r.Classes != nil {
			p.Title += fmt.Sprintf(", %d classes", len(r.Classes.Counts))
		}
		for look, method := range paperMethods {
			s := Series{Name: published.MethodName(method), Look: look, Line: true}
			for _, k := range counts {
				cell := in.Table.Find(r, method, "metrics", strconv.Itoa(k))
				s.Points = append(s.Points, Point{X: float64(k), Y: accuracy(cell.Score, r.N), To: in.numberOf(r, cell)})
			}
			p.Series = append(p.Series, s)
		}
		panels = append(panels, p)
	}
	return []Chart{{Name: "accuracy-by-metrics", Title: "Accuracy against the number K of metrics", Panels: panels}}, nil
}

// collapse has the share of samples that use a single metric, that is whose coefficients are
// at a vertex of the simplex, under each variant of block 2, against the number K of metrics.
func collapse(in Input) ([]Chart, error) {
	counts, axis := sweptCounts(in.Table)
	all := Chart{Name: "collapse", Title: "Samples that use a single metric, by variant of block 2"}
	for _, r := range in.Table.Rows {
		p := Panel{Title: setName(r.Letter, r.Name), X: axis, Y: Axis{Label: "samples at a vertex, %", Ticks: []float64{0, 50, 100}}}
		for i, method := range paperMethods {
			for j, variant := range []r2lml.Variant{r2lml.Reference, r2lml.Published} {
				look := [][]int{{Disc, Ring}, {Square, OpenSquare}}[i][j]
				s := Series{Name: published.MethodName(method) + " " + string(variant), Look: look, Line: true}
				for _, k := range counts {
					q := Point{X: float64(k), Y: math.NaN()}
					cell := in.Table.Find(r, method, "metrics", strconv.Itoa(k), "variant", string(variant))
					facts, _ := measured(cell)
					q.To = in.numberOf(r, cell)
					if f, ok := results.CountOf(facts, r2lml.VerticesFact); ok && f.Of > 0 {
						q.Y = 100 * float64(f.Count) / float64(f.Of)
					}
					s.Points = append(s.Points, q)
				}
				p.Series = append(p.Series, s)
			}
		}
		all.Panels = append(all.Panels, p)
	}
	return []Chart{all}, nil
}

const (
	// lambdaMetrics is the number of metrics of the fits, as in the paper.
	lambdaMetrics = 3
	// zeroLevel is the threshold of measure.ZeroThresholds below which a column counts as zero.
	zeroLevel = 0
)

// lambda has E-R2LML's accuracy and its zero columns against λ, a chart for each family of
// generated data, of which every row is a draw: the paper's two tables.
func lambda(in Input) ([]Chart, error) {
	var settings []lambdaSetting
	for i, c := range in.Table.Columns {
		value, err := strconv.ParseFloat(c.Swept["lambda"], 64)
		if c.Method == published.Efficient && err == nil && value >= 0 && value <= math.MaxFloat64 {
			settings = append(settings, lambdaSetting{value, i})
		}
	}
	slices.SortStableFunc(settings, func(a, b lambdaSetting) int { return cmp.Compare(a.lambda, b.lambda) })

	var all []Chart
	for _, family := range published.LambdaFamilies() {
		axis := Axis{Label: "λ", Log: true, Ticks: []float64{}}
		ours := Series{Name: "our mean, with the range of the draws", Look: Disc, Line: true}
		printed := Series{Name: "printed", Look: OpenDiamond}
		zeros, printedZeros := ours, printed
		found := false
		for _, s := range settings {
			axis.Ticks = append(axis.Ticks, s.lambda)
			accuracies, counts := in.draws(family.ID, s.column)
			found = found || len(accuracies) > 0
			paper := published.LambdaAt(family.Study, s.lambda)
			var wanted []float64
			for _, n := range paper.Zeros {
				wanted = append(wanted, float64(n))
			}
			if !math.IsNaN(paper.Percent) {
				printed.Points = append(printed.Points, Point{X: s.lambda, Y: paper.Percent})
			}
			ours.Points = append(ours.Points, summary(s.lambda, accuracies))
			zeros.Points = append(zeros.Points, summary(s.lambda, counts))
			printedZeros.Points = append(printedZeros.Points, summary(s.lambda, wanted))
		}
		if !found {
			continue
		}
		all = append(all, Chart{
			Name: "lambda-" + family.ID, Title: "Accuracy and zero columns against λ: " + family.Title,
			Panels: []Panel{
				{Title: "Accuracy", X: axis, Y: accuracyAxis, Series: []Series{ours, printed}, Wide: true},
				{Title: "Zero columns", X: axis, Y: Axis{Label: "zero columns of a metric"}, Series: []Series{zeros, printedZeros}, Wide: true},
			},
		})
	}
	return all, nil
}

// A lambdaSetting is a column of the table that has a value of λ.
type lambdaSetting struct {
	lambda float64
	column int
}

// draws are the accuracies of a column on the draws of a family, and the zero columns of its metrics there.
func (in Input) draws(family string, column int) (accuracies, zeros []float64) {
	for _, r := range in.Table.Rows {
		score := r.Cells[column].Score
		if id, _, _ := strings.Cut(r.Dataset, ":"); id != family || score == nil || r.N == 0 {
			continue
		}
		accuracies = append(accuracies, accuracy(score, r.N))
		for _, z := range measure.ReadZeros(score.Facts, lambdaMetrics)[zeroLevel] {
			if z != nil {
				zeros = append(zeros, float64(z.Count()))
			}
		}
	}
	return accuracies, zeros
}

// summary is the mean of numbers with their range, missing without any.
func summary(x float64, all []float64) Point {
	if len(all) == 0 {
		return Point{X: x, Y: math.NaN()}
	}
	return Point{X: x, Y: stat.Mean(all, nil), Low: slices.Min(all), High: slices.Max(all)}
}

// toy has the paper's Figure 1: the samples as they are, under the first global metric
// (K = 1), and under the first local one (K = 2), where the plane keeps their distances as
// well as it can.
func toy(in Input) ([]Chart, error) {
	var all []Chart
	for i, r := range in.Table.Rows {
		none, err := placesOf(r, in.Table.Find(r, published.Euclidean))
		if err != nil {
			return nil, err
		}
		global, err := placesOf(r, in.Table.Find(r, published.Efficient, "metrics", "1"))
		if err != nil {
			return nil, err
		}
		local, err := placesOf(r, in.Table.Find(r, published.Efficient, "metrics", "2"))
		if err != nil {
			return nil, err
		}
		// Every fit has the samples as they are.
		original := none
		for _, p := range []places{global, local} {
			if original.Features == nil {
				original.Labels, original.Features = p.Labels, p.Features
			}
		}
		mapped, note := measure.Map(nil), ""
		if len(global.Maps) > 0 {
			mapped = global.Maps[0]
		}
		if local.Lost > 0.0005 {
			note = fmt.Sprintf(" (%.1f %% not shown)", 100*local.Lost)
		}
		c := Chart{
			Name: "toy", Title: "One global metric against two local ones (the paper's Figure 1)",
			Panels: []Panel{
				toyPanel("as they are", "", original, original.Features),
				toyPanel("one global metric", "", global, mapped),
				toyPanel("two local metrics", note, local, local.Embedding),
			},
		}
		if i > 0 {
			c.Name += fmt.Sprintf("-%d", i+1)
		}
		all = append(all, c)
	}
	return all, nil
}

// places are the samples of a fit, and how many have one of their class nearest.
type places struct {
	measure.Places
	nearest string // empty if it is not known
}

func placesOf(r table.Row, c table.Result) (p places, err error) {
	facts, series := measured(c)
	if f, ok := results.CountOf(facts, measure.NearestFact); ok {
		p.nearest = fmt.Sprintf(" (%d of %d)", f.Count, f.Of)
	}
	if p.Places, err = measure.ReadPlaces(series); err != nil {
		return p, fmt.Errorf("figures: toy, %s on %s: %w", c.Method, r.Dataset, err)
	}
	return p, nil
}

// toyPanel has samples at places, by axis; with one axis they stand on a line.
func toyPanel(title, note string, of places, axes [][]float64) Panel {
	p := Panel{Title: title + of.nearest, X: Axis{Label: "first coordinate" + note}, Y: Axis{Label: "second coordinate"}, Equal: true}
	switch len(axes) {
	case 0:
		return p
	case 1:
		axes = append(slices.Clone(axes), make([]float64, len(of.Labels)))
	}
	for i, label := range of.Labels {
		class := fmt.Sprintf("class %g", label)
		at := slices.IndexFunc(p.Series, func(s Series) bool { return s.Name == class })
		if at < 0 {
			at = len(p.Series)
			p.Series = append(p.Series, Series{Name: class, Look: at % Looks})
		}
		p.Series[at].Points = append(p.Series[at].Points, Point{X: axes[0][i], Y: axes[1][i], Name: strconv.Itoa(i + 1), Label: true})
	}
	return p
}

// convergence has the lowest objective so far over the iterations, with and without
// momentum, and the curves a + b/√T fitted to them: a chart for each of the paper's methods.
func convergence(in Input) ([]Chart, error) {
	var all []Chart
	for _, method := range paperMethods {
		one := Chart{Name: "convergence-" + method, Title: "Convergence of " + published.MethodName(method)}
		for _, r := range in.Table.Rows {
			for i, column := range in.Table.Columns {
				if column.Method != method {
					continue
				}
				p := Panel{Title: r.Name, X: Axis{Label: "iterations T", Log: true}, Y: Axis{Label: "lowest objective so far", Log: true}}
				if variant := column.Swept["variant"]; variant != "" {
					p.Title += ", " + variant
				}
				for j, mode := range measure.Modes {
					_, series := measured(r.Cells[i])
					d, err := measure.ReadDescent(mode, series)
					if err != nil {
						return nil, fmt.Errorf("figures: convergence of %s on %s, %s: %w", method, r.Dataset, mode, err)
					}
					run := Series{Name: mode, Look: []int{Disc, Square}[j], Line: true, NoMarks: true}
					fitted := Series{Name: "fitted a + b/√T, " + mode, Look: []int{Triangle, OpenDiamond}[j], Line: true, NoMarks: true}
					for n, t := range d.Iterations {
						run.Points = append(run.Points, Point{X: t, Y: d.Best[n]})
						if d.Rate != nil {
							fitted.Points = append(fitted.Points, Point{X: t, Y: d.Rate.A + d.Rate.B/math.Sqrt(t)})
						}
					}
					p.Series = append(p.Series, run, fitted)
				}
				one.Panels = append(one.Panels, p)
			}
		}
		all = append(all, one)
	}
	return all, nil
}
