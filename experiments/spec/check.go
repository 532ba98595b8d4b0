package spec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// A checker fills in the defaults of a decoded spec and looks up its names.
// Every fault becomes an error of d with its position in the file.
type checker struct {
	d    *strictyaml.Decoder
	root *yaml.Node
	spec *Spec

	unsplit  bool    // the split has a fault
	embedded bool    // the spec is embedded
	isBase   bool    // the spec is read as the base of another
	isOrigin bool    // another spec names it: its own printed numbers are not read
	parent   *Spec   // the base; nil without one
	points   float64 // settings of all cells so far
	cells    float64 // cells so far
}

func (c *checker) check() {
	if c.spec.Name == "" {
		c.fault("a spec needs a name; add `name: ...`", "name")
	}
	checkTags(c.d, c.root, reflect.ValueOf(c.spec).Elem())
	c.spec.Seeds = max(c.spec.Seeds, 1)
	c.spec.Features = cmp.Or(c.spec.Features, string(datasets.Unscaled))
	c.neighbors()
	c.base()
	inherited := Reading{Ties: r2lml.SmallestTie, Distances: r2lml.EachSample, PCA: centeredPCA}
	if c.parent != nil {
		inherited = c.parent.Reading
	}
	said := c.spec.Reading
	c.spec.Reading.inherit(inherited)
	c.split()
	c.test()
	c.listed("measure", c.spec.Measure, nil, measure.Names(), "measure")
	for i, s := range c.spec.Methods {
		c.listed("measure", s.Measure, c.spec.Measure, measure.Names(), "methods", i, "measure")
	}
	c.listed("figure", c.spec.Figures, nil, Figures, "figures")
	c.choice(&c.spec.Select, Select{Metric: results.Accuracy, On: onValidation, Folds: defaultFolds}, "select")
	c.listed("metric", c.spec.Metrics, nil, results.MetricIDs(), "metrics")
	if by := c.spec.Test.Metric; by != "" {
		c.listed("metric", []string{by}, nil, results.MetricIDs(), "test", "metric")
	}
	c.datasets()
	c.readings(said)
	c.methods()
	for i, name := range c.spec.Measure {
		c.serves(name, c.spec.Methods, "measure", i)
	}
	for i, s := range c.spec.Methods {
		for k, name := range s.Measure {
			c.serves(name, []MethodBlock{s}, "methods", i, "measure", k)
		}
	}
	c.contrasts()
	c.control()
	c.published()
}

// fault records an error at the node that path leads to.
func (c *checker) fault(msg string, path ...any) {
	c.d.Errorf(strictyaml.At(c.root, path...), "%s", msg)
}

// test fills in the defaults of the comparison of pairs and of the gate.
func (c *checker) test() {
	t := &c.spec.Test
	t.Pair, t.Correction, t.Alpha = cmp.Or(t.Pair, stats.TestNames()[0]), cmp.Or(t.Correction, "holm"), cmp.Or(t.Alpha, 0.05)
	t.Variant, _ = stats.ParseTest(t.Pair) // checkTags reports an unknown one
	c.spec.Gate.Tolerance = cmp.Or(c.spec.Gate.Tolerance, 1)
}

// control checks that the control of the tests is a column. It runs after methods.
func (c *checker) control() {
	ids := c.spec.ColumnIDs()
	if id := c.spec.Test.Against; id != "" && !slices.Contains(ids, id) {
		c.fault(fmt.Sprintf("there is no column %q%s", id, cmp.Or(suggest(id, ids), "; there are "+strings.Join(ids, ", "))), "test", "against")
	}
}

// listed checks a list of names at path: each is known, occurs once, and is not
// among others. The error about an unknown name suggests the nearest known one, or
// lists all.
func (c *checker) listed(kind string, names, others, known []string, path ...any) {
	for i, name := range names {
		at := append(slices.Clone(path), i)
		if !slices.Contains(known, name) {
			c.fault(fmt.Sprintf("unknown %s %q%s", kind, name, cmp.Or(suggest(name, known), "; there are "+strings.Join(known, ", "))), at...)
		}
		if slices.Contains(names[:i], name) || slices.Contains(others, name) {
			c.fault(fmt.Sprintf("%s is listed twice", name), at...)
		}
	}
}

// serves reports the method blocks whose fits a measure cannot measure.
func (c *checker) serves(name string, stanzas []MethodBlock, path ...any) {
	found, ok := measure.Find(name)
	if !ok {
		return // reported elsewhere
	}
	var unfit, single []string
	for _, s := range stanzas {
		m, ok := registry.Find(s.Method)
		switch {
		case !ok:
		case !offers(m, found.Needs) && !slices.Contains(unfit, m.ID):
			unfit = append(unfit, m.ID)
		case name == measure.Surface && s.Grid.IsZero() && s.Restarts <= 1:
			single = append(single, s.Name)
		}
	}
	if len(unfit) > 0 {
		c.fault(fmt.Sprintf("%s cannot be measured on %s; leave the measure or the method out of this spec", name, strings.Join(unfit, ", ")), path...)
	}
	if len(single) > 0 {
		c.fault(fmt.Sprintf("%s needs a grid, which %s does not have; add one, or give `measure` to single methods", name, strings.Join(single, ", ")), path...)
	}
}

func (c *checker) datasets() {
	if len(c.spec.Datasets) == 0 {
		c.fault("a spec needs data sets; add `datasets: all` or a list of ids", "datasets")
	}
	for i, set := range c.spec.Datasets {
		if set.Data != nil {
			if e, ok := c.own(set.Data, i); ok {
				c.dataset(e, i)
			}
			continue
		}
		found, err := FindDatasets(set.Name)
		if err != nil {
			c.fault(err.Error(), "datasets", i)
		}
		for _, e := range found {
			if c.spec.Split.Rule == filesRule && !c.unsplit {
				if e, err = e.Filed(c.spec.Split.Files); err != nil {
					c.fault(err.Error()+"; choose another rule", "split", "rule")
				}
			}
			c.dataset(e, i)
		}
		if len(c.spec.Sets) > maxDatasets {
			c.fault(fmt.Sprintf("the spec has more than %d data sets; divide it into several", maxDatasets), "datasets", i)
			return
		}
	}
}

// dataset adds a data set, item i of the list.
func (c *checker) dataset(e datasets.DataSet, i int) {
	switch {
	case slices.ContainsFunc(c.spec.Sets, func(other datasets.DataSet) bool { return other.ID == e.ID }):
		c.fault(fmt.Sprintf("data set %s is listed twice", e.ID), "datasets", i)
	case Imported(e) && c.spec.Split.maxTrain > 0:
		c.fault(e.ID+" is an imported split, which has the training samples that it has; remove max-train, or leave it out", "datasets", i)
	case Imported(e) && meantRule(c.spec.Split.Rule) != "authors":
		c.fault(fmt.Sprintf("%s is one split already and cannot be divided by `rule: %s`; use `rule: authors`", e.ID, c.spec.Split.Rule), "datasets", i)
	default:
		c.divides(e, i)
		c.spec.Sets = append(c.spec.Sets, e)
	}
}

// offers reports whether the fits of a method fulfill the need of a measure.
func offers(m method.Method, need measure.Need) bool {
	switch need {
	case measure.NeedsLocalMetric:
		return m.Metric == method.LocalMetric
	case measure.NeedsObjective:
		return m.Objective
	case measure.NeedsMetric:
		return m.Votes()
	}
	return !m.Imported // it is fitted here or by a program
}
