package document

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/text"
)

func written(t testing.TB, d Document, format string, width int) string {
	t.Helper()
	var b bytes.Buffer
	fixture.Check(t, d.Write(&b, format, Style{Width: width}))
	return b.String()
}

// TestTable: texts mean themselves in files, and the title and notes are in Markdown alone.
func TestTable(t *testing.T) {
	l := New("A | B", "=head", "two & three")
	l.Notes = []string{"50 % of a_b"}
	l.Add("-1.50", "<b>")
	l.Add("=cmd|' /C calc'!A0", "λ 中 é\nx")
	l.Add("[x]", "")
	var csvFile, markdown bytes.Buffer
	fixture.Check(t, l.WriteCSV(&csvFile))
	fixture.Check(t, l.WriteMarkdown(&markdown))
	fixture.Golden(t, "testdata/table.csv", csvFile.Bytes())
	fixture.Golden(t, "testdata/table.md", markdown.Bytes())
	lines := fixture.Must(csv.NewReader(&csvFile).ReadAll())(t)
	fixture.EqualSlice(t, "first row of CSV", lines[1], []string{"-1.50", "<b>"})
	fixture.Equal(t, "a formula in CSV", lines[2][0][:2], "'=")
}

// TestFormats checks that each format gets its own columns, names and texts, JSON only the value,
// and the first table no title.
func TestFormats(t *testing.T) {
	half := 0.5
	first := Table{Title: "none", Notes: []string{"note"}, Columns: []Heading{
		{Name: "name"}, {Name: "± sd", CSV: "sd"}, {Name: "interval", Only: "people", Most: 6}, {Name: "low", Only: "csv"}, {CSV: "standing"},
	}}
	first.Add("a", Number(&half, text.TwoDecimals), "0 to 1000", 0, Value{CSV: "worse"})
	first.Add("b", Number(nil, text.TwoDecimals), "", uint64(7), "best")
	second := New("Second", "x")
	second.Add(1)
	d := Document{Lead: []string{"The answer."}, Tables: []Table{first, second}, Value: map[string]int{"<": 1}, End: "end\n"}
	for format, want := range map[string]string{
		"text": "The answer.\n\nname  ± sd  interval  \na     0.50  0 t...    \nb     -               best\n\nnote\n\nSecond\nx\n1\nend\n",
		"markdown": "The answer.\n\n| name | ± sd | interval |  |\n|---|---|---|---|\n| a | 0.50 | 0 to 1000 |  |\n| b | - |  | best |\n\n- note\n\n" +
			"## Second\n\n| x |\n|---|\n| 1 |\n",
		"csv":  "name,sd,low,standing\na,0.50,0,worse\nb,-,7,best\n",
		"json": "{\n  \"\\u003c\": 1\n}\n",
	} {
		fixture.Equal(t, format, written(t, d, format, 0), want)
	}
	paper := written(t, d, "latex", 0)
	fixture.Has(t, "latex for a paper", paper, "% The answer.\n", "\\begin{tabular}", "\\toprule", "{}a & 0.50 & 0 to 1000 &  \\\\\n")
	fixture.Lacks(t, "latex for a paper", paper, "documentclass", "\nnone", "note\n")
	var whole bytes.Buffer
	fixture.Check(t, d.Write(&whole, "latex", Style{Document: true}))
	latex := whole.String()
	fixture.Has(t, "latex", latex, "The answer.\n\n", "\\small none\\\\[1ex]\n", "{}a & 0.50 & 0 to 1000 &  \\\\\n", "Second")
	fixture.Lacks(t, "latex without notes, and of columns for programs", latex, "{\\footnotesize", "low")
	d.Text = "in words\n"
	fixture.Equal(t, "its own text", written(t, d, "text", 0), "in words\nend\n")
	fixture.Says(t, d.Write(new(bytes.Buffer), "yaml", Style{}), "yaml")
	fixture.Is(t, d.Write(brokenWriter{}, "csv", Style{}), errBroken)
}

type brokenWriter struct{}

var errBroken = errors.New("pipe closed")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

// TestSpareColumns: a narrow terminal goes without the columns with a number, the lowest
// first, and no other.
func TestSpareColumns(t *testing.T) {
	l := Table{Columns: []Heading{{Name: "method"}, {Name: "p", Spare: 2}, {Name: "seconds", Spare: 1}}}
	l.Add("itml", "0.01", "3")
	for width, want := range map[int]string{0: "method p seconds", 21: "method p seconds", 20: "method p", 12: "method p", 11: "method", 1: "method"} {
		head, _, _ := strings.Cut(written(t, Document{Tables: []Table{l}}, "text", width), "\n")
		fixture.Equal(t, "columns", strings.Join(strings.Fields(head), " "), want)
	}
}

// TestHTML: texts mean themselves, and numbers stand at the right.
func TestHTML(t *testing.T) {
	l := New("<T>", "a", "b")
	l.Add("<b>", "-1.5")
	made := string(fixture.Must(l.HTML())(t))
	fixture.Has(t, "the table", made, "<caption>&lt;T&gt;</caption>", "<td>&lt;b&gt;</td>", `<td class="num">−1.5</td>`)
}

// TestHostileTexts: what a table shows means nothing to the reader of its format.
func TestHostileTexts(t *testing.T) {
	evil := []string{"=1+1", "<script>alert(1)</script>", "a|b\x1b[31m\nc", "[x](javascript:y)"}
	l := New("", "a", "b", "c", "d")
	l.Notes = evil
	l.Add(evil[0], evil[1], evil[2], evil[3])
	d := Document{Lead: evil, Tables: []Table{l}, Value: evil}
	markdown := written(t, d, "markdown", 0)
	fixture.Lacks(t, "markdown", markdown, "<script")
	fixture.Lacks(t, "json", written(t, d, "json", 0), "<script")
	if row := strings.Split(markdown, "\n")[len(evil)+3]; strings.Count(row, "|")-strings.Count(row, `\|`) != 5 || strings.Contains(row, "[x]") {
		t.Errorf("row %s", row)
	}
	lines := fixture.Must(csv.NewReader(strings.NewReader(written(t, d, "csv", 0))).ReadAll())(t)
	if len(lines) != 2 || lines[1][0] != "'=1+1" {
		t.Errorf("%q", lines)
	}
}

// FuzzHostileTexts: whatever the texts, no format has a hidden character, whether the text of
// a table is ruled or not.
func FuzzHostileTexts(f *testing.F) {
	f.Add("a\x1b[31m\u009b\u202e\u2066\u200b\n\r\t\x00\x7f\U000e0041\xff=")
	f.Fuzz(func(t *testing.T, s string) {
		for _, ruled := range []bool{false, true} {
			l := New(s, s, "b")
			l.Add(s, s)
			l.Notes, l.Ruled = []string{s}, ruled
			d := Document{Lead: []string{s}, Tables: []Table{l, l}, Value: map[string]string{s: s}}
			for _, format := range []string{"text", "markdown", "latex", "csv", "json"} {
				made := written(t, d, format, 20)
				if strings.ContainsFunc(made, func(r rune) bool { return text.Hidden(r) && r != '\n' }) {
					t.Errorf("%s: %q", format, made)
				}
			}
		}
	})
}
