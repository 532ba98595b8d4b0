package table_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"r2lmlbench/internal/golden"
	. "r2lmlbench/results/table"
	"r2lmlbench/results/table/tabletest"
)

func TestListing(t *testing.T) {
	l := Listing{
		Title: "A | B", Head: []string{"=head", "two & three"},
		Rows:  [][]string{{"-1.50", "<b>"}, {"=cmd|' /C calc'!A0", "λ 中 é\nx"}, {"[x]", ""}},
		Notes: []string{"50 % of a_b"},
	}
	for format, end := range map[string]string{"csv": ".csv", "markdown": ".md"} {
		var b bytes.Buffer
		if err := l.Render(&b, format); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, "testdata/listing"+end, b.Bytes())
		if format == "csv" {
			lines, err := csv.NewReader(&b).ReadAll()
			if err != nil || len(lines) != 4 || lines[0][0] != "'=head" || lines[1][0] != "-1.50" || lines[2][0][:2] != "'=" {
				t.Errorf("%q, %v", lines, err)
			}
		}
	}
	if err := l.Render(new(bytes.Buffer), "yaml"); err == nil || !strings.Contains(err.Error(), "yaml") {
		t.Errorf("unknown format: %v", err)
	}
}

func TestRenderDocument(t *testing.T) {
	for name, table := range map[string]Table{"small": smallTable(), "hostile": hostileTable()} {
		var b bytes.Buffer
		if err := table.Render(&b, "latex", Options{Notes: true}); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, "testdata/document-"+name+".tex", b.Bytes())
	}
	var b bytes.Buffer
	if err := (Table{Columns: []Column{tabletest.ColumnA}, Rows: []Row{{}}}).Render(&b, "latex", Options{Notes: true}); err == nil {
		t.Error("a row without its cells was rendered")
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th"} {
		if got := Ordinal(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestLaTeXTextIsPlain(t *testing.T) {
	for text, want := range map[string]string{
		"λ ≤ 中 é ð": `$\lambda$ $\leq$ \texttt{U+4E2D} é \texttt{U+00F0}`,
		"a_b%{}\\":  `a\_b\%\{\}\textbackslash{}`,
		"5 – 6 ±":   `5 -- 6 $\pm$`,
	} {
		if got := LaTeXText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
