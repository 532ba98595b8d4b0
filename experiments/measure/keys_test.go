package measure

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// keys are the facts and series by whom they are read, or by whom they are
// written if nobody reads them. %d stands for a number. A new measure adds its own.
var keys = map[string][]string{
	"votes":       {votesFact, "votes tied between %d labels, the true one among them"},
	"collapse":    {r2lml.VerticesFact},
	"t-r2lml":     {r2lml.SimilarFact},
	"lambda":      zeroKeys(),
	"triangle":    {TriangleFact},
	"toy":         {NearestFact, labelSeries, featureSeries, mapSeries, coefficientsSeries, embeddingSeries, lostSeries},
	"convergence": descentKeys(),
	"step: auto":  {r2lml.MovedFact, r2lml.HalvingsFact, r2lml.StepSeries},
	"regularized": {r2lml.UndoneFact},
	"rca":         {"rank of the metric"},
	"scml-local":  {"directions used"},
}

func zeroKeys() []string {
	var all []string
	for _, threshold := range ZeroThresholds {
		for metric := range 3 {
			constant, other := zeroColumnsKeys(metric+1, threshold)
			all = append(all, constant, other)
		}
	}
	return all
}

func descentKeys() []string {
	var all []string
	for _, mode := range Modes {
		for _, key := range []string{blockFact, fittedFact, iterationsFact, startSeries, iterationsSeries, bestSeries, rateSeries} {
			all = append(all, mode+key)
		}
	}
	return all
}

// Every fact and series of an accepted cell has the key of a measure, letter by
// letter.
func TestAcceptedKeys(t *testing.T) {
	fixture.Long(t)
	var patterns []string
	for _, list := range keys {
		for _, key := range list {
			patterns = append(patterns, strings.ReplaceAll(regexp.QuoteMeta(key), "%d", `[1-9][0-9]*`))
		}
	}
	known := regexp.MustCompile("^(" + strings.Join(patterns, "|") + ")$")
	seen := map[string]bool{}
	for _, c := range acceptedCells(t) {
		for _, f := range c.Facts {
			seen[f.Name] = true
		}
		for _, s := range c.Series {
			seen[s.Name] = true
			if _, err := s.Floats(); err != nil {
				t.Errorf("%s on %s: %v", c.Method, c.Dataset, err)
			}
		}
	}
	if len(seen) < 40 {
		t.Fatalf("%d facts and series", len(seen))
	}
	for key := range seen {
		if !known.MatchString(key) {
			t.Errorf("no measure knows %q", key)
		}
	}
}

// acceptedCells are all cells that the lists of accepted cells name, by their files.
func acceptedCells(t *testing.T) map[string]results.Cell {
	t.Helper()
	s := store.Store{Dir: "../../results/accepted"}
	all := map[string]results.Cell{}
	for _, file := range fixture.Must(filepath.Glob(s.Dir + "/gates/*.json"))(t) {
		list, ok, err := s.Accepted(strings.TrimSuffix(filepath.Base(file), ".json"))
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", file, ok, err)
		}
		for _, one := range list.Cells {
			if _, seen := all[one.File]; seen {
				continue
			}
			if all[one.File], ok, err = s.AcceptedCell(one); err != nil || !ok {
				t.Fatalf("%+v: %v, %v", one, ok, err)
			}
		}
	}
	return all
}
