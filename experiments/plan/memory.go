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

// Sizes are those of the problems of both phases.
type Sizes struct{ Validation, Test method.Size }

// Sizes are those of a data set and a rule; not ok while the files of an imported split are
// missing, whose sizes nobody knows then. The entries of a plan know the others, where their
// files are there.
func (s *Source) Sizes(e datasets.Entry, rule datasets.Rule) (sizes Sizes, ok bool) {
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

// SizesOf are the sizes of the problems that a split makes.
func SizesOf(split *datasets.Split) Sizes {
	n, d := split.Train.X.Dims()
	size := method.Size{N: n, D: d, C: slices.Max(split.Train.Y)}
	sizes := Sizes{size, size}
	sizes.Validation.M, sizes.Test.M = len(split.Validation.Y), len(split.Test.Y)
	return sizes
}

// bytes is an amount of memory for people.
func bytes(b float64) string {
	if b < 1<<30 {
		return fmt.Sprintf("%.0f MiB", b/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", b/(1<<30))
}

// Refused returns why a job is not begun: a fit takes more memory than a point may or the
// machine has, or a setting surely takes longer than it may. A limit of 0 stands for none.
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

// surely is by how much an estimate of time exceeds what is allowed before a job is refused.
// Estimates are for a machine and for as many iterations as a fit may make: where it ends
// earlier they are too high, by 3.4 in a trial. What is not refused may still run out of time.
const surely = 10

// timely refuses a job that surely takes longer than so long for a setting, by the estimate of
// its method. The mean of the settings counts, as those that are fitted side by side share
// their time.
func (j Job) timely(most time.Duration, test method.Size) error {
	work := j.Column.Method.Work
	if most <= 0 || work == nil {
		return nil
	}
	settings, mean := j.Distinct(), 0.0
	for _, i := range settings {
		_, each := work(test, j.Inputs.Points[i*j.Column.Restarts].Params)
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

// TestSize is the size of the problem of the test phase, which under joint has the validation
// samples, too.
func (j Job) TestSize(of Sizes) method.Size {
	size := of.Test
	if j.Joint() {
		size.M += of.Validation.M
	}
	return size
}

// Promise is what a fit of a job takes at most, in bytes, and the problem that it takes it for,
// the larger one of both phases; 0 where nobody knows.
func (j Job) Promise(of Sizes) (size method.Size, needed float64) {
	var settings []results.Params
	for _, i := range j.Distinct() { // restarts are fitted one after the other
		settings = append(settings, j.Inputs.Points[i*j.Column.Restarts].Params)
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

// Refusals lists the methods and data sets among jobs that this much memory of the machine, or
// the budget of a point, is too little for, each once: what a run does not begin. Without a
// budget only data of the user's own can be so large.
func Refusals(jobs []Job, source *Source, machine int64, point method.Budget) map[string]error {
	found, seen := map[string]error{}, map[string]bool{}
	for _, j := range jobs {
		name := j.Entry.ID + ", " + j.Column.ID
		if seen[name] || !j.Entry.Own() && point == (method.Budget{}) {
			continue
		}
		seen[name] = true
		if sizes, ok := source.Sizes(*j.Entry, *j.Rule); ok {
			if err := j.Refused(machine, point, sizes); err != nil {
				found[name] = err
			}
		}
	}
	return found
}
