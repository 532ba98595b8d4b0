package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// writeReport writes a report and returns its files by name.
func writeReport(t testing.TB, in Input) (dir string, files map[string]string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "new", "report")
	fixture.Check(t, Write(dir, in))
	return dir, fixture.Contents(t, dir, "")
}

func pageOf(t testing.TB, in Input) string {
	t.Helper()
	_, files := writeReport(t, in)
	return files["index.html"]
}

// between is the text behind the first occurrence of one text and before another.
func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// TestNumbers: every number of the table is on the page once, with its value and the link
// that opens its panel, whatever its names are.
func TestNumbers(t *testing.T) {
	number := regexp.MustCompile(`<a class="n" href="#([^"/]*)/([^"/]*)">([^<]*)`)
	for _, s := range []shape{tiny, spoilt, full} {
		in := newInput(t, s)
		seen := map[[2]string]string{}
		for _, m := range number.FindAllStringSubmatch(pageOf(t, in), -1) {
			row, err := url.PathUnescape(m[1])
			column, other := url.PathUnescape(m[2])
			if _, twice := seen[[2]string{row, column}]; twice || err != nil || other != nil {
				t.Errorf("%q: there already, or %v, %v", m[0], err, other)
			}
			seen[[2]string{row, column}] = m[3]
		}
		for _, r := range in.Table.Rows {
			for _, c := range r.Cells {
				want := map[string]string{"": "–", table.StatusMissing: "–", table.StatusFailed: "failed"}[c.Status]
				if c.Score != nil {
					want = c.Accuracy
				}
				fixture.Equal(t, fmt.Sprintf("%q, %q", r.Dataset, c.Method), seen[[2]string{r.Dataset, c.Method}], want)
			}
		}
		fixture.Equal(t, "numbers", len(seen), s.sets*s.methods)
	}
}

var (
	void     = []string{"meta", "link", "br", "img", "input", "hr"}
	contents = regexp.MustCompile(`(?s)(<(?:script|style)[^>]*>).*?(</(?:script|style)>)`)
	tag      = regexp.MustCompile(`<(/?)([a-zA-Z0-9]+)[^>]*?(/?)>`)
)

// TestWellFormed: every element that begins ends, inside the one around it; ids are unique
// and links within the page lead somewhere; nothing is left of the template.
func TestWellFormed(t *testing.T) {
	lone := tiny
	lone.methods = 1
	for name, in := range map[string]Input{
		"all": withAll(newInput(t, tiny), tiny), "hostile": withAll(newInput(t, spoilt), spoilt), "pooled": withPooled(newInput(t, tiny)),
		"one method": newInput(t, lone), "nothing": newInput(t, shape{name: plainName}),
	} {
		page := contents.ReplaceAllString(pageOf(t, in), "$1$2")
		var open []string
		for _, m := range tag.FindAllStringSubmatch(page, -1) {
			switch {
			case m[3] == "/" || slices.Contains(void, m[2]):
			case m[1] == "":
				open = append(open, m[2])
			case len(open) == 0 || open[len(open)-1] != m[2]:
				t.Fatalf("%s: %s ends in %q", name, m[0], open)
			default:
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: %q do not end", name, open)
		}
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("%s: two elements have the id %s", name, m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`href="#([^"/]*)"`).FindAllStringSubmatch(page, -1) {
			if !ids[m[1]] {
				t.Errorf("%s: %s leads nowhere", name, m[0])
			}
		}
		fixture.Lacks(t, name, page, "NaN", "Inf", "%!", "<no value>", "ZgotmplZ", "0x", "{{end")
	}
}

// TestHostile: no name opens an element, acts on the text around it or begins a formula, and
// the data end where they end.
func TestHostile(t *testing.T) {
	in := withAll(newInput(t, spoilt), spoilt)
	_, files := writeReport(t, in)
	page := files["index.html"]
	fixture.Equal(t, "script elements", strings.Count(page, "<script"), 3)
	fixture.Has(t, "the page", html.UnescapeString(page), evilName("Set", 0))
	fixture.Lacks(t, "the page", page, "<img src=x", `href="javascript:`, "onerror=window.pwned=1>")
	if i := strings.IndexFunc(page, func(r rune) bool { return text.Hidden(r) && r != '\n' && r != '\t' }); i >= 0 {
		t.Errorf("the page has the hidden character %+q in %q", page[i:i+4], page[max(0, i-40):i+40])
	}
	harmless := regexp.MustCompile(`^([+-]?[0-9]+(\.[0-9]+)?|-)$`) // numbers, and a missing one
	for name, text := range files {
		switch filepath.Ext(name) {
		case ".csv":
			lines := fixture.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
			for _, field := range slices.Concat(lines...) {
				if field != "" && strings.ContainsRune("=+-@\t\r", rune(field[0])) && !harmless.MatchString(field) {
					t.Errorf("%s: %q begins a formula", name, field)
				}
			}
		case ".md":
			fixture.Lacks(t, name, text, "<script", "a|b", "<img")
		case ".tex":
			fixture.Lacks(t, name, text, `\input`, "100% #", "a|b & ", "c_d", "中", "{~^}")
		}
	}
}

// TestNoNetwork: the page asks for nothing, and its policy would not let it. The links that
// a reader may follow are to its files, and to the web in the answer alone.
func TestNoNetwork(t *testing.T) {
	dir, files := writeReport(t, withAll(newInput(t, tiny), tiny))
	page := files["index.html"]
	fixture.Has(t, "a policy that forbids all that it does not need", page, `content="default-src &#39;none&#39;; `)
	styles, policy := between(page, "<style>", "</style>"), html.UnescapeString(between(page, `content="default-src`, `">`))
	fixture.Has(t, "the policy", policy, hash(styles), hash(between(page, "<script>", "</script>")))
	fixture.Has(t, "the styles", styles, ".fig-mark")
	fixture.Lacks(t, "the page", page, "@import", "url(", "fetch(", "XMLHttpRequest", " src=", "<link", "<iframe")
	for _, m := range regexp.MustCompile(`href="([^"#][^"]*)"`).FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(filepath.Join(dir, m[1])); err != nil {
			t.Errorf("a link leads to no file: %v", err)
		}
	}
}

// taken is object i of lists of values by key, without those that are null.
func taken(lists map[string]any, i int) map[string]any {
	object := map[string]any{}
	for key, list := range lists {
		var value any
		switch list := list.(type) {
		case []any:
			value = list[i]
		case map[string]any:
			if of := taken(list, i); len(of) > 0 {
				value = of
			}
		}
		if value != nil {
			object[key] = value
		}
	}
	return object
}

// known is an object without what is null, also in the objects in it.
func known(object map[string]any) map[string]any {
	for key, value := range object {
		if of, is := value.(map[string]any); is {
			maps.DeleteFunc(of, func(_ string, v any) bool { return v == nil })
		}
		if value == nil {
			delete(object, key)
		}
	}
	return object
}

// TestPanels: what is embedded are the explanations, as JSON; where rows have several splits,
// without the tests of single splits.
func TestPanels(t *testing.T) {
	in := withAll(newInput(t, spoilt), spoilt)
	got := panelsOf(t, in)
	cells := slices.Concat(in.Cells...)
	fixture.Equal(t, "numbers", len(cells) > 0, true)
	for i, c := range cells {
		var want map[string]any
		fixture.Check(t, json.Unmarshal(fixture.Must(json.Marshal(c))(t), &want))
		fixture.Same(t, fmt.Sprint("explanation ", i), taken(got.Cells, i), known(want))
	}
	fixture.Same(t, "columns", got.Columns, in.Table.Columns)
	fixture.Equal(t, "title", got.Titles[3], evilName("Set", 3))
	in = withPooled(in)
	for _, of := range panelsOf(t, in).Cells["result"].(map[string]any)["against"].([]any) {
		if pairs, there := of.([]any); there && len(pairs) > 0 {
			t.Fatalf("pairs of one split: %v", pairs)
		}
	}
	fixture.Equal(t, "pairs of the input", slices.ContainsFunc(cells, func(c PanelData) bool { return c.Result != nil && len(c.Result.Against) > 0 }), true)
}

// A packed is what stands in the page behind its numbers.
type packed struct {
	Columns []table.Column
	Titles  []string
	Cells   map[string]any
}

func panelsOf(t *testing.T, in Input) (got packed) {
	z := fixture.Must(gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(between(pageOf(t, in), `id="panels">`, "</script>")))))(t)
	fixture.Check(t, json.NewDecoder(z).Decode(&got))
	return got
}

// TestFiles: the files of a report are these, and equal input gives equal bytes.
func TestFiles(t *testing.T) {
	_, first := writeReport(t, withAll(newInput(t, tiny), tiny))
	_, second := writeReport(t, withAll(newInput(t, tiny), tiny))
	fixture.Same(t, "two reports on the same cells", second, first)
	want := []string{"figures/ranks.csv", "figures/ranks.svg", "index.html", "table.tex"}
	for _, name := range []string{"readings", "table", "verdicts"} {
		want = append(want, name+".csv", name+".md")
	}
	fixture.EqualSlice(t, "files", slices.Sorted(maps.Keys(first)), slices.Sorted(slices.Values(want)))
	if n := len(pageOf(t, newInput(t, full))); n > 900_000 {
		t.Errorf("the page of %d x %d numbers has %d bytes, at most 900 kB are wanted", full.sets, full.methods, n)
	}
}

// TestWriteAgain: a report replaces the one before it and leaves other files.
func TestWriteAgain(t *testing.T) {
	dir, _ := writeReport(t, newInput(t, spoilt))
	mine := filepath.Join(dir, "mine.txt")
	fixture.Check(t, os.WriteFile(mine, []byte("x"), 0o666))
	fixture.Check(t, Write(dir, newInput(t, tiny)))
	fixture.Has(t, "the page", fixture.Text(t, filepath.Join(dir, "index.html")), "<title>spec0: ")
	fixture.Equal(t, "another file", fixture.Text(t, mine), "x")

	in := withAll(newInput(t, tiny), tiny)
	in.Predictions = []byte("dataset\n")
	fixture.Check(t, Write(dir, in))
	fixture.Equal(t, "the predictions", fixture.Text(t, filepath.Join(dir, "predictions.csv")), "dataset\n")
	fixture.Check(t, Write(dir, newInput(t, tiny)))
	for _, name := range []string{"predictions.csv", "figures/ranks.csv", "figures/ranks.svg"} {
		_, err := os.Stat(filepath.Join(dir, name))
		fixture.Is(t, err, fs.ErrNotExist)
	}
	fixture.Says(t, Write(filepath.Join(mine, "below"), newInput(t, tiny)), "below")
}

// TestAbsent: what is not known or cannot be compared has no section.
func TestAbsent(t *testing.T) {
	lone := shape{sets: 1, methods: 1, samples: 3, classes: 1, points: 1, name: plainName}
	for _, s := range []shape{{name: plainName}, lone} {
		page := contents.ReplaceAllString(pageOf(t, newInput(t, s)), "$1$2")
		fixture.Lacks(t, "the page", page,
			`id="overview"`, `id="figures"`, `id="methods"`, `id="history"`, `id="f-verdict"`,
			`class="squares"`, "Rank 1", "<sup>", "verdicts.csv", `="#"`)
		fixture.Equal(t, fmt.Sprintf("100.00 with %d data sets", s.sets), strings.Contains(page, ">100.00</a>"), s.sets > 0)
	}
	page := pageOf(t, withAll(newInput(t, tiny), tiny))
	fixture.Has(t, "the page", page, `id="overview"`, `id="figures"`, `id="history"`, `id="f-verdict"`, `class="squares"`)

	in := Input{Table: table.Table{Rows: make([]table.Row, 1)}, Cells: make([][]PanelData, 1)}
	for _, day := range []int{3, 5, 4} {
		run := &results.Run{Finished: time.Date(2020, 2, day, 4, 5, 6, 0, time.UTC)}
		in.Cells[0] = append(in.Cells[0], PanelData{Explanation: Explanation{Data: DataFacts{Rows: 9}, Run: run}})
	}
	fixture.Has(t, "when the last cell was computed", in.size(), "2020-02-05")
}

// TestContrastsOfAPage: a page has the contrasts of its spec.
func TestContrastsOfAPage(t *testing.T) {
	in := newInput(t, tiny)
	in.Verdicts.Summary.Numbers = 0
	c := table.Comparison{Mean: 1.25, Sets: []table.SetDifference{{Name: "Robot", Pairs: 3, Points: 2.5, T: 1.5, P: math.NaN()}}}
	id := func(columns ...int) (all []string) {
		for _, i := range columns {
			all = append(all, in.Table.Columns[i].ID)
		}
		return all
	}
	c.Name, c.A, c.B = "local less global", id(1), id(0)
	c.Test, c.Holm = stats.WilcoxonTest{}, 0.3
	sure := c
	sure.A, sure.Mean, sure.Holm = id(1, 2), -4, 0.01
	in.Table.Contrasts = []table.Comparison{c, sure}
	in.Description, in.Text = "Do many pay? With 3.", "# Does it reproduce?\n\nPartly.\n\n## Do many pay?\n\nLittle.\n"
	_, files := writeReport(t, in)
	page := files["index.html"]
	fixture.Lacks(t, "the page", page, `class="squares"`)
	section := between(page, `id="contrasts"`, "</section>")
	name := func(i int) string { return html.EscapeString(in.Table.Columns[i].Name) }
	significant, not := "whichever of "+name(1)+" and "+name(2), "<b>"+name(1)+"</b> is 1.25 points better than <b>"+name(0)
	fixture.Has(t, "the answer", section, "1 of 2 comparisons", significant, "is 4.00 points worse than", not, "not a significant difference (corrected p 0.3)")
	fixture.Equal(t, "the answer of the text to the question of the spec is first", strings.Contains(section, `class="answer"><p>Little.</p>`), true)
	fixture.Equal(t, "the significant one is first", strings.Index(section, significant) < strings.Index(section, not), true)
	fixture.Has(t, "the CSV by data set", files["contrasts-by-set.csv"], "local less global,Robot,3,2.50,0.00,1.50,")
}

// TestReproduces: a page about published numbers opens with the answer of the text, and a
// square for each number by its word. One with few of them compares methods instead.
func TestReproduces(t *testing.T) {
	in := withAll(newInput(t, tiny), tiny)
	page := pageOf(t, in)
	overview, squares := between(page, `<section id="overview"`, "</section>"), between(page, `<section id="squares"`, "</section>")
	fixture.Has(t, "the first screen", overview, "<strong>Partly.</strong> We come within 1 point of 51 of them, see here.")
	fixture.Lacks(t, "the page", page, `id="methods"`)
	for _, w := range in.Verdicts.Summary.Words {
		class := fmt.Sprintf(`class="sq v-%.6s"`, w.Word)
		fixture.Equal(t, "squares of "+w.Word, strings.Count(squares, class), w.Count)
		fixture.Has(t, "a color and a sign", styles, fmt.Sprintf(".v-%.6s { color", w.Word), fmt.Sprintf(".v-%.6s::before { content", w.Word))
	}
	in.Text = ""
	words := in.Verdicts.Summary.Words
	fixture.Has(t, "the answer about a part of the numbers", between(pageOf(t, in), `<section id="overview"`, "</section>"),
		fmt.Sprintf("Of the %d published accuracies", in.Verdicts.Summary.Numbers), fmt.Sprintf("%d agree", words[0].Count), fmt.Sprintf("%d differ", words[1].Count))
	in.Verdicts.Summary.Numbers = 1
	page = pageOf(t, in)
	fixture.Lacks(t, "the page with one published number", page, "reproduce?", "Partly.", `class="squares"`)
	fixture.Has(t, "the page with one published number", page, `id="methods"`)
}

// TestRankings: the most accurate methods come first, those without a result on every split
// last, and methods that are not significantly worse are counted.
func TestRankings(t *testing.T) {
	scored := func(correct, rank int) table.Result {
		return table.Result{Score: &table.Score{Correct: correct, Rank: rank, Accuracy: fmt.Sprint(correct)}, Mean: float64(correct)}
	}
	partial := scored(95, 0)
	partial.Partial = 2
	for _, c := range []struct {
		cells []table.Result
		want  string // with the points of the second behind the first, and their interval
	}{
		{[]table.Result{scored(90, 1), scored(80, 2), scored(70, 3)}, "ABC, best A, 0 of 2 not worse, second 10.00 -1.50 to 4.00"},
		{[]table.Result{scored(70, 2), scored(90, 1), scored(89, 1)}, "BCA, best B, 1 of 2 not worse, second 1.00 "},
		{[]table.Result{scored(90, 1), scored(90, 1), scored(89, 1)}, "ABC, best AB, 1 of 1 not worse, second 0.00 -1.50 to 4.00"},
		{[]table.Result{partial, scored(20, 1), scored(10, 2)}, "BCA, best B, 0 of 1 not worse, second 10.00 "},
		{[]table.Result{partial, scored(20, 1), {}}, "BA, best B, 0 of 0 not worse, second -75.00 -4.00 to 1.50"},
		{[]table.Result{scored(90, 1), {}, scored(90, 1)}, "AC, best AC, 0 of 0 not worse, second 0.00 "},
	} {
		in := Input{Table: table.Table{Columns: []table.Column{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}, {ID: "c", Name: "C"}}}}
		pair := table.Pair{A: "a", B: "b", Outcome: stats.Outcome{Difference: c.cells[0].Mean - c.cells[1].Mean, Interval: stats.Interval{Low: -1.5, High: 4}}}
		in.Table.Rows = []table.Row{{Name: "X", N: 100, Cells: c.cells, Pairs: []table.Pair{pair}}}
		for i := range c.cells {
			c.cells[i].Method = in.Table.Columns[i].ID
		}
		in.Cells = [][]PanelData{make([]PanelData, 3)}
		r := in.rankings()[0]
		order, best, second := "", "", r.Methods[1]
		for _, m := range r.Methods {
			order += m.Name
		}
		for _, m := range r.Best {
			best += m.Name
		}
		got := fmt.Sprintf("%s, best %s, %d of %d not worse, second %s %s", order, best, r.NotWorse, r.Others, second.Behind, second.Between())
		fixture.Equal(t, "ranking", got, c.want)
	}
}

// TestPooled: with several splits the methods are compared over all of them, on every one
// of which there is a dot.
func TestPooled(t *testing.T) {
	in := withPooled(newInput(t, tiny))
	in.Verdicts = paper.Verdicts{}
	_, files := writeReport(t, in)
	methods := between(files["index.html"], `<section id="methods"`, "</section>")
	// Two methods have a result on both splits, two on one.
	fixture.Equal(t, "dots", strings.Count(methods, "<circle"), 6)
	for _, name := range []string{"pooled.csv", "pooled.md", "pooled.tex"} {
		fixture.Equal(t, name+" is empty", files[name] == "", false)
	}
}

// TestPageByTheMeasure: a page whose methods are ranked by another metric than accuracy shows that
// metric at every place where it would show the accuracy.
func TestPageByTheMeasure(t *testing.T) {
	for _, m := range results.Metrics[1:] {
		by := tiny
		by.measure, by.sets, by.samples = m.ID, 3, 41
		in := newInput(t, by)
		in.Verdicts = paper.Verdicts{}
		overview := in.overview()
		fixture.Equal(t, "first of the measures", overview.Measures[0].ID, m.ID)
		page, differ := pageOf(t, in), 0
		for _, r := range in.Table.Rows {
			for j, c := range r.Cells {
				if c.Score == nil {
					continue
				}
				link := fmt.Sprintf(`<a class="n" href="#%s/%s">`, r.Dataset, in.Table.Columns[j].ID)
				if c.Value() != c.Accuracy {
					differ++
				}
				if shown := between(page, link, "</a>"); !strings.HasPrefix(shown, document.Minus(c.Value())) {
					t.Errorf("%s of %s: %q, want %s", m.ID, c.Method, shown, c.Value())
				}
			}
		}
		if differ < 5 {
			t.Fatalf("%s differs from the accuracy of %d cells", m.ID, differ)
		}
		in = withPooled(in)
		methods := html.UnescapeString(between(pageOf(t, in), `<section id="methods"`, "</section>"))
		for _, r := range in.rankings() {
			for _, method := range r.Methods {
				fixture.Has(t, m.ID+" of the methods", methods, ">"+document.Minus(method.Score))
			}
		}
		fixture.Has(t, "the caption", methods, m.Name+" in percent")
		fixture.Lacks(t, "the methods", strings.ReplaceAll(methods, m.Name, ""), "accura")
	}
}

// TestWhoWins: methods that Nemenyi's test does not tell from the first are its group, and a time is
// shown only where it is known of every data set.
func TestWhoWins(t *testing.T) {
	in := newInput(t, shape{sets: 14, methods: 4, samples: 60, classes: 3, points: 1, name: plainName})
	in.Verdicts = paper.Verdicts{}
	number := func(text string) float64 { return fixture.Must(strconv.ParseFloat(text, 64))(t) }
	in = in.only(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13) // on which all methods have a result
	o := in.overview()
	groups := map[bool]int{}
	for _, l := range o.Lines {
		fixture.Equal(t, l.Name+" may be the best", l.Best, number(l.Rank)-number(o.Lines[0].Rank) < number(o.CD))
		groups[l.Best]++
		if l.Fields[3][0] == "" {
			t.Errorf("%s has no time", l.Name)
		}
	}
	if groups[true] == 0 || groups[false] == 0 {
		t.Errorf("%v: want methods in the group of the first and others", groups)
	}
	for i := range in.Cells[0] {
		in.Cells[0][i].Seconds, in.Cells[0][i].Run = 0, nil
	}
	for _, l := range in.overview().Lines {
		fixture.Equal(t, l.Name+": seconds", l.Fields[3], [2]string{})
	}
}

// TestSingleBesideSeveral: a data set with one split keeps its ranks and pairs beside one with several,
// and both tests are named.
func TestSingleBesideSeveral(t *testing.T) {
	of := tiny
	of.sets, of.samples = 3, 41
	in := newInput(t, of)
	in.Verdicts = paper.Verdicts{}
	in = withSplits(in, 1)
	page, against := pageOf(t, in), panelsOf(t, in).Cells["result"].(map[string]any)["against"].([]any)
	for i, r := range in.Table.Rows {
		ranked := strings.Contains(between(page, fmt.Sprintf(`<tr data-r="%d">`, i), "</tr>"), "<sup>")
		fixture.Equal(t, fmt.Sprint("ranks of row ", i), ranked, i == 0)
		pairs := 0
		for j := range r.Cells {
			of, _ := against[i*len(r.Cells)+j].([]any)
			pairs += len(of)
		}
		fixture.Equal(t, fmt.Sprint("pairs behind row ", i), pairs > 0, i == 0)
	}
	tests := between(page, "<dt>Test</dt>", "</dd>")
	fixture.Has(t, "the tests", tests, "corrected resampled t-test", "McNemar")
}

// TestSortedByTheNumber: what orders a column, the attribute data-s or else the text of the cell, is its number, also
// where a sign or a published number stands beside it and no test does.
func TestSortedByTheNumber(t *testing.T) {
	in := withPooled(newInput(t, tiny))
	in.Verdicts = paper.Verdicts{}
	for i, r := range in.Table.Rows {
		for j, c := range r.Cells {
			if c.Score != nil {
				c.Score.Constant, in.Table.Rows[i].Cells[j].Published = i == 0, []string{"", "50.00"}[i%2]
			}
		}
	}
	page, numbers := pageOf(t, in), 0
	for i, r := range in.Table.Rows {
		cells := strings.Split(between(page, fmt.Sprintf(`<tr data-r="%d">`, i), "</tr>"), "<td")[2:]
		for j, c := range r.Cells {
			if c.Score == nil {
				continue
			}
			numbers++
			tag, shown, _ := strings.Cut(cells[j], ">")
			key := regexp.MustCompile("<[^>]*>").ReplaceAllString(strings.ReplaceAll(shown, "−", "-"), "")
			if strings.Contains(tag, "data-s") {
				key = between(tag, `data-s="`, `"`)
			}
			fixture.Equal(t, fmt.Sprintf("key of row %d, %s", i, c.Method), strings.TrimSpace(key), c.Value())
		}
	}
	fixture.Equal(t, "numbers", numbers > 2, true)
}

// withPooled makes the rows splits of one data set and adds the row of all.
func withPooled(in Input) Input { return withSplits(in, 0) }

// withSplits makes the rows from one on splits of one data set, and adds the table with the row of all of them.
func withSplits(in Input, from int) Input {
	for i := range in.Table.Rows[from:] {
		r := &in.Table.Rows[from+i]
		r.Dataset, r.Split, r.Repeat, r.Train = in.Table.Rows[from].Dataset, fmt.Sprintf("random repeat=%d", i+1), i+1, 50
	}
	pooled := in.Table.Pooled()
	in.Pooled = &pooled
	return in
}

// TestSigns: beside a number stands the sign of predictions that are all the same.
func TestSigns(t *testing.T) {
	for _, constant := range []bool{false, true} {
		in := newInput(t, tiny)
		in.Table.Rows[1].Cells[0].Score.Constant = constant
		cell := between(pageOf(t, in), `<a class="n" href="#set1/method0">`, "</td>")
		fixture.Equal(t, "† beside a number", strings.Contains(cell, "†"), constant)
	}
}

// TestLaTeXCompiles: every table of a report is a document of its own, and what "table --format latex"
// prints stands in a paper, whatever the names.
func TestLaTeXCompiles(t *testing.T) {
	fixture.Long(t)
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil || testing.Short() {
		t.Skip("there is no pdflatex, which Debian has in texlive-latex-base, or the tests are to be short")
	}
	in := withAll(newInput(t, spoilt), spoilt)
	dir, files := writeReport(t, in)
	if exec.Command("kpsewhich", "booktabs.sty").Run() == nil {
		var b bytes.Buffer
		fixture.Check(t, in.Table.Render(&b, "latex", document.Style{}))
		files["paper.tex"] = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\nText.\n\n" + b.String() + "\n\\end{document}\n"
		fixture.Write(t, filepath.Join(dir, "paper.tex"), files["paper.tex"])
	} else {
		t.Log("the table in a paper is not compiled: there is no booktabs, which Debian has in texlive-latex-recommended")
	}
	for name := range files {
		if filepath.Ext(name) == ".tex" {
			cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("Output written on")) {
				t.Errorf("%s: %v\n%s", name, err, out[max(0, len(out)-1500):])
			}
		}
	}
}

// The section below a heading of any level is rendered up to the next heading, without what
// a page by itself cannot have.
func TestSectionHTML(t *testing.T) {
	for text, want := range map[string]string{
		"# Q\n\nYes.\n": "<p>Yes.</p>\n",
		"# Other\n\nno\n\n## Q\n\nYes.\n\n### Next\n\nno\n": "<p>Yes.</p>\n",
		"# Q\n\n![a picture](x.svg)\n\nA [file](x.md#y) and **[the web](https://example.org/)**.\n": "<p>A file and <strong>" +
			"<a href=\"https://example.org/\">the web</a></strong>.</p>\n",
		"# Q\n\n<!-- note -->\n\n<!-- n -->5<!-- / --> of 6.\n":             "<p>5 of 6.</p>\n",
		"# Q\n\nLittle.\n\n<!-- table x -->\n| old |\n<!-- / -->\n\nEnd.\n": "<p>Little.</p>\n<p>End.</p>\n",
		"# Q\n\n<script>x</script>\n":                                       "<!-- raw HTML omitted -->\n",
		"# Q\n\n[bad](javascript:x)\n":                                      "<p>bad</p>\n",
		"# R\n\nno\n":                                                       "",
		"":                                                                  "",
	} {
		fixture.Equal(t, text, string(fixture.Must(sectionHTML(text, "Q"))(t)), want)
	}
}
