package method_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
)

// Shrunk divides all features by one number.
type Shrunk struct {
	By float64 `yaml:"by" jsonschema:"minimum=0" jsonschema_description:"divisor of all features; 0 means 2"`
}

// Resolve fills in the default.
func (m Shrunk) Resolve() (Shrunk, error) {
	if m.By == 0 {
		m.By = 2
	}
	return m, nil
}

// Fit implements r2lml.Method.
func (m Shrunk) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	_, d := p.X.Dims()
	l := mat.NewDense(d, d, nil)
	for i := range d {
		l.Set(i, i, 1/m.By)
	}
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, l)}, nil
}

// A struct of hyper-parameters with two methods becomes a method of the program.
// Another module hands it to Main of package program.
func ExampleNew() {
	m := method.New("shrunk", "Shrunk", r2lml.Singly[Shrunk], method.About{Source: "an example", Complexity: "none", Version: 1})
	for _, p := range m.Parameters() {
		fmt.Println(p.Name, p.Default)
	}
	// Output:
	// by 2
	// k that of the spec
	// features raw
	// feature-scale 1
}
