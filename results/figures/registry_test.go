package figures

import (
	"testing"

	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// Every drawing takes the result of its study, also one without a single cell.
func TestDrawings(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Drawings {
		if found, ok := Find(d.Name); !ok || found.Study != d.Study || seen[d.Name] {
			t.Errorf("%s: %v", d.Name, found)
		}
		seen[d.Name] = true
		in := Input{Table: table.Table{}}
		if d.Study != "" {
			s, ok := study.Find(d.Study)
			if !ok {
				t.Fatalf("%s: there is no study %q", d.Name, d.Study)
			}
			if s.Read != nil {
				var err error
				if in.Study, err = s.Read(study.Input{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if figures, err := d.Draw(in); err != nil || len(figures) != 0 {
			t.Errorf("%s: %d figures, %v", d.Name, len(figures), err)
		}
	}
	if _, ok := Find("none"); ok {
		t.Error("a drawing without a line")
	}
}
