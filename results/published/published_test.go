package published

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results/audit"
)

func TestPublished(t *testing.T) {
	all := Of(Table())
	if len(all) != 18*8 {
		t.Fatalf("%d numbers, want 18 rows of 8", len(all))
	}
	columns := []string{"euclidean", "itml", "lmnn", "lmnn-mm", "glml", "plml", "t-r2lml", "e-r2lml"} // as in Table 2
	for i, p := range all {
		fixture.Equal(t, "a number", p.Letter+"/"+p.Method, string(rune('A'+i/8))+"/"+columns[i%8])
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
	sizes := map[string]string{}
	for _, f := range readCSV(t, fixture.Collected(t, "paper", "table1.csv")) {
		sizes[f[0]] = f[6]
	}
	for i, f := range readCSV(t, fixture.Collected(t, "paper", "table2.csv")) {
		p := Of(Table())[i]
		got := []string{p.Letter, p.Dataset, p.Method, p.Accuracy, strconv.Itoa(p.Rank), strconv.FormatBool(p.Bold)}
		for k := range got {
			fixture.Equal(t, fmt.Sprintf("line %d", i+2), got[k], f[k])
		}
		fixture.Equal(t, fmt.Sprintf("line %d: test samples", i+2), strconv.Itoa(p.Test), sizes[p.Letter])
	}
}

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	return fixture.Must(csv.NewReader(strings.NewReader(fixture.Text(t, path))).ReadAll())(t)[1:]
}

func TestLambdaPoints(t *testing.T) {
	all := LambdaPoints()
	if len(all) != 14 {
		t.Fatalf("%d columns, want 6 of the first table and 8 of the second", len(all))
	}
	// paper, tables of accuracy against lambda: the first one's 100, the second one's 10000
	for i, want := range map[int]string{4: "{overlap 30 320 100 0.563 []}", 12: "{sparse 60 320 10000 0.916 [13 13 14]}"} {
		fixture.Equal(t, fmt.Sprintf("column %d", i), fmt.Sprint(all[i]), want)
	}
}

// Publications are files: Go code has no title, no number of a preprint and no printed
// accuracy in its source. Below these folders not even comments name one; elsewhere, as in
// the solvers, comments say what they implement.
var silent = []string{"experiments", "results", "internal"}

func TestNoPublicationInGo(t *testing.T) {
	words := map[string]string{}
	for _, name := range Names() {
		b := fixture.Must(Files.ReadFile(name + ".yaml"))(t)
		table := fixture.Must(audit.Parse(name, b))(t)
		title, _, _ := strings.Cut(table.Title, ",")
		words[title] = name
		for _, id := range regexp.MustCompile(`\d{4}\.\d{5}`).FindAllString(table.Source, -1) {
			words[id] = name
		}
		for _, n := range Of(table) {
			words[n.Accuracy] = name
		}
	}
	for _, p := range LambdaPoints() {
		words[p.Accuracy] = "lambda"
	}
	if len(words) < 155 {
		t.Fatalf("%d words to look for", len(words))
	}
	number, accuracy, comment := regexp.MustCompile(`\d+\.\d+`), regexp.MustCompile(`^\d+\.\d{2,3}$`), regexp.MustCompile(`(?m)^\s*//.*$`)
	files := 0
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		files++
		b, err := os.ReadFile(file)
		for _, found := range number.FindAllString(string(b), -1) {
			if name, ok := words[found]; ok && accuracy.MatchString(found) {
				t.Errorf("%s has %s, which is of %s", file, found, name)
			}
		}
		if top := strings.Split(filepath.ToSlash(file), "/")[2]; !slices.Contains(silent, top) {
			b = comment.ReplaceAll(b, nil)
		}
		for word, name := range words {
			if !accuracy.MatchString(word) && strings.Contains(string(b), word) {
				t.Errorf("%s has %q, which is of %s", file, word, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 {
		t.Errorf("%d files read", files)
	}
}
