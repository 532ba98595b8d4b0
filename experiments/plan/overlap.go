package plan

import (
	"fmt"
	"strings"
)

const (
	shareTold  = 0.05 // least reported share of the test rows under random rules
	splitsTold = 6    // most splits listed
)

// Unused returns a sentence for each set of own data whose parts or folds no split uses.
func (p Plan) Unused() (all []string) {
	for _, row := range p.Splits {
		if row.Repeat == 1 && len(row.Dataset.FoldSizes) > 0 && !row.Rule.ByColumn() {
			all = append(all, fmt.Sprintf("%s: the parts or folds of the data are not used under `rule: %s`; use `rule: fold`", row.Dataset.ID, row.Rule.Kind))
		}
	}
	return all
}

// Overlaps returns, for each set of own data, a sentence on the test rows of its splits that
// equal training rows. For random splits it reports more than one row in twenty, because some
// equal rows are common in measured data; if the data name the parts, it reports any.
func (p Plan) Overlaps() []string {
	var all []string
	for i := 0; i < len(p.Splits); {
		e, rule, first := p.Splits[i].Dataset.ID, p.Splits[i].Rule, i
		shared, tested, counts := 0, 0, []string{}
		for ; i < len(p.Splits) && p.Splits[i].Dataset.ID == e; i++ {
			r := p.Splits[i]
			shared, tested = shared+r.Shared, tested+r.Tested
			if r.Shared > 0 {
				counts = append(counts, fmt.Sprintf("split %d: %d of %d", r.Repeat, r.Shared, r.Tested))
			}
		}
		if shared == 0 || !rule.ByColumn() && float64(shared) <= shareTold*float64(tested) {
			continue
		}
		where := ""
		if splits := i - first; splits > 1 {
			if more := len(counts) - splitsTold; more > 0 {
				counts = append(counts[:splitsTold], fmt.Sprintf("and %d more", more))
			}
			where = fmt.Sprintf(" of their split (%s)", strings.Join(counts, ", "))
		}
		all = append(all, fmt.Sprintf("%s: %d of %d test rows are also training rows%s. If equal rows are copies of one sample, accuracies are too high: "+
			"keep each sample in one part", e, shared, tested, where))
	}
	return all
}
