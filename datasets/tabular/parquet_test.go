package tabular

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestParquetOfOthers: files that Apache Arrow for Go 18.8, DuckDB 1.5.6 and hyparquet-writer 0.17 wrote of testdata/parquet/table.csv
// have its cells: nulls, dictionaries, pages of versions 1 and 2, delta and split encodings, decimals up to 16 bytes and whole numbers of several widths.
// Dates, lists and structs are left out.
func TestParquetOfOthers(t *testing.T) {
	csv := fixture.Must(os.ReadFile("testdata/parquet/table.csv"))(t)
	given := Layout{Label: ColumnRef{Name: "y"}, Nominal: Columns{{Name: "f"}}}
	_, want, err := ReadGuessed(t.Context(), "table.csv", csv, given)
	if err != nil {
		t.Fatal(err)
	}
	paths := fixture.Must(filepath.Glob("testdata/parquet/*.parquet"))(t)
	fixture.Equal(t, "files", len(paths), 7)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			b := fixture.Must(os.ReadFile(path))(t)
			p, got, err := ReadGuessed(t.Context(), filepath.Base(path), b, given)
			if err != nil {
				t.Fatal(err)
			}
			fixture.Same(t, "labels", got.Labels, want.Labels)
			fixture.Same(t, "classes", got.Y, want.Y)
			tolerance, left := 0.0, 0
			if filepath.Base(path) == "duckdb-types.parquet" { // DECIMAL(9,4)
				tolerance, left = 5.1e-5, 6
			}
			fixture.Equal(t, "columns left out", len(p.Options.Drop), left)
			for j, name := range want.Names {
				fixture.Equal(t, "name", got.Names[j], name)
				for i := range want.Rows() {
					g, w := got.Row(i)[j], want.Row(i)[j]
					if want.Categories[j] != nil && !math.IsNaN(w) && !math.IsNaN(g) {
						fixture.Equal(t, "text", got.Categories[j][int(g)], want.Categories[j][int(w)])
					} else if math.IsNaN(g) != math.IsNaN(w) || math.Abs(g-w) > tolerance {
						t.Fatalf("column %s, row %d: %v, want %v", name, i+1, g, w)
					}
				}
			}
		})
	}
}
