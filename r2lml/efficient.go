package r2lml

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/strictyaml"
)

// A Variant selects the algorithm where the paper and its authors' program differ.
type Variant string

const (
	// Reference follows the authors' program: momentum in block 1, weight 1/2
	// and at most 500 steps in block 2, and in block 3 an unlabeled sample may
	// stay without a similar one. It is the default, because it comes closest to
	// the published accuracies.
	Reference Variant = "reference"
	// Published follows the paper's text: plain proximal steps in block 1, Eq. 8
	// as printed and at most 3000 steps in block 2, and in block 3 at least one
	// similar sample for every unlabeled one. For K > 1 its coefficients run to
	// vertices of the simplex and the classifier predicts one class.
	Published Variant = "published"
	// Regularized makes the objective of block 2 of Reference explicit: it minimizes
	// F + μ Σ_k |g^k|², and no block raises that. μ is Regularization times λmax(S̃) of
	// the first block 2. If block 1 raises the term of a map, the map is restored and
	// the step is halved; block 3 gives each similarity the better value. The comment
	// of majorization has the proof for block 2.
	Regularized Variant = "regularized"
)

func (v Variant) weight() float64 {
	if v == Published {
		return 1
	}
	return 0.5
}

func (v Variant) steps() int {
	if v == Published {
		return 3000
	}
	return 500
}

// Efficient is E-R2LML, the inductive local metric learner of Eq. 4: labeled
// samples only, similarities from their labels. A query sample takes the
// coefficients of its Euclidean nearest training sample (the lower index on
// ties). Reference: the paper's two-block algorithm; yinjiehuang/R2LML.
type Efficient struct {
	Variant    Variant    `yaml:"variant" jsonschema:"enum=reference,enum=published,enum=regularized" jsonschema_description:"whose algorithm: the authors' program (reference, the default), the paper's text (published), or descent on F with a weight on the squared coefficients (regularized)"`
	Metrics    int        `yaml:"metrics" jsonschema:"minimum=0,maximum=100" jsonschema_description:"number K of metrics; 0 means 1"`
	Lambda     float64    `yaml:"lambda" jsonschema:"minimum=0" jsonschema_description:"weight of the nuclear norms; 0 means none"`
	Step       StepLength `yaml:"step" jsonschema:"required,exclusiveMinimum=0" jsonschema_description:"step length of block 1, which the paper sets per data set; auto takes it from the samples"`
	C          float64    `yaml:"c" jsonschema:"minimum=0" jsonschema_description:"weight of the hinge; 0 means 1"`
	Epochs     int        `yaml:"epochs" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"most passes over the blocks; 0 means 5"`
	Iterations int        `yaml:"iterations" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"most iterations of block 1 per pass; 0 means 500"`
	// Regularization is allowed for the variant Regularized only.
	Regularization float64 `yaml:"regularization,omitempty" jsonschema:"minimum=0,default=1" jsonschema_description:"weight of the squared coefficients in variant regularized, in multiples of the largest eigenvalue of block 2; 0 means 1"`
}

// maxSteps is the limit of iterations of block 1 in a fit, 570 times the paper's
// number. A trace of the objective has a value for each.
const maxSteps = 10_000_000

var _ Method = Efficient{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use, or that are larger than a spec may have, see the tags.
func (m Efficient) Resolve() (Efficient, error) {
	bounded := m
	if m.Step == AutoStep || m.Step == 0 { // no lengths
		bounded.Step = 1
	}
	err := strictyaml.CheckBounds(bounded)
	m.Variant = cmp.Or(m.Variant, Reference)
	m.Metrics = cmp.Or(m.Metrics, 1)
	m.C = cmp.Or(m.C, 1)
	m.Epochs = cmp.Or(m.Epochs, 5)
	m.Iterations = cmp.Or(m.Iterations, 500)
	if m.Variant == Regularized {
		m.Regularization = cmp.Or(m.Regularization, 1)
	}
	switch {
	case err != nil:
	case m.Variant != Regularized && m.Regularization != 0:
		err = fmt.Errorf("regularization is of variant %q and the variant is %q; remove it", Regularized, m.Variant)
	case float64(m.Metrics)*float64(m.Epochs)*float64(m.Iterations) > maxSteps:
		err = fmt.Errorf("metrics %d, epochs %d and iterations %d make more than %d iterations; lower one of them",
			m.Metrics, m.Epochs, m.Iterations, maxSteps)
	case m.Step == 0:
		err = errors.New("step is not set; give the positive step length of this data set, or auto")
	}
	return m, err
}

// Fit implements [Method]. It fails when a map diverges, because the step is too large
// for the scale of the features.
func (m Efficient) Fit(ctx context.Context, p Problem) (fitted Fitted, err error) {
	FitEfficient(p, []Efficient{m})[0].Run(ctx, func(_ int, f Fitted, e error) { fitted, err = f, e })
	return fitted, err
}

// FitEfficient is the [GridFit] of E-R2LML. Settings are grouped into tasks whose
// metrics together fill the lanes of block 1.
func FitEfficient(p Problem, settings []Efficient) []Task {
	return tasks(p, false, settings)
}

// ofNearest returns the M×K coefficients of the query samples: each query takes those
// of its Euclidean nearest training sample.
func ofNearest(ctx context.Context, g *mat.Dense, p Problem) (*mat.Dense, error) {
	m, _ := p.Query.Dims()
	n, k := g.Dims()
	u := mat.NewDense(m, k, nil)
	err := neighbors(ctx, NewGlobal(p, nil), m, n, 1, EachSample, func(i int, near kernel.Neighbors) { u.SetRow(i, g.RawRowView(near.Index[0])) })
	return u, err
}

// vertexThreshold: a sample is at a vertex of the simplex if its largest
// coefficient is above it.
const vertexThreshold = 0.99

// VerticesFact names the count of samples whose coefficients are at a vertex of the
// simplex. A fit with one metric does not have this count.
const VerticesFact = "coefficients at vertices"

// vertices counts the samples at vertices of the simplex; nil for one metric.
func vertices(g *mat.Dense) []Count {
	n, k := g.Dims()
	if k == 1 {
		return nil
	}
	count := 0
	for i := range n {
		if mat.Max(g.RowView(i)) > vertexThreshold {
			count++
		}
	}
	return []Count{{Name: VerticesFact, Count: count, Of: n}}
}
