package reproduction

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

const (
	paysID    = "pays"
	paysTitle = "Do local metrics pay?"
)

// A Drawing is a figure that the page shows.
type Drawing struct {
	Name, Title string
	SVG         []byte
}

// file is its path from the page.
func (d Drawing) file() string { return Folder + "/" + d.Name + ".svg" }

// pays is the section on the question whether local metrics are worth their cost.
func pays(p study.Pays) document.Section {
	s := document.Section{Title: paysTitle}
	s.Say("The methods are fitted on random splits of the paper's sizes, and each chooses between raw and z-scored features on the validation samples. "+
		"They belong to families: local metrics, one per class, one global metric, and none, the Euclidean one. %s computes most of them, "+
		"%s and %s the paper's two on fewer of the same splits.",
		run(p.Coverage), document.Code("r2lmlbench run pays-r2lml"), document.Code("r2lmlbench run pays-joint"))
	if absentBut(&s, p.Coverage, "They are entries of the spec pays alone. The numbers of this page rest on the results that there are.") {
		return s
	}
	gist, rest := paysAnswer(p)
	s.Gist = document.Plain(strings.Join(gist[:min(2, len(gist))], " "))
	s.Say("%s", strings.Join(gist, " "))
	s.List(plains(rest)...)
	paysMethods(&s, p)
	paysFamilies(&s, p)
	paysRest(&s, p)
	s.Heading("What this does not show")
	s.List(plains(paysLimits(p))...)
	return s
}

// paysAnswer is the finding: its gist in a few sentences, and the rest as points of a
// list. Every sentence is made from the numbers.
func paysAnswer(p study.Pays) (gist, rest []string) {
	pair, ok := p.Main.FamilyPair(study.LocalFamily, study.GlobalFamily)
	if !ok {
		return []string{"Whether local metrics pay cannot be told: no data set has local and global methods on the same split."}, nil
	}
	gist = []string{
		payOutcome(pair),
		fmt.Sprintf("On %s with %s each, the local method that validation picks is %s than the global one by %s points on average.",
			text.Counted(pair.Rows(), "data set"), randomSplits(pair.Splits), moreOrLess(pair.Mean), magnitude(pair.Mean)),
		middle(pair),
		fmt.Sprintf("By the Bayesian signed-rank test it is %s.", probabilities(pair)),
	}
	rest = append(rest, fmt.Sprintf("The picked local method is more accurate on %d sets, less accurate on %d and %s (Wilcoxon's p %s).",
		pair.Wins, pair.Losses, equalOn(pair.Ties), stats.SayP(pair.P)))
	rest = append(rest, paysLocal(p)...)
	if none, ok := p.Main.FamilyPair(study.LocalFamily, study.NoFamily); ok {
		rest = append(rest, fmt.Sprintf("Against the Euclidean metric, which chooses its scaling alike, the picked local method is %s by %s points "+
			"on average. It is %s.",
			moreOrLess(none.Mean), magnitude(none.Mean), probabilities(none)))
	}
	if alike, ok := p.Alike.FamilyPair(study.LocalFamily, study.GlobalFamily); ok {
		rest = append(rest, fmt.Sprintf("With equal numbers of settings, on %s, the picked local method is %s than the global one by %s points on average. It is %s.",
			text.Counted(alike.Rows(), "data set"), moreOrLess(alike.Mean), magnitude(alike.Mean), probabilities(alike)))
	}
	return gist, slices.Concat(rest, paysRanked(p), paysFront(p))
}

// middle says how much of a mean is that of a single data set.
func middle(pair study.PaysPair) string {
	if largest, others, ok := pair.Most(); ok {
		return fmt.Sprintf("The median is %s points, the mean without %s %s.", text.Signed(pair.Median), largest, text.Signed(others))
	}
	return fmt.Sprintf("The median is %s points.", text.Signed(pair.Median))
}

var payOutcomes = map[study.PaysOutcome]string{
	study.PaysBetter:    "Local metrics pay: they are better than one global metric by more than a point.",
	study.PaysWorse:     "Local metrics do not pay: one global metric is better by more than a point.",
	study.PaysEqual:     "Local metrics do not pay: they are within a point of one global metric.",
	study.PaysNotBetter: "Local metrics do not pay: they are not better than one global metric by more than a point.",
}

// payOutcome says what comes out for local metrics against global ones.
func payOutcome(pair study.PaysPair) string {
	if told, ok := payOutcomes[pair.Outcome()]; ok {
		return told
	}
	return fmt.Sprintf("Whether local metrics are better than one global metric by more than a point cannot be told from %s of %s.",
		randomSplits(pair.Splits), text.Counted(pair.Rows(), "data set"))
}

func randomSplits(s study.Span) string {
	return fmt.Sprintf("%s random %s", s, text.Agree(s.Most, "split", "splits"))
}

func equalOn(n int) string {
	if n == 0 {
		return "never equal"
	}
	return fmt.Sprintf("equal on %d", n)
}

// paysLocal names the local methods that validation picks from, and those of the
// paper that are left out.
func paysLocal(p study.Pays) []string {
	var local []string
	ids := map[string]bool{}
	for _, m := range p.Main.Methods.Block.Methods {
		if m.Family == study.LocalFamily {
			local, ids[m.ID] = append(local, m.Name), true
		}
	}
	all := []string{fmt.Sprintf("The local methods that validation picks from are: %s.", text.Series(local))}
	for _, id := range study.PaperMethods {
		if ids[id] {
			continue
		}
		said := fmt.Sprintf("%s is left out: it has results on %s only.", published.MethodName(id), text.Counted(p.Random.Having(id), "data set"))
		if p.Random.Having(id) == 0 {
			said = fmt.Sprintf("%s is left out: it has no results.", published.MethodName(id))
		}
		if pair, ok := p.Small.FamilyPair(study.LocalFamily, study.GlobalFamily); ok && id == study.Transductive {
			said += fmt.Sprintf(" With it, on %s with %s each, the picked local method is %s than the global one by %s points.",
				text.Counted(pair.Rows(), "data set"), randomSplits(pair.Splits), moreOrLess(pair.Mean), magnitude(pair.Mean))
		}
		all = append(all, said)
	}
	return all
}

func moreOrLess(difference float64) string {
	if difference < 0 {
		return "less accurate"
	}
	return "more accurate"
}

func magnitude(difference float64) string {
	return strings.TrimLeft(text.Signed(difference), "+-−")
}

// probabilities are those of the three cases.
func probabilities(p study.PaysPair) string {
	r, places := p.Posterior, 2
	if hundredths := math.Round(100*r.First) + math.Round(100*r.Equal) + math.Round(100*r.Second); hundredths != 100 {
		places = 3 // two would not add up to 1
	}
	return fmt.Sprintf("better by more than a point with probability %.*f, within a point with %.*f and worse with %.*f",
		places, r.First, places, r.Equal, places, r.Second)
}

// paysRanked names the methods with the best ranks, and the ranks of families.
func paysRanked(p study.Pays) []string {
	ranks := p.Main.Methods
	if !ranks.Ranked {
		return nil
	}
	var best, families []string
	for _, m := range ranks.Order()[:min(3, len(ranks.Order()))] {
		method := ranks.Block.Methods[m]
		best = append(best, fmt.Sprintf("%s (%s, %.1f)", method.Name, method.Family, ranks.Rank(m)))
	}
	picked := p.Main.Families
	for _, m := range picked.Order() {
		families = append(families, fmt.Sprintf("%s %s", picked.Block.Methods[m].Family, number(picked.Rank(m), 'f', 1)))
	}
	return []string{
		fmt.Sprintf("Of %d methods, %s have the best average ranks; Friedman's p %s.", len(ranks.Block.Methods), text.Series(best),
			stats.SayP(ranks.Standing.Friedman.P)),
		fmt.Sprintf("Of the %d families, each by the method that validation picks, the average ranks are %s.", len(families), text.Series(families)),
	}
}

// paysFront names the methods that no other exceeds in accuracy and time.
func paysFront(p study.Pays) []string {
	ranks := p.Main.Methods
	var front []string
	local := 0
	for m, method := range ranks.Block.Methods {
		if !ranks.Front[m] {
			continue
		}
		front = append(front, method.Name)
		if method.Family == study.LocalFamily {
			local++
		}
	}
	if len(front) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("On the Pareto front of mean accuracy and time %s %s, %s.",
		text.Agree(len(front), "stands", "stand"), text.Series(front), learnLocal(local, len(front)))}
}

// learnLocal says how many of the named methods learn local metrics.
func learnLocal(local, of int) string {
	switch {
	case of == 1 && local == 0:
		return "which learns no local metrics"
	case of == 1:
		return "which learns local metrics"
	case local == 0:
		return "none of which learns local metrics"
	case local == of:
		return "all of which learn local metrics"
	}
	return fmt.Sprintf("of which %d %s local metrics", local, text.Agree(local, "learns", "learn"))
}

// paysMethods has the ranks of methods, the front and the degrees of freedom.
func paysMethods(s *document.Section, p study.Pays) {
	l := p.MethodList()
	s.Heading("%s", l.Title)
	list(s, 2, l)
	left := slices.Concat(p.Main.Left, p.Main.Omitted)
	s.List(
		document.Textf("Ranks are over %s with %s splits each, on which all ranked methods have results; accuracies are added up over the splits.",
			text.Counted(len(p.Main.Methods.Block.Sets), "data set"), p.Main.Methods.Splits()),
		document.Plain("The mean accuracy is over the same sets. Seconds are for one split of each: the median over the splits, added up over the sets."),
		document.Plain("The seconds of a split are the wall time of the fits of all settings and of the test queries, on a machine busy with other work."),
		document.Plain("Where raw and z-scored features do equally well, the first in the grid is chosen: raw. "+
			"So methods that scale by themselves choose no z-scores; nor does RCA, whose distances are the same on both but for constant features."),
		document.Plain("A method is on the Pareto front if no other is at least as accurate and as fast, and better in at least one of the two. "+
			"Times that differ by less than half tell nothing: other work slows a run as much."),
		document.Textf("The degrees of freedom are the settings of the grid and the validation samples that choose among them. "+
			"Settings that come to the same fit are counted: ranks above the number of features, scalings in methods that scale by themselves. "+
			"Spearman's correlation of settings and average rank is %s; below 0, methods with more settings have better ranks.",
			number(p.Main.Methods.Grids(), 'f', 2)),
		paysAlike(p),
	)
	if len(left) > 0 {
		s.Say("Not ranked, or left out of the ranks:")
		s.List(plains(left)...)
	}
	list(s, 1, p.TestList())
	s.Say("χ² is corrected for ties, F is that of Iman and Davenport. By Nemenyi's test at level %g, two differ if their average ranks are "+
		"at least the critical difference apart.", study.Level)
}

// paysAlike says what equal settings are, and over what they are ranked.
func paysAlike(p study.Pays) document.Inline {
	ranked := "No methods are ranked with equal settings yet."
	if m := p.Alike.Methods; m.Ranked {
		ranked = fmt.Sprintf("Methods are ranked by themselves with these, over %s with %s each.",
			text.Counted(len(m.Block.Sets), "data set"), randomSplits(m.Splits()))
	}
	return document.Textf("Equal settings are those of %s: eight for every method but Euclidean and RCA, which have four. "+
		"Of the four of RCA, those that scale each feature by itself come to the same distances. T-R2LML is not among them. %s",
		document.Code("pays-equal"), ranked)
}

// paysFamilies compares the families.
func paysFamilies(s *document.Section, p study.Pays) {
	l := p.FamilyList()
	if len(l.Rows) == 0 {
		return
	}
	s.Heading("%s", l.Title)
	s.Say("On every split the method of a family stands for it that has most validation samples right; several that have as many stand for it in equal parts. " +
		"No test sample decides. The splits are those of the ranks.")
	list(s, 1, l)
	s.List(document.Textf("The mean of ranks is that of the methods of the family, of which each is ranked among all %d. "+
		"The picked method is ranked among the %d families. So the two columns are not to be compared with each other.",
		len(p.Main.Methods.Block.Methods), len(p.Main.Families.Block.Methods)))
	for _, one := range []table.Listing{p.FamilyPairList(), p.AlikePairList(), p.SmallPairList()} {
		if len(one.Rows) > 0 {
			s.Heading("%s", one.Title)
			list(s, 3, one)
		}
	}
	s.List(
		document.Plain("Wins, ties and losses count data sets, by the accuracies over the splits that both have. Differences are first less second, in points."),
		document.Plain("p is that of Wilcoxon's signed-rank test, two-sided, and after Holm's correction over the pairs of the table."),
		document.Textf("Better, equal and worse are probabilities by the Bayesian signed-rank test with a region of practical equivalence of %d point. "+
			"The prior of the Dirichlet process has strength 0.5 at difference 0; %d draws with seed %d (Benavoli et al. 2014, 2017).",
			study.Rope, study.PosteriorDraws, study.PosteriorSeed),
	)
	contrasts := p.ContrastList()
	s.Heading("%s", contrasts.Title)
	list(s, 1, contrasts)
	s.List(
		document.Plain("The interval for one more split is mean ± t(R−1) · sd · √(1 + 1/R) over R splits, at 95 %. "+
			"Fewer than five splits have no interval."),
		document.Plain("The corrected interval of the mean is mean ± t(R−1) · sd · √(1/R + test/training) (Nadeau and Bengio 2003). "+
			"With more test than training samples it is an upper bound, and wider than the other."),
		document.Textf("%s has both for all pairs of methods.", document.Inline{document.Link{Text: "A table", Target: strings.TrimPrefix(paysFile, Folder+"/")}}),
	)
}

// paysFile has the contrasts of all pairs of methods.
const paysFile = Folder + "/do-local-metrics-pay.csv"

// paysFiles are the table of all contrasts and the figures of the page.
func paysFiles(in Input) ([]File, error) {
	p, ok := in.Study(paysID).(study.Pays)
	if !ok || p.Empty() {
		return nil, nil
	}
	var b bytes.Buffer
	if err := p.AllContrasts().Render(&b, "csv"); err != nil {
		return nil, err
	}
	files := []File{{paysFile, b.Bytes()}}
	for _, d := range in.Drawings {
		files = append(files, File{d.file(), d.SVG})
	}
	return files, nil
}

// paysRest has the pairs of methods, the split of the rule, and what scaling changes.
func paysRest(s *document.Section, p study.Pays) {
	if pairs := p.PairList(); len(pairs.Rows) > 0 {
		s.Heading("%s", pairs.Title)
		list(s, 3, pairs)
	}
	if rule := p.RuleList(); len(rule.Rows) > 0 {
		s.Heading("%s", rule.Title)
		if len(rule.Rows) == 1 {
			s.Say("Only %s has results; nothing is compared.", rule.Rows[0][0])
		} else {
			s.Say("%s compares the methods of a data set by %s after Holm's correction over its pairs.",
				document.Code("r2lmlbench table pays-rule"), p.Rule.Table.Test.Pair)
		}
		list(s, 2, rule)
	}
	if raw := p.RawList(); len(raw.Rows) > 0 {
		s.Heading("%s", raw.Title)
		s.Say("Differences are chosen less raw in points on the same splits: means over the data sets of their means. Wilcoxon's p is over the data sets. " +
			"Where the grids differ in more than the scaling, as where E-R2LML and T-R2LML take their steps from the samples, the difference is of both.")
		list(s, 3, raw)
	}
}

// paysLimits says what the finding does not show.
func paysLimits(p study.Pays) []string {
	validation := study.Span{}
	for m := range p.Main.Methods.Block.Methods {
		if v := p.Main.Methods.Block.ValidationSamples(m); v.Most > 0 {
			validation = study.Span{Fewest: least(validation.Fewest, v.Fewest), Most: max(validation.Most, v.Most)}
		}
	}
	return []string{
		"The splits of a data set share its samples. Intervals over splits say what another split of these samples gives, not what new samples would.",
		fmt.Sprintf("On the data sets of the ranks, from %s validation samples choose the settings, and the method that stands for a family. "+
			"Where they are few, the choice is largely chance.", validation),
		"A family with more methods has more to choose from, and more time is spent on it. " +
			"Equal settings are equal for all methods but Euclidean and RCA, and not for families.",
		"Grids are ours. Methods could be better with other grids; the paper's two take their steps from the samples, which the paper does not.",
		"T-R2LML has the test samples without their labels; the other methods do not.",
		"The data sets are those of the paper, with few training samples. They are no sample of all data sets, where more samples may favor local metrics.",
		"All metrics serve 5 nearest neighbors. Times are of a shared machine.",
	}
}

// least is the smaller of two numbers of which 0 is none.
func least(a, b int) int {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// paysOnPage is the finding with its figure.
func paysOnPage(in Input) document.Section {
	s := document.Section{Title: paysTitle}
	p, ok := in.Study(paysID).(study.Pays)
	switch {
	case !ok || p.Empty():
		s.Say("Nothing is stored that could tell: no cell of %s is accepted. %s computes them.", document.Code("pays"), document.Code("r2lmlbench run pays"))
		return s
	default:
		gist, rest := paysAnswer(p)
		s.Say("%s %s has the numbers and what they do not show.", strings.Join(gist, " "), linkTo(paysTitle, "The appendix"))
		s.List(plains(rest)...)
		if in.Study(study.ContextName) != nil {
			s.Say("%s shows what other classifiers reach on these splits.", linkTo(study.ContextTitle, "Another"))
		}
	}
	for _, d := range in.Drawings {
		s.Add(document.Figure{ID: d.Name, Source: d.file(), Alt: d.Title, Caption: document.Textf("%s. Methods stand in the order of their average ranks, "+
			"which follow their names. Filled marks are on the Pareto front. The appendix has the numbers.", d.Title)})
	}
	return s
}
