package r2lml

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// A Variant says whose algorithm is followed where the paper and its authors'
// program differ.
type Variant string

const (
	// Reference follows the authors' program: momentum in block 1, weight 1/2
	// and at most 500 steps in block 2. It is the default, since the published
	// accuracies come back with it.
	Reference Variant = "reference"
	// Published follows the paper's text: plain proximal steps in block 1, Eq. 8
	// as printed and at most 3000 steps in block 2. For K > 1 its coefficients
	// run to vertices of the simplex and the classifier predicts one class.
	Published Variant = "published"
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

// objectiveTolerance ends the epochs when F changes by less (the paper's
// setting).
const objectiveTolerance = 1e-4

// Efficient is E-R2LML, the inductive local metric learner of Eq. 4: labeled
// samples only, similarities from their labels. A query sample takes the
// coefficients of its Euclidean nearest training sample (the lower index on
// ties). Reference: the paper's two-block algorithm; yinjiehuang/R2LML.
type Efficient struct {
	Variant    Variant `yaml:"variant" jsonschema:"enum=reference,enum=published,description=whose algorithm: the authors' program (reference) or the paper's text (published)"`
	Metrics    int     `yaml:"metrics" jsonschema:"minimum=1,description=number K of metrics; 0 means 1"`
	Lambda     float64 `yaml:"lambda" jsonschema:"minimum=0,description=weight of the nuclear norms; 0 means none"`
	Step       float64 `yaml:"step" jsonschema:"description=step length of block 1; positive; the paper sets it per data set and there is no default"`
	C          float64 `yaml:"c" jsonschema:"minimum=0,description=weight of the hinge; 0 means 1"`
	Epochs     int     `yaml:"epochs" jsonschema:"minimum=0,description=most passes over the blocks; 0 means 5"`
	Iterations int     `yaml:"iterations" jsonschema:"minimum=0,description=most iterations of block 1 per pass; 0 means 500"`
}

var _ Method = Efficient{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use.
func (m Efficient) Resolve() (Efficient, error) {
	if m.Variant == "" {
		m.Variant = Reference
	}
	m.Metrics = orDefault(m.Metrics, 1)
	m.C = orDefault(m.C, 1)
	m.Epochs = orDefault(m.Epochs, 5)
	m.Iterations = orDefault(m.Iterations, 500)
	switch {
	case m.Variant != Reference && m.Variant != Published:
		return m, fmt.Errorf("variant is %q, want %q or %q", m.Variant, Reference, Published)
	case m.Metrics < 1:
		return m, fmt.Errorf("metrics is %d, want at least 1", m.Metrics)
	case m.Epochs < 1 || m.Iterations < 1:
		return m, fmt.Errorf("epochs is %d and iterations is %d, want at least 1", m.Epochs, m.Iterations)
	case !(m.Lambda >= 0) || math.IsInf(m.Lambda, 1):
		return m, fmt.Errorf("lambda is %g, want 0 or more", m.Lambda)
	case !(m.C > 0) || math.IsInf(m.C, 1):
		return m, fmt.Errorf("c is %g, want more than 0", m.C)
	case !(m.Step > 0) || math.IsInf(m.Step, 1):
		return m, errors.New("step is not set; give the positive step length of this data set")
	}
	return m, nil
}

func orDefault[T int | float64](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// Fit implements [Method]. It fails when a map stops being finite, as it does
// when the step is too large for the scale of the features.
func (m Efficient) Fit(ctx context.Context, p Problem) (Fitted, error) {
	m, err := m.Resolve()
	if err != nil {
		return Fitted{}, fmt.Errorf("e-r2lml: %w", err)
	}
	s := labelSimilarity(p.Y)
	l, g := start(p.Rand(), p.X, m.Metrics)
	value := math.Inf(1)
	for epoch := 1; epoch <= m.Epochs; epoch++ {
		if err := m.epoch(ctx, p.X, s, l, &g); err != nil {
			return Fitted{}, fmt.Errorf("e-r2lml: epoch %d: %w", epoch, err)
		}
		before := value
		value = objective(p.X, s, l, g, m.C, m.Lambda)
		if math.Abs(before-value) < objectiveTolerance {
			break
		}
	}
	u := ofNearest(g, p)
	return Fitted{Metric: NewField(p, l, u, g), Facts: vertices(g)}, nil
}

// epoch runs block 1 on every map in l and block 2 on g.
func (m Efficient) epoch(ctx context.Context, x *mat.Dense, s similarity, l []*mat.Dense, g **mat.Dense) error {
	b := newDescent(x, s, m)
	for k := range l {
		b.g = mat.Col(nil, k, *g)
		next, err := b.run(ctx, l[k])
		if err != nil {
			return fmt.Errorf("metric %d: %w", k+1, err)
		}
		l[k] = next
	}
	if len(l) == 1 {
		return nil // the simplex of one coefficient is the point 1
	}
	mm, err := newMajorization(x, s, l, m.Variant)
	if err != nil {
		return err
	}
	*g, err = mm.run(ctx, *g)
	return err
}

// start draws the first maps and coefficients as the authors' program does:
// the entries of L^k uniform on [0,1), g^k uniform on [0,1/(K−1)) for k < K
// and g^K the rest. (The paper's analysis starts from L = 0, which is a
// stationary point.) Metrics come first, so that the first maps are the same
// for every K.
func start(r *rand.Rand, x *mat.Dense, metrics int) ([]*mat.Dense, *mat.Dense) {
	n, d := x.Dims()
	l := make([]*mat.Dense, metrics)
	for k := range l {
		l[k] = mat.NewDense(d, d, nil)
		for i := range d * d {
			l[k].RawMatrix().Data[i] = r.Float64()
		}
	}
	g := mat.NewDense(n, metrics, nil)
	for i := range n {
		row, rest := g.RawRowView(i), 1.0
		for k := range metrics - 1 {
			row[k] = r.Float64() / float64(metrics-1)
			rest -= row[k]
		}
		row[metrics-1] = rest
	}
	return l, g
}

// ofNearest returns the M×K coefficients of the query samples: those of the
// Euclidean nearest training sample.
func ofNearest(g *mat.Dense, p Problem) *mat.Dense {
	m, _ := p.Query.Dims()
	n, k := g.Dims()
	u := mat.NewDense(m, k, nil)
	euclidean := NewGlobal(p, nil)
	distance := make([]float64, n)
	var near [1]int
	for i := range m {
		euclidean.SquaredDistances(distance, i)
		u.SetRow(i, g.RawRowView(nearest(near[:0], distance, 1)[0]))
	}
	return u
}

// vertexThreshold: a sample whose largest coefficient is above it counts as
// being at a vertex of the simplex.
const vertexThreshold = 0.99

// vertices counts the samples at vertices of the simplex. With one metric
// there is nothing to count.
func vertices(g *mat.Dense) []Fact {
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
	return []Fact{{Name: "coefficients at vertices", Count: count, Of: n}}
}
