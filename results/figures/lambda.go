package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/study"
)

// zeroLevel is the threshold of study.ZeroThresholds below which a column is
// drawn as zero, 1e-6 of the largest norm.
const zeroLevel = 0

var (
	ourLook     = chart.Look{Color: chart.Blue, Mark: chart.Disc}
	printedLook = chart.Look{Color: chart.Vermillion, Mark: chart.OpenDiamond, Bare: true}
	zeroLooks   = [study.LambdaMetrics]chart.Look{
		{Color: chart.Blue, Mark: chart.Ring},
		{Color: chart.Vermillion, Mark: chart.OpenSquare, Dashes: chart.Dashed},
		{Color: chart.Purple, Mark: chart.Triangle, Dashes: chart.Dotted},
	}
	zeroPrintedLook = chart.Look{Color: chart.Ink, Mark: chart.OpenDiamond, Bare: true}
	zeroedLook      = chart.Look{Color: chart.Ink, Dashes: []vg.Length{8, 3, 2, 3}}
)

// Lambda draws E-R2LML's accuracy and zero columns against λ, a figure for each
// family of generated data that has a result: above, the mean accuracy and its
// range over the draws beside the printed one; below, the mean number of zero
// columns of each metric.
func Lambda(l study.Lambda) ([]chart.Figure, error) {
	var all []chart.Figure
	for _, f := range l.Families {
		if f.Found == 0 {
			continue
		}
		figure, err := newLambdaSheet(f).figure()
		if err != nil {
			return nil, err
		}
		all = append(all, figure)
	}
	return all, nil
}

// A lambdaSheet collects the figure of a family.
type lambdaSheet struct {
	study.LambdaFamily
	settings []lambdaSetting
	zeroed   float64 // mean number of zeroed features over the draws
}

// A lambdaSetting is what the draws say of one λ.
type lambdaSetting struct {
	study.LambdaSetting
	x          float64                        // its place on the axis
	accuracies []float64                      // of the draws, in percent
	zeros      [study.LambdaMetrics][]float64 // numbers of zero columns of the draws
}

func newLambdaSheet(f study.LambdaFamily) lambdaSheet {
	s := lambdaSheet{LambdaFamily: f}
	var zeroed []float64
	for _, setting := range f.Settings {
		one := lambdaSetting{LambdaSetting: setting}
		for _, d := range setting.Draws {
			one.accuracies = append(one.accuracies, 100*float64(d.Correct)/float64(d.N))
		}
		for m := range study.LambdaMetrics {
			for _, z := range setting.Zeros(zeroLevel, m) {
				one.zeros[m] = append(one.zeros[m], float64(z.Count()))
				zeroed = append(zeroed, float64(z.Constant.Of))
			}
		}
		s.settings = append(s.settings, one)
	}
	s.place()
	s.zeroed = mean(zeroed)
	return s
}

// place puts λ on a logarithmic axis, and 0 one power of ten left of the others.
func (s *lambdaSheet) place() {
	first := 0.0
	for i := range s.settings {
		if lambda := s.settings[i].Lambda; lambda > 0 {
			s.settings[i].x = math.Log10(lambda)
			if i == 0 || s.settings[i-1].Lambda == 0 {
				first = s.settings[i].x
			}
		}
	}
	for i := range s.settings {
		if s.settings[i].Lambda == 0 {
			s.settings[i].x = first - 1
		}
	}
}

// printedPercent is the printed accuracy in percent, NaN if there is none.
func (s lambdaSetting) printedPercent() float64 {
	value, err := strconv.ParseFloat(s.Printed.Accuracy, 64)
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

func (s lambdaSheet) figure() (chart.Figure, error) {
	csv, err := s.csv()
	if err != nil {
		return chart.Figure{}, err
	}
	accuracies, zeros := s.accuracyPanel(), s.zeroPanel()
	for _, p := range []*plot.Plot{accuracies, zeros} {
		chart.Settle(&p.Y)
		first, last := s.settings[0].x, s.settings[len(s.settings)-1].x
		p.X.Min, p.X.Max = first-0.4, last+0.4
		p.X.Tick.Marker = s.ticks()
	}
	zeros.X.Label.Text = "λ"
	sheet := chart.Sheet{Legend: s.legend(), Columns: 1, Height: 205, Lines: 1, Panels: []*plot.Plot{accuracies, zeros}}
	f, err := sheet.Figure("lambda-"+s.ID, "Accuracy and zero columns against λ: "+s.Title, s.alt(), csv)
	f.See = s.see()
	return f, err
}

// see says where the accuracy is highest and from where on there are zero columns.
func (s lambdaSheet) see() string {
	best, sets := -1, -1
	for i, one := range s.settings {
		if len(one.accuracies) > 0 && (best < 0 || mean(one.accuracies) > mean(s.settings[best].accuracies)) {
			best = i
		}
		if all := slices.Concat(one.zeros[:]...); sets < 0 && len(all) > 0 && mean(all) >= 1 {
			sets = i
		}
	}
	if best < 0 {
		return "No accuracy is known."
	}
	say := fmt.Sprintf("Our mean accuracy is highest, %.1f %%, at λ = %s.", mean(s.settings[best].accuracies), chart.TickLabel(s.settings[best].Lambda))
	if sets >= 0 {
		one := s.settings[sets]
		say += fmt.Sprintf(" Metrics have one zero column or more on average first at λ = %s, where the accuracy is %.1f %%.",
			chart.TickLabel(one.Lambda), mean(one.accuracies))
	}
	return say
}

func (s lambdaSheet) legend() []chart.Entry {
	all := []chart.Entry{
		{Look: ourLook, Text: "mean accuracy, with range of the draws"},
		{Look: printedLook, Text: "printed accuracy"},
	}
	for m, l := range zeroLooks {
		text := fmt.Sprintf("metric %d", m+1)
		if m == 0 {
			text = "zero columns: " + text
		}
		all = append(all, chart.Entry{Look: l, Text: text, First: m == 0})
	}
	if s.Study == "sparse" {
		all = append(all, chart.Entry{Look: zeroPrintedLook, Text: "printed columns"})
	}
	if s.zeroed > 0 {
		all = append(all, chart.Entry{Look: zeroedLook, Text: "zeroed features"})
	}
	return all
}

func (s lambdaSheet) ticks() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, one := range s.settings {
		ticks = append(ticks, plot.Tick{Value: one.x, Label: chart.TickLabel(one.Lambda)})
	}
	return ticks
}

// points makes a curve over λ. The line has a gap after 0, which has no place on
// the axis.
func (s lambdaSheet) points(of func(lambdaSetting) chart.Point) []chart.Point {
	var all []chart.Point
	for _, one := range s.settings {
		all = append(all, of(one))
		if one.Lambda == 0 {
			all = append(all, chart.Point{X: one.x, Y: math.NaN()})
		}
	}
	return all
}

func (s lambdaSheet) accuracyPanel() *plot.Plot {
	p := chart.NewPanel("Accuracy")
	p.Y.Label.Text = "accuracy, %"
	chart.AddCurve(p, chart.Curve{Look: ourLook, Points: s.points(func(one lambdaSetting) chart.Point {
		low, high := span(one.accuracies)
		y := mean(one.accuracies)
		return chart.Point{X: one.x, Y: y, Low: low, High: high, Say: fmt.Sprintf("λ = %s: %.1f %%, %.1f to %.1f over %s",
			chart.TickLabel(one.Lambda), y, low, high, words.Counted(len(one.accuracies), "draw"))}
	})})
	chart.AddCurve(p, chart.Curve{Look: printedLook, Points: s.points(func(one lambdaSetting) chart.Point {
		return chart.Point{X: one.x, Y: one.printedPercent(), Say: fmt.Sprintf("λ = %s: printed %.1f %%", chart.TickLabel(one.Lambda), one.printedPercent())}
	})})
	return p
}

// zeroPanel shows the metrics side by side, as they often have the same number.
func (s lambdaSheet) zeroPanel() *plot.Plot {
	const aside = 0.12
	p := chart.NewPanel("Zero columns")
	p.Y.Label.Text = "columns"
	drawn := false
	if s.zeroed > 0 {
		p.Add(chart.Level{Look: zeroedLook, Y: s.zeroed})
	}
	for m, l := range zeroLooks {
		shift := aside * float64(m-1)
		drawn = chart.AddCurve(p, chart.Curve{Look: l, Points: s.points(func(one lambdaSetting) chart.Point {
			y := mean(one.zeros[m])
			return chart.Point{X: one.x + shift, Y: y, Say: fmt.Sprintf("λ = %s, metric %d: %.1f zero columns", chart.TickLabel(one.Lambda), m+1, y)}
		})}) || drawn
		chart.AddCurve(p, chart.Curve{Look: zeroPrintedLook, Points: s.points(func(one lambdaSetting) chart.Point {
			if m >= len(one.Printed.Zeros) {
				return chart.Point{X: one.x, Y: math.NaN()}
			}
			y := one.Printed.Zeros[m]
			return chart.Point{X: one.x + shift, Y: float64(y), Say: fmt.Sprintf("λ = %s, metric %d: printed %d zero columns", chart.TickLabel(one.Lambda), m+1, y)}
		})})
	}
	if !drawn {
		chart.LeaveEmpty(p, "not measured")
	}
	return p
}

func (s lambdaSheet) csv() ([]byte, error) {
	var lines [][]string
	for _, one := range s.settings {
		low, high := span(one.accuracies)
		line := []string{
			s.ID, chart.Number(one.Lambda), strconv.Itoa(len(one.accuracies)), chart.Number(mean(one.accuracies)),
			chart.Number(low), chart.Number(high), chart.Number(one.printedPercent()),
		}
		for m := range study.LambdaMetrics {
			line = append(line, chart.Number(mean(one.zeros[m])))
		}
		for m := range study.LambdaMetrics {
			printed := ""
			if m < len(one.Printed.Zeros) {
				printed = strconv.Itoa(one.Printed.Zeros[m])
			}
			line = append(line, printed)
		}
		lines = append(lines, append(line, chart.Number(s.zeroed)))
	}
	return chart.EncodeCSV([]string{
		"family", "lambda", "draws", "mean_accuracy", "min_accuracy", "max_accuracy", "printed_accuracy",
		"zeros_metric_1", "zeros_metric_2", "zeros_metric_3", "printed_zeros_1", "printed_zeros_2", "printed_zeros_3", "zeroed_features",
	}, lines)
}

func (s lambdaSheet) alt() string {
	var accuracies, zeros []string
	for _, one := range s.settings {
		if len(one.accuracies) == 0 {
			continue
		}
		low, high := span(one.accuracies)
		text := fmt.Sprintf("%.1f (%.1f to %.1f over %s", mean(one.accuracies), low, high, words.Counted(len(one.accuracies), "draw"))
		if printed := one.printedPercent(); chart.Finite(printed) {
			text += fmt.Sprintf(", printed %.1f", printed)
		}
		accuracies = append(accuracies, fmt.Sprintf("%s) at λ = %s", text, chart.TickLabel(one.Lambda)))
		if m := append(slices.Clone(one.zeros[0]), append(one.zeros[1], one.zeros[2]...)...); len(m) > 0 {
			zeros = append(zeros, fmt.Sprintf("%.1f at λ = %s", mean(m), chart.TickLabel(one.Lambda)))
		}
	}
	zeroText := "The lower panel is empty, as zero columns were not measured."
	if len(zeros) > 0 {
		zeroText = "The lower panel shows the mean number of zero columns of each of the three metrics; over all metrics it is " + words.Series(zeros) + "."
	}
	if s.zeroed > 0 {
		zeroText += fmt.Sprintf(" A horizontal line stands at %.1f, the mean number of zeroed features.", s.zeroed)
	}
	return words.Join(" ",
		fmt.Sprintf("Two panels over λ on a logarithmic axis with 0 at its left end, for %s.", s.Title),
		"The upper one shows the mean accuracy of E-R2LML in percent, with its range, and the printed one as open diamonds: "+words.Series(accuracies)+".",
		zeroText, gaps(s.Missing, s.Missing+s.Found, "cell"))
}
