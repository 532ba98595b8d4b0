package plan

import (
	"fmt"
	"slices"

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
	return fmt.Sprintf("needs %s of memory for %d training and %d query samples, %s %s; take fewer rows, another method or %s",
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

// Within returns a *Shortage if a fit of a job on a split takes more than so many bytes, of
// which 0 stands for any.
func (j Job) Within(budget int64, given bool, split *datasets.Split) error {
	validation, test := sizesOf(split)
	return j.within(budget, given, validation, test)
}

func (j Job) within(budget int64, given bool, validation, test method.Size) error {
	if size, needed := j.promise(validation, test); budget > 0 && needed > float64(budget) {
		return &Shortage{j.Column.ID, size, needed, budget, given}
	}
	return nil
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

// Shortages lists the methods and data sets of a plan that this much memory is too little
// for, each once. Only data of the user's own can be so large.
func (p Plan) Shortages(source *Source, budget int64) map[string]error {
	found := map[string]error{}
	for _, j := range p.Jobs() {
		name := j.Entry.ID + ", " + j.Column.ID
		if _, seen := found[name]; seen || !j.Entry.Own() {
			continue
		}
		if validation, test, ok := source.Sizes(*j.Entry, *j.Rule); ok {
			if err := j.within(budget, false, validation, test); err != nil {
				found[name] = err
			}
		}
	}
	return found
}
