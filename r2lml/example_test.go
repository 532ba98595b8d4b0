package r2lml_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// problem has two classes that differ in their first feature; the second is
// noise, and larger.
func problem() r2lml.Problem {
	return r2lml.Problem{
		X: mat.NewDense(8, 2, []float64{
			0.0, -3, 0.2, 2, 0.1, 5, 0.3, -6,
			1.1, 3, 1.0, -2, 1.3, -5, 1.2, 6,
		}),
		Y:     []int{1, 1, 1, 1, 2, 2, 2, 2},
		Query: mat.NewDense(4, 2, []float64{0.2, 3.1, 1.0, -3.1, 0.1, -5.1, 1.1, 5.1}),
		Seed:  1,
	}
}

// fit learns a metric by a method.
func fit(method r2lml.Method, p r2lml.Problem) (r2lml.Fitted, *r2lml.LocalMetric) {
	fitted, err := method.Fit(context.Background(), p)
	if err != nil {
		log.Fatal(err)
	}
	return fitted, fitted.Metric.(*r2lml.LocalMetric)
}

// The learned map measures the first feature and all but ignores the second.
func Example() {
	p := problem()
	_, metric := fit(r2lml.Efficient{Lambda: 0.1, Step: 1e-4}, p)
	l := metric.L[0]
	fmt.Printf("columns of L have norms %.1f and %.1f\n", mat.Norm(l.ColView(0), 2), mat.Norm(l.ColView(1), 2))
	fmt.Println("Euclidean:", r2lml.Classify(p, r2lml.NewGlobal(p, nil), 1))
	fmt.Println("learned:  ", r2lml.Classify(p, metric, 1))
	// Output:
	// columns of L have norms 1.3 and 0.0
	// Euclidean: [2 1 1 2]
	// learned:   [1 2 1 2]
}

// With two metrics every sample has two coefficients of sum 1.
func ExampleEfficient() {
	p := problem()
	fitted, metric := fit(r2lml.Efficient{Metrics: 2, Lambda: 0.1, Step: 1e-4}, p)
	for n := range 3 {
		fmt.Printf("g of training sample %d: %.2f\n", n, metric.V.RawRowView(n))
	}
	fmt.Println(r2lml.Classify(p, metric, 1), fitted.Facts)
	// Output:
	// g of training sample 0: [0.52 0.48]
	// g of training sample 1: [0.50 0.50]
	// g of training sample 2: [0.49 0.51]
	// [1 2 1 2] [{coefficients at vertices 0 8} {maps that moved by more than 1 % 2 2}]
}

// A query sample has coefficients of its own, learned with the others.
func ExampleTransductive() {
	p := problem()
	fitted, metric := fit(r2lml.Transductive{Metrics: 2, Lambda: 0.1, Step: 1e-4, Iterations: 50}, p)
	for m := range 2 {
		fmt.Printf("g of query sample %d: %.2f\n", m, metric.U.RawRowView(m))
	}
	fmt.Println(r2lml.Classify(p, metric, 1))
	fmt.Println(fitted.Facts)
	// Output:
	// g of query sample 0: [0.51 0.49]
	// g of query sample 1: [0.50 0.50]
	// [1 2 1 2]
	// [{coefficients at vertices 0 12} {maps that moved by more than 1 % 2 2} {similar pairs chosen 12 38}]
}
