package run_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/external"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
)

// TestShippedStanza: the spec beside the examples is valid, and they label as the Euclidean
// column does, ties of distances and votes included.
func TestShippedStanza(t *testing.T) {
	t.Parallel()
	fixture.Needs(t, "python3", "awk")
	const file = "../external/knn.yaml"
	text := fixture.Text(t, file)
	s := fixture.Must(spec.Parse(file, []byte("neighbors: 4\n"+strings.Replace(text, "twonorm-gen", "mat:tiny", 1))))(t)
	draw := rand.New(rand.NewPCG(3, 4))
	for _, integer := range []bool{false, true} {
		split := datasets.Split{Train: samples(draw, 90, integer), Validation: samples(draw, 12, integer), Test: samples(draw, 60, integer), Digest: "drawn"}
		jobs, cells, err := compute(t, t.Context(), s, &Runner{Source: sourceOf(t, &split)})
		fixture.Check(t, err)
		for _, i := range []int{1, 3} {
			fixture.EqualSlice(t, jobs[i].Column.ID, cells[i].Predicted, cells[0].Predicted)
		}
		if p := cells[2].Setting().Params; p["k"] == nil {
			t.Errorf("parameters of %s: %v, want the chosen k", jobs[2].Column.ID, p)
		}
	}
}

// pythonWith is a Python that has a module, the one in PATH or that of the system. It skips
// a test where neither has it.
func pythonWith(t *testing.T, module string) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	t.Skipf("needs a Python with %s", module)
	return ""
}

// cellsOn runs stanzas on generated data and returns their cells, and all bytes.
func cellsOn(t *testing.T, set, stanzas string) ([]results.Cell, map[string]string) {
	t.Helper()
	s := storeIn(t, t.TempDir())
	_, cells := computed(t, "name: recipes\ndatasets: ["+set+"]\nmethods:\n"+stanzas, &Runner{Store: s})
	return cells, testkit.Cells(t, s.Dir)
}

func recipe(python, script, protocol, name string) string {
	return fmt.Sprintf("  - method: external\n    name: %s\n    params: {command: [%s, ../external/%s], protocol: %s, recipe: %[1]s}\n",
		name, python, script, protocol)
}

// testRecipes runs recipes of a script on Two Norm under both protocols. Each comes
// within its points of the Bayes rule, which is right with probability Φ(2) = 0.9772,
// and none passes that by more than chance. Both protocols give the same bytes.
func testRecipes(t *testing.T, python, script string, least map[string]float64) {
	names := slices.Sorted(maps.Keys(least))
	bytesOf := map[string]map[string]string{}
	for _, protocol := range []string{"one-shot", "stdio"} {
		var stanzas strings.Builder
		for _, name := range names {
			stanzas.WriteString(recipe(python, script, protocol, name))
		}
		cells, all := cellsOn(t, "twonorm-gen", stanzas.String())
		bytesOf[protocol] = all
		for i, c := range cells {
			n := float64(len(c.Truth))
			const bayes = 0.9772
			most := bayes + 4*math.Sqrt(bayes*(1-bayes)/n)
			if got := float64(c.Correct()) / n; got < least[names[i]] || got > most {
				t.Errorf("%s, %s: accuracy %.4f, want %.2f to %.4f", names[i], protocol, got, least[names[i]], most)
			}
		}
	}
	testkit.EqualCells(t, bytesOf["stdio"], bytesOf["one-shot"])
}

func TestRecipesOfScikitLearn(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	python := pythonWith(t, "sklearn")
	testRecipes(t, python, "sklearn_recipes.py", map[string]float64{"logistic": 0.95, "knn": 0.94, "nca": 0.93, "lda": 0.96, "svm": 0.96, "random-forest": 0.93})
	cells, _ := cellsOn(t, "twonorm-gen", "  - method: euclidean\n"+recipe(python, "sklearn_recipes.py", "stdio", "knn")+
		recipe(python, "knn_sklearn.py", "one-shot", "script"))
	for _, c := range cells[1:] {
		fixture.EqualSlice(t, "labels by the neighbors of scikit-learn", c.Predicted, cells[0].Predicted)
	}
}

// TestRecipesKeepTheContract: what Check asks of a program holds for the shipped recipes, the
// same answer whatever a process was asked before among it; and for a script that draws.
func TestRecipesKeepTheContract(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	for _, recipe := range []string{"nca", "random-forest", "drawn", "rca"} { // three draw
		t.Run(recipe, func(t *testing.T) {
			t.Parallel()
			var command []string
			switch recipe {
			case "rca":
				fixture.Needs(t, "Rscript")
				command = []string{"Rscript", "../external/rca.R"}
			case "drawn":
				command = []string{pythonWith(t, "sklearn"), drawing(t)}
			default:
				command = []string{pythonWith(t, "sklearn"), "../external/sklearn_recipes.py"}
			}
			e := fixture.Must(external.FromFlags(command, "stdio", time.Minute, []string{"recipe=" + recipe}))(t)
			for _, f := range fixture.Must(external.Check(t.Context(), e))(t) {
				if f.Status != external.OK && !(recipe == "drawn" && f.Check == "order of queries immaterial") {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// drawing is a script that draws its answers, which the helper for Python makes the same
// in every fit.
func drawing(t *testing.T) string {
	return fixture.Write(t, filepath.Join(t.TempDir(), "drawn.py"), fmt.Sprintf(`import random, sys
sys.path.insert(0, %q)
from r2lmlbench import np, serve
serve(lambda p: [1 + (random.randrange(p.classes) + np.random.randint(p.classes)) %% p.classes for _ in p.query])
`, fixture.Must(filepath.Abs("../external"))(t)))
}

func TestRecipesOfMetricLearn(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	python := pythonWith(t, "metric_learn")
	testRecipes(t, python, "metric_learn_recipes.py",
		map[string]float64{"itml": 0.85, "lmnn": 0.85, "lfda": 0.85, "mmc": 0.85, "sdml": 0.85, "lsml": 0.85})
}

// TestRecipeInR: R and Go learn the same metric.
func TestRecipeInR(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	fixture.Needs(t, "Rscript")
	stanza := "  - method: rca\n  - method: external\n    params: {command: [Rscript, ../external/rca.R], protocol: %s}\n"
	cells, once := cellsOn(t, "overlap30", fmt.Sprintf(stanza, "one-shot"))
	_, served := cellsOn(t, "overlap30", fmt.Sprintf(stanza, "stdio"))
	testkit.EqualCells(t, served, once)
	fixture.EqualSlice(t, "predictions of R", cells[1].Predicted, cells[0].Predicted)
}
