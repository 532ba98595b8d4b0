package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

const (
	lambdaMetrics = 3       // number of metrics of the study
	zeroLevel     = "1e-06" // share of the largest norm below which a column is zero
)

var (
	ourLook     = look{color: blue, mark: disc}
	printedLook = look{color: vermillion, mark: openDiamond, bare: true}
	zeroLooks   = [lambdaMetrics]look{
		{color: blue, mark: disc},
		{color: vermillion, mark: openSquare, dashes: dashed},
		{color: purple, mark: triangle, dashes: dotted},
	}
	zeroPrintedLook = look{color: ink, mark: openDiamond, bare: true}
	zeroedLook      = look{color: ink, dashes: []vg.Length{8, 3, 2, 3}}
)

// Lambda draws E-R2LML's accuracy and zero columns against λ from the table of
// spec lambda, a figure for each family of generated data that has a result:
// above, the mean accuracy and its range over the draws beside the printed one;
// below, the mean number of zero columns of each metric.
func Lambda(t table.Table) ([]Figure, error) {
	var all []Figure
	for _, f := range published.LambdaFamilies() {
		s := newLambdaStudy(t, f)
		if s.found == 0 {
			continue
		}
		figure, err := s.figure()
		if err != nil {
			return nil, err
		}
		all = append(all, figure)
	}
	return all, nil
}

// A lambdaStudy is what a family's draws say.
type lambdaStudy struct {
	published.LambdaFamily
	settings       []lambdaSetting
	found, missing int
	zeroed         float64 // mean number of zeroed features over the draws
}

// A lambdaSetting is what they say of one λ.
type lambdaSetting struct {
	lambda     float64
	x          float64   // its place on the axis
	accuracies []float64 // of the draws, in percent
	zeros      [lambdaMetrics][]float64
	printed    published.Lambda // with an empty Accuracy if there is none
}

func newLambdaStudy(t table.Table, f published.LambdaFamily) lambdaStudy {
	s := lambdaStudy{LambdaFamily: f}
	var zeroed []float64
	for i, c := range t.Columns {
		value, err := strconv.ParseFloat(c.Swept["lambda"], 64)
		if c.Method != efficient || err != nil || value < 0 || !finite(value) {
			continue
		}
		one := lambdaSetting{lambda: value, printed: published.PublishedLambdaAt(f.Study, value)}
		for _, r := range t.Rows {
			id, _, _ := strings.Cut(r.Dataset, ":")
			if id != f.ID {
				continue
			}
			if i >= len(r.Cells) || !finite(accuracy(r, r.Cells[i].Score)) {
				s.missing++
				continue
			}
			s.found++
			score := r.Cells[i].Score
			one.accuracies = append(one.accuracies, accuracy(r, score))
			for m := range lambdaMetrics {
				name := fmt.Sprintf("zero columns of metric %d at %s", m+1, zeroLevel)
				constant, ok1 := score.FactOf(name + ", constant features")
				other, ok2 := score.FactOf(name + ", other features")
				if ok1 && ok2 {
					one.zeros[m] = append(one.zeros[m], float64(constant.Count+other.Count))
					zeroed = append(zeroed, float64(constant.Of))
				}
			}
		}
		s.settings = append(s.settings, one)
	}
	slices.SortStableFunc(s.settings, func(a, b lambdaSetting) int {
		switch {
		case a.lambda < b.lambda:
			return -1
		case a.lambda > b.lambda:
			return 1
		}
		return 0
	})
	s.place()
	s.zeroed = mean(zeroed)
	return s
}

// place puts λ on a logarithmic axis, and 0 one power of ten left of the others.
func (s *lambdaStudy) place() {
	first := 0.0
	for i := range s.settings {
		if lambda := s.settings[i].lambda; lambda > 0 {
			s.settings[i].x = math.Log10(lambda)
			if i == 0 || s.settings[i-1].lambda == 0 {
				first = s.settings[i].x
			}
		}
	}
	for i := range s.settings {
		if s.settings[i].lambda == 0 {
			s.settings[i].x = first - 1
		}
	}
}

// printedPercent is the printed accuracy in percent, NaN if there is none.
func (s lambdaSetting) printedPercent() float64 {
	value, err := strconv.ParseFloat(s.printed.Accuracy, 64)
	if err != nil {
		return math.NaN()
	}
	return 100 * value
}

// mean is NaN for no numbers.
func mean(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all))
}

// span returns the extremes, NaN for no numbers.
func span(all []float64) (low, high float64) {
	if len(all) == 0 {
		return math.NaN(), math.NaN()
	}
	return slices.Min(all), slices.Max(all)
}

func (s lambdaStudy) figure() (Figure, error) {
	csv, err := s.csv()
	if err != nil {
		return Figure{}, err
	}
	accuracies, zeros := s.accuracyPanel(), s.zeroPanel()
	for _, p := range []*plot.Plot{accuracies, zeros} {
		settle(&p.Y)
		first, last := s.settings[0].x, s.settings[len(s.settings)-1].x
		p.X.Min, p.X.Max = first-0.4, last+0.4
		p.X.Tick.Marker = s.ticks()
	}
	zeros.X.Label.Text = "λ"
	sheet := sheet{legend: s.legend(), columns: 1, height: 205, lines: 1, panels: []*plot.Plot{accuracies, zeros}}
	return sheet.figure("lambda-"+s.ID, "Accuracy and zero columns against λ: "+s.Title, s.alt(), csv)
}

func (s lambdaStudy) legend() []entry {
	all := []entry{
		{look: ourLook, text: "mean accuracy, with range of the draws"},
		{look: printedLook, text: "printed accuracy"},
	}
	for m, l := range zeroLooks {
		all = append(all, entry{look: l, text: fmt.Sprintf("metric %d", m+1), first: m == 0})
	}
	if s.Study == "sparse" {
		all = append(all, entry{look: zeroPrintedLook, text: "printed"})
	}
	if s.zeroed > 0 {
		all = append(all, entry{look: zeroedLook, text: "zeroed features"})
	}
	return all
}

func (s lambdaStudy) ticks() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, one := range s.settings {
		ticks = append(ticks, plot.Tick{Value: one.x, Label: tickLabel(one.lambda)})
	}
	return ticks
}

// points makes a curve over λ. The line has a gap after 0, which has no place on
// the axis.
func (s lambdaStudy) points(of func(lambdaSetting) point) []point {
	var all []point
	for _, one := range s.settings {
		all = append(all, of(one))
		if one.lambda == 0 {
			all = append(all, point{x: one.x, y: math.NaN()})
		}
	}
	return all
}

func (s lambdaStudy) accuracyPanel() *plot.Plot {
	p := newPanel("Accuracy")
	p.Y.Label.Text = "accuracy, %"
	addCurve(p, curve{ourLook, s.points(func(one lambdaSetting) point {
		low, high := span(one.accuracies)
		return point{one.x, mean(one.accuracies), low, high}
	})})
	addCurve(p, curve{printedLook, s.points(func(one lambdaSetting) point {
		return point{x: one.x, y: one.printedPercent()}
	})})
	return p
}

// zeroPanel shows the metrics side by side, as they often have the same number.
func (s lambdaStudy) zeroPanel() *plot.Plot {
	const aside = 0.12
	p := newPanel("Zero columns")
	p.Y.Label.Text = "columns"
	drawn := false
	if s.zeroed > 0 {
		p.Add(level{zeroedLook, s.zeroed})
	}
	for m, l := range zeroLooks {
		shift := aside * float64(m-1)
		drawn = addCurve(p, curve{l, s.points(func(one lambdaSetting) point {
			return point{x: one.x + shift, y: mean(one.zeros[m])}
		})}) || drawn
		addCurve(p, curve{zeroPrintedLook, s.points(func(one lambdaSetting) point {
			if m >= len(one.printed.Zeros) {
				return point{x: one.x, y: math.NaN()}
			}
			return point{x: one.x + shift, y: float64(one.printed.Zeros[m])}
		})})
	}
	if !drawn {
		leaveEmpty(p, "not measured")
	}
	return p
}

func (s lambdaStudy) csv() ([]byte, error) {
	var lines [][]string
	for _, one := range s.settings {
		low, high := span(one.accuracies)
		line := []string{s.ID, number(one.lambda), strconv.Itoa(len(one.accuracies)), number(mean(one.accuracies)), number(low), number(high), number(one.printedPercent())}
		for m := range lambdaMetrics {
			line = append(line, number(mean(one.zeros[m])))
		}
		for m := range lambdaMetrics {
			printed := ""
			if m < len(one.printed.Zeros) {
				printed = strconv.Itoa(one.printed.Zeros[m])
			}
			line = append(line, printed)
		}
		lines = append(lines, append(line, number(s.zeroed)))
	}
	return encodeCSV([]string{
		"family", "lambda", "draws", "mean_accuracy", "min_accuracy", "max_accuracy", "printed_accuracy",
		"zeros_metric_1", "zeros_metric_2", "zeros_metric_3", "printed_zeros_1", "printed_zeros_2", "printed_zeros_3", "zeroed_features",
	}, lines)
}

func (s lambdaStudy) alt() string {
	var accuracies, zeros []string
	for _, one := range s.settings {
		if len(one.accuracies) == 0 {
			continue
		}
		low, high := span(one.accuracies)
		text := fmt.Sprintf("%.1f (%.1f to %.1f over %s", mean(one.accuracies), low, high, counted(len(one.accuracies), "draw"))
		if printed := one.printedPercent(); finite(printed) {
			text += fmt.Sprintf(", printed %.1f", printed)
		}
		accuracies = append(accuracies, fmt.Sprintf("%s) at λ = %s", text, tickLabel(one.lambda)))
		if m := append(slices.Clone(one.zeros[0]), append(one.zeros[1], one.zeros[2]...)...); len(m) > 0 {
			zeros = append(zeros, fmt.Sprintf("%.1f at λ = %s", mean(m), tickLabel(one.lambda)))
		}
	}
	zeroText := "The lower panel is empty, as zero columns were not measured."
	if len(zeros) > 0 {
		zeroText = "The lower panel shows the mean number of zero columns of each of the three metrics; over all metrics it is " + series(zeros) + "."
	}
	if s.zeroed > 0 {
		zeroText += fmt.Sprintf(" A horizontal line stands at %.1f, the mean number of zeroed features.", s.zeroed)
	}
	return paragraph(
		fmt.Sprintf("Two panels over λ on a logarithmic axis with 0 at its left end, for %s.", s.Title),
		"The upper one shows the mean accuracy of E-R2LML in percent, with its range, and the printed one as open diamonds: "+series(accuracies)+".",
		zeroText, gaps(s.missing, s.missing+s.found, "cell"))
}
