// Package fit learns one linear map from all rows of a data set, for a file and use
// elsewhere: samples that are near each other under the map tend to have one class.
//
// The map of samples, the rows of X, is
//
//	((X − Mean) / Scale) Lᵀ
//
// where Mean and Scale are statistics of the features of the training rows. Before, a column
// of text becomes a feature of each text, and missing values are filled in, see [Encode].
package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/run"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A Model is a learned map and the data for applying it.
type Model struct {
	L           *mat.Dense      // P×D, acts on standardized features
	Mean, Scale []float64       // of the D features; 0 and 1 if features are not scaled
	Features    []string        // names of the D features; that of a text is COLUMN=TEXT
	Columns     []EncodedColumn // columns of the file; the features are made from them
	Classes     []string        // names of the classes; class code c is Classes[c-1]
	X           *mat.Dense      // N×D training samples, not scaled
	Y           []int           // their N class codes
	Neighbors   int             // k of the k-NN rule
	Weights     string          // of its votes, as in r2lml.Voting
	Provenance  string          // JSON: method, parameters, file, program
	Warnings    []string        // warnings and doubts of the fit; not written
}

// An EncodedColumn is a column of a file and its encoding.
type EncodedColumn struct {
	Name string `json:"name"`
	datasets.Encoded
}

// Encode makes features of the columns of own data from all rows. It returns the encoded
// columns, and the samples in the order of a training part. impute is the rule for missing
// values.
func Encode(d *datasets.Data, names []string, impute string) ([]EncodedColumn, datasets.Samples, error) {
	rows := d.ByClass()
	encoding := datasets.NewEncoding(d.X, rows, impute, d.Categories)
	x, err := encoding.Apply(d.X)
	if err != nil {
		return nil, datasets.Samples{}, err
	}
	columns := make([]EncodedColumn, len(encoding))
	for j, c := range encoding {
		columns[j] = EncodedColumn{names[j], datasets.Encoded{Texts: c.Texts, Fill: c.Fill, Open: c.Open}} // values are indices into Texts
	}
	return columns, datasets.Samples{X: x, Y: d.Y}.At(rows), nil
}

// FeatureNames returns the names of the features of the columns.
func FeatureNames(columns []EncodedColumn) []string {
	var names []string
	for _, c := range columns {
		if c.Texts == nil {
			names = append(names, c.Name)
		}
		for _, text := range c.Texts {
			names = append(names, c.Name+"="+text)
		}
	}
	return names
}

// Encode makes the M×D features of other rows. Their texts are indices into the texts of the
// columns.
func (m *Model) Encode(x *mat.Dense) (*mat.Dense, error) {
	var e datasets.Encoding
	for _, c := range m.Columns {
		e = append(e, c.Encoded)
	}
	return e.Apply(x)
}

// ErrNoMap is wrapped by errors about methods without a single linear map.
var ErrNoMap = errors.New("it has no single map")

// HasMap returns an error that wraps ErrNoMap for methods whose metric is no single map of the features.
func HasMap(m method.Method) error {
	switch {
	case m.Rescales:
		return fmt.Errorf("%s: %w of the features, as it divides each sample by its length, which no linear map does; fit another method", m.Name, ErrNoMap)
	case m.Scope == method.NothingLearned && m.Metric != method.LocalMetric:
		return fmt.Errorf("%s: %w of the features: its distances are Euclidean after no linear map; fit another method", m.Name, ErrNoMap)
	case m.Scope != method.Global && m.Scope != method.NothingLearned:
		return fmt.Errorf("%s: %w for all samples, as it learns %s metrics; fit one that learns a single map, such as lmnn, itml or nca", m.Name, ErrNoMap, m.Scope)
	}
	return nil
}

// seed is the seed of random draws, the same as that of a spec without seeds.
const seed = 1

// Learn fits a setting of a method to samples, as a cell with these training samples does.
// neighbors is the k unless the setting has one. The error about a metric that is no single map of
// the features wraps ErrNoMap.
func Learn(ctx context.Context, m method.Method, setting method.Setting, train datasets.Samples, neighbors int) (*Model, error) {
	if err := HasMap(m); err != nil {
		return nil, err
	}
	affine, err := setting.Features.Affine(train.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w of the features: %w", m.Name, ErrNoMap, err)
	}
	split := &datasets.Split{Train: train, Test: train.At([]int{0})}
	p := run.ProblemOf(split, method.TestPhase, false, cmp.Or(setting.Rule.K, neighbors), seed, 0)
	scaled := setting.Features.Of(p)
	fitted, err := run.FitFirst(ctx, m, []method.Setting{{Of: setting.Of}}, scaled)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	model := &Model{X: train.X, Y: train.Y, Mean: affine.Offset, Scale: affine.Divisor, Neighbors: min(p.Neighbors, len(train.Y)),
		Weights: cmp.Or(m.Weights, r2lml.UniformWeights)}
	warnings, doubts := results.Told(fitted.Warnings, m.Doubts(setting, scaled.Problem, fitted))
	model.Warnings = append(doubts, warnings...)
	local, ok := fitted.Metric.(*r2lml.LocalMetric)
	if ok {
		model.L, ok = local.Map(scaled.X)
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w of the features for all samples", m.Name, ErrNoMap)
	}
	return model, nil
}

// Apply returns the mapped samples, M×P, of x, M×D.
func (m *Model) Apply(x *mat.Dense) *mat.Dense {
	rows, _ := x.Dims()
	standardized := mat.DenseCopyOf(x)
	for i := range rows {
		for j, v := range standardized.RawRowView(i) {
			standardized.Set(i, j, (v-m.Mean[j])/m.Scale[j])
		}
	}
	var mapped mat.Dense
	mapped.Mul(standardized, m.L.T())
	return &mapped
}

// Predict returns the class codes of the samples of x, M×D, by the k-NN rule under the learned
// metric. It fails if a distance is not finite.
func (m *Model) Predict(ctx context.Context, x *mat.Dense) ([]int, error) {
	p := r2lml.Problem{X: m.Apply(m.X), Y: m.Y, Query: m.Apply(x)}
	labels, err := r2lml.ClassifyContext(ctx, p, r2lml.NewGlobal(p, nil), []int{m.Neighbors}, r2lml.Voting{Weights: m.Weights})
	if err != nil {
		return nil, err
	}
	return labels[0], nil
}
