package study

import "slices"

// Runs are those of a method on the split of the rule of one data set, under the
// protocol that the paper states: one with each seed that is stored.
type Runs struct {
	Dataset, Method string // ids, the latter of a column
	Correct         []int  // right answers, by seed
	N               int    // test samples
}

// runsOf are the runs of a method on a data set, none without any.
func runsOf(all []Runs, dataset, method string) Runs {
	i := slices.IndexFunc(all, func(r Runs) bool { return r.Dataset == dataset && r.Method == method })
	if i < 0 {
		return Runs{}
	}
	return all[i]
}

func (r Runs) none() bool { return len(r.Correct) == 0 }

// percent is the mean accuracy in percent.
func (r Runs) percent() float64 {
	sum := 0
	for _, c := range r.Correct {
		sum += c
	}
	return 100 * float64(sum) / float64(len(r.Correct)*r.N)
}
