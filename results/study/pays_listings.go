package study

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Claims say whether the methods of a family that validation picks are better by more
// than the rope than those of another, and on how many data sets one more random split
// would show the local ones ahead of the global ones.
func (p Pays) Claims() []Claim {
	var all []Claim
	for _, other := range []string{GlobalFamily, NoFamily} {
		c := Claim{ID: "pays-local-" + other, Statement: "local metrics are better than " + familyWords[other] + " by more than a point", P: math.NaN()}
		pair, ok := p.Main.FamilyPair(LocalFamily, other)
		if ok && pair.Rows() > 0 {
			c.Count, c.Of, c.P = pair.Wins, pair.Rows(), pair.P
		}
		outcome := pair.Outcome()
		c.Verdict = verdict(ok && outcome != PaysOpen && outcome != PaysBetter, !ok || outcome == PaysOpen)
		all = append(all, c)
	}
	ahead := counted("pays-next-split", "data sets on which local metrics are ahead of global ones on one more random split, at 95 %", 0, 0)
	for _, c := range p.Main.FamilyContrasts(LocalFamily, GlobalFamily) {
		if len(c.Differences) < fewestSplits {
			ahead.Missing++
			continue
		}
		next, _ := c.Next()
		ahead.Of, ahead.Count = ahead.Of+1, ahead.Count+one(next.Low > 0)
	}
	return append(all, ahead)
}

var familyWords = map[string]string{GlobalFamily: "global ones", NoFamily: "the Euclidean metric"}

// Listings are all tables but that of the contrasts of all pairs.
func (p Pays) Listings() []table.Listing {
	return []table.Listing{
		p.MethodList(), p.FamilyList(), p.TestList(), p.FamilyPairList(), p.AlikePairList(), p.SmallPairList(), p.ContrastList(), p.PairList(), p.RuleList(),
		p.RawList(),
	}
}

// FamilyPairList has the comparisons of families.
func (p Pays) FamilyPairList() table.Listing {
	return pairList("Families, each by the method that validation picks", p.Main.FamilyPairs)
}

// AlikePairList has those with equal numbers of settings.
func (p Pays) AlikePairList() table.Listing {
	return pairList("The same with equal numbers of settings", p.Alike.FamilyPairs)
}

// SmallPairList has those on the data sets with results of T-R2LML.
func (p Pays) SmallPairList() table.Listing {
	return pairList("The same on the data sets with results of T-R2LML", p.Small.FamilyPairs)
}

// PairList has the comparisons of methods of different families.
func (p Pays) PairList() table.Listing {
	return pairList("Methods of different families", p.Main.Pairs)
}

// MethodList has a line for every method, the best rank first and those that are not
// ranked last.
func (p Pays) MethodList() table.Listing {
	l := table.Listing{
		Title: "Methods on random splits",
		Head: []string{"method", "family", "average rank", "with equal settings", "mean accuracy", "seconds", "front", "settings", "validation samples",
			"z-scores chosen, % of splits", "stands for its family, % of splits", "data sets", "splits"},
	}
	ranks := p.Main.Methods
	seen := map[string]bool{}
	for _, m := range ranks.Order() {
		method := ranks.Block.Methods[m]
		seen[method.ID] = true
		front := "-"
		if ranks.Front[m] {
			front = "yes"
		}
		l.Rows = append(l.Rows, p.methodLine(method, []string{
			decimals(ranks.Rank(m), 2), decimals(p.Alike.Methods.RankOf(method.ID), 2), decimals(ranks.Accuracy[m], 2),
			plainDigits(ranks.Seconds[m], 3), front,
		}, inPercent(part(p.Main.Picked[m]))))
	}
	for _, method := range p.Random.Methods {
		if sets, _ := p.Random.splits(p.Random.index(method.ID)); !seen[method.ID] && sets > 0 {
			l.Rows = append(l.Rows, p.methodLine(method, []string{"-", decimals(p.Alike.Methods.RankOf(method.ID), 2), "-", "-", "-"}, "-"))
		}
	}
	return l
}

// methodLine puts what a method has in the block between its names and its counts.
func (p Pays) methodLine(method PaysMethod, ranked []string, picked string) []string {
	m := p.Random.index(method.ID)
	sets, splits := p.Random.splits(m)
	scaled := inPercent(part(p.Random.Scaled(m)))
	return slices.Concat([]string{method.Name, method.Family}, ranked, []string{
		p.Random.Settings(m).String(), p.Random.ValidationSamples(m).String(), scaled, picked, strconv.Itoa(sets), splits.String(),
	})
}

func (f PaysField) index(id string) int {
	return slices.IndexFunc(f.Methods, func(m PaysMethod) bool { return m.ID == id })
}

// part is a share, NaN of nothing.
func part(t Total) float64 {
	if t.Of == 0 {
		return math.NaN()
	}
	return float64(t.Count) / float64(t.Of)
}

// FamilyList has a line for every family.
func (p Pays) FamilyList() table.Listing {
	l := table.Listing{
		Title: "Families",
		Head: []string{"family", "methods", "mean of their ranks", "rank of the picked method", "its mean accuracy", "seconds of all", "settings of all",
			"mean of ranks, equal settings", "rank of the picked method, equal settings"},
	}
	ranks := p.Main.Families
	for _, m := range ranks.Order() {
		family, members := ranks.Block.Methods[m].Family, 0
		for _, method := range p.Main.Methods.Block.Methods {
			members += one(method.Family == family)
		}
		l.Rows = append(l.Rows, []string{
			family, strconv.Itoa(members), decimals(p.Main.Methods.MeanRank(family), 2), decimals(ranks.Rank(m), 2), decimals(ranks.Accuracy[m], 2),
			plainDigits(ranks.Seconds[m], 3), ranks.Block.Settings(m).String(), decimals(p.Alike.Methods.MeanRank(family), 2),
			decimals(p.Alike.Families.RankOf(family), 2),
		})
	}
	return l
}

// TestList has Friedman's test over the data sets.
func (p Pays) TestList() table.Listing {
	l := table.Listing{
		Title: "Friedman's test",
		Head:  []string{"ranked", "of", "data sets", "splits of each", "χ²", "df", "p", "F", "p of F", "critical difference"},
	}
	for _, c := range []struct {
		name  string
		ranks PaysRanks
	}{
		{"methods", p.Main.Methods}, {"families", p.Main.Families}, {"methods, equal settings", p.Alike.Methods}, {"families, equal settings", p.Alike.Families},
	} {
		f := c.ranks.Standing.Friedman
		row := []string{c.name, strconv.Itoa(len(c.ranks.Block.Methods)), strconv.Itoa(len(c.ranks.Block.Sets)), c.ranks.Splits().String()}
		if c.ranks.Ranked {
			row = append(row, digits(f.ChiSquared, 4), strconv.Itoa(f.DF), stats.ShortP(f.P), digits(f.F, 4), stats.ShortP(f.FP), decimals(c.ranks.Standing.CD, 2))
		} else {
			row = append(row, "-", "-", "-", "-", "-", "-")
		}
		l.Rows = append(l.Rows, row)
	}
	return l
}

// pairList has a line for every pair.
func pairList(title string, pairs []PaysPair) table.Listing {
	l := table.Listing{
		Title: title,
		Head: []string{"first", "second", "families", "data sets", "splits of each", "wins", "ties", "losses", "mean difference", "median", "p", "p, Holm",
			"better", "equal", "worse"},
	}
	for _, p := range pairs {
		l.Rows = append(l.Rows, []string{
			p.Names[0], p.Names[1], p.Families[0] + ", " + p.Families[1], strconv.Itoa(p.Rows()), p.Splits.String(), strconv.Itoa(p.Wins), strconv.Itoa(p.Ties),
			strconv.Itoa(p.Losses), text.Signed(p.Mean), text.Signed(p.Median), stats.ShortP(p.P), stats.ShortP(p.Holm),
			decimals(p.Posterior.First, 3), decimals(p.Posterior.Equal, 3), decimals(p.Posterior.Second, 3),
		})
	}
	return l
}

var contrastHead = []string{"data", "training", "test", "first", "second", "splits", "mean", "one more split", "corrected mean"}

// line is a contrast as printed.
func (c PaysContrast) line() []string {
	return []string{
		c.Set.Name, strconv.Itoa(c.Set.Training), strconv.Itoa(c.Set.N), c.First.Name, c.Second.Name, strconv.Itoa(len(c.Differences)), text.Signed(c.Mean()),
		interval(c.Next()), interval(c.Corrected()),
	}
}

// interval is one in points, "-" if there is none.
func interval(i stats.Interval, ok bool) string {
	if !ok {
		return "-"
	}
	return text.Signed(i.Low) + " to " + text.Signed(i.High)
}

// ContrastList has the contrasts of families by data set: of local metrics with every
// other family, and of global ones with none.
func (p Pays) ContrastList() table.Listing {
	l := table.Listing{Title: "Differences of families by data set", Head: contrastHead}
	for _, pair := range [][2]string{{LocalFamily, GlobalFamily}, {LocalFamily, ClassWiseFamily}, {LocalFamily, NoFamily}, {GlobalFamily, NoFamily}} {
		for _, c := range p.Main.FamilyContrasts(pair[0], pair[1]) {
			l.Rows = append(l.Rows, c.line())
		}
	}
	return l
}

// AllContrasts has those of all pairs of methods by data set, for a file of its own.
func (p Pays) AllContrasts() table.Listing {
	l := table.Listing{Title: "Differences of methods by data set", Head: contrastHead}
	for a := range p.Random.Methods {
		for b := range a {
			for _, c := range p.Random.contrasts(b, a) {
				l.Rows = append(l.Rows, c.line())
			}
		}
	}
	return l
}

// RuleList has McNemar's tests on the split of the rule, after Holm's correction over
// the pairs of a data set.
func (p Pays) RuleList() table.Listing {
	t := p.Rule.Table
	l := table.Listing{
		Title: "On the split of the rule",
		Head:  []string{"method", "family", "data sets", "mean accuracy", "rank 1 on", "pairs with other families", "significantly better", "significantly worse"},
	}
	family := map[string]string{}
	for i, c := range t.Columns {
		family[c.ID] = p.Rule.Families[i]
	}
	for i, c := range t.Columns {
		var accuracies []float64
		best, pairs, better, worse := 0, 0, 0, 0
		for _, r := range t.Rows {
			if score := cellAt(r, i).Score; score != nil {
				accuracies, best = append(accuracies, pointsOf(score.Correct, r.N)), best+one(score.Best)
			}
			for _, pair := range r.Pairs {
				if (pair.A != c.ID && pair.B != c.ID) || family[pair.A] == family[pair.B] {
					continue
				}
				ahead := (pair.BCount > pair.CCount) == (pair.A == c.ID)
				pairs, better, worse = pairs+1, better+one(pair.Significant && ahead), worse+one(pair.Significant && !ahead)
			}
		}
		if len(accuracies) > 0 {
			l.Rows = append(l.Rows, []string{
				c.Name, family[c.ID], strconv.Itoa(len(accuracies)), decimals(stat.Mean(accuracies, nil), 2), strconv.Itoa(best), strconv.Itoa(pairs),
				strconv.Itoa(better), strconv.Itoa(worse),
			})
		}
	}
	return l
}

// RawList has a line for every method that chooses the scaling of its features in one
// spec and takes them as they are in another.
func (p Pays) RawList() table.Listing {
	l := table.Listing{
		Title: "Chosen scaling against features as they are",
		Head:  []string{"method", "chosen", "raw", "same grid", "data sets", "splits", "mean difference", "wins", "ties", "losses", "p", "p, Holm"},
	}
	var ps []float64
	for _, r := range p.Raw {
		ps = append(ps, stats.Wilcoxon(r.Differences).P)
	}
	for i, holm := range stats.HolmKnown(ps) {
		r := p.Raw[i]
		wins, ties, losses := signs(r.Differences)
		same := "yes"
		if !r.Alike {
			same = "no"
		}
		l.Rows = append(l.Rows, []string{
			r.Method.Name, r.Chosen, r.Raw, same, strconv.Itoa(len(r.Differences)), strconv.Itoa(r.Splits), text.Signed(stat.Mean(r.Differences, nil)),
			strconv.Itoa(wins), strconv.Itoa(ties), strconv.Itoa(losses), stats.ShortP(ps[i]), stats.ShortP(holm),
		})
	}
	return l
}

// signs counts the differences above 0, those that are 0 and those below.
func signs(differences []float64) (above, equal, below int) {
	for _, d := range differences {
		above, equal, below = above+one(d > 0), equal+one(d == 0), below+one(d < 0)
	}
	return above, equal, below
}
