package spec

import (
	"cmp"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/results"
)

// A Select is the metric and the samples for choosing a setting of a grid. A file may have
// only the name of the metric.
type Select struct {
	Metric string `yaml:"metric" jsonschema_description:"metric by which a setting is chosen; accuracy is the default"`
	On     string `yaml:"on" jsonschema:"enum=validation,enum=cross-validation" jsonschema_description:"samples that settings are scored on: validation (the default), or cross-validation on the training samples, which leaves the validation samples unused"`
	Folds  int    `yaml:"folds" jsonschema:"minimum=2,maximum=10000" jsonschema_description:"folds of the cross-validation; 5 when not given"`
}

// The values of Select.On.
const (
	onValidation = "validation"       // the validation samples
	onTraining   = "cross-validation" // the training samples, fold by fold
)

// DecodeYAML reads the name of a metric, or a mapping.
func (s *Select) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		type plain Select
		d.Decode(n, (*plain)(s))
		return
	}
	d.Decode(n, &s.Metric)
}

// choice checks s and fills empty fields from otherwise, which is checked already.
func (c *checker) choice(s *Select, otherwise Select, path ...any) {
	at := func(key string) []any {
		if strictyaml.At(c.root, path...).Kind == yaml.MappingNode {
			return append(slices.Clone(path), key)
		}
		return path
	}
	if s.Metric == "" {
		s.Metric = otherwise.Metric
	} else {
		c.listed("metric", []string{s.Metric}, nil, results.MetricIDs(), at("metric")...)
	}
	s.On = cmp.Or(s.On, otherwise.On)
	switch given := strictyaml.Child(strictyaml.At(c.root, path...), "folds") != nil; {
	case s.On == onTraining:
		s.Folds = cmp.Or(s.Folds, otherwise.Folds, defaultFolds)
	case given:
		c.fault("folds are those of a cross-validation; add `on: cross-validation`, or remove folds", at("folds")...)
		fallthrough
	default:
		s.Folds = 0
	}
}

// leastOfClass is the least number of training samples of each class without a fold: a class
// of one sample has no pairs, neighbors or covariance.
const leastOfClass = 2

// foldable reports a method block that chooses by cross-validation on a data set with a class
// that is too small. Own data are read later, see Spec.Divides.
func (x *stanza) foldable(col Column) {
	for _, e := range x.spec.Sets {
		if err := x.spec.foldable(col, e); err != nil {
			at := x.checker.fault
			if x.has("select") {
				at = x.fault
			}
			at(err.Error(), "select")
			return
		}
	}
}

// foldable returns an error if a column cannot choose by cross-validation on a data set.
func (s *Spec) foldable(col Column, e datasets.DataSet) error {
	if col.Folds == 0 || !col.chooses(e) {
		return nil
	}
	for number := 1; number <= max(s.Split.Folds, e.Splits()); number++ {
		rule := col.RuleOf(e, s.Split.RuleOf(e, number))
		if parts, err := rule.PartSizes(e); err == nil && parts[0] > 0 && parts[0] < col.Folds {
			return fmt.Errorf("%s has %d training samples, too few for %d folds; give at most %d `folds`", e.ID, parts[0], col.Folds, parts[0])
		}
		label, rows, ok := rule.FewestTraining(e)
		if tested := (rows + col.Folds - 1) / col.Folds; ok && rows-tested < leastOfClass {
			return fmt.Errorf("class %q of %s has %d training samples; a fold takes %d and leaves %d to learn from, want at least %d; "+
				"choose `on: validation`, or take more training rows", label, e.ID, rows, tested, rows-tested, leastOfClass)
		}
	}
	return nil
}
