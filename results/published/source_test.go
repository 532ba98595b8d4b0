package published

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results/audit"
)

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
	for _, p := range AllLambda() {
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
