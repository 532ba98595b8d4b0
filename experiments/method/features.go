package method

import (
	"cmp"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// Features says how the features of a problem are prepared before a method sees
// them. The zero value leaves them as they are.
type Features struct {
	// Scaling brings them to a common scale; "" stands for datasets.Unscaled.
	Scaling datasets.Scaling `yaml:"features" jsonschema:"enum=raw,enum=zscore,enum=minmax,enum=unit" jsonschema_description:"scaling of the features by the training samples: raw (the default) leaves them as they are, zscore gives mean 0 and standard deviation 1, minmax the range from 0 to 1, unit every sample the length 1"`
	// Scale multiplies every feature; 0 stands for 1.
	Scale float64 `yaml:"feature-scale" jsonschema:"exclusiveMinimum=0,maximum=1e30" jsonschema_description:"every feature is multiplied by it before the method sees the samples, scaled ones after that; 1 leaves them as they are"`
}

// A Rule says how the metric of a fit labels the query samples.
type Rule struct {
	// K is the number of neighbors that vote; 0 stands for that of the spec.
	K int `yaml:"k" jsonschema:"minimum=1,maximum=100000" jsonschema_description:"neighbors that vote in the k-NN rule; without it those of the spec. No fit depends on it"`
}

// A Prepared is a setting with features that are not left as they are, or with a
// number of neighbors of its own.
type Prepared struct {
	Setting  Setting
	Features Features
	Rule     Rule
}

// The yaml keys of Features.
const (
	FeaturesKey = "features"
	ScaleKey    = "feature-scale"
)

// RuleKey is the yaml key of Rule.
const RuleKey = "k"

// Params returns the hyper-parameters and what is done to the features by name.
func (p Prepared) Params() map[string]any {
	params := maps.Clone(ParamsOf(p.Setting))
	if p.Features.Scaling != "" {
		params[FeaturesKey] = string(p.Features.Scaling)
	}
	if p.Features.Scale != 0 {
		params[ScaleKey] = p.Features.Scale
	}
	if p.Rule.K != 0 {
		params[RuleKey] = p.Rule.K
	}
	return params
}

// prepared puts a setting together; one with nothing besides stays as it is.
func prepared(s Setting, f Features, r Rule) Setting {
	if f == (Features{}) && r == (Rule{}) {
		return s
	}
	return Prepared{s, f, r}
}

// NeighborsOf is the number of neighbors that a setting has of its own, 0 without one.
func NeighborsOf(s Setting) int {
	if p, ok := s.(Prepared); ok {
		return p.Rule.K
	}
	return 0
}

// WithoutRule is a setting without a number of neighbors of its own: what is fitted.
func WithoutRule(s Setting) Setting {
	of, features := Unprepared(s)
	return prepared(of, features, Rule{})
}

// Unprepared divides a setting into that of the method and what is done to the
// features before.
func Unprepared(s Setting) (Setting, Features) {
	if p, ok := s.(Prepared); ok {
		return p.Setting, p.Features
	}
	return s, Features{}
}

// Of returns the problem with prepared features. It shares what stays the same.
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

// multiplied returns the samples, which may be none, times Scale.
func (f Features) multiplied(x *mat.Dense) *mat.Dense {
	if f.Scale == 0 || x == nil || x.IsEmpty() {
		return x
	}
	var scaled mat.Dense
	scaled.Scale(f.Scale, x)
	return &scaled
}

// plain returns Features with nothing that stands for what is done anyway.
func (f Features) plain() Features {
	if f.Scaling == datasets.Unscaled {
		f.Scaling = ""
	}
	if f.Scale == 1 {
		f.Scale = 0
	}
	return f
}

// Preparing is a family whose parameters are those of another one and those of Features,
// and of Rule where the k-NN rule labels the samples. Settings that leave the features as
// they are and have no k stay those of the other family.
func Preparing(f Family, ruled bool) Family { return preparing{f, ruled} }

type preparing struct {
	Family
	ruled bool
}

// Decode implements Family.
func (p preparing) Decode(d *strictyaml.Decoder, layers []*yaml.Node, _ ...any) Setting {
	var features Features
	var rule Rule
	besides := []any{&features, &rule}
	if !p.ruled {
		besides = besides[:1]
	}
	return prepared(p.Family.Decode(d, layers, besides...), features.plain(), rule)
}

// Resolve implements Family.
func (p preparing) Resolve(s Setting) (Setting, error) {
	of, features := Unprepared(s)
	resolved, err := p.Family.Resolve(of)
	if err != nil {
		return resolved, err
	}
	return prepared(resolved, features, Rule{NeighborsOf(s)}), nil
}

// Tasks implements Family. Settings with equal features share a problem.
func (p preparing) Tasks(problem Problem, settings []Setting) []r2lml.Task {
	var tasks []r2lml.Task
	for _, features := range distinctFeatures(settings) {
		var indices []int
		var same []Setting
		for i, s := range settings {
			if of, f := Unprepared(s); f == features {
				indices, same = append(indices, i), append(same, of)
			}
		}
		for _, t := range p.Family.Tasks(features.Of(problem), same) {
			tasks = append(tasks, t.Renumbered(indices))
		}
	}
	return tasks
}

// distinctFeatures lists the preparations of settings in order of first appearance.
func distinctFeatures(settings []Setting) []Features {
	var all []Features
	for _, s := range settings {
		if _, f := Unprepared(s); !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// An Affine is what is done to every feature alone: (x − Offset) / Divisor.
type Affine struct{ Offset, Divisor []float64 } // of the features; nil where they stay as they are

// Affine is what Features do to samples like x; it is not ok for samples that are scaled
// to one length, each by its own number.
func (f Features) Affine(x *mat.Dense) (a Affine, ok bool) {
	a.Offset, a.Divisor, ok = cmp.Or(f.Scaling, datasets.Unscaled).Learn(x).Affine()
	if f.Scale == 0 || !ok {
		return a, ok
	}
	_, d := x.Dims()
	if a.Offset == nil {
		a.Offset, a.Divisor = make([]float64, d), slices.Repeat([]float64{1}, d)
	}
	for i := range a.Divisor {
		a.Divisor[i] /= f.Scale
	}
	return a, true
}
