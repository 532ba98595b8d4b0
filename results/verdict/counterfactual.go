package verdict

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// Counterfactuals are two tables of the same data sets and methods: every method's
// parameters chosen on the validation samples, and every method's chosen on the
// test samples. Methods without a grid have the same accuracies in both.
type Counterfactuals struct {
	Letters    []string       `json:"letters"` // data sets on which every method ran under both protocols
	All        bool           `json:"-"`       // Letters are all data sets
	Methods    []string       `json:"methods"`
	Proposed   []string       `json:"-"` // those of Methods that the paper proposes
	Validation Counterfactual `json:"validation"`
	OnTest     Counterfactual `json:"on_test"`
	Printed    Counterfactual `json:"printed"` // the paper's values on these data sets
}

// A Counterfactual has the accuracies of one protocol by data set and method, in
// percent: means over the seeds that ran under both.
type Counterfactual struct {
	Accuracies   [][]float64 `json:"accuracies"`
	AverageRanks []float64   `json:"average_ranks"` // by method, 1 the best
	FriedmanP    float64     `json:"friedman_p"`    // that all methods rank alike
	First        []int       `json:"first"`         // data sets on which no method has a higher accuracy, by method
	Kept         []int       `json:"kept"`          // those of First on which the method is first under choice on validation, too
	Gain         []float64   `json:"gain"`          // mean over data sets by method, less that of choice on validation
}

// NewCounterfactuals makes the tables from evidence.
func NewCounterfactuals(evidence []Evidence) Counterfactuals {
	c := Counterfactuals{Letters: []string{}, Methods: columnsOf(evidence)}
	var letters []string
	for _, e := range evidence {
		letters = text.AppendNew(letters, e.Published.Letter)
		if e.Proposed {
			c.Proposed = text.AppendNew(c.Proposed, e.Column)
		}
	}
	grid := gridMethods(evidence)
	for _, letter := range letters {
		var validation, onTest, printed []float64
		for _, m := range c.Methods {
			i := slices.IndexFunc(evidence, func(e Evidence) bool { return e.Published.Letter == letter && e.Column == m })
			if i < 0 || evidence[i].stated() == nil || grid[m] && evidence[i].OnRung(OnTest) == nil {
				break
			}
			e := evidence[i]
			stated, best := *e.stated(), *e.stated()
			if grid[m] {
				stated, best = sameSeeds(stated, *e.OnRung(OnTest))
			}
			if len(best.Runs) == 0 {
				break
			}
			value, _, err := readPrinted(e.Published)
			if err != nil {
				break
			}
			validation, onTest, printed = append(validation, meanOf(stated)), append(onTest, meanOf(best)), append(printed, value)
		}
		if len(validation) < len(c.Methods) {
			continue
		}
		c.Letters = append(c.Letters, letter)
		c.Validation.Accuracies = append(c.Validation.Accuracies, validation)
		c.OnTest.Accuracies = append(c.OnTest.Accuracies, onTest)
		c.Printed.Accuracies = append(c.Printed.Accuracies, printed)
	}
	c.All = len(c.Letters) == len(letters)
	for _, t := range []*Counterfactual{&c.Validation, &c.OnTest, &c.Printed} {
		t.rank(len(c.Methods), c.Validation.Accuracies)
	}
	return c
}

// gridMethods are the columns that have something to choose on some data set.
func gridMethods(evidence []Evidence) map[string]bool {
	grid := map[string]bool{}
	for _, e := range evidence {
		grid[e.Column] = grid[e.Column] || e.OnRung(OnTest) != nil && len(e.Protocols[0].Runs[0].Inputs.Points) > 1
	}
	return grid
}

// sameSeeds keeps the runs of two protocols with the seeds that both have.
func sameSeeds(a, b Protocol) (bothA, bothB Protocol) {
	return a.withSeedsOf(b), b.withSeedsOf(a)
}

func (p Protocol) withSeedsOf(other Protocol) Protocol {
	p.Runs = slices.DeleteFunc(slices.Clone(p.Runs), func(r Run) bool {
		return !slices.ContainsFunc(other.Runs, func(o Run) bool { return o.Inputs.Seed == r.Inputs.Seed })
	})
	return p
}

// meanOf is the mean accuracy of a protocol's runs in percent, in six digits so
// that equal accuracies tie.
func meanOf(p Protocol) float64 { return text.SixDigits(stat.Mean(p.percents(), nil)) }

// rank fills in what follows from the accuracies of so many methods.
func (t *Counterfactual) rank(methods int, validation [][]float64) {
	t.AverageRanks, t.FriedmanP = []float64{}, 1
	t.First, t.Kept, t.Gain = make([]int, methods), make([]int, methods), make([]float64, methods)
	if len(t.Accuracies) == 0 {
		t.Accuracies = [][]float64{}
		return
	}
	f := stats.Friedman(t.Accuracies)
	t.FriedmanP = text.SixDigits(f.P)
	for _, r := range f.AverageRanks {
		t.AverageRanks = append(t.AverageRanks, text.SixDigits(r))
	}
	for i, row := range t.Accuracies {
		for j, v := range row {
			first := v == slices.Max(row)
			t.First[j] += one(first)
			t.Kept[j] += one(first && validation[i][j] == slices.Max(validation[i]))
			t.Gain[j] += (v - validation[i][j]) / float64(len(t.Accuracies))
		}
	}
	for j := range t.Gain {
		t.Gain[j] = text.SixDigits(t.Gain[j])
	}
}
