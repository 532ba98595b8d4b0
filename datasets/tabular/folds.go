package tabular

// MaxFolds is how many different values a column of folds may have.
const MaxFolds = 1_000

// checkFolds reports a column of folds that has too many values to be one.
func (t *builder) checkFolds() {
	values := map[string]bool{}
	for row, name := range t.folds {
		if values[name] = true; len(values) > MaxFolds {
			t.at(t.lines[row], 0, "the column of folds %s has more than %d different values up to this row; a fold has the same value "+
				"in all its rows, so name another column in `fold`, or leave it out", t.options.Fold, MaxFolds)
			return
		}
	}
}

// FoldCounts lists the values of the column of folds and their rows, by first
// appearance.
func (t *Table) FoldCounts() (names []string, rows []int) {
	place := map[string]int{}
	for _, name := range t.Folds {
		i, ok := place[name]
		if !ok {
			i = len(names)
			place[name], names, rows = i, append(names, name), append(rows, 0)
		}
		rows[i]++
	}
	return names, rows
}
