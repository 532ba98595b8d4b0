package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	. "r2lmlbench/internal/testkit"
	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	. "r2lmlbench/results/table"
)

var formats = []string{"text", "markdown", "latex", "csv", "json"}

var extension = map[string]string{"text": "txt", "markdown": "md", "latex": "tex", "csv": "csv", "json": "json"}

func render(t rapid.TB, table Table, format string, o document.Style) []byte {
	o.Notes = o.Notes || format == "text"
	t.Helper()
	var b bytes.Buffer
	fixture.Check(t, table.Render(&b, format, o))
	return b.Bytes()
}

// bitTable is a table of one row with a cell for each text, right where that has a '1'.
func bitTable(bits ...string) Table {
	columns, row := []Column{ColumnA, ColumnB, ColumnC}[:len(bits)], RowInput{Dataset: "toy", Name: "Toy"}
	for i, b := range bits {
		row.Cells = append(row.Cells, InputOf(fixture.BitCell(columns[i].ID, b)))
	}
	return New(AccuracySpec(columns...), []RowInput{row})
}

// smallTable has a little of everything: an inversion, a missing and a failed
// cell, published values, warnings, facts, repeats and seeds.
func smallTable() Table {
	sonar := RowInput{
		Dataset: "sonar", Letter: "P", Name: "Sonar", Split: "authors", N: 128, Note: "Table 1 prints 180 test samples.",
		Cells: []CellInput{
			InputOf(fixture.NewCell("sonar", "euclidean", 57, 128, 1)),
			InputOf(fixture.NewCell("sonar", "itml", 110, 128, 2)),
			{Status: StatusFailed, Reason: "metric is not finite"},
			{},
		},
	}
	facts := fixture.NewCell("sonar", "itml", 110, 128, 2)
	facts.Counts = []results.Count{{Name: "coefficients at vertices", Count: 85, Of: 100}}
	facts.Warnings = []string{"stopped after 500 iterations"}
	facts.Settings = []results.Setting{{Params: results.Params{"gamma": 1e-5}}}
	sonar.Cells[1] = InputOf(facts, fixture.NewCell("sonar", "itml", 100, 128, 3))
	toy := InvertedRow()
	toy.Split, toy.Repeat = "random seed=1 repeat=1", 1
	again := InvertedRow()
	again.Split, again.Repeat = "random seed=1 repeat=2", 2
	return New(AccuracySpec(
		Column{ID: "euclidean", Method: "euclidean", Name: "Euclidean"},
		Column{ID: "itml", Method: "itml", Name: "ITML"},
		Column{ID: "lmnn", Method: "lmnn", Name: "LMNN"},
		Column{ID: "e-r2lml", Method: "e-r2lml", Name: "E-R2LML"},
	), []RowInput{sonar, toy, again})
}

// hostileTable has names that mean something to every format.
func hostileTable() Table {
	evil := []string{"<script>alert(1)</script>", "a|b & c_d", "=cmd|' /C calc'!A0", "E-R2LML\x1b[31m\nx", `$\input{x}$ 100% #1 {~^}`}
	in := RowInput{
		Dataset: "mat:=1+1", Name: evil[1], Split: evil[2], Note: "[link](javascript:x) `code` **bold**\r\n# head " + evil[4],
	}
	var columns []Column
	for i, name := range evil {
		columns = append(columns, Column{ID: "@" + name, Method: "x", Name: name})
		c := fixture.BitCell("x", Ones(40+i)+Zeros(20-i))
		c.Warnings = []string{"+" + name}
		c.Counts = []results.Count{{Name: "-" + name, Count: 1, Of: 2}}
		c.Settings = []results.Setting{{Params: results.Params{"\t" + name: name}}}
		in.Cells = append(in.Cells, InputOf(c))
	}
	in.Cells[1] = CellInput{Status: StatusFailed, Reason: "\r" + evil[0] + evil[1]}
	return New(AccuracySpec(columns...), []RowInput{in})
}

func TestRenderGolden(t *testing.T) {
	for name, table := range map[string]Table{"small": smallTable(), "hostile": hostileTable()} {
		for _, format := range formats {
			fixture.Golden(t, "testdata/"+name+"."+extension[format], render(t, table, format, document.Style{}))
		}
		fixture.Golden(t, "testdata/document-"+name+".tex", render(t, table, "latex", document.Style{Document: true, Notes: true}))
	}
	full := render(t, New(AccuracySpec(PaperColumns...), PaperRows()), "text", document.Style{})
	fixture.Golden(t, "testdata/full.txt", full)
	for line := range strings.Lines(string(full)) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 160 {
			t.Errorf("%d columns do not fit a terminal: %s", n, line)
		}
	}
	fixture.Golden(t, "testdata/two.txt", render(t, New(AccuracySpec(ColumnA, ColumnB), PaperRows()[:3]), "text", document.Style{}))
}

func TestColorOnlyOnRequest(t *testing.T) {
	plain := render(t, smallTable(), "text", document.Style{})
	colored := render(t, smallTable(), "text", document.Style{Color: true})
	fixture.Lacks(t, "text without color", string(plain), "\x1b")
	fixture.Has(t, "the best group in bold", string(colored), "\x1b[1m85.94¹\x1b[0m")
	escapes := regexp.MustCompile("\x1b\\[[01]m")
	fixture.Equal(t, "without its escapes", string(escapes.ReplaceAll(colored, nil)), string(plain))
	for _, format := range formats[1:] {
		plain := render(t, smallTable(), format, document.Style{})
		fixture.Equal(t, format+" in color", string(render(t, smallTable(), format, document.Style{Color: true})), string(plain))
	}
}

func TestHostileNames(t *testing.T) {
	out := map[string]string{}
	for _, format := range formats {
		out[format] = string(render(t, hostileTable(), format, document.Style{}))
	}
	for _, format := range []string{"markdown", "json"} {
		fixture.Lacks(t, format, out[format], "<script")
	}
	fixture.Equal(t, "valid JSON", json.Valid([]byte(out["json"])), true)
	unescaped := regexp.MustCompile(`(^|[^\\])\|`)
	for _, line := range strings.Split(out["markdown"], "\n")[:3] {
		fixture.Equal(t, "bars around 8 columns in "+line, len(unescaped.FindAllString(line, -1)), 9)
	}
	fixture.Lacks(t, "LaTeX", out["latex"], `\input`, " #", "100%", "a|b", "c_d", "b &", "~^")
}

func TestCSVIsHarmless(t *testing.T) {
	for _, table := range []Table{hostileTable(), smallTable()} {
		lines := fixture.Must(csv.NewReader(bytes.NewReader(render(t, table, "csv", document.Style{}))).ReadAll())(t)
		for _, field := range slices.Concat(lines...) {
			if field != "" && strings.Contains("=+-@\t\r\n", field[:1]) && text.CSVText(field) != field {
				t.Errorf("%q begins a formula", field)
			}
		}
	}
}

// Whatever the names, no format has a hidden character but the ends of its lines.
func FuzzHostileNames(f *testing.F) {
	f.Add("a\x1b[31m\u009b\u202e\u2066\u200b\n\r\t\x00\x7f\U000e0041\xff=")
	f.Fuzz(func(t *testing.T, s string) {
		table := hostileTable()
		table.Spec = s
		for i := range table.Columns {
			table.Columns[i].Name = s
		}
		for i := range table.Rows {
			r := &table.Rows[i]
			r.Name, r.Dataset = s, s
			for k := range r.Cells {
				r.Cells[k].Method, r.Cells[k].Reason, r.Cells[k].Notes = s, s, []string{s}
			}
		}
		for _, format := range []string{"text", "markdown", "latex", "csv", "json"} {
			out := render(t, table, format, document.Style{})
			if i := bytes.IndexFunc(out, func(r rune) bool { return text.Hidden(r) && r != '\n' }); i >= 0 {
				t.Errorf("%s: %q", format, out[max(0, i-20):min(len(out), i+20)])
			}
		}
	})
}

type brokenWriter struct{}

var errBroken = errors.New("pipe closed")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestRenderErrors(t *testing.T) {
	for _, format := range formats {
		err := smallTable().Render(brokenWriter{}, format, document.Style{})
		fixture.Is(t, err, errBroken)
		fixture.Says(t, err, format)
	}
	fixture.Says(t, smallTable().Render(brokenWriter{}, "html", document.Style{}), `"html"`, "markdown")
}

// A table says what is wrong with a fit, and nothing of the facts of a good one.
func TestDiagnosisNotes(t *testing.T) {
	notes := func(moved int) string {
		c := fixture.NewCell("sonar", "e-r2lml", 57, 128, 1)
		c.Counts = []results.Count{{Name: r2lml.VerticesFact, Count: 3, Of: 60}, {Name: r2lml.MovedFact, Count: moved, Of: 4}}
		in := RowInput{Dataset: "sonar", Letter: "P", Name: "Sonar", Split: "authors", N: 128, Cells: []CellInput{InputOf(c)}}
		columns := AccuracySpec(Column{ID: "e-r2lml", Method: "e-r2lml", Name: "E-R2LML"})
		return strings.Join(New(columns, []RowInput{in}).Notes(), "\n")
	}
	for moved, has := range map[int]bool{0: true, 4: false} {
		all := notes(moved)
		fixture.Equal(t, fmt.Sprintf("the notes on %d of 4 say that none moved", moved), strings.Contains(all, "E-R2LML: the maps did not move (P)"), has)
		fixture.Lacks(t, "bare counts in the notes", all, r2lml.MovedFact)
		fixture.Has(t, "the notes", all, r2lml.VerticesFact)
	}
}

// TestNarrow: where the columns do not fit, or there is one row, methods stand in rows,
// with all that the wide table has; at most three notes stand below unless all are asked for.
func TestNarrow(t *testing.T) {
	table := smallTable()
	var wide, narrow bytes.Buffer
	fixture.Check(t, errors.Join(table.Render(&wide, "text", document.Style{Width: 500}), table.Render(&narrow, "text", document.Style{Width: 60, Color: true})))
	strip := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace
	for i, r := range table.Rows {
		for _, c := range r.Cells {
			if c.Score != nil && !strings.Contains(strip(narrow.String()), c.Accuracy) {
				t.Errorf("row %d lacks %s:\n%s", i, c.Accuracy, narrow.String())
			}
		}
	}
	for line := range strings.Lines(narrow.String()) {
		if n := len([]rune(strip(strings.TrimSuffix(line, "\n")))); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if _, notes, _ := strings.Cut(wide.String(), "\n\n"); strings.Count("\n"+notes, "\n")-strings.Count(notes, "\n  ") > 5 ||
		!strings.Contains(notes, "more notes: --notes") {
		t.Errorf("notes:\n%s", notes)
	}
}

// Text means itself in LaTeX, where [ and * begin arguments behind the \\ of the row before.
func TestLaTeXTexts(t *testing.T) {
	names := map[string]string{
		"λ ≤ 中 é ð": `$\lambda$ $\leq$ \texttt{U+4E2D} é \texttt{U+00F0}`,
		"a_b%{}\\":  `a\_b\%\{\}\textbackslash{}`,
		"5 – 6 ±":   `5 -- 6 $\pm$`,
		"[5cm]*":    `{[}5cm{]}{*}`,
	}
	made := Table{Rows: []Row{{}}}
	for name := range names {
		made.Columns, made.Rows[0].Cells = append(made.Columns, Column{Name: name}), append(made.Rows[0].Cells, Result{})
	}
	written := string(render(t, made, "latex", document.Style{}))
	for _, name := range names {
		fixture.Has(t, "the head", written, " & "+name+" ")
	}
}
