package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/results"
)

// Sizes are the sizes of the problems of both phases.
type Sizes struct{ Validation, Test method.Size }

// Sizes returns the sizes of the problems of a data set and a rule. ok is false if the files of
// an imported split, or of own data, are missing.
func (s *Source) Sizes(e datasets.DataSet, rule datasets.Rule) (sizes Sizes, ok bool) {
	parts, known := rule.PartSizes(e)
	if known == nil && parts[0] > 0 {
		size := method.Size{N: parts[0], D: cmp.Or(e.PCA, e.Features), C: len(e.Labels)}
		sizes = Sizes{size, size}
		sizes.Validation.M, sizes.Test.M = parts[1], parts[2]
		return sizes, true
	}
	split, err := s.Split(e, rule)
	if err != nil {
		return sizes, false
	}
	return SizesOf(split), true
}

// SizesOf returns the sizes of the problems of a split.
func SizesOf(split *datasets.Split) Sizes {
	n, d := split.Train.X.Dims()
	size := method.Size{N: n, D: d, C: slices.Max(split.Train.Y)}
	sizes := Sizes{size, size}
	sizes.Validation.M, sizes.Test.M = len(split.Validation.Y), len(split.Test.Y)
	return sizes
}

// bytes formats an amount of memory.
func bytes(b float64) string {
	if b < 1<<30 {
		return fmt.Sprintf("%.0f MiB", b/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", b/(1<<30))
}

// Refused returns an error for a job that should not start: a fit needs more memory than the
// budget or the machine has, or a setting surely exceeds its time. A limit of 0 means none.
func (j Job) Refused(machine int64, point method.Budget, sizes Sizes) error {
	size, needed := j.Promise(sizes)
	for _, of := range []struct {
		budget      int64
		has, remedy string
	}{{point.Memory, "--point-memory allows", "a larger --point-memory"}, {machine, "this machine has", "a machine with more"}} {
		if of.budget > 0 && needed > float64(of.budget) {
			return fmt.Errorf("needs %s of memory for %d training and %d query samples, %s %s; take fewer rows (max-train), another method or %s",
				bytes(needed), size.N, size.M, of.has, bytes(float64(of.budget)), of.remedy)
		}
	}
	return j.timely(point.Time, j.TestSize(sizes))
}

// surely: a job is refused if its estimated time exceeds the limit by this factor. Estimates are
// for one machine and the largest number of iterations; a fit that ends earlier takes less, by a
// factor of 3.4 in a trial. A job that is not refused may still run out of time.
const surely = 10

// timely refuses a job whose settings surely exceed most each, by the estimate of its method. It
// compares the mean over the settings, because settings fitted side by side share their time.
func (j Job) timely(most time.Duration, test method.Size) error {
	work := j.Column.Method.Work
	if most <= 0 || work == nil {
		return nil
	}
	settings, mean := j.Distinct(), 0.0
	for _, i := range settings {
		_, each := work(test, j.Inputs.Settings[i*j.Column.Restarts].Params)
		mean += each / float64(len(settings))
	}
	if mean <= surely*float64(most) {
		return nil
	}
	needed, digit := time.Duration(mean), time.Second
	if needed < 10*time.Second {
		digit = time.Millisecond
	}
	return fmt.Errorf("a setting takes about %v for %d training and %d query samples by estimate, --point-time allows %v; "+
		"take fewer rows (max-train), another method or a larger --point-time", needed.Round(digit), test.N, test.M, most)
}

// TestSize returns the size of the problem of the test phase; a joint one includes the validation
// samples.
func (j Job) TestSize(of Sizes) method.Size {
	size := of.Test
	if j.Joint() {
		size.M += of.Validation.M
	}
	return size
}

// Promise returns the largest memory of a fit of a job, in bytes, and the size of its problem, the
// larger of both phases; 0 if unknown.
func (j Job) Promise(of Sizes) (size method.Size, needed float64) {
	var settings []results.Params
	for _, i := range j.Distinct() { // restarts are fitted one after the other
		settings = append(settings, j.Inputs.Settings[i*j.Column.Restarts].Params)
	}
	size = j.TestSize(of)
	needed = j.Column.Method.Promise(size, settings)
	if len(settings) > 1 && j.Inputs.Folds == 0 {
		if selecting := j.Column.Method.Promise(of.Validation, settings); selecting > needed {
			return of.Validation, selecting
		}
	}
	return size, needed
}

// Refusals returns an error for each method and data set of jobs that need more memory than the
// machine or the budget has; a run does not start them. Without a budget only own data can be so
// large.
func Refusals(jobs []Job, source *Source, machine int64, point method.Budget) map[string]error {
	found, seen := map[string]error{}, map[string]bool{}
	for _, j := range jobs {
		name := j.Dataset.ID + ", " + j.Column.ID
		if seen[name] || !j.Dataset.Own() && point == (method.Budget{}) {
			continue
		}
		seen[name] = true
		if sizes, ok := source.Sizes(*j.Dataset, *j.Rule); ok {
			if err := j.Refused(machine, point, sizes); err != nil {
				found[name] = err
			}
		}
	}
	return found
}
