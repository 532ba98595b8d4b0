package table

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

const (
	// Rope is the difference in points up to which two accuracies count as equivalent,
	// as Benavoli et al. 2017 have it for classifiers.
	Rope = 1
	// Level is the level of significance, and 1 - Level that of intervals.
	Level = 0.05
	// posteriorSeed draws the same posterior in every run.
	posteriorSeed = 1
)

// A Comparison compares the sides of a pairing over the data sets of a spec. Differences are a less
// b in points of the measure of the table; numbers that need more data sets are NaN.
type Comparison struct {
	spec.Pairing
	Measure              string          // metric of the differences; empty: accuracy
	SettingsA, SettingsB int             // that each side chooses from, those of all its columns
	Sets                 []SetDifference // with a result on both sides, in the order of the table
	Without              []string        // names of the data sets without

	Mean, Median             float64        // over the data sets
	MeanRange, MedianRange   stats.Interval // at 95 %: Student's t; order statistics
	Wins, Ties, Losses       int            // data sets, by any difference
	Above, Within, Below     int            // by more than Rope, by at most, by less than -Rope
	Detectable               float64        // smallest mean that would be significant with this spread of the data sets
	Test                     stats.Test     // over the data sets, two-sided
	P, Holm                  float64        // its p; after Holm's correction over all contrasts of the spec
	Better, Equivalent, Less float64        // posterior probabilities of the signed-rank test with the region Rope: a is better, neither, b is
}

// A SetDifference is a contrast on one data set.
type SetDifference struct {
	Dataset, Letter, Name string
	Pairs                 int     // that were subtracted
	Points, SD            float64 // mean and standard deviation of their differences; SD is NaN of one
	T                     float64 // of the corrected resampled t-test over the splits; NaN with one split
	P                     float64 // of the same test; NaN where it is not valid, see stats.ResampledT
}

// contrasts computes the contrasts of a plan's spec from its table with a row for each split. It
// skips contrasts with a column that narrowing removed.
func contrasts(p plan.Plan, t Table) []Comparison {
	return NewComparisons(slices.DeleteFunc(slices.Clone(p.Spec.Contrast), func(w spec.Pairing) bool {
		return placesIn(t.Columns, w.A) == nil || placesIn(t.Columns, w.B) == nil
	}), t)
}

// NewComparisons answers pairings from a table with a row for each split. A side without one
// of its columns has no data set.
func NewComparisons(wanted []spec.Pairing, t Table) []Comparison {
	all := make([]Comparison, len(wanted))
	posteriors := map[int]*stats.Posterior{}
	var samples []stats.Sample // differences and as many zeros of every contrast
	var pairs [][2]int
	for i, w := range wanted {
		all[i] = newComparison(w, t.Columns, t.Rows, posteriors)
		all[i].Measure = t.Measure
		pairs = append(pairs, [2]int{len(samples), len(samples) + 1})
		d := all[i].differences()
		samples = append(samples, stats.Sample{Scores: d}, stats.Sample{Scores: make([]float64, len(d))})
	}
	test := t.acrossTest()
	for i, o := range stats.Compare(test, Level, samples, pairs) {
		all[i].Test, all[i].P, all[i].Holm = test, o.P, o.PHolm
	}
	return all
}

// Significant reports whether the sides differ over the data sets, after Holm's correction.
func (c Comparison) Significant() bool { return c.Holm <= Level }

// differences returns those of the data sets.
func (c Comparison) differences() []float64 {
	var d []float64
	for _, s := range c.Sets {
		d = append(d, s.Points)
	}
	return d
}

// newComparison compares the sides of one pairing. posteriors caches draws by the number of data
// sets.
func newComparison(w spec.Pairing, columns []Column, rows []Row, posteriors map[int]*stats.Posterior) Comparison {
	c := Comparison{Pairing: w}
	a, b := placesIn(columns, w.A), placesIn(columns, w.B)
	for len(rows) > 0 {
		n := 1 // splits of the data set
		for n < len(rows) && rows[n].Dataset == rows[0].Dataset {
			n++
		}
		for _, r := range rows[:n] {
			c.SettingsA, c.SettingsB = max(c.SettingsA, settings(r, a)), max(c.SettingsB, settings(r, b))
		}
		if d, ok := newSetDifference(w.Pair, rows[:n], a, b); ok {
			c.Sets = append(c.Sets, d)
		} else {
			c.Without = append(c.Without, rows[0].Name)
		}
		rows = rows[n:]
	}
	d := c.differences()
	for _, s := range c.Sets {
		switch {
		case s.Points > 0:
			c.Wins++
		case s.Points < 0:
			c.Losses++
		default:
			c.Ties++
		}
		switch {
		case s.Points > Rope:
			c.Above++
		case s.Points < -Rope:
			c.Below++
		default:
			c.Within++
		}
	}
	c.Mean, c.Median = stat.Mean(d, nil), stats.Median(d)
	c.MeanRange, c.MedianRange = stats.MeanInterval(d, 1-Level), stats.MedianInterval(d, 1-Level)
	c.Detectable = (c.MeanRange.High - c.MeanRange.Low) / 2
	c.Better, c.Equivalent, c.Less = math.NaN(), math.NaN(), math.NaN()
	if len(d) == 0 {
		return c
	}
	if posteriors[len(d)] == nil {
		posteriors[len(d)] = stats.NewPosterior(len(d), stats.BayesSettings{Seed: posteriorSeed})
	}
	chances := posteriors[len(d)].SignedRank(d, make([]float64, len(d)), Rope)
	c.Better, c.Equivalent, c.Less = chances.First, chances.Equal, chances.Second
	return c
}

// placesIn returns the indices of the columns of a side; nil if one is missing.
func placesIn(columns []Column, ids []string) []int {
	var places []int
	for _, id := range ids {
		i := slices.IndexFunc(columns, func(c Column) bool { return c.ID == id })
		if i < 0 {
			return nil
		}
		places = append(places, i)
	}
	return places
}

// settings counts the settings that a side chooses from on a split.
func settings(r Row, side []int) int {
	n := 0
	for _, i := range side {
		if trials := r.Cells[i].Trials; len(trials) > 0 {
			n += trials[0].Settings
		}
	}
	return n
}

// newSetDifference subtracts the sides on the splits of one data set that have both.
func newSetDifference(pair string, splits []Row, a, b []int) (SetDifference, bool) {
	d := SetDifference{Dataset: splits[0].Dataset, Letter: splits[0].Letter, Name: splits[0].Name, T: math.NaN(), P: math.NaN()}
	var pairs, bySplit []float64 // differences
	var test stats.Resampled     // its step is one test sample of one fit, of the smallest split
	for _, r := range splits {
		of := subtract(pair, scoresOf(r, a), scoresOf(r, b))
		if len(of) == 0 {
			continue
		}
		bySplit = append(bySplit, rounded(stat.Mean(of, nil)))
		for _, one := range of {
			pairs = append(pairs, rounded(one))
		}
		test.Sizes, test.Step = append(test.Sizes, [2]int{r.Train, r.N}), max(test.Step, 100/float64(r.N*len(of)))
	}
	if len(pairs) == 0 {
		return d, false
	}
	d.Pairs, d.Points = len(pairs), rounded(stat.Mean(bySplit, nil))
	if d.SD = math.NaN(); len(pairs) > 1 {
		d.SD = stat.StdDev(pairs, nil)
	}
	o := test.Compare(stats.Sample{Scores: bySplit}, stats.Sample{Scores: make([]float64, len(bySplit))})
	d.T, d.P = o.T, o.P
	return d, true
}

// scoresOf are those of a side on one split by seed, by the measure of the table in percent: of
// several columns that of the best on the validation samples, by the metric of select if all have
// the same, else by accuracy. A seed that a column lacks, where it failed, or where the measure is
// not defined, is left out.
func scoresOf(r Row, side []int) map[uint64]float64 {
	trials, metrics := map[uint64][]Trial{}, map[string]bool{}
	for _, i := range side {
		for _, one := range r.Cells[i].Trials {
			trials[one.Seed] = append(trials[one.Seed], one)
			metrics[one.Select] = true
		}
	}
	found := map[uint64]float64{}
	for seed, all := range trials {
		if len(all) < len(side) {
			continue
		}
		chosen := slices.MaxFunc(all, func(a, b Trial) int {
			if len(metrics) > 1 { // two metrics cannot be compared
				return cmp.Compare(a.Validated, b.Validated)
			}
			return cmp.Compare(a.Score, b.Score)
		})
		if chosen.Value != nil {
			found[seed] = percent(chosen.Value)
		}
	}
	return found
}

// subtract returns the differences of one split: of the seeds that both sides have, or
// that of their means.
func subtract(pair string, a, b map[uint64]float64) []float64 {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if pair != spec.PairSeed {
		return []float64{mean(a) - mean(b)}
	}
	var all []float64
	for _, seed := range slices.Sorted(maps.Keys(a)) {
		if other, ok := b[seed]; ok {
			all = append(all, a[seed]-other)
		}
	}
	return all
}

// rounded drops what is not exact in a difference of percentages, so that equal ones tie
// and those of equal accuracies are 0.
func rounded(x float64) float64 { return math.Round(1e9*x) / 1e9 }

func mean(m map[uint64]float64) float64 {
	sum := 0.0
	for _, key := range slices.Sorted(maps.Keys(m)) {
		sum += m[key]
	}
	return sum / float64(len(m))
}

// Numbers returns the formatted numbers of the comparison by name; unknown ones are "-".
func (c Comparison) Numbers() map[string]string {
	count := strconv.Itoa
	return map[string]string{
		"settings.a": count(c.SettingsA), "settings.b": count(c.SettingsB), "sets": count(len(c.Sets)),
		"mean": text.Points(c.Mean), "low": text.Points(c.MeanRange.Low), "high": text.Points(c.MeanRange.High), "detectable": text.Points(c.Detectable),
		"median": text.Points(c.Median), "median.low": text.Points(c.MedianRange.Low), "median.high": text.Points(c.MedianRange.High),
		"wins": count(c.Wins), "ties": count(c.Ties), "losses": count(c.Losses),
		"above": count(c.Above), "within": count(c.Within), "below": count(c.Below),
		"p": stats.ShortP(c.P), "holm": stats.ShortP(c.Holm),
		"better": text.Points(c.Better), "equivalent": text.Points(c.Equivalent), "less": text.Points(c.Less),
	}
}

// MarshalJSON writes the pairing, the numbers by name as texts, and a line for every data
// set: its id, and the texts of Listing.
func (c Comparison) MarshalJSON() ([]byte, error) {
	type set struct {
		Dataset    string `json:"dataset"`
		Pairs      int    `json:"pairs"`
		Difference string `json:"difference"`
		SD         string `json:"sd"`
		P          string `json:"p_resampled"`
	}
	made := struct {
		Name    string            `json:"name"`
		A       []string          `json:"a"`
		B       []string          `json:"b"`
		Pair    string            `json:"pair"`
		Measure string            `json:"measure,omitempty"` // of the differences, where that is not accuracy
		Numbers map[string]string `json:"numbers"`
		Sets    []set             `json:"sets"`
		Without []string          `json:"without"` // names of data sets without a result on both sides
	}{c.Name, c.A, c.B, c.Pair, c.Measure, c.Numbers(), []set{}, append([]string{}, c.Without...)}
	for _, s := range c.Sets {
		made.Sets = append(made.Sets, set{s.Dataset, s.Pairs, text.Points(s.Points), text.Points(s.SD), stats.ShortP(s.P)})
	}
	return json.Marshal(made)
}

// contrastNote explains the columns of the table of contrasts.
const contrastNote = "Differences of %s in points, a less b, one for each data set. Settings: how many a and b choose from on validation samples. " +
	"Mean and median over the data sets with 95 %% intervals (Student's t, order statistics); detectable: the smallest mean that would be significant. " +
	"+ = -: data sets on which a is better, equal, worse; by point: better by more than 1 point, within 1 point, worse by more than 1 point. " +
	"p: %s, two-sided; Holm: corrected over the contrasts. " +
	"Last, the probabilities that a is better by more than 1 point, equivalent, or worse (Bayesian signed-rank test)."

// ComparisonListing has a line for every contrast.
func ComparisonListing(all []Comparison, columns []Column) document.Table {
	l := document.New("Contrasts over data sets", "contrast", "a", "b", "settings", "sets", "mean", "95 %", "detectable", "median", "95 %", "+ = -",
		"by point", "p", "Holm", "better", "equivalent", "worse")
	l.Ruled = true
	if len(all) > 0 {
		l.Notes = []string{fmt.Sprintf(contrastNote, results.MetricOf(all[0].Measure).Name, all[0].Test.Title())}
	}
	for _, c := range all {
		n := c.Numbers()
		l.Add(
			c.Name, sideName(c.A, columns), sideName(c.B, columns), n["settings.a"]+"/"+n["settings.b"], n["sets"],
			n["mean"], n["low"]+" to "+n["high"], n["detectable"], n["median"], n["median.low"]+" to "+n["median.high"],
			n["wins"]+"/"+n["ties"]+"/"+n["losses"], n["above"]+"/"+n["within"]+"/"+n["below"], n["p"], n["holm"],
			n["better"], n["equivalent"], n["less"],
		)
	}
	return l
}

// ComparisonSetListing has a line for every data set of every contrast.
func ComparisonSetListing(all []Comparison) document.Table {
	l := document.New("Contrasts by data set", append([]string{"contrast"}, setHead...)...)
	l.Notes = []string{"Mean difference over the splits in points and its standard deviation. t and p: corrected resampled t-test over the splits, " +
		"whose p is not valid (-) with more test than training samples."}
	for _, c := range all {
		for _, row := range c.Listing().Rows {
			l.Rows = append(l.Rows, append([]document.Value{{Text: c.Name}}, row...))
		}
	}
	return l
}

// sideName returns the heading of a side of one column, or the number of its columns.
func sideName(ids []string, columns []Column) string {
	if len(ids) > 1 {
		return fmt.Sprintf("best of %d", len(ids))
	}
	if i := placesIn(columns, ids); i != nil {
		return cmp.Or(columns[i[0]].Name, ids[0])
	}
	return ids[0]
}

var setHead = []string{"data", "pairs", "difference", "sd", "t", "p"}

// Listing has a line for every data set.
func (c Comparison) Listing() document.Table {
	l := document.New(c.Name+" by data set", setHead...)
	for _, s := range c.Sets {
		l.Add(text.Join(" ", s.Letter, s.Name), s.Pairs, text.Points(s.Points), text.Points(s.SD), text.Points(s.T), stats.ShortP(s.P))
	}
	return l
}
