package plan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
)

// TestOverlaps: under every rule, a test row of own data counts that is written like a training
// row of its split, class included. Where the data say which rows train, any is told; where
// splits are drawn, more than one in twenty.
func TestOverlaps(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SampledFrom([]int{0, 0, 0, 1, 3, 10, 40, 150, 400}).Draw(t, "values") // the fewer, the more rows are equal; 0: two
		var lines []string
		parts := map[string]string{"train": "a,b,class\n", "test": "a,b,class\n"}
		rows := 40 // of which two are one in twenty
		if values > 0 {
			rows = rapid.IntRange(24, 60).Draw(t, "rows")
		}
		for i := range rows {
			a, b := max(i, 2), "7" // rows 0 and 2 are equal
			if values > 0 {
				a, b = rapid.IntRange(1, values).Draw(t, "a"), rapid.SampledFrom([]string{"7", "8", "-0", ""}).Draw(t, "b")
			}
			lines = append(lines, fmt.Sprintf("%d,%s,%s", a, b, "xy"[i%2:i%2+1]))
			parts[[]string{"train", "train", "test", "test"}[i/2%4]] += lines[i] + "\n"
		}
		folds := "a,b,class,fold\n"
		for i, line := range lines {
			folds += fmt.Sprintf("%s,%d\n", line, i/2%3)
		}
		fixture.Write(t, filepath.Join(dir, "folds.csv"), folds)
		fixture.Write(t, filepath.Join(dir, "train.csv"), parts["train"])
		fixture.Write(t, filepath.Join(dir, "test.csv"), parts["test"])
		rule := rapid.SampledFrom([]string{
			"{rule: fold}", "{rule: cv, folds: 3}", "{rule: random, train: 0.5, repeats: 2}", "{rule: files, train: ./train.csv, test: ./test.csv}",
		}).Draw(t, "rule")
		set := "{id: own, file: ./folds.csv, label: class, fold: fold, missing: [''], impute: mean}"
		if strings.Contains(rule, "files") {
			set = "{id: own, label: class, missing: [''], impute: mean}"
		}
		p := planned(t, filepath.Join(dir, "spec.yaml"), "name: own\ndatasets: ["+set+"]\nsplit: "+rule+"\nmethods: [{method: euclidean}]\n")
		shared, tested := 0, 0
		for _, row := range p.Splits {
			data := fixture.Must(NewSource(dir).Data(row.Dataset))(t)
			rows, _, err := datasets.Divide(row.Dataset, data, row.Rule)
			fixture.Check(t, err)
			written := lines
			if strings.Contains(rule, "files") {
				written = strings.Fields(strings.ReplaceAll(parts["train"]+parts["test"], "a,b,class", ""))
			}
			trains, n := map[string]bool{}, 0
			for _, i := range rows[0] {
				trains[written[i]] = true
			}
			for _, i := range rows[2] {
				if trains[written[i]] {
					n++
				}
			}
			fixture.Equal(t, "test rows that train", [2]int{row.Shared, row.Tested}, [2]int{n, len(rows[2])})
			shared, tested = shared+n, tested+len(rows[2])
		}
		drawn := strings.Contains(rule, "cv") || strings.Contains(rule, "random")
		told := shared > 0 && (!drawn || 20*shared > tested)
		if unused := p.Unused(); len(unused) != map[bool]int{true: 1}[drawn] {
			t.Errorf("%s: folds that no split uses: %q", rule, unused)
		}
		overlaps := p.Overlaps()
		if (len(overlaps) == 1) != told || told && !strings.HasPrefix(overlaps[0], fmt.Sprintf("own: %d of %d test rows are also training rows", shared, tested)) {
			t.Errorf("%s: %q, %d of %d", rule, overlaps, shared, tested)
		}
		if !told || len(p.Splits) < 2 {
			return
		}
		for n := 1; n < 10; n++ { // every split with such rows is listed or counted
			many := p
			many.Splits = slices.Repeat(p.Splits[:1], n+1)
			for i := range n {
				many.Splits[i].Shared, many.Splits[i].Tested = 1, 1
			}
			many.Splits[n].Shared, many.Splits[n].Tested = 0, 0
			said, more := many.Overlaps()[0], 0
			fmt.Sscanf(said[max(0, strings.Index(said, "and ")):], "and %d more", &more)
			fixture.Equal(t, said, strings.Count(said, "split 1: ")+more, n)
		}
	})
}

func planned(t *rapid.T, file, text string) Plan {
	return fixture.Must(New(t.Context(), fixture.Must(spec.Parse(file, []byte(text)))(t), NewSource("")))(t)
}
