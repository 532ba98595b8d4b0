package reproduction

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// lambdaMetrics is the number of metrics of the study, as in the paper.
const lambdaMetrics = 3

// A draws is what all draws of a family gave with one lambda.
type draws struct {
	lambda  string
	value   float64
	runs    []run
	scores  []*table.Score // of the runs
	missing int
	printed published.Lambda // with an empty Accuracy if there is none
}

// A run is the outcome on one draw.
type run struct{ correct, n int }

// lambda is the section on accuracy and zero columns against λ, from the table
// of spec lambda.
func lambda(t table.Table) section {
	s := section{title: "Accuracy against λ on overlapping classes"}
	s.say("The paper has two tables of the accuracy of E-R2LML with K = 3 on generated classes that overlap, with one accuracy for each λ. "+
		"`r2lmlbench run %s` repeats them over many draws of the data. The paper prints no class means: ours are as far apart as made E-R2LML at λ = 0 about as "+
		"accurate as printed, on other draws of data and start, so the row of λ = 0 tests nothing. "+
		"A third family has 13 zeroed features of 60 on average, for the 13 zero columns that the paper prints.", command(t))
	if s.absent(t) {
		return s
	}
	for _, f := range published.LambdaFamilies() {
		s.family(f, drawsOf(t, f))
	}
	return s
}

// drawsOf collects the draws of a family for every lambda of the table.
func drawsOf(t table.Table, f published.LambdaFamily) []draws {
	var all []draws
	for i, c := range t.Columns {
		value, err := strconv.ParseFloat(c.Swept["lambda"], 64)
		if c.Method != efficient || err != nil {
			continue
		}
		d := draws{lambda: strconv.FormatFloat(value, 'f', -1, 64), value: value, printed: published.PublishedLambdaAt(f.Study, value)}
		for _, r := range t.Rows {
			if id, _, _ := strings.Cut(r.Dataset, ":"); id != f.ID || i >= len(r.Cells) {
				continue
			}
			score := r.Cells[i].Score
			if score == nil {
				d.missing++
				continue
			}
			d.runs = append(d.runs, run{score.Correct, r.N})
			d.scores = append(d.scores, score)
		}
		all = append(all, d)
	}
	return all
}

// family adds the part on one family.
func (s *section) family(f published.LambdaFamily, all []draws) {
	missing, found := 0, 0
	for _, d := range all {
		missing += d.missing
		found += len(d.runs)
	}
	s.say("### %s%s", strings.ToUpper(f.Title[:1]), f.Title[1:])
	if found == 0 {
		s.say("No draw of this family (%s) has a result yet.", escape(f.ID))
		return
	}
	if missing > 0 {
		s.say("Of this family, %s of %d have no result; means are over the draws that have one.", counted(missing, "cell"), missing+found)
	}
	s.accuracies(all)
	if missing == 0 {
		s.highest(all)
	}
	s.zeroColumns(all)
	s.sparsity(all)
}

// accuracies has the table of one family, and what of the printed one it misses.
func (s *section) accuracies(all []draws) {
	var rows [][]string
	for _, d := range all {
		rows = append(rows, []string{d.lambda, strconv.Itoa(len(d.runs)), d.mean(), d.deviation(), d.extreme(slices.MinFunc), d.extreme(slices.MaxFunc), orDash(d.printed.Accuracy)})
	}
	s.table(0, []string{"λ", "draws", "mean", "sd", "min", "max", "printed"}, rows)
	s.say("Accuracies are shares of the test samples, as printed. The mean is over all test samples of all draws, and sd is the standard deviation of the draws.")
	judged := 0
	var outside []string
	for _, d := range all {
		far, ok := d.outside()
		if !ok {
			continue
		}
		judged++
		if far {
			outside = append(outside, fmt.Sprintf("%s at λ = %s (ours %s, sd %s)", d.printed.Accuracy, d.lambda, d.mean(), d.deviation()))
		}
	}
	if len(outside) > 0 {
		s.conclude("Of %s at λ > 0 that stand beside two draws or more, %s outside the 95 %% interval for one more draw: %s.", counted(judged, "printed value"), isAre(len(outside)), series(outside))
	} else if judged > 0 {
		s.conclude("None of the printed %s at λ > 0 that stand beside two draws or more is outside the 95 %% interval for one more draw.", counted(judged, "value"))
	}
}

// highest compares the best lambda with 0, the draws being the same.
func (s *section) highest(all []draws) {
	none := slices.IndexFunc(all, func(d draws) bool { return d.value == 0 })
	if none < 0 {
		return
	}
	best := slices.MaxFunc(all, func(a, b draws) int { return cmp.Compare(a.pooled(), b.pooled()) })
	s.say("The mean is highest at λ = %s, %s, against %s without regularization.", best.lambda, best.mean(), all[none].mean())
}

// total adds the draws up.
func (d draws) total() run {
	var all run
	for _, r := range d.runs {
		all.correct += r.correct
		all.n += r.n
	}
	return all
}

func (d draws) pooled() float64 { return float64(d.total().correct) / float64(d.total().n) }

func (d draws) mean() string { return stats.Proportion(d.total().correct, d.total().n, 3) }

// sd is the standard deviation of the draws, divisor their number less one.
func (d draws) sd() float64 {
	values := make([]float64, len(d.runs))
	for i, r := range d.runs {
		values[i] = float64(r.correct) / float64(r.n)
	}
	return stat.StdDev(values, nil)
}

func (d draws) deviation() string {
	if len(d.runs) < 2 {
		return "-"
	}
	return strconv.FormatFloat(d.sd(), 'f', 3, 64)
}

func (d draws) extreme(pick func([]run, func(a, b run) int) run) string {
	if len(d.runs) == 0 {
		return "-"
	}
	r := pick(d.runs, func(a, b run) int { return a.correct*b.n - b.correct*a.n })
	return stats.Proportion(r.correct, r.n, 3)
}

// outside tells whether the printed accuracy lies outside the 95 % interval for
// one more draw, and whether that can be asked: not at λ = 0, for whose printed
// value the data were made.
func (d draws) outside() (far, ok bool) {
	if d.value == 0 || len(d.runs) < 2 || d.printed.Accuracy == "" {
		return false, false
	}
	shares := make([]float64, len(d.runs))
	for i, r := range d.runs {
		shares[i] = float64(r.correct) / float64(r.n)
	}
	p, err := stats.Predict(d.printed.Accuracy, shares, stats.PredictionSettings{MinRuns: 2, MaxHalfWidth: 1})
	return p.Verdict == stats.Better || p.Verdict == stats.Worse, err == nil
}
