package figures

import (
	"slices"
	"testing"

	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// Every drawing takes the result of its study, also one without a single cell.
func TestDrawings(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Drawings {
		if seen[d.Name] {
			t.Errorf("%s has two lines", d.Name)
		}
		seen[d.Name] = true
		in := Input{Table: table.Table{}}
		if d.Study != "" {
			at := slices.IndexFunc(study.Studies, func(s study.Study) bool { return s.ID == d.Study })
			if at < 0 {
				t.Fatalf("%s: there is no study %q", d.Name, d.Study)
			}
			if read := study.Studies[at].Read; read != nil {
				var err error
				if in.Study, err = read(table.Table{}, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		if figures, err := d.Draw(in); err != nil || len(figures) != 0 {
			t.Errorf("%s: %d figures, %v", d.Name, len(figures), err)
		}
	}
}
