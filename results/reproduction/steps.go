package reproduction

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// similarFact counts the pairs that T-R2LML ended with as similar.
const similarFact = "similar pairs chosen"

// scaledColumn starts the ids of the columns of spec steps whose step length is
// scaled; those with the paper's start with the method's id.
const scaledColumn = transductive + "-scaled"

// A stepChoice is T-R2LML with K metrics on one data set, with the paper's step
// length and with one for as many pairs as the validation problem has.
type stepChoice struct {
	name, printed string // of the data set; its published accuracy, empty without one
	k, n          int    // metrics, test samples
	paper, scaled *table.Score
	p             float64 // McNemar's, NaN where one has no result
}

// steps is the section on the step length of T-R2LML and the size of its
// problem, from the tables of spec steps and of spec accuracy.
func steps(t, chosen table.Table) section {
	s := section{title: "The step length of T-R2LML and the size of its problem"}
	s.say("T-R2LML is fitted to N labelled and all unlabelled samples together: V of these while validation chooses K and λ, M when the test samples are labelled. "+
		"Its loss is a sum over all pairs, r = ((N + M) / (N + V))² times as many in the test problem, and the paper's step lengths are absolute. "+
		"`r2lmlbench run %s` fits the test problem with the paper's step and λ = 10, and with that step divided by r and that λ multiplied by it, as for a mean over pairs, on the sets where r is 1.5 or more.", command(t))
	if s.absent(t) {
		return s
	}
	s.validated(t, chosen)
	all := stepChoices(t)
	holm := adjusted(all)
	s.stepTable(all, holm)
	s.stepDifference(all, holm)
	s.stepSimilar(all)
	return s
}

// validated shows what validation chose for T-R2LML and what became of it on the
// test samples, and how far every method falls behind its validation.
func (s *section) validated(t, chosen table.Table) {
	var rows [][]string
	for _, r := range chosen.Rows {
		score := chosen.Find(r, transductive).Score
		if _, ok := fall(score, r.N); !ok {
			continue
		}
		published, _ := published.Lookup(r.Letter, transductive)
		rows = append(rows, []string{r.Name, yesNo(hasRow(t, r.Dataset)), fmt.Sprint(score.Params["metrics"]), fmt.Sprint(score.Params["lambda"]),
			fmt.Sprintf("%d of %d", score.Validation.Correct, score.Validation.Of), stats.Percent(score.Validation.Correct, score.Validation.Of, 2), score.Accuracy, orDash(published.Accuracy)})
	}
	if len(rows) == 0 {
		s.say("What validation chose for T-R2LML is not known: `r2lmlbench run accuracy --methods t-r2lml` computes it.")
		return
	}
	s.say("What validation chose in the ranked table above, and what became of it:")
	s.table(1, []string{"data", "r of 1.5 or more", "K", "λ", "right on validation", "validation", "test", "published"}, rows)
	s.falls(t, chosen)
}

// falls has the mean fall of every method that chooses on validation samples,
// apart for the data sets of the study and for the others. Those sets have few
// validation samples, too: what other methods lose there is not due to r.
func (s *section) falls(t, chosen table.Table) {
	var rows [][]string
	for _, c := range chosen.Columns {
		var all [2][]float64 // on the other sets, on those of the study
		for _, r := range chosen.Rows {
			if x, ok := fall(scoreAt(chosen, r, c.ID), r.N); ok {
				in := 0
				if hasRow(t, r.Dataset) {
					in = 1
				}
				all[in] = append(all[in], x)
			}
		}
		if len(all[0])+len(all[1]) > 0 {
			rows = append(rows, []string{c.Name, meanOf(all[0]), meanOf(all[1])})
		}
	}
	s.say("Points by which the chosen setting is less accurate on the test samples than on the validation samples, on average. Choosing among many settings on few samples costs every method, " +
		"and the sets of this study have the fewest; only T-R2LML has a larger problem to solve in the test as well:")
	s.table(1, []string{"method", "other sets", "sets of this study"}, rows)
}

// fall is by how many points a setting that validation chose is less accurate on
// the n test samples than on the validation samples.
func fall(score *table.Score, n int) (points float64, ok bool) {
	if score == nil || score.Validation == nil || score.Validation.Of == 0 || n == 0 {
		return 0, false
	}
	v := score.Validation
	return 100*float64(v.Correct)/float64(v.Of) - 100*float64(score.Correct)/float64(n), true
}

// meanOf prints the mean of some numbers, "-" of none.
func meanOf(all []float64) string {
	if len(all) == 0 {
		return "-"
	}
	return strconv.FormatFloat(floats.Sum(all)/float64(len(all)), 'f', 2, 64)
}

// hasRow reports whether a table has a data set.
func hasRow(t table.Table, dataset string) bool {
	return slices.ContainsFunc(t.Rows, func(r table.Row) bool { return r.Dataset == dataset })
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// stepChoices lists them by data set and K.
func stepChoices(t table.Table) []stepChoice {
	var all []stepChoice
	for _, r := range t.Rows {
		published, _ := published.Lookup(r.Letter, transductive)
		for _, k := range t.MetricCounts() {
			suffix := ":metrics=" + strconv.Itoa(k)
			one := stepChoice{name: r.Name, printed: published.Accuracy, k: k, n: r.N, p: math.NaN()}
			one.paper, one.scaled = scoreAt(t, r, transductive+suffix), scoreAt(t, r, scaledColumn+suffix)
			for _, pair := range r.Pairs {
				if pair.A == transductive+suffix && pair.B == scaledColumn+suffix {
					one.p = pair.P
				}
			}
			all = append(all, one)
		}
	}
	return all
}

// scoreAt returns what a row has in the column of that id, nil without a result.
func scoreAt(t table.Table, r table.Row, id string) *table.Score {
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.ID == id })
	if i < 0 || i >= len(r.Cells) {
		return nil
	}
	return r.Cells[i].Score
}

// complete reports whether both steps have a result.
func (one stepChoice) complete() bool { return one.paper != nil && one.scaled != nil }

// ratio is the paper's step over the divided one, NaN if one of them has no
// result.
func (one stepChoice) ratio() float64 {
	if !one.complete() {
		return math.NaN()
	}
	long, ok := one.paper.Params["step"].(float64)
	short, also := one.scaled.Params["step"].(float64)
	if !ok || !also || short <= 0 {
		return math.NaN()
	}
	return long / short
}

// ratioOf is r of a data set, which is the same for every K.
func ratioOf(all []stepChoice, name string) string {
	for _, one := range all {
		if r := one.ratio(); one.name == name && !math.IsNaN(r) {
			return strconv.FormatFloat(r, 'f', 1, 64)
		}
	}
	return "-"
}

// stepTable has a line for every setting; holm has their adjusted p.
func (s *section) stepTable(all []stepChoice, holm []float64) {
	var rows [][]string
	for i, one := range all {
		rows = append(rows, []string{one.name, strconv.Itoa(one.k), ratioOf(all, one.name), accuracy(one.paper), accuracy(one.scaled), number(holm[i], 'g', 3), orDash(one.printed),
			share(one.paper.FactOf(similarFact)), share(one.scaled.FactOf(similarFact))})
	}
	s.table(1, []string{"data", "K", "r", "paper's step", "divided", "p", "published", "similar, paper's step", "similar, divided"}, rows)
	s.say("Accuracies are in percent of the test samples, similar pairs in percent of those with an unlabelled sample; p is McNemar's for the two steps, after Holm's correction over the settings. " +
		"The published accuracy is that of the K and λ which the paper's own validation chose, and stands beside for comparison only.")
}

// adjusted has McNemar's p of every setting after Holm's correction over those
// with both steps, NaN for the others.
func adjusted(all []stepChoice) []float64 {
	p := make([]float64, len(all))
	for i, one := range all {
		if p[i] = math.NaN(); one.complete() {
			p[i] = one.p
		}
	}
	return holmOfKnown(p)
}

// stepDifference counts where the shorter step is better and where it is worse.
func (s *section) stepDifference(all []stepChoice, holm []float64) {
	settings, better, worse := 0, 0, 0
	for i, p := range holm {
		if math.IsNaN(p) {
			continue
		}
		settings++
		switch d := all[i].scaled.Correct - all[i].paper.Correct; {
		case p <= level && d > 0:
			better++
		case p <= level && d < 0:
			worse++
		}
	}
	if settings == 0 {
		s.conclude("No setting has both steps, so that nothing can be said about their difference.")
		return
	}
	sign := stats.McNemar(stats.Exact, better, worse)
	verdict := "is not supported"
	if better > worse && sign.P <= level {
		verdict = "is supported"
	}
	s.conclude("That the length of the step is what sets the test behind validation **%s**: the divided step is significantly more accurate (p of %g or less) in %d of %s and significantly less in %d (sign test: p = %.3g).",
		verdict, level, better, counted(settings, "setting"), worse, sign.P)
}

// stepSimilar names the fits in which every unlabelled sample became similar to
// all others.
func (s *section) stepSimilar(all []stepChoice) {
	for _, step := range []struct {
		name  string
		score func(stepChoice) *table.Score
	}{
		{"the paper's step", func(one stepChoice) *table.Score { return one.paper }},
		{"the divided step", func(one stepChoice) *table.Score { return one.scaled }},
	} {
		var names []string
		fits := 0
		for _, one := range all {
			f, ok := step.score(one).FactOf(similarFact)
			if !ok {
				continue
			}
			fits++
			if f.Of > 0 && f.Count == f.Of {
				names = append(names, fmt.Sprintf("%s with K = %d", escape(one.name), one.k))
			}
		}
		if fits > 0 {
			s.say("With %s every pair with an unlabelled sample ended as similar in %d of %s: %s.", step.name, len(names), counted(fits, "fit"), series(names))
		}
	}
}
