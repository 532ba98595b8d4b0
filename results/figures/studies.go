package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/results"
	"r2lmlbench/results/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
)

// countAxis is that of the numbers K of metrics.
func countAxis(counts []int) chart.Axis {
	a := chart.Axis{Label: "number K of metrics"}
	for _, k := range counts {
		a.Ticks = append(a.Ticks, float64(k))
	}
	return a
}

// metrics has the accuracy of the paper's methods against the number K of metrics, as the
// paper's two figures.
func metrics(m study.Metrics) []chart.Chart {
	var panels []chart.Panel
	for _, set := range m.Sets {
		p := chart.XY{Title: setName(set.Letter, set.Name), X: countAxis(m.Counts), Y: accuracyAxis}
		if set.Classes > 0 {
			p.Title += fmt.Sprintf(", %d classes", set.Classes)
		}
		for look, curve := range set.Curves {
			s := chart.Series{Name: published.MethodName(curve.Method), Look: look, Line: true}
			for i, k := range curve.Counts {
				s.Points = append(s.Points, chart.Point{X: float64(k), Y: accuracy(curve.Cells[i].Score, set.N)})
			}
			p.Series = append(p.Series, s)
		}
		panels = append(panels, p)
	}
	return []chart.Chart{{Name: "accuracy-by-metrics", Title: "Accuracy against the number K of metrics", Panels: panels}}
}

// collapse has the share of samples that use a single metric under each variant of block 2,
// against the number K of metrics.
func collapse(c study.Collapse) []chart.Chart {
	all := chart.Chart{Name: "collapse", Title: "Samples that use a single metric, by variant of block 2"}
	for _, set := range c.Sets {
		p := chart.XY{Title: setName(set.Letter, set.Name), X: countAxis(c.Counts), Y: chart.Axis{Label: "samples at a vertex, %", Ticks: []float64{0, 50, 100}}}
		for i, method := range set.Methods {
			for j, variant := range study.Variants {
				look := [][]int{{chart.Disc, chart.Ring}, {chart.Square, chart.OpenSquare}}[i%2][j%2]
				s := chart.Series{Name: published.MethodName(method.Method) + " " + variant, Look: look, Line: true}
				for at, k := range c.Counts {
					q := chart.Point{X: float64(k), Y: math.NaN()}
					if f := method.Cells[at][j].Vertices; f != nil && f.Of > 0 {
						q.Y = 100 * float64(f.Count) / float64(f.Of)
					}
					s.Points = append(s.Points, q)
				}
				p.Series = append(p.Series, s)
			}
		}
		all.Panels = append(all.Panels, p)
	}
	return []chart.Chart{all}
}

// zeroLevel is the threshold of measure.ZeroThresholds below which a column counts as zero.
const zeroLevel = 0

// lambda has E-R2LML's accuracy and its zero columns against λ, a chart for each family of
// generated data.
func lambda(l study.Lambda) []chart.Chart {
	var all []chart.Chart
	for _, f := range l.Families {
		if f.Found == 0 {
			continue
		}
		axis := chart.Axis{Label: "λ", Log: true, Ticks: []float64{}}
		ours := chart.Series{Name: "our mean, with the range of the draws", Look: chart.Disc, Line: true}
		printed := chart.Series{Name: "printed", Look: chart.OpenDiamond}
		zeros, printedZeros := ours, printed
		for _, s := range f.Settings {
			axis.Ticks = append(axis.Ticks, s.Lambda)
			var accuracies, counts, wanted []float64
			for _, d := range s.Draws {
				accuracies = append(accuracies, 100*float64(d.Correct)/float64(d.N))
			}
			for m := range study.LambdaMetrics {
				for _, z := range s.Zeros(zeroLevel, m) {
					counts = append(counts, float64(z.Count()))
				}
			}
			for _, n := range s.Printed.Zeros {
				wanted = append(wanted, float64(n))
			}
			if share, err := strconv.ParseFloat(s.Printed.Accuracy, 64); err == nil {
				printed.Points = append(printed.Points, chart.Point{X: s.Lambda, Y: 100 * share})
			}
			ours.Points = append(ours.Points, summary(s.Lambda, accuracies))
			zeros.Points = append(zeros.Points, summary(s.Lambda, counts))
			printedZeros.Points = append(printedZeros.Points, summary(s.Lambda, wanted))
		}
		all = append(all, chart.Chart{
			Name: "lambda-" + f.ID, Title: "Accuracy and zero columns against λ: " + f.Title,
			Panels: []chart.Panel{
				chart.XY{Title: "Accuracy", X: axis, Y: accuracyAxis, Series: []chart.Series{ours, printed}, Wide: true},
				chart.XY{Title: "Zero columns", X: axis, Y: chart.Axis{Label: "zero columns of a metric"}, Series: []chart.Series{zeros, printedZeros}, Wide: true},
			},
		})
	}
	return all
}

// summary is the mean of numbers with their range, missing without any.
func summary(x float64, all []float64) chart.Point {
	if len(all) == 0 {
		return chart.Point{X: x, Y: math.NaN()}
	}
	return chart.Point{X: x, Y: stat.Mean(all, nil), Low: slices.Min(all), High: slices.Max(all)}
}

// toy has the paper's Figure 1: the samples as they are, under the first global metric
// (K = 1), and under the first local one (K = 2), where the plane keeps their distances as
// well as it can.
func toy(t study.Toy) []chart.Chart {
	var all []chart.Chart
	for i, set := range t.Sets {
		none, global, local := set.Figure()
		original, mapped, note := set.Original(), measure.Map(nil), ""
		if len(global.Maps) > 0 {
			mapped = global.Maps[0]
		}
		if local.Lost > 0.0005 {
			note = fmt.Sprintf(" (%.1f %% not shown)", 100*local.Lost)
		}
		c := chart.Chart{
			Name: "toy", Title: "One global metric against two local ones (the paper's Figure 1)",
			Panels: []chart.Panel{
				toyPanel("as they are", "", original.Labels, original.Features, none.Nearest),
				toyPanel("one global metric", "", global.Labels, mapped, global.Nearest),
				toyPanel("two local metrics", note, local.Labels, local.Embedding, local.Nearest),
			},
		}
		if i > 0 {
			c.Name += fmt.Sprintf("-%d", i+1)
		}
		all = append(all, c)
	}
	return all
}

// toyPanel has samples at places, by axis; with one axis they stand on a line.
func toyPanel(title, note string, labels []float64, axes [][]float64, nearest *results.Fact) chart.XY {
	p := chart.XY{Title: title, X: chart.Axis{Label: "first coordinate" + note}, Y: chart.Axis{Label: "second coordinate"}, Equal: true}
	if nearest != nil {
		p.Title += fmt.Sprintf(" (%d of %d)", nearest.Count, nearest.Of)
	}
	switch len(axes) {
	case 0:
		return p
	case 1:
		axes = append(slices.Clone(axes), make([]float64, len(labels)))
	}
	for i, label := range labels {
		class := fmt.Sprintf("class %g", label)
		at := slices.IndexFunc(p.Series, func(s chart.Series) bool { return s.Name == class })
		if at < 0 {
			at = len(p.Series)
			p.Series = append(p.Series, chart.Series{Name: class, Look: at % chart.Looks})
		}
		p.Series[at].Points = append(p.Series[at].Points, chart.Point{X: axes[0][i], Y: axes[1][i], Name: strconv.Itoa(i + 1), Label: true})
	}
	return p
}

// convergence has the lowest objective so far over the iterations, with and without
// momentum, and the curves a + b/√T fitted to them: a chart for each of the paper's methods.
func convergence(c study.Convergence) []chart.Chart {
	var all []chart.Chart
	for _, method := range study.PaperMethods {
		one := chart.Chart{Name: "convergence-" + method, Title: "Convergence of " + published.MethodName(method)}
		for _, set := range c.Sets {
			for i, column := range c.Columns {
				if column.Method != method {
					continue
				}
				p := chart.XY{Title: set.Name, X: chart.Axis{Label: "iterations T", Log: true}, Y: chart.Axis{Label: "lowest objective so far", Log: true}}
				if column.Variant != "" {
					p.Title += ", " + column.Variant
				}
				for j, d := range set.Descents[i] {
					run := chart.Series{Name: d.Mode, Look: []int{chart.Disc, chart.Square}[j%2], Line: true, NoMarks: true}
					fitted := chart.Series{Name: "fitted a + b/√T, " + d.Mode, Look: []int{chart.Triangle, chart.OpenDiamond}[j%2], Line: true, NoMarks: true}
					for n, t := range d.Iterations {
						run.Points = append(run.Points, chart.Point{X: t, Y: d.Best[n]})
						if d.Rate != nil {
							fitted.Points = append(fitted.Points, chart.Point{X: t, Y: d.Rate.A + d.Rate.B/math.Sqrt(t)})
						}
					}
					p.Series = append(p.Series, run, fitted)
				}
				one.Panels = append(one.Panels, p)
			}
		}
		all = append(all, one)
	}
	return all
}
