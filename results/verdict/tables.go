package verdict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Tables are those below the verdicts: the ladder by method, the placebo, also by
// size, our own seeds as if printed, which protocol fits a column, and the
// counterfactual ranks. The last two are there when some number has a surface behind it.
func (v Verdicts) Tables() []table.Listing {
	if len(v.Verdicts) == 0 {
		return nil
	}
	all := []table.Listing{v.Summary.Ladder(), v.Placebo.Table(), v.Placebo.SizeTable()}
	if len(v.Placebo.Calibration) > 0 {
		all = append(all, v.Placebo.CalibrationTable())
	}
	if len(v.Fits.Columns) > 0 {
		all = append(all, v.Fits.Table())
		if others := v.Fits.OtherTable(); len(others.Rows) > 0 {
			all = append(all, others)
		}
	}
	if len(v.Counterfactuals.Letters) > 0 && len(v.Fits.Columns) > 0 {
		all = append(all, v.Counterfactuals.Table())
	}
	return all
}

// Counts counts the words of the verdicts by method.
func (s Summary) Counts() table.Listing {
	l := table.Listing{Title: "Verdicts by method", Head: []string{"verdict", "all"}}
	for _, m := range s.Methods {
		l.Head = append(l.Head, published.MethodName(m.Method))
	}
	for i, w := range s.Words {
		row := []string{w.Word, strconv.Itoa(w.Count)}
		for _, m := range s.Methods {
			row = append(row, strconv.Itoa(m.Words[i].Count))
		}
		l.Rows = append(l.Rows, row)
	}
	return l
}

// Ladder is Counts with how close ours are.
func (s Summary) Ladder() table.Listing {
	l := s.Counts()
	for i, w := range s.Close.Within {
		row := []string{"ours within " + text.TwoDecimals(w.Points), strconv.Itoa(w.Count)}
		for _, m := range s.Methods {
			row = append(row, strconv.Itoa(m.Close.Within[i].Count))
		}
		l.Rows = append(l.Rows, row)
	}
	row := []string{"rank correlation", ""}
	for _, m := range s.Methods {
		row = append(row, optional(m.Spearman))
	}
	l.Rows = append(l.Rows, row)
	l.Notes = []string{"Ours is the run of seed 1 under the stated protocol. The rank correlation over data sets of ours and the printed values is Spearman's."}
	return l
}

func optional(x *float64) string {
	if x == nil {
		return ""
	}
	return text.TwoDecimals(*x)
}

// Table lists what every rung reaches by itself: printed values beside decoys.
func (p Placebo) Table() table.Listing {
	l := table.Listing{Title: "Printed values and decoys that a rung reaches by itself", Head: append([]string{"method", "rung"}, placeboHead()...)}
	for _, r := range p.Rungs {
		if r.Size == allSizes {
			l.Rows = append(l.Rows, append([]string{published.MethodName(r.Method), strconv.Itoa(r.Rung)}, r.fields()...))
		}
	}
	l.Notes = append([]string{
		"Decoys are printed values moved by so many points in either direction, and the printed values of the method on the other rows.",
		fmt.Sprintf("A rung explains nothing if its share of decoys moved by %d points is three quarters of that of printed values, or more.", explainsAt),
	}, p.Sentences()...)
	return l
}

// SizeTable is Table by the class of sizes of the test sets.
func (p Placebo) SizeTable() table.Listing {
	l := table.Listing{Title: "The same by the number of test samples", Head: append([]string{"method", "rung", "test samples"}, placeboHead()...)}
	for _, r := range p.Rungs {
		if r.Size != allSizes {
			l.Rows = append(l.Rows, append([]string{published.MethodName(r.Method), strconv.Itoa(r.Rung), r.Size}, r.fields()...))
		}
	}
	l.Notes = []string{"Other rows: printed values of the method on all other data sets, of whatever size."}
	return l
}

func placeboHead() []string {
	head := []string{"printed"}
	for _, points := range decoyPoints {
		head = append(head, fmt.Sprintf("moved by %g", points))
	}
	return append(head, "other rows", "")
}

// fields are those of placeboHead.
func (r RungPlacebo) fields() []string {
	row := []string{r.Printed.ofAll()}
	for _, m := range r.Moved {
		row = append(row, m.percent())
	}
	remark := ""
	if !r.Explains {
		remark = "explains nothing"
	}
	return append(row, r.Rows.percent(), remark)
}

// CalibrationTable lists what becomes of our own seeds when they are handed in as if
// they were printed.
func (p Placebo) CalibrationTable() table.Listing {
	l := table.Listing{
		Title: "Our own seeds as if printed, each against the others under the stated protocol",
		Head:  []string{"method", "seeds", "beyond the margin", "outside the range", "expected outside, at most"},
	}
	for _, points := range decoyPoints {
		l.Head = append(l.Head, fmt.Sprintf("moved by %g, reached", points))
	}
	for _, c := range p.Calibration {
		row := []string{published.MethodName(c.Method), strconv.Itoa(c.Within.Of), percentOf(c.Missed()), percentOf(1 - c.Inside.Fraction()), percentOf(c.Chance)}
		for _, m := range c.Moved {
			row = append(row, m.percent())
		}
		l.Rows = append(l.Rows, row)
	}
	l.Notes = []string{
		"Each seed is judged against the runs of the other seeds. Moved: the seed's accuracy is moved by so many points first.",
		p.CalibrationSentence(),
	}
	return l
}

// Sentences say what the decoys tell.
func (p Placebo) Sentences() []string {
	var said []string
	for _, rung := range Rungs()[Stated:] {
		var all, nothing []string
		var printed, moved Share
		for _, r := range p.Rungs {
			if r.Size != allSizes || r.Rung != int(rung) {
				continue
			}
			all = append(all, published.MethodName(r.Method))
			printed.join(r.Printed)
			moved.join(r.at(explainsAt))
			if !r.Explains {
				nothing = append(nothing, published.MethodName(r.Method))
			}
		}
		if len(all) == 0 {
			continue
		}
		of := ""
		if len(nothing) > 0 {
			of = fmt.Sprintf(" For %s decoys are reached at least three quarters as often, so that it explains nothing there.", text.Series(nothing))
		}
		said = append(said, fmt.Sprintf("Rung %d reaches %s printed values (%s) and %s of decoys moved by %d points.%s",
			rung, printed.ofAll(), printed.percent(), moved.percent(), explainsAt, of))
	}
	return said
}

// SmallSets says, by size of the test sets, how many numbers the stated protocol gives
// where it also reaches decoys, and how many numbers rest on runs far apart.
func (v Verdicts) SmallSets() []string {
	var said []string
	for _, class := range sizeClasses[1:] {
		count := 0
		var methods []string
		for i, one := range v.Verdicts {
			if one.Rung == nil || *one.Rung > int(Stated) || !class.has(v.Evidence[i]) || v.Placebo.explainsOf(class.name, one.Method, Stated) {
				continue
			}
			count++
			methods = text.AppendNew(methods, published.MethodName(one.Method))
		}
		if count > 0 {
			said = append(said, fmt.Sprintf("Of the %d numbers that the stated protocol gives, %s on sets with %s test samples, for %s. "+
				"There rung 1 reaches decoys moved by %d points at least three quarters as often as printed values.",
				v.Summary.Count(Equal, Stated), text.IsAre(count), class.name, text.Series(methods), explainsAt))
		}
	}
	if n := v.Summary.Wide; n > 0 {
		verb := "rest"
		if n == 1 {
			verb = "rests"
		}
		said = append(said, fmt.Sprintf("In all, %s %s on runs more than %g points apart.", text.Counted(n, "number"), verb, WideRange))
	}
	return said
}

// CalibrationSentence says whether the stated protocol misses too many of our own
// seeds, and for which methods it also reaches those moved away.
func (p Placebo) CalibrationSentence() string {
	var often []string
	for _, c := range p.Calibration {
		if c.Missed() > mayMiss {
			often = append(often, published.MethodName(c.Method))
		}
	}
	if len(often) > 0 {
		return fmt.Sprintf("Rung 1 misses more than %s of our own seeds of %s: their ranges are too narrow to judge by.", percentOf(mayMiss), text.Series(often))
	}
	return fmt.Sprintf("Rung 1 misses at most %s of our own seeds of any method.", percentOf(mayMiss)) + p.reachesMoved()
}

// reachesMoved names the methods of which the stated protocol reaches more than three
// quarters of our own seeds when they are moved by some points.
func (p Placebo) reachesMoved() string {
	var shares, methods []string
	for _, c := range p.Calibration {
		for _, m := range c.Moved {
			if m.Points == explainsAt && m.Fraction() > 0.75 {
				methods = append(methods, published.MethodName(c.Method))
				shares = append(shares, m.percent())
			}
		}
	}
	if len(methods) == 0 {
		return ""
	}
	return fmt.Sprintf(" For %s it also reaches %s of them when they are moved by %d points.", text.Series(methods), text.Series(shares), explainsAt)
}

// at are the decoys moved by so many points.
func (r RungPlacebo) at(points float64) Share {
	i := slices.IndexFunc(r.Moved, func(m Moved) bool { return m.Points == points })
	return r.Moved[i].Share
}

// join adds the counts of another share.
func (s *Share) join(other Share) { s.Reached, s.Of = s.Reached+other.Reached, s.Of+other.Of }

// ofAll is a share as a count: "16 of 18".
func (s Share) ofAll() string { return fmt.Sprintf("%d of %d", s.Reached, s.Of) }

// percent is a share of something in percent, "-" of nothing.
func (s Share) percent() string {
	if s.Of == 0 {
		return "-"
	}
	return percentOf(s.Fraction())
}

func percentOf(fraction float64) string { return strconv.FormatFloat(100*fraction, 'f', 0, 64) + " %" }

// Table compares the protocols by the columns of the printed table.
func (f Fits) Table() table.Listing {
	l := table.Listing{
		Title: "Printed values beside the medians of the runs under three protocols, differences in points",
		Head:  []string{"method", "rows"},
	}
	for _, protocol := range []string{"validation", "on test", "figures"} {
		l.Head = append(l.Head, protocol+": median", "mean", "within margin")
	}
	l.Head = append(l.Head, "Wilcoxon p", "Holm", "log-likelihood gain on test", "95 %")
	for _, c := range f.Columns {
		row := []string{published.MethodName(c.Method), strconv.Itoa(len(c.Rows))}
		for _, s := range []FitSummary{c.Validation, c.OnTest, c.Figures} {
			if s.Rows == 0 {
				row = append(row, "", "", "")
				continue
			}
			row = append(row, text.TwoDecimals(s.Median), text.TwoDecimals(s.Mean), Share{s.Within, s.Rows}.ofAll())
		}
		l.Rows = append(l.Rows, append(row, stats.ShortP(c.PreferenceP), stats.ShortP(c.PreferenceHolm), text.Signed(c.LogLikelihood),
			text.Signed(c.LogInterval[0])+" to "+text.Signed(c.LogInterval[1])))
	}
	l.Notes = append([]string{
		"Validation: the stated protocol. On test: the best setting on the test samples.",
		"Figures: lambda as in the paper's figures, and the best number of metrics on the test samples.",
		"The gain is by how much the log-likelihood of the printed values is higher under choice on test than under choice on validation.",
		"The likelihood is of a Laplace distribution around the median, with the scale of the other rows; the interval is from bootstrap samples of rows.",
		fmt.Sprintf("A choice fits a column better if it is nearer to print by Wilcoxon's signed-rank test over the rows. "+
			"Its p has to be %g or less after Holm's correction over %s.", significant, text.Counted(len(f.Columns), "column")),
		"The likelihoods decide nothing.",
	}, f.Sentences()...)
	return l
}

// OtherTable compares the protocols that are alternatives to choice on test.
func (f Fits) OtherTable() table.Listing {
	l := table.Listing{
		Title: "Printed values beside the medians of the runs under alternatives, differences in points",
		Head:  []string{"method", "rung", "setting", "rows", "median", "mean", "within margin", "validation: mean of these rows", "on test: mean of these rows"},
	}
	for _, c := range f.Columns {
		for _, o := range c.Others {
			l.Rows = append(l.Rows, []string{
				published.MethodName(c.Method), strconv.Itoa(o.Rung), o.Setting, strconv.Itoa(o.Rows), text.TwoDecimals(o.Median), text.TwoDecimals(o.Mean),
				Share{o.Within, o.Rows}.ofAll(), text.TwoDecimals(o.Validation), text.TwoDecimals(o.OnTest),
			})
		}
	}
	l.Notes = append([]string{"Rung 2: settings that tie on the validation samples. Rung 3: another value of an open parameter, the rest chosen on validation."},
		f.Alternatives()...)
	return l
}

// Sentences say which protocol fits which column, and whether the methods that the
// paper proposes differ in that from its baselines.
func (f Fits) Sentences() []string {
	columns := map[string][]string{}
	least := 1.0 // p of those that are undecided
	for _, c := range f.Columns {
		name := published.MethodName(c.Method)
		if c.Fits() == FitsUndecided {
			least = min(least, c.PreferenceHolm)
		} else {
			name += c.nearer()
		}
		columns[c.Fits()] = append(columns[c.Fits()], name)
	}
	var said []string
	for _, fits := range []string{FitsOnTest, FitsValidation} {
		if len(columns[fits]) > 0 {
			said = append(said, fmt.Sprintf("%s: %s. p is that of Wilcoxon's signed-rank test after Holm's correction.", fits, text.Series(columns[fits])))
		}
	}
	if undecided := columns[FitsUndecided]; len(undecided) > 0 {
		said = append(said, fmt.Sprintf("%s (smallest p after Holm's correction %s): %s.", FitsUndecided, stats.SayP(least), text.Series(undecided)))
	}
	if f.Interaction != nil {
		said = append(said, f.Interaction.Sentences()...)
	}
	return said
}

// Alternatives names, for each column that choice on test fits better, the alternatives
// under which the medians are farther from print on the same rows.
func (f Fits) Alternatives() []string {
	var said []string
	for _, c := range f.Columns {
		for _, o := range c.Others {
			if c.Fits() == FitsOnTest && o.Mean > o.OnTest {
				said = append(said, fmt.Sprintf("%s, %s: %s less well than choice on test, with a mean difference of %s points instead of %s.",
					published.MethodName(c.Method), text.Counted(o.Rows, "row"), o.explains(), text.TwoDecimals(o.Mean), text.TwoDecimals(o.OnTest)))
			}
		}
	}
	return said
}

// explains names the alternative with its verb.
func (o OtherFit) explains() string {
	switch {
	case o.Rung == int(Tied):
		return "validation ties explain the column"
	case strings.HasPrefix(o.Setting, UnlabeledParameter+" "):
		return "joint validation (" + o.Setting + ") explains the column"
	}
	return o.Setting + " explains the column"
}

// What is said of a column.
const (
	FitsOnTest     = "Choice on test fits the printed values better"
	FitsValidation = "Choice on validation fits the printed values better"
	FitsUndecided  = "Neither choice fits significantly better"
)

// Fits says which protocol fits the column better: the one that is nearer to print by
// Wilcoxon's test, with Holm's correction over the columns.
func (c ColumnFit) Fits() string {
	switch {
	case !(c.PreferenceHolm <= significant):
		return FitsUndecided
	case c.RankSums[0] > c.RankSums[1]:
		return FitsOnTest
	}
	return FitsValidation
}

// nearer says on how many rows the choice that fits better is nearer, and with which p
// of [ColumnFit.Fits]: " (nearer on 13 of 16 rows, p = 0.0061)".
func (c ColumnFit) nearer() string {
	rows := 0
	for _, r := range c.Rows {
		if c.RankSums[0] > c.RankSums[1] {
			rows += one(r.OnTest < r.Validation)
		} else {
			rows += one(r.Validation < r.OnTest)
		}
	}
	return fmt.Sprintf(" (nearer on %d of %s, p %s)", rows, text.Counted(len(c.Rows), "row"), stats.SayP(c.PreferenceHolm))
}

// significant is the level of the tests in sentences.
const significant = 0.05

// Sentences say whether the preference differs between the two families, and on what
// that rests.
func (i Interaction) Sentences() []string {
	says := "no more than by chance"
	if i.P <= significant {
		says = "more than by chance"
	}
	proposed, baselines := i.meanOf(i.Proposed), i.meanOf(i.Baselines)
	said := []string{
		i.byMethod(),
		fmt.Sprintf("On %s choice on test moves the proposed methods %s by %s points on average, and the baselines with a grid %s by %s. "+
			"The difference, %s, is %s (p %s).",
			text.Counted(i.Rows, "row"), direction(proposed, "to print", "from print"), text.TwoDecimals(math.Abs(proposed)), direction(baselines, "", ""),
			text.TwoDecimals(math.Abs(baselines)), text.TwoDecimals(i.Points), says, stats.SayP(i.P)),
	}
	if len(i.Alone) > 1 {
		var all []string
		for _, a := range i.Alone {
			all = append(all, fmt.Sprintf("%s %s (p %s)", published.MethodName(a.Method), text.Signed(a.Points), stats.SayP(a.P)))
		}
		said = append(said, fmt.Sprintf("Against the same baselines each proposed method by itself has: %s.", text.Series(all)))
	}
	return append(said, i.caveat())
}

// meanOf is the mean preference of a family of methods, 0 of none.
func (i Interaction) meanOf(family []string) float64 {
	sum, n := 0.0, 0
	for _, m := range i.Means {
		if slices.Contains(family, m.Method) {
			sum, n = sum+m.Mean, n+1
		}
	}
	return sum / math.Max(1, float64(n))
}

// direction is where choice on test moves accuracies by so many points: nearer to
// print, or away from it.
func direction(points float64, to, from string) string {
	if points < 0 {
		return text.Join(" ", "away", from)
	}
	return text.Join(" ", "nearer", to)
}

// caveat says what the test takes for granted.
func (i Interaction) caveat() string {
	grids := "The grids of all methods have the same size."
	if i.Settings[0] != i.Settings[1] {
		grids = fmt.Sprintf("But grids have %d to %s, and the best of more settings on the test samples gains more by chance.",
			i.Settings[0], text.Counted(i.Settings[1], "setting"))
	}
	return grids + " The test also exchanges the methods of a row, as if they were exchangeable."
}

// byMethod has the preference of every method behind the difference of the families.
func (i Interaction) byMethod() string {
	var all []string
	for _, m := range i.Means {
		all = append(all, published.MethodName(m.Method)+" "+text.Signed(m.Mean))
	}
	return fmt.Sprintf("On %s choice on test is nearer to print by so many points: %s.", text.Counted(i.Rows, "row"), text.Series(all))
}

// Table compares the ranks of the methods with all parameters chosen one way.
func (c Counterfactuals) Table() table.Listing {
	l := table.Listing{Title: "Ranks if every method's parameters are chosen alike", Head: []string{"method"}}
	for _, name := range []string{"printed", "validation", "on test"} {
		l.Head = append(l.Head, name+": average rank", "first")
	}
	l.Head = append(l.Head, "still first", "gain on test")
	for j, m := range c.Methods {
		row := []string{published.MethodName(m)}
		for _, t := range []Counterfactual{c.Printed, c.Validation, c.OnTest} {
			row = append(row, text.TwoDecimals(t.AverageRanks[j]), strconv.Itoa(t.First[j]))
		}
		l.Rows = append(l.Rows, append(row, strconv.Itoa(c.OnTest.Kept[j]), text.Signed(c.OnTest.Gain[j])))
	}
	l.Notes = append(c.Sentences(), "First: rows on which no method is more accurate. Still first: those on which it is first under choice on validation, too.",
		"Gain on test: mean accuracy in points, less that under choice on validation.",
		"Accuracies under both choices are means over the seeds that have both; methods without a grid have all of their seeds.")
	return l
}

// Sentences say which method leads under which choice.
func (c Counterfactuals) Sentences() []string {
	if len(c.Letters) == 0 {
		return nil
	}
	before, after, printed := c.leaders(c.Validation), c.leaders(c.OnTest), c.leaders(c.Printed)
	lead := fmt.Sprintf("Best by average rank %s under both choices", leading(before))
	if !slices.Equal(before, after) {
		lead = fmt.Sprintf("Best by average rank %s with choice on validation and %s with choice on test", leading(before), text.Series(after))
	}
	which := fmt.Sprintf("On %s every method has runs under both choices: %s.", text.Counted(len(c.Letters), "row"), text.Series(c.Letters))
	if c.All {
		which = fmt.Sprintf("On each of the %s every method has runs under both choices.", text.Counted(len(c.Letters), "row"))
	}
	said := []string{
		which,
		fmt.Sprintf("%s; in print %s %s best.", lead, text.Series(printed), text.Agree(len(printed), "is", "are")),
		fmt.Sprintf("Friedman's test, that all methods rank alike: p %s in print, p %s with choice on validation and p %s with choice on test.",
			stats.SayP(c.Printed.FriedmanP), stats.SayP(c.Validation.FriedmanP), stats.SayP(c.OnTest.FriedmanP)),
	}
	if len(c.Methods) > 1 {
		critical := stats.CriticalDifference(significant, len(c.Methods), len(c.Letters))
		said = append(said, fmt.Sprintf("Nemenyi's test at level %g finds no difference of methods whose average ranks are less than %s apart.",
			significant, text.TwoDecimals(critical))+c.farBehind(critical))
	}
	return said
}

// farBehind says which methods are a critical difference or more behind the best under
// a choice, those that the paper proposes by themselves.
func (c Counterfactuals) farBehind(critical float64) string {
	proposed, others := c.behind(critical, true), c.behind(critical, false)
	if proposed.none() && others.none() {
		return " No method is that far behind the best under either choice."
	}
	said := ""
	switch only := ""; {
	case len(c.Proposed) == 0:
	case proposed.none():
		said = " No proposed method is that far behind the best under either choice."
	default:
		if len(proposed.both) < len(c.Proposed) {
			only = "only "
		}
		said = fmt.Sprintf(" Of the proposed methods, %s%s.", only, strings.Replace(proposed.say(false), " so ", " that far behind the best ", 1))
	}
	switch {
	case len(c.Proposed) == len(c.Methods):
		return said
	case others.none():
		return said + " None of the other methods is."
	case said == "":
		return fmt.Sprintf(" That far behind the best %s.", others.say(true))
	}
	return said + fmt.Sprintf(" Of the other methods, %s.", others.say(false))
}

// A behind has the methods that are far behind the best, by the choices under which
// they are.
type behind struct{ both, validation, onTest []string }

func (b behind) none() bool { return len(b.both)+len(b.validation)+len(b.onTest) == 0 }

// behind finds them among the proposed methods or the others.
func (c Counterfactuals) behind(critical float64, proposed bool) behind {
	var b behind
	for j, m := range c.Methods {
		if slices.Contains(c.Proposed, m) != proposed {
			continue
		}
		far := func(t Counterfactual) bool { return t.AverageRanks[j]-slices.Min(t.AverageRanks) >= critical }
		name := published.MethodName(m)
		switch validation, onTest := far(c.Validation), far(c.OnTest); {
		case validation && onTest:
			b.both = append(b.both, name)
		case validation:
			b.validation = append(b.validation, name)
		case onTest:
			b.onTest = append(b.onTest, name)
		}
	}
	return b
}

// say says which methods are so under which choice, the verb before or behind the first of
// them: "are ITML and PLML under both choices", "ITML and PLML are so under both choices".
func (b behind) say(verbFirst bool) string {
	var all []string
	for _, one := range []struct {
		methods []string
		choice  string
	}{{b.both, "under both choices"}, {b.validation, "with choice on validation"}, {b.onTest, "with choice on test"}} {
		agreeing := len(one.methods)
		if verbFirst {
			agreeing = len(b.both) + len(b.validation) + len(b.onTest)
		}
		names, verb := text.Series(one.methods), text.Agree(agreeing, "is", "are")
		switch {
		case len(one.methods) == 0:
			continue
		case len(all) > 0:
		case verbFirst:
			names = verb + " " + names
		default:
			names += " " + verb + " so"
		}
		all = append(all, names+" "+one.choice)
	}
	return text.Series(all)
}

// leading is the verb and the methods that lead: "is ITML", "are ITML and PLML".
func leading(methods []string) string {
	return text.Agree(len(methods), "is", "are") + " " + text.Series(methods)
}

// leaders are the methods with the best average rank.
func (c Counterfactuals) leaders(t Counterfactual) []string {
	return leaders(c.Methods, t.AverageRanks)
}
