package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/machine"
	"r2lmlbench/internal/text"
)

// comparedWork and comparedTimes bound the CPU time that the methods of a comparison take
// together by estimate, unless all are wanted: the larger of so much and so many times what
// untuned k-NN takes, which grows with the data up to comparedMost. The estimate is that of cost.Nominal, whatever the
// machine and the number of workers, so that the same methods are compared everywhere.
const (
	comparedWork  = 30 * time.Second
	comparedTimes = 20
	comparedMost  = 5 * time.Minute
)

// Subsample is the number of training rows that messages suggest if all of them take long.
const Subsample = 2000

// A LeftOut is a method that was not compared.
type LeftOut struct {
	Method string `json:"method"`
	Reason string `json:"reason"`

	Took, Less time.Duration `json:"-"` // CPU time that it would take, and with Subsample if that is much less; 0: there is another reason
}

// Chosen are the methods of a comparison that there is memory and time for.
type Chosen struct {
	Methods []string // in the order of the registry
	LeftOut []LeftOut

	// Beyond tells that methods which the user asked for take longer than the limit, and much
	// less with Subsample: Took and Less.
	Beyond     bool
	Took, Less time.Duration // CPU
}

// A candidate is a method that there is memory for.
type candidate struct {
	id   string
	took time.Duration // of CPU
	less time.Duration // with Subsample; 0: no less
}

// Choose decides which methods of a planned comparison are computed. It leaves out the methods
// that there is too little memory for, and, the most costly first, those that take it beyond its
// CPU time, unless the user asks for all of them; the control stays.
func Choose(p plan.Plan, source *plan.Source, control string, all bool) (c Chosen) {
	candidates, spent, short := candidates(p, source)
	c.LeftOut = short
	limit := max(comparedWork, min(comparedTimes*spent, comparedMost))
	kept := map[string]bool{}
	for _, one := range candidates {
		c.Less += cmp.Or(one.less, one.took)
		if spent += one.took; spent <= limit || all || one.id == control {
			kept[one.id] = true
			continue
		}
		reason := "it would take about " + text.Roughly(one.took) + " of CPU time, too much beside the others; --all includes it"
		if one.less > 0 {
			reason += fmt.Sprintf(", --max-train %d makes it about %s", Subsample, text.Roughly(one.less))
		}
		c.LeftOut = append(c.LeftOut, LeftOut{one.id, reason, one.took, one.less})
	}
	c.Took, c.Beyond = spent, all && spent > limit && c.Less < spent/2
	c.Methods = slices.DeleteFunc(Methods(), func(id string) bool { return !kept[id] })
	return c
}

// candidates are the methods that there is memory for, the least costly first, the CPU time of the
// columns that every comparison has, and the methods with too little memory.
func candidates(p plan.Plan, source *plan.Source) (all []candidate, spent time.Duration, short []LeftOut) {
	refused := map[string]error{} // by column
	for name, err := range plan.Refusals(p.Jobs(), source, machine.Memory(), method.Budget{}) {
		_, column, _ := strings.Cut(name, ", ")
		refused[column] = err
	}
	rates := cost.Nominal(p)
	for i := range p.Spec.Columns {
		column := &p.Spec.Columns[i]
		var work, less float64
		for _, row := range p.Splits {
			j := row.Jobs[i][0]
			work += rates.Seconds(j, source)
			if rule := *j.Rule; rule.MaxTrain == 0 {
				rule.MaxTrain = Subsample
				j.Rule = &rule
				less += rates.Seconds(j, source)
			}
		}
		one := candidate{id: column.ID, took: time.Duration(work * 1e9)}
		if less < work/2 {
			one.less = time.Duration(less * 1e9)
		}
		switch {
		case column.ID == Raw || column.ID == Scaled:
			spent += one.took
		case refused[column.ID] != nil:
			short = append(short, LeftOut{Method: column.ID, Reason: refused[column.ID].Error()})
		default:
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return cmp.Compare(x.took, y.took) })
	return all, spent, short
}

// Void explains why a comparison on a table, of which an entry has the rows per class, under a rule
// and with k neighbors can tell nothing; nil if it can.
func Void(t *tabular.Table, e datasets.DataSet, rule datasets.Rule, k int) error {
	words := slices.ContainsFunc(t.Categories, func(texts []string) bool { return texts != nil })
	if !words && !slices.ContainsFunc(t.Columns(), func(f tabular.Feature) bool { return f.Min != f.Max }) {
		return errors.New("all features are constant, so that no row is nearer than another; give a file with a feature that varies")
	}
	_, rows, _, ok := rule.Majority(e)
	if !ok || rows >= k {
		return nil
	}
	more := "a file with more rows of a class"
	if rule.MaxTrain > 0 {
		more = "a larger --max-train"
	}
	return fmt.Errorf("no class has more than %s in a split, and %d neighbors vote, so that other classes vote on every row, whatever the metric; "+
		"give --neighbors %d, or %s", text.Counted(rows, "training row"), k, max(1, rows-1+rows%2), more)
}
