package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/golden"
	"r2lmlbench/results/explain"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// writeReport writes a report and returns its files by name.
func writeReport(t testing.TB, in Input) (dir string, files map[string]string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "new", "report")
	if err := Write(dir, in); err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, pattern := range []string{"*", "figures/*"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil {
				name, _ := filepath.Rel(dir, path)
				files[filepath.ToSlash(name)] = string(data)
			}
		}
	}
	return dir, files
}

func TestGolden(t *testing.T) {
	_, files := writeReport(t, withAll(newInput(t, tiny), tiny))
	html := strings.NewReplacer(styles, "", scripts, "", hash(styles), "", hash(scripts), "").Replace(files["index.html"])
	before, after, _ := strings.Cut(html, `id="panels">`)
	_, after, _ = strings.Cut(after, "</script>")
	data, err := json.Marshal(unpackPanels(t, html)) // other versions of Go may pack in other bytes
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/index.html", []byte(before+`id="panels">`+string(data)+"</script>"+after))
	for _, name := range []string{"table.tex", "win-tie-loss.csv", "win-tie-loss.md", "win-tie-loss.tex", "pairs.csv", "changes.md"} {
		golden.Equal(t, "testdata/"+name, []byte(files[name]))
	}
}

func TestSameBytes(t *testing.T) {
	_, first := writeReport(t, withAll(newInput(t, tiny), tiny))
	_, second := writeReport(t, withAll(newInput(t, tiny), tiny))
	if !maps.Equal(first, second) {
		t.Error("two reports on the same cells differ")
	}
	want := []string{"changes.csv", "changes.md", "changes.tex", "figures/strip.csv", "figures/strip.svg", "index.html",
		"pairs.csv", "pairs.md", "pairs.tex", "readings.csv", "readings.md", "readings.tex",
		"table.csv", "table.md", "table.tex", "verdicts.csv", "verdicts.md", "verdicts.tex",
		"win-tie-loss.csv", "win-tie-loss.md", "win-tie-loss.tex"}
	if got := slices.Sorted(maps.Keys(first)); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// A table with one row for each data set stands above the rows of single splits, and
// beside the page in all formats.
func TestPooled(t *testing.T) {
	in := withPooled(newInput(t, tiny))
	_, files := writeReport(t, in)
	page := files["index.html"]
	above, below := strings.Index(page, "All splits of a data set together"), strings.Index(page, `<details id="splits">`)
	if above < 0 || below < above || !strings.Contains(page[above:below], "2×") || !strings.Contains(page[above:below], "corrected resampled t-test") {
		t.Error("the page has no table with a row for each data set above that of the splits")
	}
	if n := strings.Count(between(page, `<section id="data"`, "</section>"), "<details"); n != 1 {
		t.Errorf("%d data sets are listed, want 1", n)
	}
	for _, link := range regexp.MustCompile(`href="#(data-[^"]*)"`).FindAllStringSubmatch(page, -1) {
		if in.Table.Rows[0].Dataset == strings.TrimPrefix(link[1], "data-") && !strings.Contains(page, `id="`+link[1]+`"`) {
			t.Errorf("%s leads nowhere", link[0])
		}
	}
	for _, name := range []string{"pooled.csv", "pooled.md", "pooled.tex"} {
		if files[name] == "" || files[name] == strings.Replace(files["table"+name[6:]], "table", "pooled", 1) {
			t.Errorf("no file %s of its own", name)
		}
	}
}

// withPooled adds a table with one row for each data set.
func withPooled(in Input) Input {
	pooled := in.Table
	pooled.Rows = slices.Clone(pooled.Rows)[:1]
	pooled.Rows[0].Repeat = 1 // as the table of single splits numbers it
	pooled.Rows[0].Pool = &table.Pool{Splits: 2, Train: 100, Test: table.CorrectedT}
	pooled.Rows[0].Contrasts = []table.Contrast{{Splits: 2, Test: &table.ContrastTest{Family: 1}}}
	in.Pooled = &pooled
	return in
}

// between is the text behind the first occurrence of one text and before another.
func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// TestChangedVerdict: a verdict that changed by cells of another spec is among the changes.
func TestChangedVerdict(t *testing.T) {
	in := withAll(newInput(t, tiny), tiny)
	was, is := in.Verdicts.Verdicts[0], in.Verdicts.Verdicts[0]
	was.Verdict = verdict.CannotTell
	in.Against.Verdicts = []VerdictChange{{was, is}}
	_, files := writeReport(t, in)
	words := "was “cannot tell”, is “" + is.Verdict + "”"
	changes := between(files["index.html"], `<section id="changes"`, "</section>")
	if !strings.Contains(changes, words) || !strings.Contains(changes, `href="`+numberHref(is)+`"`) {
		t.Errorf("%q is not there: %s", words, changes)
	}
	rows, err := csv.NewReader(strings.NewReader(files["changes.csv"])).ReadAll()
	want := []string{is.Dataset, "", is.Method, "", "verdict", "cannot tell", is.Verdict, "", "", "", "", ""}
	if err != nil || !slices.Equal(rows[1], want) {
		t.Errorf("changes.csv starts with %q, want %q: %v", rows[1], want, err)
	}
	strip := between(files["index.html"], `<div class="strip">`, "</div>")
	if n := strings.Count(strip, `class="changed"`); n != 2 || !strings.Contains(strip, "the verdict was: cannot tell") { // its square, and the legend
		t.Errorf("%d outlines on the strip: %s", n, strip)
	}
}

// TestWriteAgain: a report replaces the one before it and leaves other files.
func TestWriteAgain(t *testing.T) {
	dir, _ := writeReport(t, newInput(t, spoilt))
	mine := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(mine, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, newInput(t, tiny)); err != nil {
		t.Fatal(err)
	}
	html, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !bytes.Contains(html, []byte("<title>spec0: ")) {
		t.Errorf("the page was not replaced: %v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
	if err := Write(filepath.Join(mine, "below"), newInput(t, tiny)); err == nil || !strings.Contains(err.Error(), "--output") {
		t.Errorf("a directory below a file: %v", err)
	}
}

func TestSize(t *testing.T) {
	_, files := writeReport(t, newInput(t, full))
	if n := len(files["index.html"]); n > 900_000 {
		t.Errorf("the page has %d bytes, at most 900 kB are wanted", n)
	} else {
		t.Logf("%d bytes for %d x %d cells", n, full.sets, full.methods)
	}
}

func TestBadInput(t *testing.T) {
	for name, spoil := range map[string]func(*Input){
		"rows of cells":    func(in *Input) { in.Cells = in.Cells[1:] },
		"columns of cells": func(in *Input) { in.Cells[1] = in.Cells[1][1:] },
		"columns of table": func(in *Input) { in.Table.Rows[0].Cells = nil },
		"figure's name":    func(in *Input) { in.Figures = []Figure{{Name: "../x"}} },
		"the same figures": func(in *Input) { in.Figures = []Figure{{Name: "x"}, {Name: "x"}} },
	} {
		in := newInput(t, tiny)
		spoil(&in)
		if err := Write(t.TempDir(), in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestNothing: a page without a row, or with a single number, says so, leaves out what
// compares, and has no link that leads nowhere.
func TestNothing(t *testing.T) {
	for _, c := range []struct {
		of   shape
		says []string
	}{
		{shape{name: plainName}, []string{"<li>No rows.</li>", "0 methods on 0 data sets, 0 rows", "0 of 0 have a result"}},
		{shape{sets: 1, methods: 1, samples: 3, classes: 1, points: 1, name: plainName}, []string{
			">Set0</a>", ">100.00</a>", "1 method on 1 data set, 1 row", "1 of 1 has a result", "Method0 100.00"}},
	} {
		_, files := writeReport(t, newInput(t, c.of))
		page := files["index.html"]
		_, body, _ := strings.Cut(page, "<body>")
		body, _, _ = strings.Cut(body, `<script type="application/json"`)
		for _, want := range append(c.says, "<h1>spec0</h1>", `<p class="lead">description0</p>`, `<table id="ranked"`, `<section id="about"`) {
			if !strings.Contains(body, want) {
				t.Errorf("%d data sets: the page lacks %q", c.of.sets, want)
			}
		}
		for _, bad := range []string{"NaN", "Inf", "%!", "<no value>", "ZgotmplZ", `="#"`, `id="overview"`, `id="win-tie-loss"`, `id="figures"`, `id="compared"`,
			`id="changes"`, `id="history"`, `id="f-verdict"`, `class="strip"`, "ranked table<", "published", "raised", "<sup>"} {
			if strings.Contains(body, bad) {
				t.Errorf("%d data sets: the page has %q", c.of.sets, bad)
			}
		}
		if n, want := strings.Count(body, `<a class="n"`), c.of.sets*c.of.methods; n != want {
			t.Errorf("%d numbers, want %d", n, want)
		}
		for _, link := range regexp.MustCompile(`href="#([^"/]*)"`).FindAllStringSubmatch(body, -1) {
			if !strings.Contains(body, `id="`+link[1]+`"`) {
				t.Errorf("%d data sets: %s leads nowhere", c.of.sets, link[0])
			}
		}
		if p := unpackPanels(t, page); len(p.Rows) != c.of.sets || len(p.Columns) != c.of.methods || len(p.Cells) != c.of.sets {
			t.Errorf("%d data sets: the panels have %d rows, %d columns and %d lines of cells", c.of.sets, len(p.Rows), len(p.Columns), len(p.Cells))
		}
		if !strings.HasSuffix(strings.TrimSpace(page), "</html>") {
			t.Errorf("%d data sets: the page has no end", c.of.sets)
		}
	}
}

// TestWinTieLosses: of three rows of 60 samples the first method wins one, and the
// others do not count as they are not significant or even.
func TestWinTieLosses(t *testing.T) {
	tbl := table.Table{
		Columns: []table.Column{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}, {ID: "c", Name: "C"}},
		Rows: []table.Row{
			{N: 60, Pairs: []table.Pair{{A: "a", B: "b", BCount: 12, CCount: 0, Significant: true}, {A: "a", B: "c", BCount: 1, CCount: 13, Significant: true}}},
			{N: 60, Pairs: []table.Pair{{A: "a", B: "b", BCount: 3, CCount: 6}}},
			{N: 60, Pairs: []table.Pair{{A: "a", B: "b", BCount: 3, CCount: 3}}},
		},
	}
	got := winTieLosses(tbl)
	// (12 - 3 + 0)/60 of a hundred, over three rows: 5 points.
	for _, c := range []struct {
		a, b         int
		counts, mean string
	}{{0, 1, "1/2/0", "+5.00"}, {1, 0, "0/2/1", "-5.00"}, {0, 2, "0/0/1", "-20.00"}, {2, 0, "1/0/0", "+20.00"}} {
		if d := got[c.a][c.b]; d.Counts() != c.counts || d.Mean() != c.mean {
			t.Errorf("%d against %d: %s %s, want %s %s", c.a, c.b, d.Counts(), d.Mean(), c.counts, c.mean)
		}
	}
	if d := got[1][2]; d.rows() != 0 {
		t.Errorf("a pair that never met: %+v", d)
	}
}

// TestAnswer: the page opens with the answer of the text and the strip, whose legend counts the
// verdicts that occur.
func TestAnswer(t *testing.T) {
	in := newInput(t, tiny)
	in.Text = "Does it reproduce?\n---\n\nPartly, & so on.\n"
	_, files := writeReport(t, in)
	overview, _, _ := strings.Cut(files["index.html"], `<section id="table"`)
	if !strings.Contains(overview, "<p>Partly, &amp; so on.</p>") || !strings.Contains(overview, verdict.Rule) {
		t.Error("the first screen lacks the answer or the rule")
	}
	for _, w := range in.Verdicts.Summary.Words {
		tile := fmt.Sprintf(`</svg>%s&#160;<b>%d</b></li>`, w.Word, w.Count)
		if strings.Contains(overview, tile) != (w.Count > 0) {
			t.Errorf("%s: %d", w.Word, w.Count)
		}
	}
	unpublished := shape{sets: 1, methods: 2, samples: 60, classes: 2, points: 1, name: plainName}
	own := newInput(t, unpublished)
	_, files = writeReport(t, own)
	_, overview, _ = strings.Cut(files["index.html"], "<main>")
	overview, _, _ = strings.Cut(overview, `<section id="table"`)
	if len(own.leaders()) != 1 || !strings.Contains(overview, "is the most accurate") ||
		strings.Contains(overview, `class="strip"`) || strings.Contains(overview, "margin") {
		t.Errorf("the first screen without published numbers is %q", overview)
	}
}

// TestGap: a number is flagged when more than ten points lie between validation and test.
func TestGap(t *testing.T) {
	for _, c := range []struct {
		validation int
		flagged    bool
	}{{40, false}, {50, false}, {51, true}, {29, true}} {
		x := Cell{Explanation: explain.Explanation{
			Validation: 100, Tried: []explain.TriedPoint{{Correct: &c.validation, Chosen: true}},
			Result: &explain.ResultFacts{N: 100, Correct: 40, Accuracy: "40.00"},
		}}
		if got := x.gap(); (got != "") != c.flagged || c.flagged && len(x.flags()) == 0 {
			t.Errorf("%d on validation: %q", c.validation, got)
		}
	}
}

// TestSigns: every word has a sign of its own and a color of the page.
func TestSigns(t *testing.T) {
	seen := map[string]string{}
	for _, word := range verdict.Words() {
		look, ok := wordLooks[word]
		if other := seen[look.sign]; !ok || look.sign == "" || other != "" {
			t.Errorf("%q has the sign %q, as has %q", word, look.sign, other)
		}
		if !strings.Contains(styleText, ".v-"+look.family+" {") {
			t.Errorf("%q is of family %q, which has no color", word, look.family)
		}
		seen[look.sign] = word
	}
	if len(wordLooks) != len(seen) {
		t.Errorf("%d signs for %d words", len(wordLooks), len(seen))
	}
	for _, sign := range []string{invertedSign, constantSign, gapSign} {
		if word := seen[sign]; word != "" {
			t.Errorf("%s is a footnote and %q", sign, word)
		}
		seen[sign] = "a footnote"
	}
}

func TestConstant(t *testing.T) {
	for _, c := range []struct {
		name   string
		counts [][]int
		want   bool
	}{
		{"one label for two classes", [][]int{{0, 3}, {0, 2}}, true},
		{"one label of a class that is not there", [][]int{{0, 3, 0}, {0, 0, 0}, {0, 2, 0}}, true},
		{"two labels", [][]int{{1, 2}, {0, 2}}, false},
		{"one class", [][]int{{3, 0}, {0, 0}}, false},
		{"nothing", nil, false},
	} {
		x := Cell{Explanation: explain.Explanation{Result: &explain.ResultFacts{Confusion: explain.Confusion{Counts: c.counts}}}}
		if got := x.constant(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	if (Cell{}).constant() {
		t.Error("a cell without a result is constant")
	}
}

// TestPairsAgree: the panels' pairs are those of the table.
func TestPairsAgree(t *testing.T) {
	in := newInput(t, tiny)
	for r, row := range in.Table.Rows {
		pairs := in.rowPairs(r)
		if len(pairs) != len(row.Pairs) {
			t.Fatalf("row %d: %d pairs, want %d", r, len(pairs), len(row.Pairs))
		}
		for i, p := range pairs {
			a, b, q := in.Table.Columns[p.a].ID, in.Table.Columns[p.b].ID, row.Pairs[i]
			if a != q.A || b != q.B || p.OnlyThis != q.BCount || p.OnlyOther != q.CCount || p.PHolm != q.PHolm {
				t.Errorf("row %d: %+v, want %+v", r, p, q)
			}
		}
	}
}

// TestLoneMethod: a method by itself has no ranks, letters or rivals.
func TestLoneMethod(t *testing.T) {
	lone := tiny
	lone.methods = 1
	_, files := writeReport(t, newInput(t, lone))
	page := files["index.html"]
	for _, word := range []string{">rank<", ">letters<", "behind the best", "best group", "share a letter", "the most accurate first", "win-tie-loss\""} {
		if strings.Contains(page, word) {
			t.Errorf("the page has %q", word)
		}
	}
	if !strings.Contains(page, "none: there is one method") {
		t.Error("the page does not say that nothing is tested")
	}
}

// unpackPanels reads the data of the panels out of a page.
func unpackPanels(t *testing.T, html string) panels {
	t.Helper()
	_, block, _ := strings.Cut(html, `id="panels">`)
	block, _, _ = strings.Cut(block, "</script>")
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(block)))
	if err != nil {
		t.Fatal(err)
	}
	var p panels
	if err := json.NewDecoder(z).Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestHostileHTML: no name opens an element, and the data end where they end.
func TestHostileHTML(t *testing.T) {
	_, files := writeReport(t, withAll(newInput(t, spoilt), spoilt))
	html := files["index.html"]
	if n := strings.Count(html, "<script"); n != 3 {
		t.Errorf("%d script elements, want 3", n)
	}
	for _, bad := range []string{"<img src=x", `href="javascript:`, "#ZgotmplZ", "\x1b["} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	_, block, _ := strings.Cut(html, `id="keys">`)
	block, _, _ = strings.Cut(block, "</script>")
	if strings.ContainsAny(block, "<>&\u2028") {
		t.Error("the keys could end their element")
	}
	var k panelKeys
	if err := json.Unmarshal([]byte(block), &k); err != nil {
		t.Error(err)
	}
	p := unpackPanels(t, html)
	if len(k.Rows) != spoilt.sets || len(p.Cells) != spoilt.sets || p.Columns[0].Name != evilName("Method", 0) {
		t.Error("the data are not those of the report")
	}
}

func TestHostileTables(t *testing.T) {
	_, files := writeReport(t, withAll(newInput(t, spoilt), spoilt))
	plainNumber := regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	for name, text := range files {
		switch filepath.Ext(name) {
		case ".csv":
			lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, field := range slices.Concat(lines...) {
				if field != "" && strings.ContainsRune("=+-@\t\r", rune(field[0])) && !plainNumber.MatchString(field) {
					t.Errorf("%s: %q begins a formula", name, field)
				}
			}
		case ".md":
			if strings.Contains(text, "<script") || strings.Contains(text, "a|b") || strings.Contains(text, "<img") {
				t.Errorf("%s: a name is active", name)
			}
		case ".tex":
			for _, active := range []string{`\input`, "100% #", "a|b & ", "c_d", "中", "{~^}"} {
				if strings.Contains(text, active) {
					t.Errorf("%s: %q is active", name, active)
				}
			}
		}
	}
}

// TestLaTeXCompiles: every table is a document of its own, whatever the names. No line
// stands out of the page by more than 5 pt, but for that of ten hostile heads.
func TestLaTeXCompiles(t *testing.T) {
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("there is no pdflatex; Debian has it in texlive-latex-base")
	}
	for _, s := range []shape{tiny, spoilt} {
		dir, files := writeReport(t, withAll(newInput(t, s), s))
		for name := range files {
			if filepath.Ext(name) == ".tex" {
				if wide := compile(t, pdflatex, dir, name); wide > 5 && (s.methods < 10 || name != "table.tex") {
					t.Errorf("%d methods, %s: a line stands out by %g pt", s.methods, name, wide)
				}
			}
		}
	}
}

var overfull = regexp.MustCompile(`Overfull \\hbox \(([0-9.]+)pt`)

// compile runs pdflatex on a document of a folder, and returns by how many pt its widest
// line stands out of the page.
func compile(t *testing.T, pdflatex, dir, name string) (widest float64) {
	t.Helper()
	cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("Output written on")) {
		t.Errorf("%s: %v\n%s", name, err, out[max(0, len(out)-1500):])
	}
	for _, m := range overfull.FindAllSubmatch(out, -1) {
		width, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			t.Error(err)
		}
		widest = max(widest, width)
	}
	return widest
}

// TestRowsOfFigures: neighbours of the same height share a row, another figure goes beside
// the one behind it that comes closest, and what is left stands alone.
func TestRowsOfFigures(t *testing.T) {
	for _, c := range []struct {
		heights []float64
		rows    string
	}{
		{nil, ""},
		{[]float64{1}, "0!"},
		{[]float64{1, 1, 1}, "0 1 2!"},
		{[]float64{0.4, 0.8, 0.9, 0.82, 0.45}, "0 4 1 3 2!"},
		{[]float64{0.8, 0.5, 0.81, 0.81, 2}, "0! 1! 2 3 4!"},
		{[]float64{0, 0, 1}, "0 1 2!"},
	} {
		var in Input
		for i, h := range c.heights {
			in.Figures = append(in.Figures, Figure{Name: strconv.Itoa(i), Height: h})
		}
		var got []string
		for _, f := range in.drawings() {
			name := f.Name
			if f.Alone {
				name += "!"
			}
			got = append(got, name)
		}
		if text := strings.Join(got, " "); text != c.rows {
			t.Errorf("heights %v: rows %q, want %q", c.heights, text, c.rows)
		}
	}
}
