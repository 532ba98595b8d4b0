package figures

import (
	"strings"
	"testing"

	"r2lmlbench/results/study"
	"r2lmlbench/results/study/studytest"
)

// Every ranked method has a mark; the front is filled, and named in words.
func TestPays(t *testing.T) {
	tbl := studytest.Pays(map[string]int{"local": 20, "global": 10})
	c := study.SpecCells{Table: tbl, Families: studytest.PaysFamilies}
	for range tbl.Rows {
		plans := make([]study.PlanCell, len(tbl.Columns))
		for j := range plans {
			plans[j].Seconds = float64(j + 1)
		}
		c.Training, c.Plans = append(c.Training, 40), append(c.Plans, plans)
	}
	p, err := study.ReadPays(study.Input{Table: tbl, Specs: map[string]study.SpecCells{"pays": c}})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := Pays(p)
	if err != nil || len(drawn) != 1 {
		t.Fatalf("%d figures, %v", len(drawn), err)
	}
	f := drawn[0]
	// Times rise with the columns: Euclidean, gmml and glml are on the front.
	for _, want := range []string{"Two panels with a line for each of 6 methods", "glml (local) 62.25 in 48.0 s",
		"as accurate and as fast: glml, gmml and euclidean."} {
		if !strings.Contains(f.Alt, want) {
			t.Errorf("%q is not in %s", want, f.Alt)
		}
	}
	if lines := strings.Split(string(f.CSV), "\n"); len(lines) != 8 || lines[1] != "glml,glml,local,1,62.25,48,true,8" {
		t.Errorf("%q", lines)
	}
	if !strings.Contains(string(f.SVG), `<rect class="paper"`) {
		t.Error("the file has no ground")
	}
	if n := strings.Count(string(f.SVG), "> </text>"); n != 0 {
		t.Errorf("%d texts are blank", n)
	}
}
