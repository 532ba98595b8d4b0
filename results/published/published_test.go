package published

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"r2lmlbench/internal/fixture"
)

func TestPublished(t *testing.T) {
	all := Of(Table())
	if len(all) != 18*8 {
		t.Fatalf("%d numbers, want 18 rows of 8", len(all))
	}
	columns := []string{"euclidean", "itml", "lmnn", "lmnn-mm", "glml", "plml", "t-r2lml", "e-r2lml"} // as in Table 2
	for i, p := range all {
		if want := string(rune('A' + i/8)); p.Letter != want || p.Method != columns[i%8] {
			t.Errorf("number %d is %s/%s, want %s/%s", i, p.Letter, p.Method, want, columns[i%8])
		}
		if p.Bold != (p.Rank == 1) { // the two agree in every entry of Table 2
			t.Errorf("%s/%s: rank %d, bold %v", p.Letter, p.Method, p.Rank, p.Bold)
		}
	}
	got, ok := all.Lookup("K", "lmnn") // paper, Table 2 and Table 1, row K
	if want := (Number{"K", "coil20", "lmnn", "LMNN", "88.13", 88.13, 3, false, 640}); !ok || got != want {
		t.Errorf("%v %v, want %v", got, ok, want)
	}
	for _, miss := range [][2]string{{"S", "lmnn"}, {"", "lmnn"}, {"K", "nca"}} {
		if p, ok := all.Lookup(miss[0], miss[1]); ok {
			t.Errorf("%v: %v", miss, p)
		}
	}
}

func TestPublishedAgainstTranscript(t *testing.T) {
	shared := os.Getenv("R2LMLBENCH_SHARED")
	if shared == "" {
		t.Skip("set R2LMLBENCH_SHARED to the folder that has paper/table2.csv")
	}
	sizes := map[string]string{}
	for _, f := range readCSV(t, filepath.Join(shared, "paper", "table1.csv")) {
		sizes[f[0]] = f[6]
	}
	for i, f := range readCSV(t, filepath.Join(shared, "paper", "table2.csv")) {
		p := Of(Table())[i]
		got := []string{p.Letter, p.Dataset, p.Method, p.Accuracy, strconv.Itoa(p.Rank), strconv.FormatBool(p.Bold)}
		for k := range got {
			if got[k] != f[k] {
				t.Errorf("line %d: %v, want %v", i+2, got, f)
			}
		}
		if strconv.Itoa(p.Test) != sizes[p.Letter] {
			t.Errorf("line %d: %d test samples, want %s", i+2, p.Test, sizes[p.Letter])
		}
	}
}

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	f := fixture.Must(os.Open(path))(t)
	defer f.Close()
	lines := fixture.Must(csv.NewReader(f).ReadAll())(t)
	return lines[1:]
}
