package paper_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
)

var (
	findFacts sync.Once
	found     facts
)

// acceptedFacts are the facts by the accepted cells of the repository. They are found once.
func acceptedFacts(t *testing.T) facts {
	t.Helper()
	findFacts.Do(func() { found = factsOf(t, &store.Store{Dir: "../accepted"}) })
	if found == nil {
		t.Fatal("there are no facts, as another test says")
	}
	return found
}

// TestPages: every number and table on the pages is that of the accepted cells. With -update
// it mends them; with -v it lists the names.
func TestPages(t *testing.T) {
	facts := acceptedFacts(t)
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		if testing.Verbose() {
			t.Log(name + ": " + facts[name])
		}
	}
	numbers := 0
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/dev/*.md"} {
		files := fixture.Must(filepath.Glob(pattern))(t)
		for _, file := range files {
			page := fixture.Must(os.ReadFile(file))(t)
			mended, problems, stale, used := mend(page, facts)
			numbers += used
			for _, p := range problems {
				t.Errorf("%s:%s", file, p)
			}
			for _, s := range stale {
				t.Logf("%s:%s", file, s)
			}
			fixture.Golden(t, file, mended)
		}
	}
	if numbers < 40 {
		t.Errorf("%d numbers are checked, want those of README.md, REPRODUCTION.md and docs/letter.md", numbers)
	}
}

// TestClasses: the classes that the printed table gives its rows are those of the test
// samples, by the catalogue's split.
func TestClasses(t *testing.T) {
	own, accepted := fixture.Must(plan.Named(t.Context(), experiments.Paper))(t), (&store.Store{Dir: "../accepted"}).Snapshot()
	for i, r := range published.Table().Rows {
		cell, ok, err := accepted.Find(own.Splits[i].Jobs[0][0].Inputs)
		fixture.Check(t, err)
		fixture.Equal(t, r.Name+": a cell of it", ok && cell.Dataset == r.Name, true)
		var classes []int
		for _, c := range results.CountClasses(cell.Truth) {
			classes = append(classes, c.Count)
		}
		fixture.EqualSlice(t, r.Name, r.Classes, classes)
	}
}

// TestClaims: sentences of the pages that say more than a number hold by the facts.
func TestClaims(t *testing.T) {
	facts := acceptedFacts(t)
	number := func(name string) float64 {
		x, err := strconv.ParseFloat(facts[name], 64)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return x
	}
	all := func(name string) bool { return number(name) == number(name+".of") && number(name) > 0 }
	says := func(name, verdict string) bool { return strings.Contains(facts[name], " / "+verdict) } // by runs
	none := func(name string) bool { return number(name) == 0 && number(name+".of") > 0 }
	row := func(table, begin string) string {
		for line := range strings.Lines(facts["table "+table]) {
			if strings.HasPrefix(line, "| "+begin) {
				return line
			}
		}
		return ""
	}
	// best tells whether no method of pays has a higher accuracy on data sets of a size.
	best := func(size, method string) bool {
		compared := 0
		for name := range facts {
			if rest, ok := strings.CutPrefix(name, "pays."+size+"."); ok && !strings.Contains(rest, ".") && number(name) <= number("pays."+size+"."+method) {
				compared++
			} else if ok && !strings.Contains(rest, ".") {
				return false
			}
		}
		return compared >= 15
	}
	front := func(table, begin string) int { return strings.Count(row(table, begin), "front") }
	for _, c := range []struct {
		file, sentence string
		holds          func() bool
	}{
		{"docs/choosing.md", "On data of up to 1,000 samples try PLML, on larger data DANN: they have the highest mean accuracy", func() bool {
			return best("small", "plml-many") && best("large", "dann") && paper.SmallSet == 1000
		}},
		{"docs/choosing.md", "If they take too long, try ITML", func() bool { return front("pays.methods", "ITML ") == 2 }},
		{"docs/choosing.md", "so the SVM and the forest are ahead of it on average", func() bool {
			reached := number("context.euclidean") + number("pays.local-euclidean.mean")
			return number("context.rbf-svm") > reached && number("context.random-forest") > reached
		}},
		{"docs/choosing.md", "A method chooses from 8 settings on validation samples, Euclidean k-NN from 4.", func() bool {
			methods := 0
			for name := range facts {
				if method, ok := strings.CutPrefix(name, "pays.settings."); ok {
					if want := map[bool]float64{true: 4, false: 8}[method == "euclidean"]; number(name) != want {
						return false
					}
					methods++
				}
			}
			return methods == 17
		}},
		{"REPRODUCTION.md", "Little, if at all.", func() bool {
			return number("pays.e-r2lml.low") < 0 && number("pays.e-r2lml.high") < 2 && number("pays.families.holm") > 0.05
		}},
		{"REPRODUCTION.md", "Partly.", func() bool { return number("within.1") > 0 && number("within.5") < 144 }},
		{"REPRODUCTION.md", "We use the most likely of the eight: ties drawn at random, the first of equally distant samples voting " +
			"for all of them, features standardized before PCA.", func() bool {
			return strings.Contains(row("pipeline", "random | repeat-first | standardized"), "chosen")
		}},
		{"REPRODUCTION.md", "Telescope is 3 test samples off", func() bool { return strings.Contains(row("pipeline-rows", "E Telescope"), "| 3.0 | off |") }},
		{"REPRODUCTION.md", "our files of Two Norm, Ring Norm and USPS are not the authors' files", func() bool {
			return strings.Count(facts["table pipeline-rows"], "another copy of the data") == 3
		}},
		{"REPRODUCTION.md", "How lenient is this?", func() bool { return number("moved.2") > 10 && number("moved.4") < number("moved.2") }},
		{"REPRODUCTION.md", "E-R2LML is first in every reading that has all data sets. T-R2LML is above PLML in no reading, not even", func() bool {
			return all("conclusion.1.all") && none("conclusion.3") && number("program.rank.t-r2lml") > number("program.rank.plml")
		}},
		{"REPRODUCTION.md", "so E-R2LML is not shown to be better than PLML", func() bool {
			return number("rank.cd") > number("rank.ours.plml")-number("rank.ours.e-r2lml")
		}},
		{"REPRODUCTION.md", "T-R2LML reproduces on large sets only", func() bool {
			return 2*number("within.1.t-r2lml.large") > number("compared.t-r2lml.large") && number("within.1.t-r2lml.small") == 0
		}},
		{"REPRODUCTION.md", "Under no reading is the mean of ITML or LMNN closer", func() bool {
			var least [3]float64
			for line := range strings.Lines(facts["table readings"]) {
				for i, field := range strings.Split(line, "|")[3:] {
					_, mean, ok := strings.Cut(field, " / ")
					x, err := strconv.ParseFloat(strings.TrimSpace(mean), 64)
					if !ok || err != nil || i >= len(least) {
						continue
					}
					if strings.HasPrefix(line, "| "+paper.MainReading) {
						least[i] = x
					} else if x < least[i] {
						return false
					}
				}
			}
			return least[0] > 0
		}},
		{"REPRODUCTION.md", "T-R2LML falls from", func() bool { return number("rank.ours.t-r2lml") > number("rank.print.t-r2lml") }},
		{"README.md", "E-R2LML keeps the best average rank", func() bool {
			return number("rank.ours.e-r2lml") < number("rank.ours.plml") && number("rank.ours.e-r2lml") < number("rank.ours.itml")
		}},
		{"REPRODUCTION.md", "Only COIL20, Isolet and USPS are said to have more classes than the K tried, 1 to 7. By Table 1 Letter, Pendigits and " +
			"Optdigits have more, too.", func() bool {
			return strings.HasPrefix(facts["claim.k-range"], "fails as claimed in 12 of 15, not on B C O /")
		}},
		{"REPRODUCTION.md", "K = 2 is said to be best for T-R2LML on 7 sets. In our runs it is best on 5 of them", func() bool {
			return strings.Contains(facts["claim.k-two-t"], "/ fails as claimed in 5 of 7")
		}},
		{"REPRODUCTION.md", "On Glass, Sonar and WPBC no printed accuracy is above that of always answering the largest class: 39.33, 55.47 and 82.91.", func() bool {
			return facts["audit.largest"] == "L 39.33 P 55.47 R 82.91 "
		}},
		{"REPRODUCTION.md", "Sonar's best number equals its 55.47", func() bool {
			best := published.Number{}
			for _, n := range published.Of(published.Table()) {
				if n.Letter == "P" && n.Percent > best.Percent {
					best = n
				}
			}
			return best.Accuracy == "55.47" && best.Bold
		}},
		{"REPRODUCTION.md", "LMNN-MM is said to beat T-R2LML or E-R2LML on no set. By the table it does on 7.", func() bool {
			return strings.HasPrefix(facts["claim.lmnn-mm-below"], "fails as claimed in 11 of 18")
		}},
		{"REPRODUCTION.md", "the authors' program in none", func() bool { return none("triangle.triangle-reference") }},
		{"REPRODUCTION.md", "For the printed update without momentum it never rises in our runs", func() bool { return says("claim.never-rises", "holds") }},
		{"REPRODUCTION.md", "for the authors' program it does", func() bool {
			return says("claim.reference-rises", "fails")
		}},
		{"REPRODUCTION.md", "We see it with K = 3, not with K = 2", func() bool {
			return says("claim.toy", "fails") && says("claim.toy-three", "holds")
		}},
		{"REPRODUCTION.md", "settings, as the paper says", func() bool { return 2*number("metrics.many-metrics") > number("metrics.many-metrics.of") }},
		{"REPRODUCTION.md", "λ = 1000 removes just these features in all draws at the finest threshold", func() bool {
			return says("claim.lambda-1e3-found", "holds") && says("claim.lambda-1e3-only", "holds")
		}},
		{"REPRODUCTION.md", "λ = 10000 does not", func() bool {
			return says("claim.lambda-1e4-only", "fails")
		}},
		{"docs/letter.md", "The printed update is less accurate", func() bool {
			return 2*number("collapse.published-lower") > number("collapse.published-lower.of")
		}},
	} {
		page := fixture.Must(os.ReadFile(filepath.Join("../..", c.file)))(t)
		fixture.Has(t, c.file+", whose claims go with their sentences", string(page), c.sentence)
		if !c.holds() {
			t.Errorf("%s: the results do not support %q", c.file, c.sentence)
		}
	}
}
