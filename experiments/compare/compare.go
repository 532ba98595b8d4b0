// Package compare asks "which metric learner is best on my data": it writes a spec that
// compares them on a file, and chooses the methods that there is memory and time for.
//
// Every method is tuned on validation samples over its default grid and over raw and
// standardized features. Methods are compared by the corrected resampled t-test over the splits,
// in two families with Holm's correction: with a control, and all pairs; see table.Ranking; package answer reads the result.
package compare

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/results"
)

// The columns of Euclidean k-NN that every comparison has, untuned.
const (
	Raw    = "euclidean-raw"    // raw features
	Scaled = "euclidean-scaled" // standardized features: what k-NN users do first
)

// Inputs are the inputs of a comparison.
type Inputs struct {
	Files      []File   // the data, at least one
	Methods    []string // ids; nil: Methods()
	Splits     int      // random splits
	Train      float64  // share of each class
	Validation float64  // share of each class
	Neighbors  int      // k of the k-NN rule
	Seed       uint64   // of the splits
	MaxTrain   int      // limit of training rows of a split; 0: none
	Against    string   // the control; empty: Scaled
	Measure    string   // metric that settings are chosen by, and methods ranked and tested; empty: accuracy
}

// A File is a data set of a comparison.
type File struct {
	ID   string // also in the spec's name
	Path string
	Data tabular.Layout // layout of the file
}

// name is the name of the spec.
func (o Inputs) name() string {
	name := spec.ComparisonPrefix + o.Files[0].ID
	if n := len(o.Files) - 1; n > 0 {
		name += fmt.Sprintf("-and-%d-more", n)
	}
	return name
}

//go:embed spec.yaml.tmpl
var specText string

var specTemplate = template.Must(template.New("spec").Parse(specText))

// Spec writes the spec of a comparison. An unknown method is an error that names the
// known ones.
func Spec(o Inputs) (string, error) {
	grids, err := spec.Grids()
	if err != nil {
		return "", err
	}
	if len(o.Methods) == 0 {
		o.Methods = Methods()
	}
	o.Against = cmp.Or(o.Against, Scaled)
	if o.Measure == results.Accuracy { // which specs need not name
		o.Measure = ""
	}
	if slices.Contains(Methods(), o.Against) && !slices.Contains(o.Methods, o.Against) {
		o.Methods = append(slices.Clone(o.Methods), o.Against)
	}
	if known := append([]string{Raw, Scaled}, o.Methods...); !slices.Contains(known, o.Against) {
		return "", errors.New(strictyaml.Unknown("method to compare with (--against)", o.Against, known))
	}
	var stanzas []string
	for _, id := range o.Methods {
		m, ok := registry.Find(id)
		if !ok || !slices.Contains(Methods(), id) {
			return "", errors.New(strictyaml.Unknown("method", id, Methods()))
		}
		stanza, err := newStanza(m, grids[id])
		if err != nil {
			return "", err
		}
		stanzas = append(stanzas, stanza)
	}
	var data []string
	for _, f := range o.Files {
		data = append(data, spec.DataStanza(f.ID, f.Path, f.Data))
	}
	var b strings.Builder
	err = specTemplate.Execute(&b, map[string]any{
		"Of": o, "Name": o.name(), "Data": data, "Methods": stanzas, "Raw": Raw, "Scaled": Scaled,
	})
	return b.String(), err
}

// Methods returns the ids of the compared methods, in the order of the registry: all but
// external programs and imported predictions.
func Methods() []string {
	var ids []string
	for _, m := range registry.Methods {
		if !m.Imported && !m.OutOfProcess {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// newStanza returns the block of a method: its default grid, and raw and standardized features.
func newStanza(m method.Method, grid spec.Axes) (string, error) {
	text := "  - method: " + m.ID + "\n"
	if m.Proposed { // the step length has no default
		text += "    params: {step: auto}\n"
	}
	axes := append(slices.Clone(grid), spec.Axis{Name: method.FeaturesKey, Values: []any{"raw", "zscore"}})
	var parts []string
	for _, axis := range axes {
		var list yaml.Node
		if err := list.Encode(axis.Values); err != nil {
			return "", err
		}
		parts = append(parts, axis.Name+": "+strictyaml.Flow(&list))
	}
	return text + "    grid: {" + strings.Join(parts, ", ") + "}\n", nil
}
