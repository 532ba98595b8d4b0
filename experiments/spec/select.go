package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
)

// A Select says how a setting of a grid is chosen: by which metric, and on which samples.
// In a file it may be the name of the metric alone.
type Select struct {
	Metric string `yaml:"metric"` // see results.MetricIDs; default: accuracy
	On     string `yaml:"on"`     // onValidation (the default) or onTraining
	Folds  int    `yaml:"folds"`  // of the cross-validation; 0 means 5
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

// choice checks how settings are chosen; what it leaves out is that of otherwise, which
// has been checked.
func (c *checker) choice(s *Select, otherwise Select, path ...any) {
	at := func(key string) []any {
		if strictyaml.At(c.root, path...).Kind == yaml.MappingNode {
			return append(slices.Clone(path), key)
		}
		return path
	}
	c.chooses(&s.Metric, otherwise.Metric, at("metric")...)
	if s.On == "" {
		s.On = otherwise.On
	}
	c.oneOf(&s.On, []string{onValidation, onTraining}, at("on")...)
	given := strictyaml.Child(strictyaml.At(c.root, path...), "folds") != nil
	switch {
	case s.On != onTraining:
		if given {
			c.fault("folds are those of a cross-validation; add `on: cross-validation`, or remove folds", at("folds")...)
		}
		s.Folds = 0
	case given && (s.Folds < 2 || s.Folds > MaxRuns):
		c.fault(fmt.Sprintf("folds is %d, want a number from 2 to %d", s.Folds, MaxRuns), at("folds")...)
		s.Folds = defaultFolds
	case !given && otherwise.Folds > 0:
		s.Folds = otherwise.Folds
	case !given:
		s.Folds = defaultFolds
	}
}

// leastOfClass is how many samples of each class must be left to learn from when a fold
// is taken out: without a second sample no class has pairs, neighbors or a covariance.
const leastOfClass = 2

// foldable reports a stanza that chooses by cross-validation on a data set with a class
// that is too small for it. Own data are read later, see Spec.Divides.
func (c *checker) foldable(i int, col Column) {
	for _, e := range c.spec.Entries {
		if err := c.spec.foldable(col, e); err != nil {
			path := []any{"select"}
			if strictyaml.Child(strictyaml.At(c.root, "methods", i), "select") != nil {
				path = []any{"methods", i, "select"}
			}
			c.fault(err.Error(), path...)
			return
		}
	}
}

// foldable tells what keeps a column from choosing by cross-validation on a data set.
func (s *Spec) foldable(col Column, e datasets.Entry) error {
	if col.Folds == 0 || !col.chooses(e) {
		return nil
	}
	for number := 1; number <= max(s.Split.Folds, e.Folds(), 1); number++ {
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

// selectSchema allows the name of a metric, or a mapping.
func selectSchema(description string) *jsonschema.Schema {
	s := object()
	s.Properties.Set("metric", metricSchema("metric by which a setting is chosen; accuracy is the default"))
	s.Properties.Set("on", &jsonschema.Schema{Type: "string", Enum: []any{onValidation, onTraining},
		Description: "samples that settings are scored on: validation (the default), or cross-validation on the training samples, " +
			"which leaves the validation samples unused"})
	s.Properties.Set("folds", &jsonschema.Schema{Type: "integer", Minimum: "2", Maximum: json.Number(strconv.Itoa(MaxRuns)),
		Description: "folds of the cross-validation; 5 when not given"})
	return &jsonschema.Schema{Description: description, OneOf: []*jsonschema.Schema{metricSchema(""), s}}
}
