package spec

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/stats"
)

// Warnings are settings of a valid spec that can be computed and make no sense, or that
// cannot be computed on some data set, by line. File names the spec in them. Sizes are
// those of the entries as known gives them, such as those of own data that were read.
func (s *Spec) Warnings(file string, known func(datasets.Entry) datasets.Entry) []strictyaml.Error {
	root, err := strictyaml.Parse(file, s.Text)
	if err != nil {
		return nil // the text of a valid spec is valid
	}
	w := &warner{spec: s, file: file, root: root, sets: map[place][]string{}}
	for _, e := range s.Entries {
		full := known(e)
		rule := s.Split.RuleOf(full, 1)
		size := sizesOf(full, rule)
		if size.train == 0 {
			continue // not known without its files
		}
		w.tests(e, size)
		for i := range s.Columns {
			w.column(&s.Columns[i], e, sizesOf(full, s.Columns[i].RuleOf(full, rule)))
		}
	}
	w.random()
	w.ones()
	w.unused()
	w.tuning()
	return w.all()
}

// sizes are what is known of the parts of a split without reading the set.
type sizes struct {
	train, smallest, test int // training samples, those of the smallest class, test samples
	features              int // that the methods see
}

// sizesOf are 0 where the classes are not known. Those of several splits are of the first.
func sizesOf(e datasets.Entry, rule datasets.Rule) sizes {
	parts, err := rule.PartSizes(e)
	if err != nil || parts[0] == 0 {
		return sizes{}
	}
	features := e.Features
	if e.PCA > 0 {
		features = e.PCA
	}
	smallest := parts[0] // where the entry does not say how its classes are divided
	if _, rows, ok := rule.FewestTraining(e); ok {
		smallest = rows
	}
	return sizes{parts[0], smallest, parts[2], features}
}

// neighborsOf lists the numbers of neighbors by which a column labels the samples of a
// data set.
func (s *Spec) neighborsOf(c *Column, dataset string) []int {
	switch k := c.Neighbors[dataset]; {
	case c.Method.Imported:
		return nil
	case k > 0:
		return []int{k}
	}
	var all []int
	for _, setting := range c.Settings[dataset] {
		if k := method.NeighborsOf(setting); !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	return all
}

// A warner gathers warnings, those of one kind over all data sets.
type warner struct {
	spec *Spec
	file string
	root *yaml.Node

	order []place
	sets  map[place][]string // data sets by warning, each with a size
}

// A place is a warning and where it stands.
type place struct {
	line, column int
	text         string // with %s for the data sets
}

// add adds a data set of some size to a warning at the node that path leads to.
func (w *warner) add(e datasets.Entry, size int, text string, path ...any) {
	n := strictyaml.At(w.root, path...)
	w.addAt(place{n.Line, n.Column, text}, fmt.Sprintf("%s (%d)", e.ID, size))
}

func (w *warner) addAt(p place, set string) {
	if w.sets[p] == nil {
		w.order = append(w.order, p)
	}
	if !slices.Contains(w.sets[p], set) {
		w.sets[p] = append(w.sets[p], set)
	}
}

func (w *warner) all() []strictyaml.Error {
	slices.SortStableFunc(w.order, func(a, b place) int { return cmp.Compare(a.line, b.line) })
	var all []strictyaml.Error
	for _, p := range w.order {
		all = append(all, strictyaml.Error{File: w.file, Line: p.line, Column: p.column, Msg: strings.Replace(p.text, "%s", someSets(w.sets[p]), 1)})
	}
	return all
}

// someSets names data sets, the first ones of many.
func someSets(sets []string) string {
	const most = 6
	if len(sets) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(sets[:most], ", "), len(sets)-most)
	}
	return strings.Join(sets, ", ")
}

// tests warns of a row in which no two methods can differ significantly.
func (w *warner) tests(e datasets.Entry, size sizes) {
	columns := len(w.spec.Columns)
	pairs := columns * (columns - 1) / 2
	if pairs == 0 || size.test == 0 {
		return
	}
	least := stats.McNemar(w.spec.Test.Variant, size.test, 0).P
	if float64(pairs)*least > w.spec.Test.Alpha {
		w.add(e, size.test, fmt.Sprintf("no two of %d columns can differ significantly on the test samples of %%s: not even one that labels all of them "+
			"right from one that labels none, with %s at %g over %d pairs", columns, w.spec.Test.Variant, w.spec.Test.Alpha, pairs), "datasets")
	}
}

// column warns of the settings of a column on a data set.
func (w *warner) column(c *Column, e datasets.Entry, size sizes) {
	for _, k := range w.spec.neighborsOf(c, e.ID) {
		switch {
		case k > size.train:
			w.neighbors(c, e, k, size.train, "more than the training samples of %s: all of them vote on every sample, whatever the metric")
		case k > size.smallest:
			w.neighbors(c, e, k, size.smallest, "more than the training samples of a class of %s: some neighbors of every sample are of other classes")
		}
	}
	for _, b := range bounded {
		if slices.Contains(b.methods, c.Method.ID) {
			w.parameter(c, e, b.name, b.most(size), b.of)
		}
	}
}

// neighbors warns of a k: at the stanza where that has its own, else at the spec's.
func (w *warner) neighbors(c *Column, e datasets.Entry, k, most int, text string) {
	if !slices.Contains(w.spec.Neighbors, k) {
		w.addAt(place{c.Line, 0, fmt.Sprintf("k of %s is %d, %s", c.ID, k, text)}, fmt.Sprintf("%s (%d)", e.ID, most))
		return
	}
	w.add(e, most, fmt.Sprintf("neighbors is %d, %s", k, text), "neighbors")
}

// bounded are the parameters whose values make sense up to a size of the problem only.
var bounded = []struct {
	methods []string
	name    string
	most    func(sizes) int
	of      string
}{
	{[]string{"e-r2lml", "t-r2lml"}, "metrics", func(s sizes) int { return s.train }, "training samples"},
	{[]string{"plml"}, "anchors", func(s sizes) int { return s.train }, "training samples"},
	{[]string{"lmnn", "lmnn-mm", "dmlmj"}, "neighbors", func(s sizes) int { return s.smallest - 1 }, "others that a training sample has in its class"},
	{[]string{"lfda"}, "local_neighbor", func(s sizes) int { return s.smallest - 1 }, "others that a training sample has in its class"},
	{[]string{"dann"}, "neighbors", func(s sizes) int { return s.train }, "training samples"},
	{[]string{"lfda", "dmlmj"}, "rank", func(s sizes) int { return s.features }, "features"},
}

// parameter warns of a parameter that is above most at every point of the grid. A grid
// with larger values beside sensible ones is usual where it serves many data sets.
func (w *warner) parameter(c *Column, e datasets.Entry, name string, most int, of string) {
	least := math.MaxInt
	for _, p := range c.Points(e.ID) {
		if v, ok := p.Params[name].(int); ok {
			least = min(least, v)
		}
	}
	if least != math.MaxInt && least > most {
		text := fmt.Sprintf("%s of %s is %d, more than the %s on %%s", name, c.ID, least, of)
		w.addAt(place{c.Line, 0, text}, fmt.Sprintf("%s (%d)", e.ID, most))
	}
}

// random warns of seeds where no method draws random numbers.
func (w *warner) random() {
	stochastic := slices.ContainsFunc(w.spec.Columns, func(c Column) bool { return c.Draws() })
	if w.spec.Seeds > 1 && !stochastic {
		n := strictyaml.At(w.root, "seeds")
		w.addAt(place{n.Line, n.Column, fmt.Sprintf("seeds is %d, and none of the methods draws random numbers: each is fitted once", w.spec.Seeds)}, "")
	}
}

// unused warns of what the spec says and nothing uses: a metric to choose settings by
// where there is one of each, and a column of folds under another rule.
func (w *warner) unused() {
	chosen := slices.ContainsFunc(w.spec.Columns, func(c Column) bool { return slices.ContainsFunc(w.spec.Entries, c.chooses) })
	if n := strictyaml.Child(w.root, "select"); n != nil && !chosen {
		w.addAt(place{n.Line, n.Column, "select chooses among the settings of grids, and no method has a grid"}, "")
	}
	for i, set := range w.spec.Datasets {
		if set.Data == nil || set.Data.Fold.IsZero() || w.spec.Split.Rule == columnRule {
			continue
		}
		n := strictyaml.At(w.root, "datasets", i, "fold")
		w.addAt(place{n.Line, n.Column, fmt.Sprintf("the folds of the column are not used under `rule: %s`; use `rule: fold`, or `drop` in place of `fold`",
			w.spec.Split.Rule)}, "")
	}
}

// ones warns of sizes of 1, which may be meant as a share.
func (w *warner) ones() {
	for _, size := range []struct {
		key, does string
		amount    datasets.Amount
	}{{"train", "trains", w.spec.Split.Train}, {"validation", "validates", w.spec.Split.Validation}} {
		if n := strictyaml.At(w.root, "split", size.key); size.amount == 1 {
			w.addAt(place{n.Line, n.Column, fmt.Sprintf("%s is 1, so that one row of each class %s; shares are below 1", size.key, size.does)}, "")
		}
	}
}

// Untuned lists the columns that have one setting, beside others that are tuned, although
// their methods have default grids, too: they are at a disadvantage. Columns of a sweep are
// settings that are compared on purpose.
func (s *Spec) Untuned() []*Column {
	grids, err := Grids()
	if err != nil {
		return nil // told where a grid is wanted
	}
	tuned := false
	var untuned []*Column
	for i := range s.Columns {
		c := &s.Columns[i]
		if grids[c.Method.ID] == nil || len(c.Swept) > 0 {
			continue
		}
		most := 0
		for _, e := range s.Entries {
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

// tuning warns of columns that are not tuned beside others that are.
func (w *warner) tuning() {
	for _, c := range w.spec.Untuned() {
		w.addAt(place{c.Line, 0, fmt.Sprintf("%s is not tuned, and other methods are; `grid: default` gives it the grid of `methods %s`", c.ID, c.Method.ID)}, "")
	}
}
