package datasets_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
)

// The catalogue knows a set by its id and by the letter of the paper's Table 1.
func ExampleFind() {
	e, err := datasets.Find("I")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.ID, e.Features, "features, classes", e.Labels)
	_, err = datasets.Find("ionosfere")
	fmt.Println(err)
	// Output:
	// ionosphere 34 features, classes [g b]
	// datasets: unknown data set "ionosfere"; see: r2lmlbench data list
}

// A set is loaded from a library and divided by a rule, here that of the authors: the
// first rows of each class train.
func ExampleCut() {
	e, err := datasets.Find("overlap30") // drawn, so the library may be empty
	if err != nil {
		log.Fatal(err)
	}
	d, err := datasets.Library{}.Load(e)
	if err != nil {
		log.Fatal(err)
	}
	s, err := datasets.Cut(e, d, datasets.Rule{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(s.Train.Y), "training,", len(s.Validation.Y), "validation,", len(s.Test.Y), "test samples")
	fmt.Println("first rows:", s.Rows[0][0], s.Rows[1][0], s.Rows[2][0])

	random, err := datasets.Cut(e, d, datasets.Rule{Kind: "random", Seed: 1, Repeat: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same sizes:", len(random.Train.Y), len(random.Validation.Y), len(random.Test.Y))
	// Output:
	// 80 training, 80 validation, 320 test samples
	// first rows: 0 40 80
	// the same sizes: 80 80 320
}

// A scaling is learned from the training samples and applied to all.
func ExampleScaling() {
	train := mat.NewDense(3, 2, []float64{0, 10, 1, 20, 2, 30})
	query := mat.NewDense(1, 2, []float64{4, 15})
	scaled := datasets.MinMax.Learn(train).Apply(query)
	fmt.Println(scaled.RawRowView(0))
	// Output:
	// [2 0.25]
}
