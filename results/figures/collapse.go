package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	"r2lmlbench/results/table"
)

// verticesFact counts the samples whose coefficients are at a vertex of the
// simplex. A fit with one metric has no such fact.
const verticesFact = "coefficients at vertices"

// setsPerSheet is the number of data sets on one figure of [Collapse].
const setsPerSheet = 6

var variants = []string{"reference", "published"}

// collapseLooks tell methods apart by color and shape, variants by fill and dashes.
var collapseLooks = map[[2]string]look{
	{efficient, "reference"}:    {color: blue, mark: disc},
	{efficient, "published"}:    {color: blue, mark: ring, dashes: dashed},
	{transductive, "reference"}: {color: vermillion, mark: square},
	{transductive, "published"}: {color: vermillion, mark: openSquare, dashes: dashed},
}

// Collapse draws the accuracy of the reference and the published variant of both
// methods against the number K of metrics, and under it the share of samples
// whose coefficients are at a vertex, from the table of spec variants: three
// data sets side by side, six a figure.
func Collapse(t table.Table) ([]Figure, error) {
	counts := t.MetricCounts()
	var all []Figure
	for rows := range slices.Chunk(t.Rows, setsPerSheet) {
		s := collapseSheet{table: t, counts: counts}
		name := "collapse"
		if len(all) > 0 {
			name += "-" + strconv.Itoa(len(all)+1)
		}
		f, ok, err := s.figure(name, rows)
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
	table   table.Table
	counts  []int // K
	lines   [][]string
	missing int
	said    []string // what each data set shows, in words
}

func (s *collapseSheet) figure(name string, rows []table.Row) (Figure, bool, error) {
	const columns = 3
	var panels []*plot.Plot
	var names []string
	for row := range slices.Chunk(rows, columns) {
		var shares []*plot.Plot
		for i, r := range row {
			above, below := s.panels(r, i == 0)
			panels, shares = append(panels, above), append(shares, below)
			names = append(names, short(rowName(r), 40))
		}
		gap := make([]*plot.Plot, columns-len(row))
		panels = append(append(append(panels, gap...), shares...), gap...)
	}
	if s.missing == len(s.lines) {
		return Figure{}, false, nil
	}
	csv, err := encodeCSV([]string{"letter", "dataset", "name", "method", "variant", "metrics", "correct", "n", "accuracy", "status", "at_vertices", "coefficients"}, s.lines)
	if err != nil {
		return Figure{}, false, err
	}
	var legend []entry
	for _, method := range ourMethods {
		for i, variant := range variants {
			legend = append(legend, entry{look: collapseLooks[[2]string{method, variant}], text: methodName(method) + " " + variant, first: i == 0})
		}
	}
	alt := paragraph(append(append([]string{
		fmt.Sprintf("Two panels for each of %s: above, the accuracy in percent against the number K of metrics; below, the percentage of samples whose coefficients are at a vertex of the simplex.", series(names)),
		fmt.Sprintf("%s is blue with round marks, %s vermillion with square ones; the reference variant has filled marks and solid lines, the published one open marks and dashed lines.", methodName(efficient), methodName(transductive)),
	}, s.said...), gaps(s.missing, len(s.lines), "cell"))...)
	sheet := sheet{legend: legend, columns: columns, height: 150, lines: 1, panels: panels}
	f, err := sheet.figure(name, "The published block 2 against the reference", alt, csv)
	return f, err == nil, err
}

// panels draws the two panels of a data set.
func (s *collapseSheet) panels(r table.Row, first bool) (above, below *plot.Plot) {
	above, below = newPanel(fit(rowName(r), headingStyle(), narrowRoom)), newPanel("")
	drawnAbove, drawnBelow := false, false
	for _, method := range ourMethods {
		for _, variant := range variants {
			accuracies, shares := s.curves(r, method, variant)
			drawnAbove = addCurve(above, accuracies) || drawnAbove
			drawnBelow = addCurve(below, shares) || drawnBelow
		}
	}
	settle(&above.Y)
	below.Y.Min, below.Y.Max = -6, 106
	below.Y.Tick.Marker = countTicks([]int{0, 50, 100})
	for _, p := range []*plot.Plot{above, below} {
		if n := len(s.counts); n > 0 {
			p.X.Min, p.X.Max = float64(s.counts[0])-0.3, float64(s.counts[n-1])+0.3
			p.X.Tick.Marker = countTicks(s.counts)
		}
	}
	below.X.Label.Text = "K"
	if first {
		above.Y.Label.Text, below.Y.Label.Text = "accuracy, %", "at vertices, %"
	}
	if !drawnAbove {
		leaveEmpty(above, "no result")
	}
	if !drawnBelow {
		leaveEmpty(below, "no result")
	}
	return above, below
}

// curves are the accuracies and the shares of one method and variant.
func (s *collapseSheet) curves(r table.Row, method, variant string) (accuracies, shares curve) {
	l := collapseLooks[[2]string{method, variant}]
	accuracies, shares = curve{look: l}, curve{look: l}
	var ys, vs []float64
	for _, k := range s.counts {
		cell := s.table.Find(r, method, "metrics", strconv.Itoa(k), "variant", variant)
		y, v := accuracy(r, cell.Score), math.NaN()
		line := append([]string{r.Letter, r.Dataset, r.Name, method, variant, strconv.Itoa(k)}, outcome(r, cell)...)
		if f, ok := cell.Score.FactOf(verticesFact); ok && f.Of > 0 {
			v = 100 * float64(f.Count) / float64(f.Of)
			line = append(line, strconv.Itoa(f.Count), strconv.Itoa(f.Of))
			vs = append(vs, v)
		} else {
			line = append(line, "", "")
		}
		if math.IsNaN(y) {
			s.missing++
		} else if k > 1 {
			ys = append(ys, y)
		}
		s.lines = append(s.lines, line)
		accuracies.points = append(accuracies.points, point{x: float64(k), y: y})
		shares.points = append(shares.points, point{x: float64(k), y: v})
	}
	if len(ys) > 0 {
		low, high := span(ys)
		text := fmt.Sprintf("%s, %s %s, K of 2 or more: accuracies between %.2f and %.2f", short(r.Name, 40), methodName(method), variant, low, high)
		if len(vs) > 0 {
			least, most := span(vs)
			text += fmt.Sprintf(", %.1f to %.1f %% at vertices", least, most)
		}
		s.said = append(s.said, text+".")
	}
	return accuracies, shares
}
