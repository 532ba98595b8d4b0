package baselines_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/baselines"
	"r2lmlbench/r2lml"
)

// stripes are two classes that differ in the first feature by 1; the second one is
// noise of a larger scale.
func stripes() r2lml.Problem {
	x := mat.NewDense(8, 2, []float64{
		0, 0, 0.1, 10, 0, 20, 0.1, 30,
		1, 4, 1.1, 14, 1, 24, 1.1, 34,
	})
	queries := mat.NewDense(2, 2, []float64{0, 14, 1, 10})
	return r2lml.Problem{X: x, Y: []int{1, 1, 1, 1, 2, 2, 2, 2}, Query: queries, Seed: 1}
}

// A method is fitted to a problem, and the k-NN rule labels the queries under the
// metric that it has learned.
func ExampleRCA() {
	p := stripes()
	for _, m := range []r2lml.Method{baselines.Euclidean{}, baselines.RCA{}} {
		f, err := m.Fit(context.Background(), p)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T: %d\n", m, r2lml.Classify(p, f.Metric, 1))
	}
	// Output:
	// baselines.Euclidean: [2 1]
	// baselines.RCA: [1 2]
}

// Settings of a grid are fitted by tasks, which may share work.
func ExampleFitGrid() {
	p := stripes()
	settings := []baselines.LFDA{{Rank: 1}, {Rank: 2}}
	for _, task := range baselines.FitGrid(p, settings) {
		task.Run(context.Background(), func(i int, f r2lml.Fitted, err error) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(settings[i].Rank, r2lml.Classify(p, f.Metric, 1))
		})
	}
	// Output:
	// 1 [1 2]
	// 2 [1 2]
}
