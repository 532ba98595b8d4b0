package run_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
)

// TestExitAfterAnswer: a program that ends with an error after each answer, or says more
// than that, has no fit that fails, and gives the same bytes in each of 20 runs at once.
func TestExitAfterAnswer(t *testing.T) {
	fixture.Long(t)
	needs(t, "sh")
	fit := own("class") + `sed 1d query.csv | sed "s/.*/$class/" > predictions.csv`
	for end, runs := range map[string]int{"exit 1": 20, "kill -9 $$": 3, `echo more; exit 0`: 3} {
		ends := strings.Replace(serving("", fit), `echo "{\"id\": $id}"`, `echo "{\"id\": $id}"; `+end, 1)
		var first map[string]string
		var mu sync.Mutex
		for i := range runs {
			t.Run(fmt.Sprintf("%s/%d", end, i), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				row, _, err := runTiny(t, context.Background(), dir, under("stdio", ends, "    name: grid\n    grid: {class: [3, 2, 1]}\n    restarts: 2\n"))
				if err != nil || row.Cells[0].Params["class"] != 3 {
					t.Fatalf("%v, %+v", err, row.Cells[0])
				}
				mu.Lock()
				defer mu.Unlock()
				if first == nil {
					first = spectest.Cells(t, dir)
				}
				spectest.EqualCells(t, spectest.Cells(t, dir), first)
			})
		}
	}
}
