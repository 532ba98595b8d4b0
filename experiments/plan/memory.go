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

// Sizes are those of the problems of both phases; not ok while the files of an imported
// split are missing, whose sizes nobody knows then. The entries of a plan know the others,
// where their files are there.
func (s *Source) Sizes(e datasets.Entry, rule datasets.Rule) (validation, test method.Size, ok bool) {
	parts, known := rule.PartSizes(e)
	size := method.Size{N: parts[0], D: e.Features, C: len(e.Labels)}
	if e.PCA > 0 {
		size.D = e.PCA
	}
	validation, test = size, size
	validation.M, test.M = parts[1], parts[2]
	if known == nil && parts[0] > 0 {
		return validation, test, true
	}
	split, err := s.Split(e, rule)
	if err != nil {
		return validation, test, false
	}
	validation, test = sizesOf(split)
	return validation, test, true
}

// sizesOf are the sizes of the problems that a split makes.
func sizesOf(split *datasets.Split) (validation, test method.Size) {
	n, d := split.Train.X.Dims()
	count := make([]int, slices.Max(split.Train.Y)+1)
	for _, y := range split.Train.Y {
		count[y]++
	}
	size := method.Size{N: n, D: d, C: len(count) - 1}
	validation, test = size, size
	validation.M, test.M = len(split.Validation.Y), len(split.Test.Y)
	return validation, test
}

// A Shortage says that a fit of a job takes more memory than there is.
type Shortage struct {
	Method string
	Size   method.Size
	Needed float64 // bytes, promised by the method
	Budget int64   // bytes
	// Given says that the budget is of the user's choice, not what the machine has.
	Given bool
}

// Error implements error.
func (s *Shortage) Error() string {
	has, remedy := "this machine has", "a machine with more"
	if s.Given {
		has, remedy = "--point-memory allows", "a larger --point-memory"
	}
	return fmt.Sprintf("needs %s of memory for %d training and %d query samples, %s %s; take fewer rows (max-train), another method or %s",
		bytes(s.Needed), s.Size.N, s.Size.M, has, bytes(float64(s.Budget)), remedy)
}

// bytes is an amount of memory for people.
func bytes(b float64) string {
	if b < 1<<30 {
		return fmt.Sprintf("%.0f MiB", b/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", b/(1<<30))
}

// Promise is what a fit of a job takes at most, in bytes, on a split; 0 where nobody knows.
func (j Job) Promise(split *datasets.Split) float64 {
	_, needed := j.promise(sizesOf(split))
	return needed
}

// Refused returns why a job on a split is not begun: a *Shortage if a fit takes more memory
// than a point may or the machine has, a *Delay if the job surely takes longer than it may.
// A limit of 0 stands for none.
func (j Job) Refused(machine int64, point method.Budget, split *datasets.Split) error {
	validation, test := sizesOf(split)
	return j.refused(machine, point, validation, test)
}

func (j Job) refused(machine int64, point method.Budget, validation, test method.Size) error {
	return cmp.Or(j.within(point.Memory, true, validation, test), j.within(machine, false, validation, test), j.timely(point.Time, test))
}

func (j Job) within(budget int64, given bool, validation, test method.Size) error {
	if size, needed := j.promise(validation, test); budget > 0 && needed > float64(budget) {
		return &Shortage{j.Column.ID, size, needed, budget, given}
	}
	return nil
}

// A Delay says that a setting of a job takes longer than it may, by the estimate of its method.
type Delay struct {
	Size            method.Size
	Needed, Allowed time.Duration // of a setting
}

// Error implements error.
func (d *Delay) Error() string {
	digit := time.Second
	if d.Needed < 10*time.Second {
		digit = time.Millisecond
	}
	return fmt.Sprintf("a setting takes about %v for %d training and %d query samples by estimate, --point-time allows %v; "+
		"take fewer rows (max-train), another method or a larger --point-time",
		d.Needed.Round(digit), d.Size.N, d.Size.M, d.Allowed)
}

// surely is by how much an estimate of time exceeds what is allowed before a job is refused.
// Estimates are for a machine and for as many iterations as a fit may make: where it ends
// earlier they are too high, by 3.4 in a trial. What is not refused may still run out of time.
const surely = 10

// timely returns a *Delay if a job surely takes longer than so long for a setting. The mean of
// the settings counts, as those that are fitted side by side share their time.
func (j Job) timely(most time.Duration, test method.Size) error {
	work := j.Column.Method.Work
	if most <= 0 || work == nil {
		return nil
	}
	settings, needed := j.Distinct(), 0.0
	for _, i := range settings {
		_, each := work(test, j.Inputs.Points[i*j.Column.Restarts].Params)
		needed += each / float64(len(settings))
	}
	if needed <= surely*float64(most) {
		return nil
	}
	return &Delay{test, time.Duration(needed), most}
}

// promise is the larger promise of both phases.
func (j Job) promise(validation, test method.Size) (method.Size, float64) {
	var settings []results.Params
	for _, i := range j.Distinct() { // restarts are fitted one after the other
		settings = append(settings, j.Inputs.Points[i*j.Column.Restarts].Params)
	}
	if j.Joint() {
		test.M += validation.M
	}
	needed := j.Column.Method.Promise(test, settings)
	if len(settings) > 1 && j.Inputs.Folds == 0 {
		if selecting := j.Column.Method.Promise(validation, settings); selecting > needed {
			return validation, selecting
		}
	}
	return test, needed
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
		validation, test, ok := source.Sizes(*j.Entry, *j.Rule)
		if !ok {
			continue
		}
		if err := j.refused(machine, point, validation, test); err != nil {
			found[name] = err
		}
	}
	return found
}
