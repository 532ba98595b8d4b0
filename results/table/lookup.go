package table

import "r2lmlbench/results"

// Find returns what row r of t has in the first column of the method with these
// values of swept parameters (name, value, name, value, ...), a missing cell
// without such a column.
func (t Table) Find(r Row, method string, swept ...string) Cell {
	for i, c := range t.Columns {
		if c.Method == method && i < len(r.Cells) && c.hasSwept(swept) {
			return r.Cells[i]
		}
	}
	return Cell{Status: StatusMissing}
}

func (c Column) hasSwept(swept []string) bool {
	for i := 0; i+1 < len(swept); i += 2 {
		if c.Swept[swept[i]] != swept[i+1] {
			return false
		}
	}
	return true
}

// FactOf returns a fact by its name, and whether there is one. A nil score has
// none.
func (s *Score) FactOf(name string) (results.Fact, bool) {
	if s == nil {
		return results.Fact{}, false
	}
	return results.FactOf(s.Facts, name)
}

// SeriesOf returns a series by its name, an empty one if there is none. A nil
// score has none.
func (s *Score) SeriesOf(name string) results.Series {
	if s != nil {
		for _, one := range s.Series {
			if one.Name == name {
				return one
			}
		}
	}
	return results.Series{}
}
