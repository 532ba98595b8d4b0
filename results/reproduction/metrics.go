package reproduction

import (
	"fmt"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/stats"
)

// metrics is the section on the accuracy against the number of metrics.
func metrics(m study.Metrics) document.Section {
	s := document.Section{Title: "Accuracy against the number of metrics"}
	s.Say("The paper's two figures plot the accuracy of both methods on the test samples against the number K of metrics, with a fixed λ. "+
		"%s computes the same curves with the reference variant.", run(m.Coverage))
	if absent(&s, m.Coverage) {
		return s
	}
	list(&s, 2, m.Listings()[0])
	s.Say("Accuracies are in percent. The best K are all that share the highest accuracy. They are given where every K has a result.")
	if sets := m.OutOfRange(); len(sets) > 0 {
		s.Say("The range of K leaves out the number of classes of %s. The paper names COIL20, USPS and Isolet.", text.Series(names(sets)))
	}
	if !m.AnyComplete() {
		s.Conclude("No curve is complete, so no statement of the paper about its figures can be checked.")
		return s
	}
	s.Say("What the paper says about its figures, and what our cells show. "+
		"One fit counts as significantly better than another if McNemar's test on the test samples has p of %g or less, without correction. "+
		"Everything else compares accuracies as they are, of one seed.", study.Level)
	verdictsOn(&s, "the figures", []document.Claim{
		classCount(m.ClassCount()), bestWithTwo(m.BestWithTwo(study.Transductive)), bestWithTwo(m.BestWithTwo(study.Efficient)),
		monotone(m.Monotone()), efficientAhead(m.EfficientAhead()), manyMetrics(m.ManyMetrics()), prominent(m.Prominent()),
	})
	return s
}

func classCount(c study.ClassCount) document.Claim {
	return claimed(c.Claim, document.Textf("the number of classes is among the best K in %d of %s, or %s %%. A case is a method on a data set, "+
		"and %d to %d %% would be roughly a quarter",
		c.Equal, text.Counted(c.Cases, "case"), stats.Percent(c.Equal, c.Cases, 1), study.QuarterLow, study.QuarterHigh))
}

func bestWithTwo(b study.BestWithTwo) document.Claim {
	var here []string
	for _, part := range []struct {
		so     string
		curves []study.Curve
		best   bool
	}{
		{"no K is better than 2 on ", b.Yes, false},
		{"another K is higher, but not significantly, on ", b.Near, true},
		{"another K is significantly better on ", b.No, true},
	} {
		var on []string
		for _, c := range part.curves {
			name := c.Set.Name
			if part.best {
				name += " (best: " + joinInts(c.Best()) + ")"
			}
			on = append(on, name)
		}
		if len(on) > 0 {
			here = append(here, part.so+text.Series(on))
		}
	}
	if len(here) == 0 {
		here = []string{"no curve on these is complete"}
	}
	return claimed(b.Claim, document.Plain(strings.Join(here, "; ")))
}

func joinInts(numbers []int) string {
	all := make([]string, len(numbers))
	for i, n := range numbers {
		all[i] = strconv.Itoa(n)
	}
	return strings.Join(all, ", ")
}

// shapes are the words for how a curve runs.
var shapes = map[study.Shape]string{
	study.ShapeUnknown: "is not known for every K", study.ShapeFalling: "never rises",
	study.ShapeUnsure: "rises at some K, but nowhere significantly", study.ShapeRising: "rises significantly at some K",
}

func monotone(m study.Monotone) document.Claim {
	var here []string
	for _, c := range m.Curves {
		here = append(here, "that of "+published.MethodName(c.Method)+" "+shapes[c.Shape])
	}
	return claimed(m.Claim, document.Plain(strings.Join(here, ", and ")))
}

func efficientAhead(a study.Ahead) document.Claim {
	return claimed(a.Claim, document.Textf("E-R2LML is ahead on %s, level on %s and behind on %s. The highest accuracy over K is taken from each curve. "+
		"This is as the paper has it on %d of %s, and significantly otherwise on %s",
		text.Series(names(a.Wins)), text.Series(names(a.Ties)), text.Series(names(a.Losses)),
		a.Agreeing, text.Counted(a.Compared(), "data set"), text.Series(names(a.Against))))
}

func manyMetrics(m study.ManyMetrics) document.Claim {
	return claimed(m.Claim, document.Textf("it is better in %d of %s, every K counted by itself, and the best K > 1 is better in %d of %s",
		m.Better, text.Counted(m.Settings, "setting"), m.BestBetter, text.Counted(m.Curves, "curve")))
}

func prominent(p study.Prominent) document.Claim {
	var top []string
	for _, g := range p.Top() {
		top = append(top, fmt.Sprintf("%s (%.2f points)", g.Set.Name, g.Points))
	}
	if len(top) == 0 {
		return claimed(p.Claim, document.Plain("no data set has both curves"))
	}
	return claimed(p.Claim, document.Textf("the best K > 1 gains most over K = 1, both methods added up, on %s", text.Series(top)))
}
