package reproduction

import (
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// readPays reads the study of a made-up table, which stands for all its specs.
func readPays(t *testing.T, tbl table.Table) study.Pays {
	t.Helper()
	c := study.SpecCells{Table: tbl, Families: studytest.PaysFamilies}
	for range tbl.Rows {
		plans := make([]study.PlanCell, len(tbl.Columns))
		for j := range plans {
			plans[j] = study.PlanCell{Points: studytest.PaysGrid(j), Seconds: float64(max(j, 1))}
		}
		c.Training, c.Plans = append(c.Training, 40), append(c.Plans, plans)
	}
	p, err := study.ReadPays(study.Input{Table: tbl, Specs: map[string]study.SpecCells{"pays": c, "pays-equal": c, "pays-rule": c, "splits": c}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The answer turns round when the numbers do, and no sentence of it is long.
func TestPaysAnswer(t *testing.T) {
	for _, c := range []struct {
		name          string
		local, global int
		want          []string
	}{
		{"better", 20, 10, []string{"Local metrics pay:", "more accurate than the global one by 5.00 points",
			"The median is +5.00 points, the mean without Set 0 +5.00.",
			"more accurate on 8 sets, less accurate on 0 and never equal", "glml and plml. E-R2LML is left out: it has no results. T-R2LML is left out",
			"glml (local, 1.0)", "of which 1 learns local metrics", "stand euclidean, gmml and glml, of which"}},
		{"worse", 10, 20, []string{"Local metrics do not pay: one global metric is better", "less accurate than the global one by 5.00 points", "gmml (global, 1.0)",
			"none of which learns local metrics"}},
		{"equal", 11, 10, []string{"Local metrics do not pay: they are within a point", "by 0.50 points"}},
	} {
		p := readPays(t, studytest.Pays(map[string]int{"local": c.local, "global": c.global}))
		gist, rest := paysAnswer(p)
		if len(gist) > 4 {
			t.Errorf("%s: the gist has %d sentences", c.name, len(gist))
		}
		said := strings.Join(slices.Concat(gist, rest), " ")
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in\n%s", c.name, want, said)
			}
		}
		for sentence := range strings.SplitSeq(strings.ReplaceAll(said, ". ", ".\n"), "\n") {
			if n := len(strings.Fields(sentence)); n >= 30 {
				t.Errorf("%d words: %s", n, sentence)
			}
		}
	}
}

// The page has the finding and its figure, or says that nothing is stored; then there
// are no files.
func TestPaysOnPage(t *testing.T) {
	full := readPays(t, studytest.Pays(map[string]int{"local": 20}))
	in := Input{Studies: []Study{{ID: "pays", Title: paysTitle, Result: full}},
		Drawings: []Drawing{{Name: "local-metrics", Title: "Time", SVG: []byte("<svg>")}}}
	page := paysOnPage(in)
	if text := page.Markdown(); !strings.Contains(text, "![Time](reproduction/local-metrics.svg)") || !strings.Contains(text, "Local metrics pay") {
		t.Errorf("%s", text)
	}
	files, err := paysFiles(in)
	if err != nil || len(files) != 2 || files[1].Name != "reproduction/local-metrics.svg" {
		t.Fatalf("%v, %v", files, err)
	}
	// Seven methods have 21 pairs, on 8 data sets.
	if lines := strings.Count(string(files[0].Data), "\n"); lines != 1+21*8 {
		t.Errorf("%d lines of contrasts, want 169", lines)
	}
	section := pays(full)
	checkTables(t, section.Markdown())
	if fileOf(section) != "reproduction/do-local-metrics-pay.md" || !strings.HasPrefix(section.Gist.String(), "Local metrics pay") {
		t.Errorf("%s: %s", fileOf(section), section.Gist)
	}
	empty := Input{Studies: []Study{{ID: "pays", Result: readPays(t, studytest.Without(studytest.Pays(nil), func(int, int) bool { return true }))}}}
	if text := (document.Document{Sections: []document.Section{paysOnPage(empty)}}).Markdown(); !strings.Contains(text, "Nothing is stored") {
		t.Errorf("%s", text)
	}
	if files, err := paysFiles(empty); err != nil || len(files) != 0 {
		t.Errorf("%v, %v, want no files", files, err)
	}
}

// TestLinksToContext: what other classifiers reach is linked only where it is known.
func TestLinksToContext(t *testing.T) {
	p := readPays(t, studytest.Pays(map[string]int{"local": 20, "global": 10}))
	in := Input{Studies: []Study{{ID: paysID, Title: paysTitle, Result: p}}}
	for _, known := range []bool{false, true} {
		if known {
			in.Studies = append(in.Studies, Study{ID: study.ContextName, Title: study.ContextTitle, Result: study.Context{}})
		}
		onPage := paysOnPage(in)
		page, appendix := onPage.Markdown(), ""
		for _, s := range Findings(in) {
			if s.Title == paysTitle {
				appendix = s.Markdown()
			}
		}
		if strings.Contains(page, "(reproduction/other-classifiers.md)") != known || strings.Contains(appendix, "(other-classifiers.md)") != known {
			t.Errorf("known %v: page and appendix are\n%s\n%s", known, page, appendix)
		}
	}
}

// Names mean themselves, and half of the cells are enough for sound tables.
func TestPaysHostile(t *testing.T) {
	tbl := hostile(studytest.Pays(nil))
	for i := range tbl.Rows {
		tbl.Rows[i].Split = "random " + string(rune('a'+i%3))
	}
	for _, tbl := range []table.Table{tbl, studytest.Without(tbl, func(row, column int) bool { return (row+column)%2 == 1 })} {
		s := pays(readPays(t, tbl))
		checkTables(t, s.Markdown())
		if text := string(document.HTML(s.Title, s.Blocks...)); strings.Contains(text, "<script>") {
			t.Errorf("a tag is not escaped in\n%s", text)
		}
	}
}

// A study without a section of its own says with its count how large the differences
// are: +1 point on the first data set, -4 on the second.
func TestDifferencesInWords(t *testing.T) {
	r, err := study.ReadAutoSteps(autoInput())
	if err != nil {
		t.Fatal(err)
	}
	text := anyStudy(Study{ID: "auto", Title: "Step lengths", Result: r}).Markdown()
	if !strings.Contains(text, "on 1 of 2 data sets (mean difference -1.50 points") || !strings.Contains(text, "1 data set left out") {
		t.Error(text)
	}
}

func autoInput() study.Input {
	tbl, rows := studytest.AutoSteps()
	return study.Input{Table: tbl, Rows: rows}
}
