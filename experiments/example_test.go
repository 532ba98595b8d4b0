package experiments_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// A spec is read, spelled out, computed and made a table of, as the command run does.
func Example() {
	s, err := spec.Parse("mine.yaml", []byte(`
name: mine
datasets: [overlap30]
methods:
  - method: euclidean
  - method: lfda
    grid: {rank: [2, 10, 30]}
`))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	source := plan.NewSource(dir) // of the data; those of this spec are drawn
	p, err := plan.New(ctx, s, source)
	if err != nil {
		log.Fatal(err)
	}
	cells := &store.Store{Dir: dir, Log: log.Printf}
	runner := run.Runner{Store: cells, Source: source, Workers: 2}
	if err := runner.Run(ctx, p.Jobs()); err != nil {
		log.Fatal(err)
	}
	t, err := table.Of(p, cells)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range t.Rows[0].Cells {
		fmt.Printf("%s: %d of %d right, %v\n", c.Method, c.Correct, t.Rows[0].N, c.Params)
	}
	// Output:
	// euclidean: 156 of 320 right, no parameters
	// lfda: 162 of 320 right, local_neighbor=7 rank=2 shrinkage=0.001
}
