package method

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// Features says how the features of a problem are prepared before a method sees
// them. The zero value leaves them as they are.
type Features struct {
	// Scale multiplies every feature; 0 stands for 1.
	Scale float64 `yaml:"feature-scale" jsonschema:"exclusiveMinimum=0,maximum=1e30" jsonschema_description:"every feature is multiplied by it before the method sees the samples; 1 leaves them as they are"`
}

// A Prepared is a setting with features that are not left as they are.
type Prepared struct {
	Setting  Setting
	Features Features
}

// scaleKey is the yaml key of Features.Scale.
const scaleKey = "feature-scale"

// Params returns the hyper-parameters and the preparation by name.
func (p Prepared) Params() map[string]any {
	params := maps.Clone(ParamsOf(p.Setting))
	params[scaleKey] = p.Features.Scale
	return params
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
	p.X, p.Query, p.Validation.X = f.scaled(p.X), f.scaled(p.Query), f.scaled(p.Validation.X)
	return p
}

// scaled returns the scaled samples, which may be none.
func (f Features) scaled(x *mat.Dense) *mat.Dense {
	if x == nil || x.IsEmpty() {
		return x
	}
	var scaled mat.Dense
	scaled.Scale(f.Scale, x)
	return &scaled
}

// WithFeatures is a family whose parameters are those of another one and those of
// Features. Settings that leave the features as they are stay those of the other
// family.
func WithFeatures(f Family) Family { return preparing{f} }

type preparing struct{ Family }

// Decode implements Family.
func (p preparing) Decode(d *strictyaml.Decoder, layers ...*yaml.Node) Setting {
	var features Features
	rest := slices.Clone(layers)
	for i, layer := range layers {
		ours, theirs := divideKeys(d, layer)
		d.Decode(ours, &features)
		rest[i] = theirs
	}
	if features.Scale == 1 {
		features.Scale = 0
	}
	s := p.Family.Decode(d, rest...)
	if features == (Features{}) {
		return s
	}
	return Prepared{s, features}
}

// divideKeys divides a mapping into the keys of Features, nil without any, and all
// others. What looks like a slip in one of ours is reported.
func divideKeys(d *strictyaml.Decoder, n *yaml.Node) (ours, theirs *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, n
	}
	a, b := *n, *n
	a.Content, b.Content = nil, nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		_, slip := strictyaml.Nearest(key.Value, []string{scaleKey})
		switch {
		case key.Value == scaleKey:
			a.Content = append(a.Content, key, n.Content[i+1])
		case slip:
			d.Errorf(key, "%s", strictyaml.Unknown("key", key.Value, []string{scaleKey}))
		default:
			b.Content = append(b.Content, key, n.Content[i+1])
		}
	}
	if a.Content == nil {
		return nil, &b
	}
	return &a, &b
}

// Resolve implements Family.
func (p preparing) Resolve(s Setting) (Setting, error) {
	of, features := Unprepared(s)
	resolved, err := p.Family.Resolve(of)
	if err != nil || features == (Features{}) {
		return resolved, err
	}
	return Prepared{resolved, features}, nil
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
