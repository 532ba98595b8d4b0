// Package method describes a metric learner to specs: its id and name, its hyper-parameters
// with bounds and defaults, what it needs of the data, and the function that fits it.
package method

import (
	"encoding/json"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A Method is a line of the registry: one metric learner and its properties.
type Method struct {
	ID   string // as in specs: "e-r2lml"
	Name string // as printed: "E-R2LML"
	About
	Imported bool // its cells are imported, not computed

	Family Family
}

// About describes a method: its source and its properties.
type About struct {
	Source       string // publication or program followed
	Minimizes    string // objective of a fit, or how it finds its metric, in a line; "": see Source
	Complexity   string // cost of a fit and of a query
	Stochastic   bool   // draws random numbers: repeated over the seeds of a spec
	Transductive bool   // learns from the queries
	Version      int    // raise it when a change of the code changes results
	Metric       Metric // result of its fits, for measures
	Scope        Scope  // of the metrics it learns
	Weights      string // of votes under its metric, as in r2lml.Voting
	Proposed     bool   // proposed by the paper
	Rescales     bool   // scales each sample to unit length itself, so that no map of the features gives its metric
	Discriminant bool   // its map has C−1 dimensions for C classes of equal sizes and covariances: one dimension for two classes is no fault
	Objective    bool   // its fits minimize an objective that r2lml can trace
	OutOfProcess bool   // another program makes its fits
	Work         Work   // estimated cost; nil: unknown, a fit counts as a second
	Memory       Memory // promised bytes; nil: no promise
	// Invariances are the changes of the data that keep its labels; zero: no promise.
	Invariances r2lml.Invariances
}

// A Metric is the kind of result of a fit.
type Metric int

// The kinds of metrics.
const (
	LocalMetric Metric = iota // an r2lml.LocalMetric: linear maps with coefficients
	QueryMetric               // another metric for every query sample
	NoMetric                  // labels only
)

// A Scope is the set of samples that share a learned metric.
type Scope int

// The scopes of metrics, in the order of groups in lists.
const (
	AnyScope       Scope = iota // unknown: a program or imported predictions
	NothingLearned              // distances of the features as they are
	Global                      // one metric for all samples
	ClassWise                   // one for every class
	Local                       // one for every region or sample
)

// String implements fmt.Stringer.
func (s Scope) String() string {
	return [...]string{"any", "none", "global", "class-wise", "local"}[s]
}

// A Parameter is a hyper-parameter of a method, as a spec names it.
type Parameter struct {
	Name    string `json:"name"`
	Default any    `json:"default"` // nil: must be given
	Doc     string `json:"doc"`
	Maximum any    `json:"maximum,omitempty"` // the largest value that a spec may have; nil: none
}

// Votes reports whether the k-NN rule labels samples under the metric of a method. Other
// methods return labels.
func (m Method) Votes() bool { return m.Metric != NoMetric }

// A Setting is the resolved hyper-parameters of a fit.
type Setting struct {
	Of       any // a value of the method's hyper-parameter struct
	Features Features
	Rule     Rule
}

// Fitted returns the setting without its own k; no fit depends on k.
func (s Setting) Fitted() Setting {
	s.Rule = Rule{}
	return s
}

// A Family handles the struct of hyper-parameters of one method; values of that struct are
// passed as any.
type Family interface {
	// Decode merges the mappings; later ones take precedence. Keys that the struct does not
	// have are decoded to the structs in besides.
	Decode(d *strictyaml.Decoder, layers []*yaml.Node, besides ...any) any
	// Resolve fills in defaults and refuses impossible values.
	Resolve(value any) (any, error)
	// Tasks divides the fitting of resolved values on one problem.
	Tasks(p Problem, values []any) []r2lml.Task
	// Prototype returns the type of the struct.
	Prototype() reflect.Type
}

// A Problem is a classification problem with further inputs for external programs.
// Methods in Go get the r2lml.Problem only.
type Problem struct {
	r2lml.Problem
	Phase      Phase
	Neighbors  int              // k of the k-NN rule
	Validation datasets.Samples // with labels; empty while they are the queries
	Memory     int64            // limit of a program, in bytes; 0: none
}

// A Phase is the purpose of a fit.
type Phase string

const (
	SelectionPhase Phase = "selection" // to score a setting on the validation samples, or on a fold of the training samples
	TestPhase      Phase = "test"      // to label the test samples
)

// VariablePattern matches names of environment variables.
const VariablePattern = `^[A-Za-z_][A-Za-z0-9_]{0,127}$`

// An Outside is a family of external programs. They get only a few environment
// variables.
type Outside interface {
	Family
	// CheckVariable refuses a name that cannot be passed as a further variable.
	CheckVariable(name string) error
	// CheckFile refuses a name that is no file relative to the folder of a spec.
	CheckFile(folder, name string) error
	// Given returns the family of programs that get further variables and depend on further
	// files, named relative to the folder of the spec.
	Given(variables, files []string) Family
}

// Resolvable is a struct of hyper-parameters that can fill in its defaults.
type Resolvable[M any] interface{ Resolve() (M, error) }

// Typed is the family of the hyper-parameter struct M. If 0 is a valid value and not the
// default, M has a method Defaults that returns the defaults of a spec.
type Typed[M Resolvable[M]] struct {
	Fit func(p r2lml.Problem, settings []M) []r2lml.Task
}

// Decode implements Family.
func (t Typed[M]) Decode(d *strictyaml.Decoder, layers []*yaml.Node, besides ...any) any {
	var m M
	if d, ok := any(m).(interface{ Defaults() M }); ok {
		m = d.Defaults()
	}
	for _, layer := range layers {
		d.Divide(layer, append([]any{&m}, besides...)...)
	}
	return m
}

// Resolve implements Family.
func (t Typed[M]) Resolve(value any) (any, error) { return value.(M).Resolve() }

// Tasks implements Family.
func (t Typed[M]) Tasks(p Problem, values []any) []r2lml.Task {
	ms := make([]M, len(values))
	for i, v := range values {
		ms[i] = v.(M)
	}
	return t.Fit(p.Problem, ms)
}

// Prototype implements Family.
func (t Typed[M]) Prototype() reflect.Type { return reflect.TypeFor[M]() }

// New returns a method whose settings of one problem are fitted by fit; use
// r2lml.Singly if settings share no work.
func New[M interface {
	r2lml.Method
	Resolvable[M]
}](id, name string, fit r2lml.GridFit[M], about About) Method {
	return Method{ID: id, Name: name, About: about, Family: Typed[M]{fit}}
}

// Ruled reports whether the k-NN rule labels the samples under the metric of a fit, so
// that k is a parameter and every k has the same fit.
func (m Method) Ruled() bool { return !m.Imported && m.Metric != NoMetric }

// Parameters lists the hyper-parameters of m with their defaults, those of Rule and
// Features last.
func (m Method) Parameters() []Parameter {
	defaults, _ := m.Resolve(m.Decode(&strictyaml.Decoder{}, nil)) // parameters without a default are an error here
	list := parametersOf(m.Family.Prototype(), ParamsOf(defaults))
	if m.Ruled() {
		list = append(list, parametersOf(reflect.TypeFor[Rule](), map[string]any{RuleKey: "that of the spec"})...)
	}
	if !m.Imported {
		list = append(list, parametersOf(reflect.TypeFor[Features](), map[string]any{FeaturesKey: string(datasets.Unscaled), ScaleKey: 1})...)
	}
	return list
}

// parametersOf lists the fields of a struct of parameters with their defaults.
func parametersOf(t reflect.Type, values map[string]any) []Parameter {
	list := []Parameter{}
	for i := range t.NumField() {
		name := KeyOf(t.Field(i))
		if name == "" || name == "-" {
			continue
		}
		p := Parameter{Name: name, Default: values[name], Doc: t.Field(i).Tag.Get("jsonschema_description")}
		for _, most := range strictyaml.Tagged(t.Field(i), "maximum") {
			p.Maximum = json.Number(most)
		}
		for _, text := range strictyaml.Tagged(t.Field(i), "default") {
			switch {
			case p.Default != nil: // omitted from values while it is 0
			case t.Field(i).Type.Kind() == reflect.String:
				p.Default = text
			default:
				p.Default = json.Number(text)
			}
		}
		if len(strictyaml.Tagged(t.Field(i), "required")) > 0 {
			p.Default = nil
		}
		list = append(list, p)
	}
	return list
}

// A lister is a struct that lists its hyper-parameters itself.
type lister interface{ Params() map[string]any }

// omitEmpty marks a hyper-parameter that a setting omits while it is 0.
const omitEmpty = ",omitempty"

// KeyOf returns the name in specs of the hyper-parameter with field f.
func KeyOf(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return key
}

// ParamsOf returns the parameters of a setting by name: numbers, texts and booleans.
func ParamsOf(s Setting) map[string]any {
	params := map[string]any{}
	if l, ok := s.Of.(lister); ok {
		params = l.Params()
	} else {
		v := reflect.ValueOf(s.Of)
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if leaveOut := strings.HasSuffix(f.Tag.Get("yaml"), omitEmpty); !leaveOut || !v.Field(i).IsZero() {
				params[KeyOf(f)] = plain(v.Field(i))
			}
		}
	}
	if s.Features.Scaling != "" {
		params[FeaturesKey] = string(s.Features.Scaling)
	}
	if s.Features.Scale != 0 {
		params[ScaleKey] = s.Features.Scale
	}
	if s.Rule.K != 0 {
		params[RuleKey] = s.Rule.K
	}
	return params
}

// plain converts a value to its basic type.
func plain(v reflect.Value) any {
	if word, ok := wordOf(v); ok {
		return word
	}
	switch {
	case v.Kind() == reflect.String:
		return v.String()
	case v.CanInt():
		return int(v.Int())
	case v.CanFloat():
		return v.Float()
	default:
		return v.Interface()
	}
}

// wordOf returns the word for a value that has one in specs.
func wordOf(v reflect.Value) (string, bool) {
	worded, ok := v.Interface().(strictyaml.Worded)
	if !ok {
		return "", false
	}
	for word, value := range worded.Words() {
		if value == v.Float() {
			return word, true
		}
	}
	return "", false
}

// A Size is the size of a problem: training samples, query samples, features and
// classes.
type Size struct{ N, M, D, C int }

// A Work estimates the cost of a setting on a problem: shared once for all settings
// of a grid, each for every setting, including labelling the query samples. Units are
// nanoseconds of one core of the machine of docs/dev/performance.md.
//
// An estimate is a leading term in the sizes with a constant fitted to whole grids, to eight of
// the paper's sets for R2LML and to 14 drawn sets for most others. For methods that stop early it is the
// usual case: single cells may be off by a factor of three.
type Work func(s Size, p results.Params) (shared, each float64)

// A Memory promises the largest memory of a fit in bytes, without the data, but with its
// metric and the labelling of the query samples. The settings are all those of a grid, and
// settings fitted together count together. Tests require that a promise is at least the
// measured memory divided by 1.25 and at most five times it.
type Memory func(s Size, settings []results.Params) float64

// leastHeap is twice the size of a heap at its first collection: the heap grows further during
// the collection.
const leastHeap = 8 << 20

// Promise returns the promise of a method for a problem, in bytes; 0 without one.
func (m Method) Promise(s Size, settings []results.Params) float64 {
	if m.Memory == nil {
		return 0
	}
	prepared := 0
	for _, p := range settings {
		if p[FeaturesKey] != nil || p[ScaleKey] != nil {
			prepared = (s.N + s.M) * s.D * 8
		}
	}
	return float64(leastHeap+prepared) + m.Memory(s, settings)
}
