package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
)

// setsPerSheet is the number of data sets on one figure of [Collapse].
const setsPerSheet = 6

// collapseLooks tell methods apart by color and shape, variants by fill and dashes.
var collapseLooks = map[[2]string]chart.Look{
	{study.Efficient, study.Reference}:    {Color: chart.Blue, Mark: chart.Disc},
	{study.Efficient, study.Published}:    {Color: chart.Blue, Mark: chart.Ring, Dashes: chart.Dashed},
	{study.Transductive, study.Reference}: {Color: chart.Vermillion, Mark: chart.Square},
	{study.Transductive, study.Published}: {Color: chart.Vermillion, Mark: chart.OpenSquare, Dashes: chart.Dashed},
}

// Collapse draws the accuracy of the reference and the published variant of both
// methods against the number K of metrics, and under it the share of samples
// whose coefficients are at a vertex: three data sets side by side, six a figure.
func Collapse(c study.Collapse) ([]chart.Figure, error) {
	var all []chart.Figure
	for sets := range slices.Chunk(c.Sets, setsPerSheet) {
		s := collapseSheet{counts: c.Counts, shares: map[string][]float64{}}
		name := "collapse"
		if len(all) > 0 {
			name += "-" + strconv.Itoa(len(all)+1)
		}
		f, ok, err := s.figure(name, sets)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, f)
		}
	}
	return all, nil
}

// A collapseSheet collects one figure.
type collapseSheet struct {
	counts  []int // K
	lines   [][]string
	missing int
	said    []string             // what each data set shows, in words
	shares  map[string][]float64 // by variant, the percentages at vertices for K of 2 or more
}

func (s *collapseSheet) figure(name string, sets []study.CollapseSet) (chart.Figure, bool, error) {
	const columns = 3
	var panels []*plot.Plot
	var names []string
	for row := range slices.Chunk(sets, columns) {
		var shares []*plot.Plot
		for i, set := range row {
			above, below := s.panels(set, i == 0)
			panels, shares = append(panels, above), append(shares, below)
			names = append(names, chart.Short(setName(set.Set), 40))
		}
		gap := make([]*plot.Plot, columns-len(row))
		panels = append(append(append(panels, gap...), shares...), gap...)
	}
	if s.missing == len(s.lines) {
		return chart.Figure{}, false, nil
	}
	csv, err := chart.EncodeCSV([]string{
		"letter", "dataset", "name", "method", "variant", "metrics", "correct", "n", "accuracy", "status", "at_vertices", "coefficients",
	}, s.lines)
	if err != nil {
		return chart.Figure{}, false, err
	}
	var legend []chart.Entry
	for _, method := range study.PaperMethods {
		for i, variant := range study.Variants {
			legend = append(legend, chart.Entry{Look: collapseLooks[[2]string{method, variant}], Text: published.MethodName(method) + " " + variant, First: i == 0})
		}
	}
	alt := words.Join(" ", append(append([]string{
		fmt.Sprintf("Two panels for each of %s: above, the accuracy in percent against the number K of metrics; "+
			"below, the percentage of samples whose coefficients are at a vertex of the simplex.", words.Series(names)),
		fmt.Sprintf("%s is blue with round marks, %s vermillion with square ones; "+
			"the reference variant has filled marks and solid lines, the published one open marks and dashed lines.",
			published.MethodName(study.Efficient), published.MethodName(study.Transductive)),
	}, s.said...), gaps(s.missing, len(s.lines), "cell"))...)
	sheet := chart.Sheet{Legend: legend, Columns: columns, Height: 150, Lines: 1, Panels: panels}
	f, err := sheet.Figure(name, "The published block 2 against the reference", alt, csv)
	f.See = s.see()
	return f, err == nil, err
}

// see says how many samples use a single metric.
func (s *collapseSheet) see() string {
	var means []string
	for _, variant := range study.Variants {
		if all := s.shares[variant]; len(all) > 0 {
			means = append(means, fmt.Sprintf("%.0f %% in the %s variant", mean(all), variant))
		}
	}
	say := "Open marks are the published variant."
	if len(means) > 0 {
		say += " A sample at a vertex uses a single metric: with K of 2 or more, on average over the lower panels, " + words.Series(means) + "."
	}
	return say
}

// panels draws the two panels of a data set.
func (s *collapseSheet) panels(set study.CollapseSet, first bool) (above, below *plot.Plot) {
	above, below = chart.NewPanel(chart.Fit(setName(set.Set), chart.HeadingStyle(), chart.NarrowRoom)), chart.NewPanel("")
	drawnAbove, drawnBelow := false, false
	for _, m := range set.Methods {
		for _, variant := range study.Variants {
			accuracies, shares := s.curves(m, variant)
			drawnAbove = chart.AddCurve(above, accuracies) || drawnAbove
			drawnBelow = chart.AddCurve(below, shares) || drawnBelow
		}
	}
	chart.Settle(&above.Y)
	below.Y.Min, below.Y.Max = -6, 106
	below.Y.Tick.Marker = chart.CountTicks([]int{0, 50, 100})
	for _, p := range []*plot.Plot{above, below} {
		if n := len(s.counts); n > 0 {
			p.X.Min, p.X.Max = float64(s.counts[0])-0.3, float64(s.counts[n-1])+0.3
			p.X.Tick.Marker = chart.CountTicks(s.counts)
		}
	}
	below.X.Label.Text = "K"
	if first {
		above.Y.Label.Text, below.Y.Label.Text = "accuracy, %", "at vertices, %"
	}
	if !drawnAbove {
		chart.LeaveEmpty(above, "no result")
	}
	if !drawnBelow {
		chart.LeaveEmpty(below, "no result")
	}
	return above, below
}

// curves are the accuracies and the shares of one method and variant.
func (s *collapseSheet) curves(m study.CollapseMethod, variant string) (accuracies, shares chart.Curve) {
	l := collapseLooks[[2]string{m.Method, variant}]
	accuracies, shares = chart.Curve{Look: l}, chart.Curve{Look: l}
	var ys, vs []float64
	for _, p := range m.Pairs {
		cell, set := p.Of(variant), p.Set
		y, v := accuracy(set, cell.Score), math.NaN()
		line := append([]string{set.Letter, set.Dataset, set.Name, m.Method, variant, strconv.Itoa(p.Metrics)}, outcome(set, cell.Cell)...)
		if f := cell.Vertices; f != nil && f.Of > 0 {
			v = 100 * float64(f.Count) / float64(f.Of)
			line = append(line, strconv.Itoa(f.Count), strconv.Itoa(f.Of))
			vs = append(vs, v)
			if p.Metrics > 1 {
				s.shares[variant] = append(s.shares[variant], v)
			}
		} else {
			line = append(line, "", "")
		}
		what := fmt.Sprintf("%s, %s %s, K = %d", set.Name, published.MethodName(m.Method), variant, p.Metrics)
		if math.IsNaN(y) {
			s.missing++
		} else if p.Metrics > 1 {
			ys = append(ys, y)
		}
		s.lines = append(s.lines, line)
		accuracies.Points = append(accuracies.Points, chart.Point{X: float64(p.Metrics), Y: y, Say: fmt.Sprintf("%s: %.2f %%", what, y)})
		shares.Points = append(shares.Points, chart.Point{X: float64(p.Metrics), Y: v, Say: fmt.Sprintf("%s: %.1f %% at vertices", what, v)})
	}
	if len(ys) > 0 {
		low, high := span(ys)
		text := fmt.Sprintf("%s, %s %s, K of 2 or more: accuracies between %.2f and %.2f",
			chart.Short(m.Pairs[0].Set.Name, 40), published.MethodName(m.Method), variant, low, high)
		if len(vs) > 0 {
			least, most := span(vs)
			text += fmt.Sprintf(", %.1f to %.1f %% at vertices", least, most)
		}
		s.said = append(s.said, text+".")
	}
	return accuracies, shares
}
