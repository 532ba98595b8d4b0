package method

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// Features prepares the features of a problem before a fit. The zero value changes
// nothing.
type Features struct {
	// Scaling is the rule of scaling; "" means datasets.Unscaled.
	Scaling datasets.Scaling `yaml:"features" jsonschema:"enum=raw,enum=zscore,enum=minmax,enum=unit" jsonschema_description:"scaling of the features by the training samples: raw (the default) leaves them as they are, zscore gives mean 0 and standard deviation 1, minmax the range from 0 to 1, unit every sample the length 1"`
	// Scale multiplies every feature; 0 means 1.
	Scale float64 `yaml:"feature-scale" jsonschema:"exclusiveMinimum=0,maximum=1e30" jsonschema_description:"every feature is multiplied by it before the method sees the samples, scaled ones after that; 1 leaves them as they are"`
}

// A Rule is the k-NN rule that labels the query samples under the metric of a fit.
type Rule struct {
	// K is the number of neighbors that vote; 0 means that of the spec.
	K int `yaml:"k" jsonschema:"minimum=1,maximum=100000" jsonschema_description:"neighbors that vote in the k-NN rule; without it those of the spec. No fit depends on it"`
}

// The yaml keys of Features.
const (
	FeaturesKey = "features"
	ScaleKey    = "feature-scale"
)

// RuleKey is the yaml key of Rule.
const RuleKey = "k"

// Of returns the problem with prepared features. It shares unchanged samples with p.
func (f Features) Of(p Problem) Problem {
	if f == (Features{}) {
		return p
	}
	scaler := cmp.Or(f.Scaling, datasets.Unscaled).Learn(p.X)
	for _, x := range []**mat.Dense{&p.X, &p.Query, &p.Validation.X} {
		*x = f.multiplied(scaler.Apply(*x))
	}
	return p
}

// multiplied returns the samples times Scale; x may be empty.
func (f Features) multiplied(x *mat.Dense) *mat.Dense {
	if f.Scale == 0 || x == nil || x.IsEmpty() {
		return x
	}
	var scaled mat.Dense
	scaled.Scale(f.Scale, x)
	return &scaled
}

// Decode reads a setting: mappings laid over each other, later ones on top.
func (m Method) Decode(d *strictyaml.Decoder, layers []*yaml.Node) Setting {
	var s Setting
	var besides []any
	if !m.Imported {
		besides = append(besides, &s.Features)
	}
	if m.Ruled() {
		besides = append(besides, &s.Rule)
	}
	s.Of = m.Family.Decode(d, layers, besides...)
	if s.Features.Scaling == datasets.Unscaled { // "" means the same
		s.Features.Scaling = ""
	}
	if s.Features.Scale == 1 {
		s.Features.Scale = 0
	}
	return s
}

// Resolve fills in defaults and refuses impossible values.
func (m Method) Resolve(s Setting) (Setting, error) {
	of, err := m.Family.Resolve(s.Of)
	s.Of = of
	return s, err
}

// Tasks divides the fits of resolved settings to one problem. Settings with equal Features
// share the prepared problem.
func (m Method) Tasks(p Problem, settings []Setting) []r2lml.Task {
	var tasks []r2lml.Task
	var done []Features
	for _, first := range settings {
		if slices.Contains(done, first.Features) {
			continue
		}
		done = append(done, first.Features)
		var indices []int
		var same []any
		for i, s := range settings {
			if s.Features == first.Features {
				indices, same = append(indices, i), append(same, s.Of)
			}
		}
		for _, t := range m.Family.Tasks(first.Features.Of(p), same) {
			tasks = append(tasks, t.Renumbered(indices))
		}
	}
	return tasks
}

// An Affine is the transformation (x − Offset) / Divisor of every feature.
type Affine struct{ Offset, Divisor []float64 } // per feature; 0 and 1 change nothing

// Affine returns the affine form of Features for samples like x, exact to the last bit. It fails
// if samples are scaled to unit length, or if Scale is not a power of two: a product then rounds
// differently from a quotient.
func (f Features) Affine(x *mat.Dense) (a Affine, err error) {
	var ok bool
	a.Offset, a.Divisor, ok = cmp.Or(f.Scaling, datasets.Unscaled).Learn(x).Affine()
	if !ok {
		return a, fmt.Errorf("%s %s scales each sample by its own length; take raw, zscore or minmax", FeaturesKey, f.Scaling)
	}
	if fraction, _ := math.Frexp(f.Scale); fraction != 0 && fraction != 0.5 {
		return a, fmt.Errorf("%s %g is no power of two, and would round otherwise as a divisor; take one such as 0.5, 2 or 4", ScaleKey, f.Scale)
	}
	_, d := x.Dims()
	if a.Offset == nil {
		a.Offset, a.Divisor = make([]float64, d), slices.Repeat([]float64{1}, d)
	}
	for i := range a.Divisor {
		a.Divisor[i] /= cmp.Or(f.Scale, 1)
	}
	return a, nil
}
