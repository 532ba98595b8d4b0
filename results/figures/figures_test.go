package figures

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"r2lmlbench/internal/golden"
	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results"
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/study"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// An svgText is what a reader of the markup finds.
type svgText struct {
	elements map[string]int
	title    string
	desc     string
	texts    []string
	marks    int // with a title
}

// readSVG fails the test unless the markup is well-formed and refers to nothing.
func readSVG(t *testing.T, f chart.Figure) svgText {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(f.SVG))
	s := svgText{elements: map[string]int{}}
	inside, wide := "", false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v in\n%s", f.Name, err, f.SVG)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if inside = token.Name.Local; inside == "title" && s.elements["desc"] > 0 {
				inside = "mark"
				s.marks++
			} else {
				s.elements[inside]++
			}
			for _, a := range token.Attr {
				if a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "url(") {
					t.Errorf("%s: attribute %s=%q", f.Name, a.Name.Local, a.Value)
				}
			}
			if inside == "text" {
				wide = slices.ContainsFunc(token.Attr, func(a xml.Attr) bool {
					w, err := strconv.ParseFloat(a.Value, 64)
					return a.Name.Local == "textLength" && err == nil && w > 0
				})
			}
			if inside == "svg" && len(slices.DeleteFunc(slices.Clone(token.Attr), func(a xml.Attr) bool { return a.Name.Local != "viewBox" })) != 1 {
				t.Errorf("%s: no viewBox", f.Name)
			}
		case xml.CharData:
			switch inside {
			case "title":
				s.title += string(token)
			case "desc":
				s.desc += string(token)
			case "text":
				s.texts = append(s.texts, string(token))
				if utf8.RuneCount(token) > chart.ShortText && !wide {
					t.Errorf("%s: a text without its width: %s", f.Name, token)
				}
			}
		case xml.EndElement:
			inside = ""
		}
	}
	for name := range s.elements {
		if !slices.Contains([]string{"svg", "title", "desc", "style", "rect", "g", "path", "circle", "text"}, name) {
			t.Errorf("%s: element %s", f.Name, name)
		}
	}
	return s
}

var markTitle = regexp.MustCompile(`<g class="m"><title>[^<]*</title>`)

var fileName = regexp.MustCompile(`^[a-z0-9-]+$`)

// check fails unless a figure is complete and clean.
func check(t *testing.T, f chart.Figure) {
	t.Helper()
	s := readSVG(t, f)
	if s.title != f.Title || s.desc != f.Alt {
		t.Errorf("%s: title %q, description %q", f.Name, s.title, s.desc)
	}
	if !fileName.MatchString(f.Name) || f.Title == "" || strings.Contains(f.Title, "\n") || strings.Count(f.Alt, ".") < 2 {
		t.Errorf("%s: title %q, alt %q", f.Name, f.Title, f.Alt)
	}
	drawn := markTitle.ReplaceAll(f.SVG, nil) // names may say anything
	for _, bad := range []string{"NaN", "Inf", "%!", "#000000", "<?xml"} {
		if bytes.Contains(drawn, []byte(bad)) {
			t.Errorf("%s has %s:\n%s", f.Name, bad, f.SVG)
		}
	}
	if bytes.Contains(f.CSV, []byte("NaN")) || bytes.Contains(f.CSV, []byte("Inf")) {
		t.Errorf("%s:\n%s", f.Name, f.CSV)
	}
	lines, err := csv.NewReader(bytes.NewReader(f.CSV)).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Errorf("%s: %d lines, %v:\n%s", f.Name, len(lines), err, f.CSV)
	}
	for _, line := range lines {
		for _, field := range line {
			if field != words.CSVText(field) {
				t.Errorf("%s: field %q", f.Name, field)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, s := range examples() {
		figures, err := s.draw(s.table)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range figures {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, s.want) {
			t.Errorf("%s: %q, want %q", s.name, names, s.want)
		}
	}
}

func TestWellFormed(t *testing.T) {
	all, err := allFigures()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		check(t, f)
		if !bytes.Contains(f.SVG, []byte("stroke: currentColor")) || !bytes.Contains(f.SVG, []byte("@media (prefers-color-scheme: dark)")) {
			t.Errorf("%s has no currentColor or no colors for the dark", f.Name)
		}
		if bytes.Contains(f.SVG, []byte("var(")) || strings.Contains(f.Inline, "style") || strings.Contains(f.Inline, "<title>"+f.Title) {
			t.Errorf("%s needs variables in its file, or has a style or its title in the page", f.Name)
		}
		if f.See == "" || strings.Contains(f.See, "%!") {
			t.Errorf("%s: caption %q", f.Name, f.See)
		}
	}
}

func TestSameBytes(t *testing.T) {
	first, err := allFigures()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := allFigures()
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range first {
			if !bytes.Equal(f.SVG, again[i].SVG) || !bytes.Equal(f.CSV, again[i].CSV) || f.Alt != again[i].Alt {
				t.Errorf("%s differs", f.Name)
			}
		}
	}
}

// The golden files are of the two figures that are drawn in the two ways there
// are, as panels and by hand.
func TestGolden(t *testing.T) {
	for _, draw := range []struct {
		table table.Table
		of    func(table.Table) ([]chart.Figure, error)
	}{{toyTable(), drawToy}, {accuracyTable(), drawRanks}} {
		figures, err := draw.of(draw.table)
		if err != nil || len(figures) != 1 {
			t.Fatalf("%d figures, %v", len(figures), err)
		}
		f := figures[0]
		golden.Equal(t, "testdata/"+f.Name+".svg", f.SVG)
		golden.Equal(t, "testdata/"+f.Name+".csv", f.CSV)
	}
}

// filled counts the marks of a color.
func filled(f chart.Figure, c color.NRGBA) int {
	class := map[color.NRGBA]string{chart.Blue: "b", chart.Vermillion: "v", chart.Purple: "p"}[c]
	return strings.Count(string(f.SVG), `class="`+class+`"`)
}

// Every point has its mark, and the legend one more; a missing one has none.
func TestMarks(t *testing.T) {
	drop := func(row, column int) bool { return row == 0 && column == 4 } // K = 2 of E-R2LML on Heart
	for _, c := range []struct {
		name                       string
		table                      table.Table
		efficient, transductive    int
		heartLines, classes, total int
	}{
		{"complete", metricsTable(), 7, 7, 1, 2, 12},
		{"a gap", studytest.Without(metricsTable(), drop), 6, 7, 0, 2, 12},
	} {
		figures, err := drawMetrics(c.table, madeUpClasses)
		if err != nil || len(figures) != 1 {
			t.Fatalf("%d figures, %v", len(figures), err)
		}
		f := figures[0]
		if e, tr := filled(f, chart.Blue), filled(f, chart.Vermillion); e != c.efficient || tr != c.transductive {
			t.Errorf("%s: %d and %d marks, want %d and %d", c.name, e, tr, c.efficient, c.transductive)
		}
		if missing := strings.Contains(f.Alt, "1 of 12 points has no result and is left out."); missing != (c.name == "a gap") {
			t.Errorf("%s: %s", c.name, f.Alt)
		}
		if n := strings.Count(string(f.SVG), "#C = "); n != c.classes {
			t.Errorf("%s: %d numbers of classes, want %d", c.name, n, c.classes)
		}
		if n := bytes.Count(f.CSV, []byte("\n")) - 1; n != c.total {
			t.Errorf("%s: %d lines, want %d", c.name, n, c.total)
		}
	}
}

// The class mark stands only where K takes the number of classes.
func TestClassMark(t *testing.T) {
	for _, c := range []struct {
		classes map[string]int
		want    string
	}{
		{madeUpClasses, "which K takes for Heart (2)."},
		{map[string]int{"letter": 26}, ""},
		{nil, ""},
	} {
		figures, err := drawMetrics(metricsTable(), c.classes)
		if err != nil {
			t.Fatal(err)
		}
		if alt := figures[0].Alt; !strings.Contains(alt, c.want) || (c.want == "") == strings.Contains(alt, "which K takes") {
			t.Errorf("%v: %s", c.classes, alt)
		}
	}
}

func TestPages(t *testing.T) {
	tbl := metricsTable()
	for range 5 {
		tbl.Rows = append(tbl.Rows, tbl.Rows[:2]...)
	}
	figures, err := drawMetrics(tbl, nil)
	if err != nil || len(figures) != 2 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	for i, panels := range []int{9, 3} {
		check(t, figures[i])
		if !strings.HasPrefix(figures[i].Alt, words.Counted(panels, "panel")) {
			t.Errorf("page %d: %s", i+1, figures[i].Alt)
		}
	}
}

func TestAlt(t *testing.T) {
	all, err := allFigures()
	if err != nil {
		t.Fatal(err)
	}
	alts := map[string]string{}
	for _, f := range all {
		alts[f.Name] = f.Alt
	}
	for _, c := range []struct{ name, want string }{
		{"accuracy-by-metrics-1", "The highest accuracy of E-R2LML is Heart 87.50 at K = 2 and 3; Letter 32.00 at K = 3."},
		{"lambda-overlap30", "51.6 (50.0 to 53.1 over 2 draws, printed 54.4) at λ = 0,"},
		{"lambda-overlap60", "A horizontal line stands at 25.0, the mean number of zeroed features."},
		{"toy", "The nearest other sample is of the same class for 2 of 4."},
		{"critical-difference", "over 3 rows of the table, those on which all 3 methods have a result. " +
			"The average ranks, best first, are E-R2LML 1.00, LMNN 2.00 and Euclidean 3.00."},
		{"critical-difference", "1 row is left out because a method has no result: Letter."},
		{"collapse", "Heart, E-R2LML published, K of 2 or more: accuracies between 62.50 and 62.50, 96.7 to 96.7 % at vertices."},
		{"convergence-e-r2lml", "Glass, reference, without momentum: from 900 at iteration 1 to 90 at iteration 7500, R² of the fitted curve 0.85."},
		{"costs", "The wall time is Euclidean from 0.5 (A robot) to 5 (B letter); PLML from 50 (A robot) to 50 (A robot). It is not known for 1 of 4."},
	} {
		if !strings.Contains(alts[c.name], c.want) {
			t.Errorf("%s: %s\nwant %s", c.name, alts[c.name], c.want)
		}
	}
}

// evil means something to SVG, CSV and terminals.
const evil = "=cmd|'/C calc'!A0 <script>alert(1)</script> & \"_\" ]]> stroke:#000000\n\x00\x1b[31m\u202e\ufffe\xff"

func hostile(t table.Table) table.Table {
	t = studytest.Without(t, func(int, int) bool { return false })
	t.Spec = evil
	columns := slices.Clone(t.Columns)
	for i := range columns {
		columns[i].Name, columns[i].ID = evil, evil
	}
	t.Columns = columns
	for i := range t.Rows {
		t.Rows[i].Name, t.Rows[i].Letter = evil, "@"
		for j := range t.Rows[i].Cells {
			t.Rows[i].Cells[j].Status, t.Rows[i].Cells[j].Reason = "-evil", evil
		}
	}
	return t
}

func TestHostileNames(t *testing.T) {
	var all []chart.Figure
	add := func(figures []chart.Figure, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if len(figures) == 0 {
			t.Fatal("no figure")
		}
		all = append(all, figures...)
	}
	for _, s := range examples() {
		add(s.draw(hostile(s.table)))
	}
	swept := hostile(convergenceTable())
	for _, c := range swept.Columns {
		c.Swept["variant"] = evil
	}
	add(drawConvergence(swept))
	costs := madeUpCosts()
	for i := range costs {
		costs[i].Method, costs[i].Dataset, costs[i].Letter = evil+costs[i].Method, evil, evil
	}
	add(Costs(costs))
	for _, f := range all {
		f.SVG = bytes.ReplaceAll(f.SVG, []byte("stroke:#000000"), nil) // only in the text, checked below
		check(t, chart.Figure{Name: f.Name, Title: f.Title, Alt: strings.ReplaceAll(f.Alt, "stroke:#000000", ""), SVG: f.SVG, CSV: f.CSV})
		if strings.ContainsAny(f.Title+f.Alt, "\n\x00\x1b\u202e") {
			t.Errorf("%s: %q", f.Name, f.Alt)
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	for _, s := range examples() {
		for name, tbl := range map[string]table.Table{
			"no rows":    {Columns: s.table.Columns, Test: s.table.Test},
			"no columns": {Rows: s.table.Rows, Test: s.table.Test},
			"missing":    studytest.Without(s.table, func(int, int) bool { return true }),
			"empty":      {},
		} {
			if figures, err := s.draw(tbl); len(figures) != 0 || err != nil {
				t.Errorf("%s, %s: %d figures, %v", s.name, name, len(figures), err)
			}
		}
	}
	for _, costs := range [][]Cost{nil, {{Dataset: "glass", Method: "itml", Seconds: math.NaN(), Bytes: -1}}} {
		if figures, err := Costs(costs); len(figures) != 0 || err != nil {
			t.Errorf("%v: %d figures, %v", costs, len(figures), err)
		}
	}
}

// Any cells may be missing, cut off or without their measurements.
func TestAnyMissing(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for _, s := range examples() {
		for range 15 {
			tbl := studytest.Damaged(s.table, draw)
			for i := range tbl.Rows {
				if draw.IntN(8) == 0 {
					tbl.Rows[i].N = 0
				}
			}
			figures, err := s.draw(tbl)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			for _, f := range figures {
				check(t, f)
			}
		}
	}
}

// Numbers of any size are drawn somewhere, or left out.
func TestWildNumbers(t *testing.T) {
	wild := []string{"0", "-1", "5e-324", "1e-300", "1e300", "1.7e308", "-1.7e308", "NaN", "+Inf", "-Inf"}
	draw := rand.New(rand.NewPCG(2, 2))
	for _, s := range examples() {
		for range 30 {
			tbl := studytest.Without(s.table, func(int, int) bool { return false })
			for i := range tbl.Rows {
				for j, c := range tbl.Rows[i].Cells {
					if c.Score == nil {
						continue
					}
					score := *c.Score
					score.Series = slices.Clone(score.Series)
					for k, one := range score.Series {
						values := slices.Clone(one.Values)
						for n := range values {
							if draw.IntN(3) == 0 {
								values[n] = wild[draw.IntN(len(wild))]
							}
						}
						score.Series[k].Values = values
					}
					score.Facts = slices.Clone(score.Facts)
					for k := range score.Facts {
						score.Facts[k].Count = []int{-1, 0, math.MaxInt}[draw.IntN(3)]
						score.Facts[k].Of = []int{-1, 0, 1, math.MaxInt}[draw.IntN(4)]
					}
					score.Correct = []int{-5, 0, 7, math.MaxInt}[draw.IntN(4)]
					tbl.Rows[i].Cells[j].Score = &score
				}
			}
			figures, err := s.draw(tbl)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			for _, f := range figures {
				readSVG(t, f)
				if body := f.SVG[bytes.Index(f.SVG, []byte("</desc>")):]; bytes.Contains(body, []byte("NaN")) || bytes.Contains(body, []byte("Inf")) {
					t.Fatalf("%s:\n%s", f.Name, body)
				}
			}
		}
	}
	costs := madeUpCosts()
	costs[0].Seconds, costs[0].Bytes, costs[1].Seconds, costs[2].Seconds = 5e-324, math.MaxInt64, math.Inf(1), math.MaxFloat64
	figures, err := Costs(costs)
	if err != nil || len(figures) != 1 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	check(t, figures[0])
}

// Unknown memory is said in the panel.
func TestUnknownCosts(t *testing.T) {
	costs := madeUpCosts()
	for i := range costs {
		costs[i].Bytes = 0
	}
	figures, err := Costs(costs)
	if err != nil || len(figures) != 1 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	s := readSVG(t, figures[0])
	said := strings.Contains(figures[0].Alt, "The heap beyond the data is not known.")
	if slices.Contains(s.texts, "heap beyond the data, MiB") || !slices.Contains(s.texts, "unknown for 1 of 4") || !said {
		t.Errorf("%q\n%s", s.texts, figures[0].Alt)
	}
	if figures[0].Title != "Time per method and data set" {
		t.Errorf("title %q", figures[0].Title)
	}
	if figures, err := Costs(costs[:1]); err != nil || len(figures) > 0 {
		t.Errorf("a single time: %d figures, %v", len(figures), err)
	}
}

// No two series of a figure are told apart by color alone.
func TestLooks(t *testing.T) {
	var zeros, momenta, collapse []chart.Look
	zeros = append(zeros, zeroLooks[:]...)
	for _, mode := range study.Modes {
		momenta = append(momenta, modeLooks[mode])
	}
	for _, method := range study.PaperMethods {
		for _, variant := range study.Variants {
			collapse = append(collapse, collapseLooks[[2]string{method, variant}])
		}
	}
	for name, looks := range map[string][]chart.Look{
		"methods": {methodLooks[study.Efficient], methodLooks[study.Transductive]}, "classes": classLooks, "costs": costLooks,
		"zero columns": zeros, "momentum": momenta, "collapse": collapse,
	} {
		for i, a := range looks {
			for _, b := range looks[:i] {
				if a.Mark == b.Mark && slices.Equal(a.Dashes, b.Dashes) {
					t.Errorf("%s: two looks differ by color at most", name)
				}
			}
		}
	}
}

// Samples in one place, near or far, have a panel.
func TestOnePlace(t *testing.T) {
	for _, at := range []float64{0, 1, -1e-12, 1e90} {
		tbl := toyTable()
		for _, c := range tbl.Rows[0].Cells {
			for k, s := range c.Series {
				if s.Name != "label" && len(s.Values) == 4 {
					c.Series[k] = results.NewSeries(s.Name, []float64{at, at, at, at})
				}
			}
		}
		figures, err := drawToy(tbl)
		if err != nil || len(figures) != 1 {
			t.Fatalf("%g: %d figures, %v", at, len(figures), err)
		}
		check(t, figures[0])
		if s := readSVG(t, figures[0]); !slices.Contains(s.texts, "1, 2, 3, 4") {
			t.Errorf("%g: %q", at, s.texts)
		}
	}
}

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		4686: "4686 s", 12.34: "12.3 s", 1: "1.00 s", 0.9: "900 ms", 0.00981: "9.81 ms", 3.927e-05: "39.3 µs", 1e-6: "1.00 µs", 3e-9: "less than 1 µs",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("%g s is %q, want %q", seconds, got, want)
		}
	}
}

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		x    float64
		n    int
		want string
	}{
		{90, 4, "90"}, {0.01234567, 4, "0.01235"}, {1022345, 4, "1.022 × 10⁶"}, {-3.2e-7, 4, "−3.2 × 10⁻⁷"}, {4686.4, 3, "4686"}, {-12345, 4, "−12345"},
		{5e-324, 3, "4.94 × 10⁻³²⁴"}, {0, 3, "0"},
	} {
		if got := digits(c.x, c.n); got != c.want {
			t.Errorf("%g: %q, want %q", c.x, got, c.want)
		}
	}
}

// No mark, caption or description has an ASCII minus before a number, or a power of ten of a program.
func TestPrintedNumbers(t *testing.T) {
	all, err := allFigures()
	if err != nil {
		t.Fatal(err)
	}
	bad := regexp.MustCompile(`(^|[ (])-[0-9]|[0-9]e[+-]0`)
	for _, f := range all {
		said := []string{f.See, f.Alt}
		said = append(said, markTitle.FindAllString(string(f.SVG), -1)...)
		for _, one := range said {
			if found := bad.FindString(one); found != "" {
				t.Errorf("%s: %q in %s", f.Name, found, one)
			}
		}
	}
}

// The caption of the toy figure says what its last panel does not show, and of which algorithm it is.
func TestToyCaption(t *testing.T) {
	for _, c := range []struct {
		lost, variant, want string
	}{
		{"0.0123", "", " The last panel is a projection, which leaves out a share of 0.012 of the distances. The counts are of the true distances."},
		{"0.2041", "reference", " The metrics are those of the reference variant of E-R2LML. The last panel is a projection, which leaves out a share of 0.204 of"},
		{"0", "reference", " The metrics are those of the reference variant of E-R2LML."},
	} {
		tbl := toyTable()
		last := &tbl.Rows[0].Cells[2]
		last.Series = slices.Clone(last.Series)
		last.Series[len(last.Series)-1].Values = []string{c.lost}
		for i := range tbl.Columns[1:] {
			if c.variant != "" {
				tbl.Columns[1+i].Swept["variant"] = c.variant
			}
		}
		figures, err := drawToy(tbl)
		if err != nil || len(figures) != 1 {
			t.Fatalf("%d figures, %v", len(figures), err)
		}
		if see := figures[0].See; !strings.Contains(see, "4 of 4 under two local metrics."+c.want) || c.lost == "0" && strings.Contains(see, "projection") {
			t.Errorf("%s: %s", c.lost, see)
		}
	}
}

// The legend has the methods that have a mark, by the names of the tables.
func TestCostLegend(t *testing.T) {
	costs := append(madeUpCosts(), Cost{Dataset: "robot", Letter: "A", Method: "glml"}, Cost{Dataset: "robot", Letter: "A", Method: "euclidean-raw", Seconds: 2})
	columns := []table.Column{{ID: "plml", Name: "PLML"}, {ID: "euclidean-raw", Name: "euclidean-raw"}, {ID: "glml", Name: "GLML"}}
	figures, err := timesAndCosts(Input{Costs: costs, Table: table.Table{Columns: columns}})
	if err != nil || len(figures) != 1 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	texts := readSVG(t, figures[0]).texts
	if slices.Contains(texts, "GLML") || !slices.Contains(texts, "euclidean-raw") || !slices.Contains(texts, "PLML") {
		t.Errorf("%q", texts)
	}
	if !strings.Contains(figures[0].Alt, "euclidean-raw from 2 (A robot)") || costs[0].Title != "" {
		t.Errorf("%s", figures[0].Alt)
	}
}

// A page shows no captions with characters that are not seen, and breaks lines after a slash.
func TestCaptionsAreSeen(t *testing.T) {
	all, err := allFigures()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if strings.Contains(f.See, "/√") || f.See != chart.Clean(f.See) {
			t.Errorf("%s: %q", f.Name, f.See)
		}
	}
}
