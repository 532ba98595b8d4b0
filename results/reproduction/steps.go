package reproduction

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/results"
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
	paper, scaled *results.Score
	p             float64 // McNemar's, NaN where one has no result
}

// steps is the section on the step length of T-R2LML and the size of its
// problem, from the tables of spec steps and of spec accuracy.
func steps(t, chosen results.Table) section {
	s := section{title: "The step length of T-R2LML and the size of its problem"}
	s.say("T-R2LML is fitted to N labelled and all unlabelled samples together: V of these while validation chooses K and λ, M when the test samples are labelled. "+
		"Its loss is a sum over all pairs, and the paper's step lengths are absolute, so that what suits the validation problem is r = ((N + M) / (N + V))² times as long a step for the test problem. "+
		"`r2lmlbench run %s` fits the test problem with the paper's step and λ = 10, and with that step divided by r and that λ multiplied by it, as for a mean over pairs, on the sets where r is 1.5 or more.", command(t))
	if s.absent(t) {
		return s
	}
	s.validated(t, chosen)
	all := stepChoices(t)
	s.stepTable(all)
	s.stepDifference(all)
	s.stepSimilar(all)
	return s
}

// validated shows what validation chose for T-R2LML, and what became of it on the
// test samples, apart for the data sets of the study and for the others.
func (s *section) validated(t, chosen results.Table) {
	var rows [][]string
	var drops [2][]float64 // on the others, on those of the study; in points
	for _, r := range chosen.Rows {
		score := chosen.Find(r, transductive).Score
		if score == nil || score.Validation == nil || score.Validation.Of == 0 || r.N == 0 {
			continue
		}
		v := score.Validation
		drop := 100*float64(v.Correct)/float64(v.Of) - 100*float64(score.Correct)/float64(r.N)
		in := "no"
		if slices.ContainsFunc(t.Rows, func(other results.Row) bool { return other.Dataset == r.Dataset }) {
			in = "yes"
			drops[1] = append(drops[1], drop)
		} else {
			drops[0] = append(drops[0], drop)
		}
		published, _ := results.LookupPublished(r.Letter, transductive)
		rows = append(rows, []string{r.Name, in, fmt.Sprint(score.Params["metrics"]), fmt.Sprint(score.Params["lambda"]),
			fmt.Sprintf("%d of %d", v.Correct, v.Of), stats.Percent(v.Correct, v.Of, 2), score.Accuracy, orDash(published.Accuracy)})
	}
	if len(rows) == 0 {
		s.say("What validation chose for T-R2LML is not known: `r2lmlbench run accuracy --methods t-r2lml` computes it.")
		return
	}
	s.say("What validation chose in the ranked table above, and what became of it:")
	s.table(1, []string{"data", "r of 1.5 or more", "K", "λ", "right on validation", "validation", "test", "published"}, rows)
	var means []string
	for i, where := range []string{"the other sets", "the sets of this study"} {
		if len(drops[i]) > 0 {
			means = append(means, fmt.Sprintf("%.2f points on %s", floats.Sum(drops[i])/float64(len(drops[i])), where))
		}
	}
	s.say("On the test samples it is less accurate than on the validation samples by %s, on average.", series(means))
}

// stepChoices lists them by data set and K.
func stepChoices(t results.Table) []stepChoice {
	var all []stepChoice
	for _, r := range t.Rows {
		published, _ := results.LookupPublished(r.Letter, transductive)
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
func scoreAt(t results.Table, r results.Row, id string) *results.Score {
	i := slices.IndexFunc(t.Columns, func(c results.Column) bool { return c.ID == id })
	if i < 0 || i >= len(r.Cells) {
		return nil
	}
	return r.Cells[i].Score
}

// complete reports whether both steps have a result.
func (one stepChoice) complete() bool { return one.paper != nil && one.scaled != nil }

// ratio is the paper's step over the scaled one: how many times as many pairs
// the test problem has. "-" if it is not known.
func (one stepChoice) ratio() string {
	if !one.complete() {
		return "-"
	}
	long, ok := one.paper.Params["step"].(float64)
	short, also := one.scaled.Params["step"].(float64)
	if !ok || !also || short <= 0 {
		return "-"
	}
	return strconv.FormatFloat(long/short, 'f', 1, 64)
}

// nearer reports whether the scaled step ends nearer to the published accuracy
// than the paper's, and whether it ends farther from it.
func (one stepChoice) nearer() (nearer, farther bool) {
	printed, err := strconv.ParseFloat(one.printed, 64)
	if err != nil || !one.complete() {
		return false, false
	}
	off := func(s *results.Score) float64 { return math.Abs(100*float64(s.Correct)/float64(one.n) - printed) }
	return off(one.scaled) < off(one.paper), off(one.scaled) > off(one.paper)
}

func (s *section) stepTable(all []stepChoice) {
	var rows [][]string
	for _, one := range all {
		p := "-"
		if one.complete() && !math.IsNaN(one.p) {
			p = strconv.FormatFloat(one.p, 'g', 3, 64)
		}
		rows = append(rows, []string{one.name, strconv.Itoa(one.k), one.ratio(), accuracy(one.paper), accuracy(one.scaled), p, orDash(one.printed),
			share(one.paper.FactOf(similarFact)), share(one.scaled.FactOf(similarFact))})
	}
	s.table(1, []string{"data", "K", "r", "paper's step", "divided", "p", "published", "similar, paper's step", "similar, divided"}, rows)
	s.say("Accuracies are in percent of the test samples, similar pairs in percent of those with an unlabelled sample; p is McNemar's for the two steps, without correction. " +
		"The published accuracy is that of the K and λ which the paper's own validation chose.")
}

// stepDifference counts where the shorter step is better and where it is worse.
func (s *section) stepDifference(all []stepChoice) {
	settings, better, worse, nearer, farther := 0, 0, 0, 0, 0
	for _, one := range all {
		if !one.complete() {
			continue
		}
		settings++
		significant := one.p <= level
		switch d := one.scaled.Correct - one.paper.Correct; {
		case significant && d > 0:
			better++
		case significant && d < 0:
			worse++
		}
		if near, far := one.nearer(); near {
			nearer++
		} else if far {
			farther++
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
	s.conclude("That the length of the step is what sets the test behind validation **%s**: the divided step is significantly more accurate (p of %g or less) in %d of %s and significantly less in %d (sign test: p = %.3g). "+
		"It ends nearer to the published accuracy in %d and farther from it in %d.", verdict, level, better, counted(settings, "setting"), worse, sign.P, nearer, farther)
}

// stepSimilar names the fits in which every unlabelled sample became similar to
// all others.
func (s *section) stepSimilar(all []stepChoice) {
	for _, step := range []struct {
		name  string
		score func(stepChoice) *results.Score
	}{
		{"the paper's step", func(one stepChoice) *results.Score { return one.paper }},
		{"the divided step", func(one stepChoice) *results.Score { return one.scaled }},
	} {
		var names []string
		fits := 0
		for _, one := range all {
			f, ok := step.score(one).FactOf(similarFact)
			if !ok {
				continue
			}
			fits++
			if f.Count == f.Of {
				names = append(names, fmt.Sprintf("%s with K = %d", escape(one.name), one.k))
			}
		}
		if fits > 0 {
			s.say("With %s every pair with an unlabelled sample ended as similar in %d of %s: %s.", step.name, len(names), counted(fits, "fit"), series(names))
		}
	}
}
