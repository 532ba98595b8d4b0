package paper_test

import (
	"fmt"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/document"
	"r2lmlbench/r2lml"
)

// addInvariances adds a row for all methods that declare the same invariances.
func (f facts) addInvariances() {
	l := document.New("", "method", "shift", "scale", "units", "rotation", "order of features", "order of rows", "names of classes")
	rows := map[r2lml.Invariances]int{}
	for _, m := range registry.Methods {
		if m.Metric == method.NoMetric {
			continue
		}
		i := m.Invariances
		if row, known := rows[i]; known {
			l.Rows[row][0].Text += ", " + m.Name
			continue
		}
		rows[i] = len(l.Rows)
		line := []any{m.Name}
		for _, share := range []float64{i.Translation, i.Scale, i.Units, i.Rotation, i.Features, i.Rows, i.Classes} {
			line = append(line, inWords(share))
		}
		l.Add(line...)
	}
	f.list("invariances", l)
}

// inWords says how many labels stay.
func inWords(share float64) string {
	switch share {
	case 0:
		return "no"
	case 1:
		return "yes"
	default:
		return fmt.Sprintf("%.0f %%", 100*share)
	}
}
