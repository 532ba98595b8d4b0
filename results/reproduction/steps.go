package reproduction

import (
	"fmt"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
	"r2lmlbench/stats"
)

// steps is the section on the step length of T-R2LML and the size of its
// problem.
func steps(t study.Steps) document.Section {
	s := document.Section{Title: "The step length of T-R2LML and the size of its problem"}
	s.Say("T-R2LML is fitted to N labelled samples and all unlabelled ones together. There are V unlabelled samples while validation chooses K and λ, " +
		"and M when the test samples are labelled. " +
		"Its loss is a sum over all pairs. The test problem has r = ((N + M) / (N + V))² times as many pairs, and the paper's step lengths are absolute.")
	s.Say("%s fits the test problem twice, on the sets where r is 1.5 or more:", run(t.Coverage))
	s.List(
		document.Plain("with the paper's step and λ = 10;"),
		document.Plain("with that step divided by r and that λ multiplied by it, as for a mean over pairs."),
	)
	if absent(&s, t.Coverage) {
		return s
	}
	validated(&s, t)
	list(&s, 1, t.Listings()[0])
	s.Say("Accuracies are in percent of the test samples, similar pairs in percent of those with an unlabelled sample. " +
		"p is McNemar's for the two steps, after Holm's correction over the settings. " +
		"The published accuracy is for K and λ as the paper chose them. It is shown for comparison only.")
	effect(&s, t)
	allSimilar(&s, t)
	return s
}

// validated shows what validation chose for T-R2LML and what became of it on the
// test samples, and how far every method falls behind its validation.
func validated(s *document.Section, t study.Steps) {
	if len(t.Validated) == 0 {
		s.Say("What validation chose for T-R2LML is not known: %s computes it.", document.Code("r2lmlbench run accuracy --methods t-r2lml"))
		return
	}
	var rows [][]string
	for _, v := range t.Validated {
		right := v.Score.Validation
		rows = append(rows, []string{v.Set.Name, yesNo(v.Studied), fmt.Sprint(v.Score.Params["metrics"]), fmt.Sprint(v.Score.Params["lambda"]),
			fmt.Sprintf("%d of %d", right.Correct, right.Of), stats.Percent(right.Correct, right.Of, 2), v.Score.Accuracy, text.OrDash(v.Published)})
	}
	s.Say("What validation chose in the ranked table, and its accuracy on the test samples:")
	s.Table(1, []string{"data", "r of 1.5 or more", "K", "λ", "right on validation", "validation", "test", "published"}, rows)
	rows = nil
	for _, f := range t.Falls {
		rows = append(rows, []string{f.Column.Name, number(study.MeanFall(f.Other), 'f', 2), number(study.MeanFall(f.Studied), 'f', 2)})
	}
	s.Say("The next table says by how many points the chosen setting is less accurate on the test samples than on the validation samples, on average. " +
		"Choosing among many settings on few samples costs every method, and the sets of this study have the fewest. " +
		"Only T-R2LML has a larger problem to solve in the test as well.")
	s.Table(1, []string{"method", "other sets", "sets of this study"}, rows)
}

// effect says whether the divided step is better.
func effect(s *document.Section, t study.Steps) {
	e := t.Effect()
	if e.Settings == 0 {
		s.Conclude("No setting has both steps, so nothing can be said about their difference.")
		return
	}
	s.Conclude("The divided step is significantly more accurate (p of %g or less) in %d of %s and significantly less in %d (sign test: p %s).",
		study.Level, e.Better, text.Counted(e.Settings, "setting"), e.Worse, stats.SayP(e.P))
	word := map[string]string{study.Holds: "is supported", study.Fails: "is not supported", study.Undecided: study.Undecided}[e.Verdict]
	s.Claim(document.Claim{ID: e.ID, Text: document.Plain("That the step length explains why the test falls behind validation"), Verdict: word})
}

// allSimilar names the fits in which every unlabelled sample became similar to all
// others.
func allSimilar(s *document.Section, t study.Steps) {
	for _, step := range []struct {
		name string
		of   func(study.StepChoice) study.StepFit
	}{
		{"the paper's step", func(c study.StepChoice) study.StepFit { return c.Paper }},
		{"the divided step", func(c study.StepChoice) study.StepFit { return c.Scaled }},
	} {
		similar, fits := t.AllSimilar(step.of)
		var names []string
		for _, c := range similar {
			names = append(names, fmt.Sprintf("%s with K = %d", c.Set.Name, c.Metrics))
		}
		if fits > 0 {
			s.Say("With %s, every pair with an unlabelled sample ended as similar in %d of %s: "+
				"%s.", step.name, len(names), text.Counted(fits, "fit"), text.Series(names))
		}
	}
}
