package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/study"
)

// zeroLevel is the threshold of study.ZeroThresholds below which a column is
// drawn as zero, 1e-6 of the largest norm.
const zeroLevel = 0

var (
	ourLook     = look{color: blue, mark: disc}
	printedLook = look{color: vermillion, mark: openDiamond, bare: true}
	zeroLooks   = [study.LambdaMetrics]look{
		{color: blue, mark: ring},
		{color: vermillion, mark: openSquare, dashes: dashed},
		{color: purple, mark: triangle, dashes: dotted},
	}
	zeroPrintedLook = look{color: ink, mark: openDiamond, bare: true}
	zeroedLook      = look{color: ink, dashes: []vg.Length{8, 3, 2, 3}}
)

// Lambda draws E-R2LML's accuracy and zero columns against λ, a figure for each
// family of generated data that has a result: above, the mean accuracy and its
// range over the draws beside the printed one; below, the mean number of zero
// columns of each metric.
func Lambda(l study.Lambda) ([]Figure, error) {
	var all []Figure
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

func (s lambdaSheet) figure() (Figure, error) {
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
	f, err := sheet.figure("lambda-"+s.ID, "Accuracy and zero columns against λ: "+s.Title, s.alt(), csv)
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
	say := fmt.Sprintf("Our mean accuracy is highest, %.1f %%, at λ = %s.", mean(s.settings[best].accuracies), tickLabel(s.settings[best].Lambda))
	if sets >= 0 {
		one := s.settings[sets]
		say += fmt.Sprintf(" Metrics have one zero column or more on average first at λ = %s, where the accuracy is %.1f %%.",
			tickLabel(one.Lambda), mean(one.accuracies))
	}
	return say
}

func (s lambdaSheet) legend() []entry {
	all := []entry{
		{look: ourLook, text: "mean accuracy, with range of the draws"},
		{look: printedLook, text: "printed accuracy"},
	}
	for m, l := range zeroLooks {
		text := fmt.Sprintf("metric %d", m+1)
		if m == 0 {
			text = "zero columns: " + text
		}
		all = append(all, entry{look: l, text: text, first: m == 0})
	}
	if s.Study == "sparse" {
		all = append(all, entry{look: zeroPrintedLook, text: "printed columns"})
	}
	if s.zeroed > 0 {
		all = append(all, entry{look: zeroedLook, text: "zeroed features"})
	}
	return all
}

func (s lambdaSheet) ticks() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, one := range s.settings {
		ticks = append(ticks, plot.Tick{Value: one.x, Label: tickLabel(one.Lambda)})
	}
	return ticks
}

// points makes a curve over λ. The line has a gap after 0, which has no place on
// the axis.
func (s lambdaSheet) points(of func(lambdaSetting) point) []point {
	var all []point
	for _, one := range s.settings {
		all = append(all, of(one))
		if one.Lambda == 0 {
			all = append(all, point{x: one.x, y: math.NaN()})
		}
	}
	return all
}

func (s lambdaSheet) accuracyPanel() *plot.Plot {
	p := newPanel("Accuracy")
	p.Y.Label.Text = "accuracy, %"
	addCurve(p, curve{look: ourLook, points: s.points(func(one lambdaSetting) point {
		low, high := span(one.accuracies)
		y := mean(one.accuracies)
		return point{one.x, y, low, high, fmt.Sprintf("λ = %s: %.1f %%, %.1f to %.1f over %s",
			tickLabel(one.Lambda), y, low, high, words.Counted(len(one.accuracies), "draw"))}
	})})
	addCurve(p, curve{look: printedLook, points: s.points(func(one lambdaSetting) point {
		return point{x: one.x, y: one.printedPercent(), say: fmt.Sprintf("λ = %s: printed %.1f %%", tickLabel(one.Lambda), one.printedPercent())}
	})})
	return p
}

// zeroPanel shows the metrics side by side, as they often have the same number.
func (s lambdaSheet) zeroPanel() *plot.Plot {
	const aside = 0.12
	p := newPanel("Zero columns")
	p.Y.Label.Text = "columns"
	drawn := false
	if s.zeroed > 0 {
		p.Add(level{zeroedLook, s.zeroed})
	}
	for m, l := range zeroLooks {
		shift := aside * float64(m-1)
		drawn = addCurve(p, curve{look: l, points: s.points(func(one lambdaSetting) point {
			y := mean(one.zeros[m])
			return point{x: one.x + shift, y: y, say: fmt.Sprintf("λ = %s, metric %d: %.1f zero columns", tickLabel(one.Lambda), m+1, y)}
		})}) || drawn
		addCurve(p, curve{look: zeroPrintedLook, points: s.points(func(one lambdaSetting) point {
			if m >= len(one.Printed.Zeros) {
				return point{x: one.x, y: math.NaN()}
			}
			y := one.Printed.Zeros[m]
			return point{x: one.x + shift, y: float64(y), say: fmt.Sprintf("λ = %s, metric %d: printed %d zero columns", tickLabel(one.Lambda), m+1, y)}
		})})
	}
	if !drawn {
		leaveEmpty(p, "not measured")
	}
	return p
}

func (s lambdaSheet) csv() ([]byte, error) {
	var lines [][]string
	for _, one := range s.settings {
		low, high := span(one.accuracies)
		line := []string{
			s.ID, number(one.Lambda), strconv.Itoa(len(one.accuracies)), number(mean(one.accuracies)), number(low), number(high), number(one.printedPercent()),
		}
		for m := range study.LambdaMetrics {
			line = append(line, number(mean(one.zeros[m])))
		}
		for m := range study.LambdaMetrics {
			printed := ""
			if m < len(one.Printed.Zeros) {
				printed = strconv.Itoa(one.Printed.Zeros[m])
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

func (s lambdaSheet) alt() string {
	var accuracies, zeros []string
	for _, one := range s.settings {
		if len(one.accuracies) == 0 {
			continue
		}
		low, high := span(one.accuracies)
		text := fmt.Sprintf("%.1f (%.1f to %.1f over %s", mean(one.accuracies), low, high, words.Counted(len(one.accuracies), "draw"))
		if printed := one.printedPercent(); finite(printed) {
			text += fmt.Sprintf(", printed %.1f", printed)
		}
		accuracies = append(accuracies, fmt.Sprintf("%s) at λ = %s", text, tickLabel(one.Lambda)))
		if m := append(slices.Clone(one.zeros[0]), append(one.zeros[1], one.zeros[2]...)...); len(m) > 0 {
			zeros = append(zeros, fmt.Sprintf("%.1f at λ = %s", mean(m), tickLabel(one.Lambda)))
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
