package paper

import "slices"

// MainReading names the reading that verdicts rest on.
const MainReading = "main reading"

// ChoiceOnTest names the reading in which the setting is the best one on the test samples.
const ChoiceOnTest = "choice on test"

// A Reading is a way to read the protocol of the paper, with the runs of columns under it.
// The columns of its evidence are those of the main reading.
type Reading struct {
	Text     string
	Evidence []Evidence
}

// Readings are counts of what readings give, by method. They are a table and no test: the
// readings were chosen after their results had been seen, so that the number of them that
// was tried stands beside it.
type Readings struct {
	Tried   int      `json:"tried"` // the main one included
	Methods []string `json:"methods"`
	Rows    []RowOf  `json:"rows"`
}

// A RowOf is a reading with what it gives by method, in the order of Readings.Methods.
type RowOf struct {
	Reading string  `json:"reading"`
	Columns []Count `json:"columns"`

	verdicts []Verdict
}

// A Count says how near the numbers of a method are under a reading.
type Count struct {
	Agree     int `json:"agree"`
	Closeness     // Numbers is 0 where the method does not have the reading
}

// A NumberReading is what a reading gives for one printed number.
type NumberReading struct {
	Reading string   `json:"reading"`
	Mean    *float64 `json:"mean"`
	SD      float64  `json:"sd"`
	Runs    int      `json:"runs"`
	Planned int      `json:"planned"`
	Verdict string   `json:"verdict"`
	LeftOut int      `json:"left_out,omitempty"` // settings of all runs that were left out of the choice: they answer with one class
}

// newReadings counts what the main reading gives, and then others. Those without a run are
// left out.
func newReadings(main []Verdict, others []Reading) Readings {
	r := Readings{Methods: columnsOf(main), Rows: []RowOf{}}
	if len(main) == 0 {
		return Readings{Methods: []string{}, Rows: []RowOf{}}
	}
	r.add(MainReading, main)
	for _, other := range others {
		verdicts := newVerdicts(other.Evidence)
		if slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Runs > 0 }) {
			r.add(other.Text, verdicts)
		}
	}
	r.Tried = len(r.Rows)
	return r
}

func (r *Readings) add(reading string, verdicts []Verdict) {
	row := RowOf{Reading: reading, Columns: []Count{}, verdicts: verdicts}
	for _, column := range r.Methods {
		counts := CountsOf(ofColumn(verdicts, column))
		row.Columns = append(row.Columns, Count{counts.Count(Agrees), counts.Close})
	}
	r.Rows = append(r.Rows, row)
}

// Of lists what each reading gives for the number of a data set and a column.
func (r Readings) Of(dataset, column string) []NumberReading {
	var all []NumberReading
	for _, row := range r.Rows {
		for _, v := range row.verdicts {
			if v.Dataset == dataset && v.Method == column && (v.Runs > 0 || row.Reading == MainReading) {
				one := NumberReading{row.Reading, v.Mean, v.SD, v.Runs, v.Planned, v.Verdict, 0}
				for _, run := range v.Evidence.Runs {
					one.LeftOut += run.LeftOut
				}
				all = append(all, one)
			}
		}
	}
	return all
}
