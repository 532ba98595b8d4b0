package published

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"r2lmlbench/results/audit"
)

// Publications are files: what reads specs, judges and prints has no title, no number of a
// preprint and no printed accuracy in its source.
func TestNoPublicationInGo(t *testing.T) {
	words := map[string]string{}
	for _, name := range Names() {
		b, err := Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		table, err := audit.Parse(name, b)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(table.Title, ",")
		words[title] = name
		for _, id := range regexp.MustCompile(`\d{4}\.\d{5}`).FindAllString(table.Source, -1) {
			words[id] = name
		}
		for _, n := range Of(table) {
			words[n.Accuracy] = name
		}
	}
	if len(words) < 140 {
		t.Fatalf("%d words to look for", len(words))
	}
	number := regexp.MustCompile(`\d+\.\d+`)
	files := 0
	for _, folder := range []string{"../../experiments", "../../results", "../../internal"} {
		err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			files++
			b, err := os.ReadFile(file)
			for _, found := range number.FindAllString(string(b), -1) {
				if name, ok := words[found]; ok {
					t.Errorf("%s has %s, which is of %s.yaml", file, found, name)
				}
			}
			for word, name := range words {
				if !number.MatchString(word) && strings.Contains(string(b), word) {
					t.Errorf("%s has %q, which is of %s.yaml", file, word, name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 200 {
		t.Errorf("%d files read", files)
	}
}
