package reproduction

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/golden"
	"r2lmlbench/results"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// An example is a section with the made-up table that it is written from.
type example struct {
	id    string
	table table.Table
}

func examples() []example {
	return []example{
		{"across", studytest.Across()}, {"collapse", studytest.Variants()}, {"steps", studytest.Steps()}, {"metrics", studytest.Metrics()},
		{"lambda", studytest.Lambda()},
		{"triangle", studytest.Triangle()}, {"toy", studytest.Toy()}, {"convergence", studytest.Convergence()}, {"alternatives", studytest.Alternatives()},
	}
}

// read reads the study of an example from a table.
func read(t *testing.T, id string, tbl table.Table) study.Result {
	t.Helper()
	if id == "across" {
		a, err := study.ReadAcross(tbl, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	at := slices.IndexFunc(study.Studies, func(s study.Study) bool { return s.ID == id })
	if at < 0 {
		t.Fatalf("there is no study %q", id)
	}
	r, err := study.Studies[at].Read(study.Input{Table: tbl, Classes: studytest.Classes, Accuracies: studytest.Accuracies()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sectionOf is the section on a result.
func sectionOf(r study.Result) document.Section {
	if a, ok := r.(study.Across); ok {
		return across(a)
	}
	return Section(Study{Title: "Any", Result: r})
}

// anything is a study that has no section of its own.
type anything struct{ study.Coverage }

func (anything) Claims() []study.Claim {
	return []study.Claim{
		{ID: "a", Statement: "a < b", Verdict: study.Holds, Count: 3, Of: 4, P: 0.01},
		{ID: "b", Statement: "b is *c*", Verdict: study.Undecided, P: math.NaN(), Missing: 1},
		{ID: "c", Statement: "c was seen", Verdict: study.Counted, Count: 1, Of: 2, P: math.NaN()},
	}
}

func (anything) Listings() []table.Listing {
	return []table.Listing{{
		Title: "Numbers", Head: []string{"data", "x", "y"}, Rows: [][]string{{"A|B", "1", "-"}, {"-", "2", "-3"}}, Notes: []string{"x is 1 < y."},
	}}
}

// All sentences are in one golden file: every section from a complete table, from
// one of which half the cells are missing, and from nothing.
func TestGolden(t *testing.T) {
	var d document.Document
	for _, e := range examples() {
		for _, tbl := range []table.Table{
			e.table, studytest.Without(e.table, func(row, column int) bool { return (row+column)%2 == 1 }),
		} {
			d.Sections = append(d.Sections, sectionOf(read(t, e.id, tbl)))
		}
	}
	failed := study.Coverage{Spec: "toy", Cells: 2, Missing: 2, Failed: 1}
	d.Sections = append(d.Sections, Section(Study{Title: "Any study", Result: anything{study.Coverage{Spec: "any", Cells: 2}}}),
		Section(Study{Title: "Not run", Result: anything{study.Coverage{Spec: "a b"}}}), toy(study.Toy{Coverage: failed}),
		notRun(nil, nil, nil), notRun(absentGroups, openParametersOf, nil))
	golden.Equal(t, "testdata/sections.md", []byte(d.Markdown()))
}

// hostile returns a copy of the table whose names mean something to Markdown and
// HTML.
func hostile(t table.Table) table.Table {
	const evil = "a|b <script>alert(1)</script> `c` *d*\n# e"
	t = studytest.Without(t, func(int, int) bool { return false })
	t.Spec += "`; |\n"
	for i := range t.Rows {
		t.Rows[i].Name, t.Rows[i].Split = evil+strconv.Itoa(i), evil
	}
	t.Columns = slices.Clone(t.Columns)
	for i := range t.Columns {
		t.Columns[i].Name = evil
	}
	return t
}

func TestHostileNames(t *testing.T) {
	for _, e := range examples() {
		s := sectionOf(read(t, e.id, hostile(e.table)))
		text := s.Markdown()
		checkTables(t, text)
		for _, text := range []string{text, string(document.HTML(s.Title, s.Blocks...)), string(s.Gist.HTML())} {
			if strings.Contains(text, "<script>") {
				t.Errorf("%s: a tag is not escaped in\n%s", e.id, text)
			}
		}
	}
}

// checkTables fails unless every line of a table has as many cells as its head,
// and no line that starts with # is a heading of data.
func checkTables(t *testing.T, text string) {
	t.Helper()
	bars := 0
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "# ") {
			t.Errorf("heading from data: %s", line)
		}
		if !strings.HasPrefix(line, "|") {
			bars = 0
			continue
		}
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		if bars == 0 {
			bars = n
		}
		if n != bars {
			t.Errorf("%d bars in a table with %d: %s", n, bars, line)
		}
	}
}

// Without any result a section says so and has no table.
func TestNothing(t *testing.T) {
	for _, e := range examples() {
		for name, tbl := range map[string]table.Table{
			"no rows":    {Spec: e.table.Spec},
			"missing":    studytest.Without(e.table, func(int, int) bool { return true }),
			"no columns": {Spec: e.table.Spec, Rows: e.table.Rows},
		} {
			s := sectionOf(read(t, e.id, tbl))
			for _, b := range s.Blocks {
				if _, ok := b.(document.Table); ok {
					t.Errorf("%s, %s: a table", e.id, name)
				}
			}
			if !strings.Contains(s.Gist.String(), "r2lmlbench run "+e.table.Spec) || len(s.Claims()) > 0 {
				t.Errorf("%s, %s: %q and %d claims", e.id, name, s.Gist, len(s.Claims()))
			}
		}
	}
}

// Any cells may be missing, or lack what was measured: nothing is said in the name
// of a number that is none, and the section claims what its study does.
func TestAnyMissing(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for _, e := range examples() {
		rounds := 50
		if e.id == "across" {
			rounds = 5 // the posterior of every pair takes a while
		}
		for round := range rounds {
			share := draw.Float64()
			tbl := studytest.Without(e.table, func(int, int) bool { return draw.Float64() < share })
			if round%5 == 4 {
				tbl = studytest.Bare(tbl)
			}
			r := read(t, e.id, tbl)
			s := sectionOf(r)
			text := s.Markdown()
			checkTables(t, text)
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "%!") {
				t.Fatalf("%s: %s", e.id, text)
			}
			checkClaims(t, e.id, r, s)
		}
	}
}

// own are the words of sections that do not use those of package study; none:
// they depend on more than the verdict.
var own = map[string]map[string]string{
	"step-length":           {study.Holds: "is supported", study.Fails: "is not supported", study.Undecided: study.Undecided},
	"most-sets-printed":     {},
	"most-sets-ours":        {study.Holds: "is supported", study.Fails: "is not supported"},
	"toy-nearest-published": {},
	"toy-nearest-reference": {},
}

// checkClaims fails unless the claims of a section are some of its study, with the
// same verdicts.
func checkClaims(t *testing.T, id string, r study.Result, s document.Section) {
	t.Helper()
	known := map[string]study.Claim{}
	for _, c := range r.Claims() {
		known[c.ID] = c
	}
	for _, c := range s.Claims() {
		k, ok := known[c.ID]
		want := k.Verdict
		if words, is := own[c.ID]; is {
			want = words[k.Verdict]
		}
		if !ok || c.Verdict != "" && want != "" && c.Verdict != want {
			t.Errorf("%s: %s %s, want %q", id, c.ID, c.Verdict, want)
		}
	}
}

// Every section says in one line what came of it.
func TestGists(t *testing.T) {
	in := Input{Audit: published.Audit(), Absent: absentGroups}
	for _, e := range examples() {
		switch r := read(t, e.id, e.table).(type) {
		case study.Across:
			in.Across = r
		default:
			in.Studies = append(in.Studies, Study{ID: e.id, Title: e.id, Result: r})
		}
	}
	r, err := New(in)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Files); n != len(examples())+10 {
		t.Errorf("%d appendices", n)
	}
	anchors := map[string]bool{}
	for _, s := range Findings(in) {
		gist, anchor := s.Gist.String(), document.Anchor(s.Title)
		if gist == "" || len(gist) > 240 || strings.HasSuffix(gist, ":") || s.Title == "" || len(s.Blocks) == 0 || anchors[anchor] {
			t.Errorf("%s: %d blocks, %q", s.Title, len(s.Blocks), gist)
		}
		anchors[anchor] = true
	}
	if in.Study("toy") == nil || in.Study("x") != nil {
		t.Error("studies are not found by their ids")
	}
	in.Accuracy = table.Table{Rows: []table.Row{{Cells: make([]table.Cell, 1)}}}
	if _, err := New(in); err == nil {
		t.Error("a row without columns is no error")
	}
}

func TestHours(t *testing.T) {
	for seconds, want := range map[float64]string{0: "-", 35: "<0.01", 36: "0.01", 5400: "1.50", 35999: "10.00", 36000: "10", 360_000: "100"} {
		if got := hours(seconds); got != want {
			t.Errorf("%g s are %q, want %q", seconds, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{number(math.NaN(), 'f', 2), "-"}, {number(0.123456, 'g', 4), "0.1235"}, {number(1e-12, 'g', 4), "1e-12"}, {number(0.000123456, 'g', 3), "0.000123"},
		{ratio(nil), "-"}, {ratio(&results.Fact{Count: 3, Of: 4}), "3 of 4"}, {total(study.Total{}), "-"}, {total(study.Total{Count: 1, Of: 8}), "1 of 8 (12.50 %)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

var absentGroups = []Group{
	{"splits", "t-r2lml", 60, []Absence{{"usps", 20, 20, 72_000}, {"a|b", 1, 20, 0}}},
	{"toy", "euclidean", 1, []Absence{{"toy", 1, 1, 0}}},
}

var openParametersOf = []OpenParameter{
	{"plml", "lambda1", []string{"open"}, 18, nil, 18}, {"glml", "shrinkage", []string{"surfaces"}, 1, []string{"robot"}, 1},
	{"e-r2lml", "feature-scale", nil, 0, []string{"coil20"}, 5},
}

// tables lists the tables of a section as plain texts, without their heads.
func tables(s document.Section) [][][]string {
	var all [][][]string
	for _, b := range s.Blocks {
		t, ok := b.(document.Table)
		if !ok {
			continue
		}
		var rows [][]string
		for _, cells := range t.Rows {
			var row []string
			for _, cell := range cells {
				row = append(row, cell.String())
			}
			rows = append(rows, row)
		}
		all = append(all, rows)
	}
	return all
}

// checkRow fails unless a table of the section has the row.
func checkRow(t *testing.T, s document.Section, tbl int, want ...string) {
	t.Helper()
	all := tables(s)
	if tbl >= len(all) || !slices.ContainsFunc(all[tbl], func(row []string) bool { return slices.Equal(row, want) }) {
		t.Errorf("%s: %q is not in table %d of %q", s.Title, want, tbl, all)
	}
}

func TestListOfWhatIsAbsent(t *testing.T) {
	if all := tables(notRun(nil, nil, nil)); len(all) > 0 {
		t.Errorf("nothing absent: %q", all)
	}
	s := notRun(absentGroups, openParametersOf, nil)
	checkRow(t, s, 0, "splits", "t-r2lml", "usps 20/20, a|b 1/20", "21 of 60", "20")
	checkRow(t, s, 0, "toy", "euclidean", "toy 1/1", "1 of 1", "-")
	checkRow(t, s, 1, "PLML", "lambda1", "open", "18 of 18", "0 of 18", "-")
	checkRow(t, s, 1, "GLML", "shrinkage", "surfaces", "1 of 1", "1 of 1", "all")
	checkRow(t, s, 1, "E-R2LML", "feature-scale", "none", "0 of 5", "1 of 5", "coil20")
	for _, number := range []string{" 22 ", " 20 "} {
		if !strings.Contains(s.Gist.String(), number) {
			t.Errorf("%q is not in %q", number, s.Gist)
		}
	}
}

// The tables that sections make themselves have the numbers of their studies.
func TestTables(t *testing.T) {
	tbl := studytest.Variants()
	for _, r := range tbl.Rows {
		for j := range r.Cells {
			if tbl.Columns[j].Swept["variant"] == study.Published {
				r.Cells[j] = studytest.Got(r.N, r.N)
			}
		}
	}
	checkRow(t, sectionOf(read(t, "collapse", tbl)), 1, "Heart", "E-R2LML", "100.00", "100.00", "-", "yes")
	metrics := studytest.Metrics()
	metrics.Rows = metrics.Rows[:1]
	m, err := study.ReadMetrics(metrics, nil)
	if err != nil {
		t.Fatal(err)
	}
	if all := tables(sectionOf(m)); all[0][0][0] != "Pendigits" || all[0][0][2] != "-" || all[0][0][3] != "80.00" {
		t.Errorf("%q", all[0])
	}
	steps := sectionOf(read(t, "steps", studytest.Steps()))
	checkRow(t, steps, 0, "Two Norm", "yes", "1", "0.1", "244 of 250", "97.60", "50.00", "97.51")
	checkRow(t, steps, 1, "t-r2lml", "-2.22", "47.60")
	lambda := sectionOf(read(t, "lambda", studytest.Lambda()))
	checkRow(t, lambda, 4, "10000", "180 of 180 (100.00 %)", "0 of 180 (0.00 %)", "180 of 180 (100.00 %)", "6 of 180 (3.33 %)")
	toy := sectionOf(read(t, "toy", studytest.Toy()))
	checkRow(t, toy, 0, "3", "2", "-1", "1")
	checkRow(t, toy, 1, "3", "2", "0.3333", "3")
	checkRow(t, toy, 3, "3", "2", "1e-07", "0", "1")
}

// A toy whose two local metrics miss is told from one where nothing is seen.
func TestSeen(t *testing.T) {
	two := &results.Fact{Count: 1, Of: 4}
	words := map[string]bool{}
	for _, n := range []study.Nearest{
		{},
		{Claim: study.Claim{Missing: 1}},
		{Better: []int{2}, Local: []study.NearestLocal{{Metrics: 2, Fact: two}}},
		{Better: []int{3}, Local: []study.NearestLocal{{Metrics: 2, Fact: two}}},
	} {
		words[seen(n)] = true
	}
	if len(words) != 4 {
		t.Errorf("%v, want four different ones", words)
	}
}

// silent is a study that has nothing to show.
type silent struct{ study.Coverage }

func (silent) Claims() []study.Claim     { return nil }
func (silent) Listings() []table.Listing { return nil }

func TestStudyWithoutClaims(t *testing.T) {
	s := Section(Study{Title: "None", Result: silent{study.Coverage{Cells: 1}}})
	if len(s.Blocks) != 0 || s.Gist != nil {
		t.Errorf("%+v", s)
	}
}

// unknown is a study with a claim that rests on nothing, then one of the given number.
type unknown struct {
	study.Coverage
	of int
}

func (u unknown) Claims() []study.Claim {
	return []study.Claim{
		{ID: "a", Statement: "a is b", Verdict: study.Undecided, P: math.NaN(), Missing: 1},
		{ID: "b", Statement: "éclairs were seen", Verdict: study.Counted, Count: 1, Of: u.of, P: math.NaN()},
	}
}

func (unknown) Listings() []table.Listing { return nil }

// Nothing is said of claims that rest on nothing.
func TestNothingKnown(t *testing.T) {
	for of, want := range map[int]struct{ gist, tried string }{
		0: {"Nothing can be told yet. `r2lmlbench run joint` computes what is missing.", ""},
		4: {"Éclairs were seen: 1 of 4.", "in the transductive method. Éclairs were seen: 1 of 4. `r2lmlbench run joint`"},
	} {
		one := Study{ID: "joint", Title: "Joint", Result: unknown{study.Coverage{Spec: "joint", Cells: 2, Missing: 1}, of}}
		gist := document.Document{Opening: []document.Block{document.Paragraph{Text: Section(one).Gist}}}.Markdown()
		if !strings.Contains(gist, want.gist) {
			t.Errorf("%d: %s", of, gist)
		}
		s := alternativesTried(Input{Studies: []Study{one}})
		if text := s.Markdown(); !strings.Contains(text, want.tried) || strings.Contains(text, "transductive") != (of > 0) || strings.Contains(text, "0 of 0") {
			t.Errorf("%d: %s", of, text)
		}
	}
}

// The note says which open parameters were run, and on how many data sets every
// setting was.
func TestLetterSaysWhatWasRun(t *testing.T) {
	if got := openTried(verdict.Verdicts{}); got != "none was run" {
		t.Error(got)
	}
	glml := verdict.Evidence{Column: "glml", Protocols: []verdict.Protocol{
		{Rung: verdict.Stated}, {Rung: verdict.Open, Setting: "shrinkage 0.5"}, {Rung: verdict.OpenOnTest, Setting: "shrinkage 1, unlabeled joint"},
	}}
	v := verdict.Verdicts{
		Evidence: []verdict.Evidence{glml, {Column: "e-r2lml", Protocols: []verdict.Protocol{{Rung: verdict.Open, Setting: "epochs 4"}}}},
		Verdicts: []verdict.Verdict{{Method: "glml"}, {Method: "glml"}, {Method: "itml"}},
		Fits:     verdict.Fits{Columns: []verdict.ColumnFit{{Method: "glml", Rows: make([]verdict.FitRow, 1)}}},
	}
	if got, want := openTried(v), "run so far: shrinkage of GLML, unlabeled of GLML and epochs of E-R2LML"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := fitted(v); !slices.Equal(got, []string{"GLML 1 of 2"}) {
		t.Errorf("%q", got)
	}
}

// TestPage: the page leads to every appendix and to nothing else, every appendix
// leads back, and all names are plain.
func TestPage(t *testing.T) {
	judged, err := verdict.Judge("accuracy", evidence())
	if err != nil {
		t.Fatal(err)
	}
	in := Input{
		Verdicts: judged, Audit: published.Audit(), Absent: absentGroups, Cells: 12,
		Accuracy: table.Table{Columns: []table.Column{{ID: "euclidean", Name: "Euclidean"}, {ID: "e-r2lml", Name: "E-R2LML"}}, Rows: []table.Row{
			{Letter: "P", Name: "Sonar", N: 128, Cells: []table.Cell{{Published: "44.53", PublishedRank: 4}, {Published: "48.44", PublishedRank: 3}}},
		}},
	}
	for _, e := range examples() {
		if r := read(t, e.id, e.table); e.id != "across" {
			in.Studies = append(in.Studies, Study{ID: e.id, Title: "Study " + e.id, Result: r})
		}
	}
	r, err := New(in)
	if err != nil {
		t.Fatal(err)
	}
	text := r.Page.Markdown()
	golden.Equal(t, "testdata/page.md", []byte(text))
	for _, s := range r.Page.Sections {
		checkTables(t, s.Markdown())
	}
	plain := regexp.MustCompile(`^(reproduction|docs)/[a-z0-9-]+\.(md|csv)$`)
	for _, f := range r.Files {
		if !strings.Contains(text, "]("+f.Name+")") {
			t.Errorf("the page does not lead to %s", f.Name)
		}
		if !plain.MatchString(f.Name) || strings.HasSuffix(f.Name, ".md") && !bytes.Contains(f.Data, []byte("](../REPRODUCTION.md)")) {
			t.Errorf("%s: no plain name, or it does not lead back", f.Name)
		}
	}
	for _, link := range regexp.MustCompile(`\]\((reproduction/[^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(r.Files, func(f File) bool { return f.Name == link[1] }) {
			t.Errorf("a link to %s, which is no appendix", link[1])
		}
	}
}

// evidence has three numbers: one that choice on the test samples gives, one that no
// protocol gives, and one that was not run.
func evidence() []verdict.Evidence {
	run := func(correct int) []verdict.Run {
		return []verdict.Run{{Inputs: results.Inputs{Seed: 1, Points: []results.Point{{}}}, Correct: correct, N: 128}}
	}
	at := func(letter, method string, protocols ...verdict.Protocol) verdict.Evidence {
		number, _ := published.Lookup(letter, method)
		return verdict.Evidence{Published: number, Column: method, Size: 128, Protocols: protocols, Absent: "not run"}
	}
	return []verdict.Evidence{
		at("P", "e-r2lml", verdict.Protocol{Rung: verdict.Stated, Runs: run(49)}, verdict.Protocol{Rung: verdict.OnTest, Runs: run(62)}),
		at("P", "t-r2lml", verdict.Protocol{Rung: verdict.Stated, Runs: run(57)}),
		at("P", "euclidean"),
	}
}

// The note says which of the authors' files the rule does not give as it stands.
func TestOwnPatterns(t *testing.T) {
	with := func(files ...study.AuthorFile) Input {
		return Input{Studies: []Study{{ID: "split-rule", Result: study.SplitRule{Files: files}}}}
	}
	ionosphere, robot := study.AuthorFile{Name: "Ionosphere"}, study.AuthorFile{Name: "Robot", OwnPattern: true}
	for want, in := range map[string]Input{
		"": {}, " It gives all of them: Ionosphere.": with(ionosphere),
		" It gives Ionosphere as it stands; a pattern of its own, which the paper does not mention, is needed for Robot.": with(ionosphere, robot),
	} {
		if got := ownPatterns(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The best methods by another measure than accuracy are told where they are others.
func TestClasses(t *testing.T) {
	score := func(accuracy, balanced, f1 string) table.Cell {
		return table.Cell{Score: &table.Score{Accuracy: accuracy, Balanced: balanced, MacroF1: f1}}
	}
	constant := table.Constant{Label: 3, Accuracy: "41.90"}
	s := classes(table.Table{Columns: []table.Column{{Name: "E"}, {Name: "T"}}, Rows: []table.Row{
		{Letter: "A", Name: "Robot", Cells: []table.Cell{score("65.00", "77.00", "9.50"), score("73.00", "76.00", "10.00")},
			Classes: &table.Classes{Counts: make([]results.ClassCount, 4), Majority: constant, TieWinner: table.Constant{Label: 1, Accuracy: "14.19"}}},
		{Letter: "B", Name: "None", Cells: make([]table.Cell, 2)},
	}})
	checkRow(t, s, 0, "A Robot", "77.00", "76.00", "T", "E")
	checkRow(t, s, 0, "B None", "-", "-", "-", "-")
	checkRow(t, s, 1, "A Robot", "9.50", "10.00", "T", "T")
	checkRow(t, s, 2, "A Robot", "4", "3", "41.90", "1", "14.19")
	if got := s.Gist.String(); got != "The best methods by balanced accuracy and by accuracy are not the same on 1 of 1 data set." {
		t.Error(got)
	}
}

// A row without cells or without classes is not said to have no method above the most
// frequent class.
func TestNotAboveMajority(t *testing.T) {
	classes := &table.Classes{Majority: table.Constant{Count: 50}}
	row := func(letter string, classes *table.Classes, correct ...int) table.Row {
		r := table.Row{Letter: letter, Classes: classes, Cells: make([]table.Cell, 1)}
		for _, c := range correct {
			r.Cells = append(r.Cells, table.Cell{Score: &table.Score{Correct: c}})
		}
		return r
	}
	got := notAboveMajority(table.Table{Rows: []table.Row{
		row("A", classes, 49, 50), row("B", classes, 49, 51), row("C", classes), row("D", nil, 1), row("E", classes, 0),
	}})
	if !slices.Equal(got, []string{"A", "E"}) {
		t.Errorf("%q", got)
	}
}

// Cells without a measured time make the hours a lower bound, and a study of which no
// claim rests on anything knows nothing yet.
func TestUnmeasuredAndUnknown(t *testing.T) {
	measured := []Group{{"joint", "t-r2lml", 4, []Absence{{"usps", 4, 4, 36_000}}}}
	if got := about(measured, 36_000); got != "about 10" {
		t.Error(got)
	}
	some := append(slices.Clone(measured), Group{"auto", "t-r2lml", 4, []Absence{{"usps", 4, 4, 0}}}, Group{"auto", "e-r2lml", 4, []Absence{{"usps", 3, 4, 0}}})
	if got := about(some, 36_000); got != "at least 10" {
		t.Error(got)
	}
	for of, yet := range []bool{true, false} {
		studies := []Study{{ID: "joint", Result: unknown{study.Coverage{Spec: "joint", Cells: 2, Missing: 1}, of}}}
		if got := consequence(studies, "joint"); strings.HasSuffix(got, "is not known yet") != yet || got == "" {
			t.Errorf("%d: %q", of, got)
		}
	}
}
