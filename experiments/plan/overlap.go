package plan

import (
	"fmt"
	"strings"
)

const (
	shareTold  = 0.05 // of the test rows, from which on a rule that draws tells that they train
	splitsTold = 6    // that are listed
)

// Overlaps tells, a sentence for each set of own data, how many test rows of its splits are
// training rows, too. Splits that are drawn tell it of more than one row in twenty: some equal
// rows are common in measured data. Where the data say which rows train, each counts.
func (p Plan) Overlaps() []string {
	var all []string
	for i := 0; i < len(p.Rows); {
		e, rule, first := p.Rows[i].Entry.ID, p.Rows[i].Rule, i
		shared, tested, counts := 0, 0, []string{}
		for ; i < len(p.Rows) && p.Rows[i].Entry.ID == e; i++ {
			r := p.Rows[i]
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
