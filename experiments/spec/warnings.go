package spec

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/stats"
)

// Warnings returns, by line, the settings of a valid spec that make no sense or cannot be
// computed on some data set. Messages quote file. known returns the entry of a data set with
// its sizes, also for own data.
func (s *Spec) Warnings(file string, known func(datasets.DataSet) datasets.DataSet) []strictyaml.Error {
	root, err := strictyaml.Parse(file, s.Text)
	if err != nil {
		return nil // cannot happen: the spec is valid
	}
	w := &warner{spec: s, file: file, root: root, sets: map[strictyaml.Error][]string{}}
	for _, e := range s.Sets {
		full := known(e)
		rule := s.Split.RuleOf(full, 1)
		size := sizesOf(full, rule)
		if size.train == 0 {
			continue // unknown without its files
		}
		w.tests(e, size)
		for i := range s.Columns {
			w.column(&s.Columns[i], e, sizesOf(full, s.Columns[i].RuleOf(full, rule)))
		}
	}
	w.whole()
	slices.SortStableFunc(w.order, func(a, b strictyaml.Error) int { return cmp.Compare(a.Line, b.Line) })
	for i, warning := range w.order {
		sets := w.sets[warning]
		const most = 6
		list := strings.Join(sets[:min(len(sets), most)], ", ")
		if len(sets) > most {
			list += fmt.Sprintf(" and %d more", len(sets)-most)
		}
		w.order[i].Msg = strings.Replace(warning.Msg, "%s", list, 1)
	}
	return w.order
}

// sizes are the sizes of a split that are known without reading the set.
type sizes struct {
	train, smallest, test int    // training samples, training samples of the smallest class, test samples
	class                 string // the smallest; empty: not known
	features              int    // after principal components
}

// sizesOf returns the sizes of a split, or of the first of several; 0 if the classes are not
// known.
func sizesOf(e datasets.DataSet, rule datasets.Rule) sizes {
	parts, err := rule.PartSizes(e)
	if err != nil || parts[0] == 0 {
		return sizes{}
	}
	features := e.Features
	if e.PCA > 0 {
		features = e.PCA
	}
	s := sizes{train: parts[0], smallest: parts[0], test: parts[2], features: features} // if the entry has no division of its classes
	if class, rows, ok := rule.FewestTraining(e); ok {
		s.smallest, s.class = rows, class
	}
	return s
}

// A warner collects warnings and joins equal ones of several data sets.
type warner struct {
	spec *Spec
	file string
	root *yaml.Node

	order []strictyaml.Error // with %s for the data sets
	sets  map[strictyaml.Error][]string
}

// warn adds a data set ("": none) to a warning about a node.
func (w *warner) warn(at *yaml.Node, set, text string) {
	warning := strictyaml.Error{File: w.file, Line: at.Line, Column: at.Column, Msg: text}
	if w.sets[warning] == nil {
		w.order = append(w.order, warning)
	}
	if !slices.Contains(w.sets[warning], set) {
		w.sets[warning] = append(w.sets[warning], set)
	}
}

// sized formats a data set with a size.
func sized(e datasets.DataSet, size int) string { return fmt.Sprintf("%s (%d)", e.ID, size) }

// tests warns if no two methods can differ significantly on a data set of a single split; several
// are compared by the corrected resampled t-test.
func (w *warner) tests(e datasets.DataSet, size sizes) {
	columns := len(w.spec.Columns)
	pairs := columns * (columns - 1) / 2
	if pairs == 0 || size.test == 0 || w.spec.Split.SplitsOf(e) > 1 {
		return
	}
	least := stats.McNemar(w.spec.Test.Variant, size.test, 0).P
	if float64(pairs)*least > w.spec.Test.Alpha {
		w.warn(strictyaml.At(w.root, "datasets"), sized(e, size.test), fmt.Sprintf("no two of %d columns can differ significantly on the test samples of %%s: "+
			"not even one that labels all of them right from one that labels none, with %s at %g over %d pairs",
			columns, w.spec.Test.Variant, w.spec.Test.Alpha, pairs))
	}
}

// column warns of the settings of a column on a data set: of a k that is too large, and of
// parameters that are too large in every setting of the grid. A grid for many data sets usually
// has some values that are too large.
func (w *warner) column(c *Column, e datasets.DataSet, size sizes) {
	stanza := &yaml.Node{Line: c.Line}
	var ks []int // the k for the data set; none for imported predictions
	for _, s := range c.Settings[e.ID] {
		if k := cmp.Or(s.Rule.K, c.Neighbors[e.ID]); k > 0 && !slices.Contains(ks, k) {
			ks = append(ks, k)
		}
	}
	for _, k := range ks {
		at, of := strictyaml.At(w.root, "neighbors"), fmt.Sprintf("neighbors is %d", k)
		if !slices.Contains(w.spec.Neighbors, k) { // the block has its own k
			at, of = stanza, fmt.Sprintf("k of %s is %d", c.ID, k)
		}
		switch {
		case k > size.train:
			w.warn(at, sized(e, size.train), of+", more than the training samples of %s: all of them vote on every sample, whatever the metric")
		case k > size.smallest:
			w.warn(at, fmt.Sprintf("%s (class %q: %d)", e.ID, size.class, size.smallest),
				of+", but a class has fewer training samples on %s: other classes vote on all of its samples")
		}
	}
	for _, b := range bounded {
		if !slices.Contains(b.methods, c.Method.ID) {
			continue
		}
		least, most := math.MaxInt, b.most(size)
		for _, p := range c.Grid(e.ID) {
			if v, ok := p.Params[b.name].(int); ok {
				least = min(least, v)
			}
		}
		if least != math.MaxInt && least > most {
			w.warn(stanza, sized(e, most), fmt.Sprintf("%s of %s is %d, %s on %%s", b.name, c.ID, least, b.of))
		}
	}
}

// fewOthers stands behind a parameter that counts neighbors of the class of a sample.
const fewOthers = "but in the smallest class a training sample has fewer others of its class"

// bounded lists the parameters whose values should not exceed a size of the problem.
var bounded = []struct {
	methods []string
	name    string
	most    func(sizes) int
	of      string
}{
	{[]string{"e-r2lml", "t-r2lml"}, "metrics", func(s sizes) int { return s.train }, "more than the training samples"},
	{[]string{"plml"}, "anchors", func(s sizes) int { return s.train }, "more than the training samples"},
	{[]string{"lmnn", "lmnn-mm", "dmlmj"}, "neighbors", func(s sizes) int { return s.smallest - 1 }, fewOthers},
	{[]string{"lfda"}, "local_neighbor", func(s sizes) int { return s.smallest - 1 }, fewOthers},
	{[]string{"dann"}, "neighbors", func(s sizes) int { return s.train }, "more than the training samples"},
	{[]string{"lfda", "dmlmj"}, "rank", func(s sizes) int { return s.features }, "more than the features"},
}

// whole adds the warnings that do not depend on the sizes of data sets.
func (w *warner) whole() {
	s := w.spec
	if s.Seeds > 1 && !slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Draws() }) {
		w.warn(strictyaml.At(w.root, "seeds"), "", fmt.Sprintf("seeds is %d, and none of the methods draws random numbers: each is fitted once", s.Seeds))
	}
	for _, size := range []struct {
		key, does string
		amount    datasets.Amount
	}{{"train", "trains", s.Split.Train}, {"validation", "validates", s.Split.Validation}} {
		if size.amount == 1 { // perhaps meant as a share
			w.warn(strictyaml.At(w.root, "split", size.key), "",
				fmt.Sprintf("%s is 1, so that one row of each class %s; shares are below 1", size.key, size.does))
		}
	}
	chosen := slices.ContainsFunc(s.Columns, func(c Column) bool { return slices.ContainsFunc(s.Sets, c.chooses) })
	if n := strictyaml.Child(w.root, "select"); n != nil && !chosen {
		w.warn(n, "", "select chooses among the settings of grids, and no method has a grid")
	}
	for _, c := range s.Untuned() {
		w.warn(&yaml.Node{Line: c.Line}, "",
			fmt.Sprintf("%s is not tuned, and other methods are; `grid: default` gives it the grid of `methods %s`", c.ID, c.Method.ID))
	}
}

// Untuned returns the columns with one setting whose methods have default grids, if other
// columns are tuned: they are at a disadvantage. It leaves out columns of a sweep, which compare
// settings on purpose.
func (s *Spec) Untuned() []*Column {
	grids, err := Grids()
	if err != nil {
		return nil // reported where a grid is needed
	}
	tuned := false
	var untuned []*Column
	for i := range s.Columns {
		c := &s.Columns[i]
		if grids[c.Method.ID] == nil || len(c.Swept) > 0 {
			continue
		}
		most := 0
		for _, e := range s.Sets {
			most = max(most, len(c.Settings[e.ID])*c.Restarts)
		}
		if most > 1 {
			tuned = true
		} else {
			untuned = append(untuned, c)
		}
	}
	if !tuned {
		return nil
	}
	return untuned
}
