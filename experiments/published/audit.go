package published

import (
	"r2lmlbench/stats/audit"
)

// zeroColumns are the ids of the columns that count the zero columns of each metric.
var zeroColumns = []string{"zeros 1", "zeros 2", "zeros 3"}

// lambdaStudies are the two tables of accuracy against lambda, as the study lambda by data
// set with the columns of the spec lambda, and the study zeros with a row for each lambda of
// the second table and the zero columns of each metric.
func lambdaStudies() map[string]*audit.Study {
	lambda, zeros := &audit.Study{Name: "lambda"}, &audit.Study{Name: "zeros", Columns: zeroColumns}
	of := map[string]string{} // the data set of each study, the first of its families
	for _, f := range LambdaFamilies() {
		if of[f.Study] == "" {
			of[f.Study] = f.ID
			lambda.Rows = append(lambda.Rows, audit.StudyRow{ID: f.ID})
		}
	}
	type place struct{ row, column string }
	accuracies, counts := map[place]float64{}, map[place]float64{}
	for _, p := range LambdaPoints() {
		column := "e-r2lml:lambda=" + p.Lambda
		accuracies[place{of[p.Study], column}] = p.Percent
		if p.Zeros == nil {
			continue
		}
		lambda.Columns = append(lambda.Columns, column) // the second table has those of the first
		zeros.Rows = append(zeros.Rows, audit.StudyRow{ID: p.Lambda})
		for i, n := range p.Zeros {
			counts[place{p.Lambda, zeroColumns[i]}] = float64(n)
		}
	}
	look := func(s *audit.Study, all map[place]float64) func(int, int, string) (float64, bool) {
		return func(row, column int, measure string) (float64, bool) {
			if x, ok := all[place{s.Rows[row].ID, s.Columns[column]}]; ok && measure == "accuracy" {
				return x, true
			}
			return 0, false
		}
	}
	lambda.Number, zeros.Number = look(lambda, accuracies), look(zeros, counts)
	return map[string]*audit.Study{lambda.Name: lambda, zeros.Name: zeros}
}
