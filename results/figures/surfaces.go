package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results"
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// Parameters of a surface: the number K of metrics goes up, λ to the right.
const (
	surfaceUp    = "metrics"
	surfaceRight = "lambda"
)

// mostSurfaces is how many data sets have a surface drawn.
const mostSurfaces = 3

// The marks in a field of a surface.
var (
	chosenLook  = chart.Look{Color: chart.Ink, Mark: chart.Frame{}, Bare: true}
	bestLook    = chart.Look{Color: chart.Purple, Mark: chart.Corner{Up: true}, Bare: true}
	reachedLook = chart.Look{Color: chart.Vermillion, Mark: chart.Corner{}, Bare: true}
)

// What the marks say.
const (
	chosenText  = "chosen on validation"
	bestText    = "best on test"
	reachedText = "within the margin of the printed accuracy"
)

// Surfaces draws the accuracy of the paper's two methods over λ and the number K of
// metrics: on the validation samples, by which the setting was chosen, and beside it
// on the test samples. It takes cells with surfaces, of seed 1, and makes a figure for
// each of the data sets on which the choice matters most: where the best setting on
// the test samples and the chosen one are farthest apart, added over the methods.
// names are those of data sets by id; others go by it.
func Surfaces(cells []results.Cell, all []verdict.Evidence, names map[string]string) ([]chart.Figure, error) {
	var figures []chart.Figure
	for _, set := range surfaceSets(cells) {
		s := surfaceSheet{}
		for _, method := range study.PaperMethods {
			at := slices.IndexFunc(cells, func(c results.Cell) bool { return c.Dataset == set && c.Method == method && isSurface(c) })
			if at < 0 {
				continue
			}
			one := newSurface(cells[at], all)
			one.name = cmp.Or(names[one.Dataset], one.Dataset)
			s.all = append(s.all, one)
		}
		name := "surfaces"
		if len(figures) > 0 {
			name += "-" + strconv.Itoa(len(figures)+1)
		}
		f, err := s.figure(name)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// isSurface tells whether a cell has what a surface shows: one of the paper's methods,
// both samples, and a grid of the two parameters.
func isSurface(c results.Cell) bool {
	if !slices.Contains(study.PaperMethods, c.Method) || c.Surface == nil || c.Validation == nil || c.Failure != "" || len(c.Truth) == 0 || c.Validation.N <= 0 {
		return false
	}
	up, right := axisOf(c, surfaceUp), axisOf(c, surfaceRight)
	return len(up) > 1 && len(right) > 1 && len(up)*len(right) == len(c.Points)
}

// axisOf are the values of a parameter in the order of the grid.
func axisOf(c results.Cell, name string) []string {
	var values []string
	for _, p := range c.Points {
		values = words.AppendNew(values, valueOf(p, name))
	}
	return values
}

func valueOf(p results.Point, name string) string {
	return strings.TrimPrefix(results.Params{name: p.Params[name]}.String(), name+"=")
}

// surfaceSets chooses the data sets that are drawn, the one on which the choice
// matters most first.
func surfaceSets(cells []results.Cell) []string {
	var sets []string
	gain := map[string]float64{}
	for _, c := range cells {
		if isSurface(c) {
			sets = words.AppendNew(sets, c.Dataset)
			gain[c.Dataset] += float64(slices.Max(c.Surface.Correct)-c.Surface.Correct[c.Chosen]) / float64(len(c.Truth))
		}
	}
	slices.SortStableFunc(sets, func(a, b string) int { return cmp.Compare(gain[b], gain[a]) })
	return sets[:min(len(sets), mostSurfaces)]
}

// A surfaceSheet has the surfaces of a data set from top to bottom.
type surfaceSheet struct{ all []surface }

func (s surfaceSheet) figure(name string) (chart.Figure, error) {
	csv, err := s.csv()
	if err != nil {
		return chart.Figure{}, err
	}
	f, err := chart.NewFigure(name, "Accuracy at every setting on "+chart.Short(s.all[0].set(), 60), s.alt(), csv, s.height(), s.draw)
	f.See = s.see()
	return f, err
}

// see says what the choice on the validation samples costs.
func (s surfaceSheet) see() string {
	var costs []string
	for _, one := range s.all {
		chosen, most := one.Surface.Correct[one.Chosen], slices.Max(one.Surface.Correct)
		if chosen >= 0 && most >= 0 {
			costs = append(costs, fmt.Sprintf("%s has %s %% of the test samples there and %s %% at its best setting", published.MethodName(one.Method),
				stats.Percent(chosen, len(one.Truth), 2), stats.Percent(most, len(one.Truth), 2)))
		}
	}
	say := "A deeper color is a higher accuracy. The frame is what the validation samples choose"
	if len(costs) > 0 {
		say += ": " + strings.Join(costs, "; ")
	}
	return say + "."
}

// A surface is that of one method on one data set, with what is printed.
type surface struct {
	name string // of the data set
	results.Cell
	up, right []string
	best      []bool            // settings that no other beats on the test samples
	reached   []bool            // settings within the margin of the printed accuracy there
	printed   *verdict.Evidence // on the printed accuracy; nil: there is none
}

func newSurface(c results.Cell, all []verdict.Evidence) surface {
	s := surface{Cell: c, up: axisOf(c, surfaceUp), right: axisOf(c, surfaceRight)}
	i := slices.IndexFunc(all, func(e verdict.Evidence) bool {
		return e.Published.Dataset == c.Dataset && e.Published.Method == c.Method
	})
	if i >= 0 {
		s.printed = &all[i]
	}
	most := slices.Max(c.Surface.Correct)
	for _, correct := range c.Surface.Correct {
		s.best = append(s.best, correct == most && most >= 0)
		s.reached = append(s.reached, s.printed != nil && correct >= 0 && s.printed.Within(verdict.Run{Correct: correct, N: len(c.Truth)}))
	}
	return s
}

func (s surface) onTest(correct int) float64 { return 100 * float64(correct) / float64(len(s.Truth)) }

func (s surface) onValidation(correct int) float64 {
	return 100 * float64(correct) / float64(s.Validation.N)
}

// set names the data set.
func (s surface) set() string {
	letter := ""
	if s.printed != nil {
		letter = s.printed.Published.Letter
	}
	return words.Join(" ", letter, s.name)
}

// Places of a surface. There are two fields side by side.
const (
	surfaceHead vg.Length = 36
	surfaceFoot vg.Length = 44
	surfaceSide vg.Length = 22
	surfaceGap  vg.Length = 8
	fieldHeight vg.Length = 25 // room for a number between the corners
)

func (s surface) height() vg.Length {
	return surfaceHead + vg.Length(len(s.up))*fieldHeight + surfaceFoot
}

func (s surfaceSheet) legend() []chart.Entry {
	return []chart.Entry{
		{Look: chosenLook, Text: chosenText}, {Look: bestLook, Text: bestText}, {Look: reachedLook, Text: reachedText},
	}
}

func (s surfaceSheet) height() vg.Length {
	h := chart.LegendHeight(s.legend())
	for _, one := range s.all {
		h += one.height()
	}
	return h
}

func (s surfaceSheet) draw(c draw.Canvas) {
	chart.DrawLegend(c, s.legend())
	top := c.Max.Y - chart.LegendHeight(s.legend())
	for _, one := range s.all {
		one.draw(c, top)
		top -= one.height()
	}
}

// draw paints both halves below a place.
func (s surface) draw(c draw.Canvas, top vg.Length) {
	half := (c.Max.X - c.Min.X - surfaceGap) / 2
	least, most := s.span()
	for i, samples := range []struct {
		name    string
		correct []int
		percent func(int) float64
	}{{"validation", s.Validation.Correct, s.onValidation}, {"test", s.Surface.Correct, s.onTest}} {
		left := c.Min.X + vg.Length(i)*(half+surfaceGap)
		title := samples.name + " samples"
		if i == 0 {
			c.FillText(chart.HeadingStyle(), vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: top - surfaceHead/2 + 4},
				chart.Fit(published.MethodName(s.Method), chart.HeadingStyle(), chart.Width-20))
		}
		c.FillText(chart.Writing(chart.TextSize, text.XCenter, text.YBottom), vg.Point{X: left + (half+surfaceSide)/2, Y: top - surfaceHead + 4}, title)
		f := field{
			left: left + surfaceSide, top: top - surfaceHead, wide: (half - surfaceSide) / vg.Length(len(s.right)),
			least: least, most: most, onTest: i == 1,
		}
		for j := range s.Points {
			s.drawField(c, f, j, samples.correct[j], samples.percent(samples.correct[j]))
		}
		s.drawChosen(c, f)
		s.drawAxes(c, f)
	}
}

// span is the range of all accuracies, which the colors span.
func (s surface) span() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for i := range s.Points {
		if n := s.Validation.Correct[i]; n >= 0 {
			least, most = min(least, s.onValidation(n)), max(most, s.onValidation(n))
		}
		if n := s.Surface.Correct[i]; n >= 0 {
			least, most = min(least, s.onTest(n)), max(most, s.onTest(n))
		}
	}
	return least, most
}

// A field is where one half of a surface is drawn, and its colors.
type field struct {
	left, top, wide vg.Length
	least, most     float64
	onTest          bool
}

// label is an accuracy with one decimal if that fits a field.
func (f field) label(percent float64) string {
	for _, decimals := range []int{1, 0} {
		label := strconv.FormatFloat(percent, 'f', decimals, 64)
		if decimals == 0 || fieldStyle.Width(label) <= f.wide-2.6 {
			return label
		}
	}
	return ""
}

var fieldStyle = chart.Writing(chart.TextSize, text.XCenter, text.YCenter)

// drawField draws the accuracy of one setting, deeper the higher it is.
func (s surface) drawField(c draw.Canvas, f field, point, correct int, percent float64) {
	left, bottom, right, top := s.fieldOf(f, point)
	label, said := "–", "failed"
	if correct >= 0 {
		label, said = f.label(percent), strconv.FormatFloat(percent, 'f', 2, 64)+" %"
	}
	chart.Titled(c, s.say(point, f.onTest, said), func() {
		if correct >= 0 {
			share := 1.0
			if f.most > f.least {
				share = (percent - f.least) / (f.most - f.least)
			}
			c.FillPolygon(tint(chart.Blue, 0.06+0.5*share), chart.Rectangle(left+0.5, bottom+0.5, right-0.5, top-0.5))
		}
		c.FillText(fieldStyle, vg.Point{X: (left + right) / 2, Y: (top + bottom) / 2}, label)
	})
	const clear = 2 // of the frame
	if f.onTest && s.best[point] {
		chart.DrawCorner(c, bestLook.Color, vg.Point{X: right - clear, Y: top - clear}, -1)
	}
	if f.onTest && s.reached[point] {
		chart.DrawCorner(c, reachedLook.Color, vg.Point{X: left + clear, Y: bottom + clear}, 1)
	}
}

// drawChosen frames the chosen field, on its border so that its number is clear of the frame.
func (s surface) drawChosen(c draw.Canvas, f field) {
	left, bottom, right, top := s.fieldOf(f, s.Chosen)
	box := chart.Rectangle(left, bottom, right, top)
	c.StrokeLines(draw.LineStyle{Color: chart.Ink, Width: chart.LineWidth}, append(box, box[0], box[1]))
}

// fieldOf has the sides of the field of a setting.
func (s surface) fieldOf(f field, point int) (left, bottom, right, top vg.Length) {
	column := slices.Index(s.right, valueOf(s.Points[point], surfaceRight))
	row := len(s.up) - 1 - slices.Index(s.up, valueOf(s.Points[point], surfaceUp))
	left, top = f.left+vg.Length(column)*f.wide, f.top-vg.Length(row)*fieldHeight
	return left, top - fieldHeight, left + f.wide, top
}

// say has all that a field shows: "E-R2LML, test samples, K 1, λ 0.1: 50.00 %; best on test".
func (s surface) say(point int, onTest bool, said string) string {
	samples := "validation samples"
	if onTest {
		samples = "test samples"
	}
	p := s.Points[point]
	say := fmt.Sprintf("%s, %s, K %s, λ %s: %s", published.MethodName(s.Method), samples, valueOf(p, surfaceUp), axisLabel(valueOf(p, surfaceRight)), said)
	if point == s.Chosen {
		say += "; " + chosenText
	}
	if onTest && s.best[point] {
		say += "; " + bestText
	}
	if onTest && s.reached[point] {
		say += "; " + reachedText
	}
	return say
}

func (s surface) drawAxes(c draw.Canvas, f field) {
	for i, name := range s.up {
		y := f.top - (vg.Length(len(s.up)-1-i)+0.5)*fieldHeight
		c.FillText(chart.Writing(chart.TextSize, text.XRight, text.YCenter), vg.Point{X: f.left - 5, Y: y}, chart.Short(name, 3))
	}
	bottom := f.top - vg.Length(len(s.up))*fieldHeight
	style := chart.Writing(chart.TextSize, text.XCenter, text.YTop)
	for i, name := range s.right {
		c.FillText(style, vg.Point{X: f.left + (vg.Length(i)+0.5)*f.wide, Y: bottom - 3}, chart.Fit(axisLabel(name), style, f.wide))
	}
	c.FillText(chart.Writing(chart.TextSize, text.XCenter, text.YTop), vg.Point{X: f.left + f.wide*vg.Length(len(s.right))/2, Y: bottom - 18},
		"λ (across), K (up)")
}

// axisLabel is a short form of a value.
func axisLabel(value string) string {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !chart.Finite(x) {
		return value
	}
	if x >= 1000 {
		return strings.Replace(strconv.FormatFloat(x, 'e', -1, 64), "e+0", "e", 1)
	}
	return chart.TickLabel(x)
}

func (s surfaceSheet) csv() ([]byte, error) {
	var lines [][]string
	for _, one := range s.all {
		letter, printed := "", ""
		if one.printed != nil {
			letter, printed = one.printed.Published.Letter, one.printed.Published.Accuracy
		}
		for i, p := range one.Points {
			lines = append(lines, []string{
				letter, one.Dataset, one.Method, strconv.FormatUint(one.Seed, 10), valueOf(p, surfaceUp), valueOf(p, surfaceRight),
				counted(one.Validation.Correct[i]), strconv.Itoa(one.Validation.N), counted(one.Surface.Correct[i]), strconv.Itoa(len(one.Truth)),
				strconv.FormatBool(i == one.Chosen), strconv.FormatBool(one.best[i]), strconv.FormatBool(one.reached[i]), printed,
			})
		}
	}
	return chart.EncodeCSV([]string{
		"letter", "dataset", "method", "seed", "metrics", "lambda", "validation_correct", "validation_n", "test_correct", "test_n",
		"chosen", "best", "within_margin", "printed",
	}, lines)
}

// counted is a number of right answers, nothing for a setting that failed.
func counted(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (s surfaceSheet) alt() string {
	var said []string
	for _, one := range s.all {
		said = append(said, one.words())
	}
	return words.Join(" ",
		fmt.Sprintf("%s of grids on %s with a field for each λ and number K of metrics: the percentage right of the validation samples and, "+
			"beside it, of the test samples, the deeper the higher.", words.Counted(len(s.all), "pair"), chart.Short(s.all[0].set(), 60)),
		"It is among the data sets on which the best setting on the test samples is farthest above the chosen one.",
		strings.Join(said, " "))
}

// words says where the chosen and the best setting are, and what is printed.
func (s surface) words() string {
	n, best := len(s.Truth), slices.Index(s.best, true)
	where := func(i int) string {
		return fmt.Sprintf("K = %s, λ = %s", valueOf(s.Points[i], surfaceUp), valueOf(s.Points[i], surfaceRight))
	}
	text := fmt.Sprintf("%s: chosen at %s with %s %% of the validation and %s %% of the test samples", published.MethodName(s.Method), where(s.Chosen),
		stats.Percent(s.Validation.Correct[s.Chosen], s.Validation.N, 2), stats.Percent(s.Surface.Correct[s.Chosen], n, 2))
	if best >= 0 {
		text += fmt.Sprintf("; best on test %s %% at %s", stats.Percent(s.Surface.Correct[best], n, 2), where(best))
	}
	if s.printed != nil {
		near := 0
		for _, reached := range s.reached {
			near += one(reached)
		}
		text += fmt.Sprintf("; printed %s, within the margin of %d of %d settings", s.printed.Published.Accuracy, near, len(s.Points))
	}
	return text + "."
}
