package spec

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A stanza turns a method block of the file into columns of the table.
type stanza struct {
	*checker
	*MethodBlock
	i int // index in the list
	m method.Method

	decoder   *strictyaml.Decoder   // of the parameters; with faults there are no columns
	common    *yaml.Node            // parameters of all method blocks; nil without any
	inherited map[string]*yaml.Node // parameters of single data sets by id, from the base
	overrides map[string]*yaml.Node // parameters of single data sets by id, of this block
	sweep     []axis                // in file order, the first varying slowest
	axes      []axis                // of the grid, in file order, the first varying slowest
	ks        []int                 // numbers of neighbors; each makes columns
}

// fault records an error at a key of the block, or at the block itself.
func (x *stanza) fault(msg string, path ...any) {
	x.checker.fault(msg, slices.Concat([]any{"methods", x.i}, path)...)
}

// node returns the node of the block.
func (x *stanza) node() *yaml.Node { return strictyaml.At(x.root, "methods", x.i) }

// has reports whether the block has a key.
func (x *stanza) has(key string) bool { return strictyaml.Child(x.node(), key) != nil }

func (c *checker) methods() {
	if len(c.spec.Methods) == 0 {
		c.fault("a spec needs methods; add a list of stanzas such as `- method: euclidean`", "methods")
	}
	seen := map[string]bool{}
	for i := range c.spec.Methods {
		x := &stanza{checker: c, MethodBlock: &c.spec.Methods[i], i: i, decoder: &strictyaml.Decoder{File: c.d.File}, overrides: map[string]*yaml.Node{}}
		m, ok := registry.Find(x.Method)
		switch {
		case x.Method == "":
			if !x.has("method") && x.node().Kind == yaml.MappingNode {
				x.fault("a stanza needs a method; add `method: ...`")
			}
			continue
		case !ok:
			x.fault(fmt.Sprintf("unknown method %q%s", x.Method, suggest(x.Method, registry.IDs())), "method")
			continue
		}
		x.m, x.Name, x.Restarts = m, cmp.Or(x.Name, m.ID), max(x.Restarts, 1)
		for _, col := range x.columns() {
			if len(c.spec.Columns) == maxColumns {
				x.fault(fmt.Sprintf("the spec has more than %d columns; divide it into several", maxColumns))
				return
			}
			if seen[col.ID] {
				x.fault(fmt.Sprintf("two columns are called %q; give one of them a `name`", col.ID))
			}
			seen[col.ID] = true
			c.spec.Columns = append(c.spec.Columns, col)
		}
	}
}

// columns returns the columns of the block.
func (x *stanza) columns() []Column {
	x.counts()
	x.outside()
	x.parameters()
	settings := size(x.axes)
	if n := settings * x.Restarts; n > maxPoints {
		x.decoder.Errorf(&x.Grid, "the grid has %d points with its restarts, want at most %d", n, maxPoints)
	}
	x.width()
	x.selects(settings * x.Restarts)
	x.total(float64(size(x.sweep)*len(x.ks)), float64(settings))
	faults, _ := x.decoder.Err().(strictyaml.Errors)
	x.d.Add(faults)
	if faults != nil || x.points > maxTotal || x.cells > maxCells {
		return []Column{{ID: x.Name}}
	}
	return x.spell()
}

// parameters reads the parameters of the block.
func (x *stanza) parameters() {
	if !x.m.Imported {
		x.common = x.features()
	}
	x.inherited = x.paramsOfBase(x.Method)
	x.axes, x.sweep = x.readAxes(&x.Grid, "grid"), x.readAxes(&x.Sweep, "sweep")
	for _, a := range x.axes {
		x.refuseIn(a.key, x.sweep, "swept")
	}
	x.mapped(&x.Params, "params", "{epochs: 5}")
	x.readOverrides()
	x.ks = x.spec.Neighbors
	switch {
	case x.m.Imported:
		x.ks = []int{0}
	case x.m.Ruled() && x.sets(method.RuleKey): // the block sets k itself
		x.ks = x.ks[:1]
	}
}

// width reports a block with too many columns, and several k of the spec for a method with
// its own k.
func (x *stanza) width() {
	switch columns := size(x.sweep); {
	case columns > maxColumns:
		x.decoder.Errorf(&x.Sweep, "the sweep makes more than %d columns", maxColumns)
	case columns*len(x.ks) > maxColumns:
		x.decoder.Errorf(&x.Sweep, "the sweep and the list of neighbors make more than %d columns", maxColumns)
	}
	if len(x.ks) > 1 && x.m.OutOfProcess && x.sets(method.RuleKey) {
		x.decoder.Errorf(x.node(), "neighbors is a list, whose columns are called k=..., and %s has a parameter k of its own; rename that one, "+
			"or give neighbors one number", x.m.Name)
	}
}

// features returns the parameters of all method blocks: the scaling of the spec; nil
// without it.
func (c *checker) features() *yaml.Node {
	if c.spec.Features == string(datasets.Unscaled) {
		return nil
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "features"}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, strictyaml.Child(c.root, "features")}}
}

// total adds the cells of a block with this number of columns, and the settings of their
// grids without restarts, and reports when the spec has too many of them.
func (x *stanza) total(columns, settings float64) {
	points, cells := x.points, x.cells
	seeds := 1
	if x.m.Stochastic || x.m.Votes() && x.Ties == r2lml.RandomTie {
		seeds = max(x.Seeds.most(), x.spec.Seeds, 1)
	}
	more := columns * float64(seeds) * float64(len(x.spec.Sets)) * float64(x.spec.Split.Splits())
	x.cells += more
	x.points += more * settings * float64(x.Restarts)
	if x.points > maxTotal && points <= maxTotal {
		x.fault(fmt.Sprintf("with this stanza the cells have %.0f grid points (data sets, splits, seeds, restarts and settings multiplied), want "+
			"at most %d; divide the spec into several", x.points, int(maxTotal)))
	}
	if x.cells > maxCells && cells <= maxCells {
		x.fault(fmt.Sprintf("with this stanza the spec has %.0f cells (columns, data sets, splits and seeds multiplied), want at most %d; "+
			"divide it into several", x.cells, maxCells))
	}
}

// maxReading is the length of the longest name of a protocol.
const maxReading = 60

// counts checks the restarts, seeds and unlabelled samples of a block.
func (x *stanza) counts() {
	m, tried := x.m, !x.Grid.IsZero() || x.Restarts > 1
	x.only()
	for _, key := range x.Seeds.unknown {
		if _, err := x.spec.find(key.Value); err != nil {
			x.d.Errorf(key, "%v", err)
		}
	}
	if x.Restarts > 1 && !m.Stochastic {
		x.fault(m.Name+" draws no random numbers; remove restarts", "restarts")
	}
	if x.Seeds.most() > 1 && !m.Stochastic && !(m.Votes() && x.Ties == r2lml.RandomTie) {
		x.fault(m.Name+" draws no random numbers; remove seeds, or draw tied votes: `ties: random`", "seeds")
	}
	if x.Unlabeled != "" && !m.Transductive {
		x.fault(m.Name+" learns from labelled samples only; remove unlabeled", "unlabeled")
	}
	x.votes()
	if utf8.RuneCountInString(x.Variant) > maxReading || strings.ContainsFunc(x.Variant, unicode.IsControl) {
		x.fault(fmt.Sprintf("a reading is a line of at most %d characters", maxReading), "reading")
	}
	if x.has("select") && !tried {
		x.fault("select chooses among the settings of a grid, which this stanza does not have; remove select", "select")
	}
	x.choice(&x.Select, x.spec.Select, "methods", x.i, "select")
	if tried && x.Select.On == onTraining && x.Unlabeled == results.UnlabeledJoint {
		x.fault("under `unlabeled: joint` a setting is chosen on the validation samples; write `select: {on: validation}` in the stanza, or remove unlabeled",
			"unlabeled")
	}
	if m.Imported && tried {
		x.fault("imported predictions are final; remove grid and restarts")
	}
}

// only checks the data sets that a block is restricted to, and replaces them by ids.
func (x *stanza) only() {
	for k, name := range x.Only {
		e, err := x.spec.find(name)
		switch {
		case err != nil:
			x.fault(err.Error(), "only", k)
		case slices.Contains(x.Only[:k], e.ID):
			x.fault(fmt.Sprintf("data set %s is listed twice", e.ID), "only", k)
		case !slices.ContainsFunc(x.spec.Sets, func(of datasets.DataSet) bool { return of.ID == e.ID }):
			x.fault(fmt.Sprintf("%s is no data set of this spec; add it to datasets, or remove it here", e.ID), "only", k)
		default:
			x.Only[k] = e.ID
		}
	}
}

// outside checks the environment variables that a block passes to its program, and the files
// that the program depends on.
func (x *stanza) outside() {
	family, program := x.m.Family.(method.Outside)
	sound := program
	for _, list := range []struct {
		key   string
		names []string
		check func(name string) error
	}{
		{"env", x.Env, func(name string) error { return family.CheckVariable(name) }},
		{"depends", x.Depends, func(name string) error { return family.CheckFile(filepath.Dir(x.d.File), name) }},
	} {
		switch {
		case len(list.names) == 0:
			continue
		case !program:
			x.fault(x.m.Name+" starts no program; remove "+list.key, list.key)
			continue
		case len(list.names) > maxOutside:
			x.fault(fmt.Sprintf("%s has %d names, want at most %d", list.key, len(list.names), maxOutside), list.key)
			return
		}
		for k, name := range list.names {
			err := list.check(name)
			if err == nil && slices.Contains(list.names[:k], name) {
				err = errors.New(name + " is listed twice")
			}
			if err != nil {
				x.fault(err.Error(), list.key, k)
				sound = false // reported here; do not look up the files
			}
		}
	}
	if sound {
		x.m.Family = family.Given(x.Env, x.Depends)
	}
}

// spell makes a column of each value of the sweep and each number of neighbors. The id of
// a swept column contains its values, "e-r2lml:metrics=3", and so does that of one of
// several k: "rca:k=3".
func (x *stanza) spell() []Column {
	var columns []Column
	all, line := x.swept(), x.node().Line
	for n := range len(all) * len(x.ks) {
		swept, k := all[n/len(x.ks)], x.ks[n%len(x.ks)]
		col := Column{ID: x.Name, Method: x.m, Restarts: x.Restarts, Seeds: x.Seeds, Only: x.Only, Measure: slices.Concat(x.spec.Measure, x.Measure),
			Settings: map[string][]method.Setting{}, Neighbors: map[string]int{}, Line: line,
			points: map[*method.Setting][]results.Setting{}}
		if size(x.axes)*x.Restarts > 1 {
			col.Folds = x.Select.Folds
			if x.Select.Metric != results.Accuracy {
				col.Select = x.Select.Metric
			}
		}
		x.read(&col)
		if x.Unlabeled == results.UnlabeledJoint {
			col.Unlabeled = x.Unlabeled
		}
		if col.Seeds.all == 0 {
			col.Seeds.all = x.spec.Seeds
		}
		for _, v := range swept {
			col.Swept = append(col.Swept, Swept{v.Content[0].Value, v.Content[1].Value})
			col.ID += ":" + v.Content[0].Value + "=" + v.Content[1].Value
		}
		col.Reading = x.Variant
		for _, v := range col.Swept {
			if x.Variant != "" {
				col.Reading += ", " + v.Name + " " + v.Value
			}
		}
		if len(x.ks) > 1 {
			col.Swept = append(col.Swept, Swept{method.RuleKey, strconv.Itoa(k)})
			col.ID += ":" + method.RuleKey + "=" + strconv.Itoa(k)
		}
		if !x.resolve(&col, swept, k) {
			return columns
		}
		if twin := slices.IndexFunc(columns, col.same); twin >= 0 {
			other := all[twin/len(x.ks)]
			k := slices.IndexFunc(swept, func(v *yaml.Node) bool { return !slices.Contains(other, v) })
			x.d.Errorf(swept[k].Content[1], "column %q has the same settings as %q on every data set; keep one of the values", col.ID, columns[twin].ID)
			return columns
		}
		columns = append(columns, col)
	}
	x.foldable(columns[0])
	return columns
}

// same reports whether two columns of a block have equal settings on every data set,
// and there is at least one.
func (c Column) same(other Column) bool {
	return len(c.Settings) > 0 && maps.Equal(c.Neighbors, other.Neighbors) && reflect.DeepEqual(c.Settings, other.Settings)
}

// resolve computes the settings of every data set; data sets without own parameters share
// them. It reports the first impossible setting and then returns false.
func (x *stanza) resolve(col *Column, swept []*yaml.Node, k int) bool {
	first := map[ownParams]string{} // data set, by its own parameters
	for _, e := range x.spec.Sets {
		own := ownParams{x.inherited[e.ID], x.overrides[e.ID]}
		if twin, ok := first[own]; ok {
			col.Settings[e.ID], col.Neighbors[e.ID] = col.Settings[twin], col.Neighbors[twin]
			continue
		}
		first[own] = e.ID
		settings, err := x.settings(own, swept)
		if err != nil {
			x.fault(fmt.Sprintf("%s on %s: %v", col.Method.ID, e.ID, err))
			return false
		}
		col.ruled(e.ID, settings, k)
		col.Settings[e.ID] = settings
		col.points[&settings[0]] = col.Grid(e.ID)
	}
	return true
}

// Seeds is the number of fits of a stochastic method, each with its own selection:
// one number for all data sets, or a mapping such as {all: 1, sonar: 3}, where single
// data sets take precedence. 0 means the number of the spec.
type Seeds struct {
	all  int
	sets map[string]int // by id

	unknown []*yaml.Node // names of sets that are not in the catalogue: own data, or unknown
}

// of returns the number for a data set, or otherwise if none is given.
func (s Seeds) of(dataset string, otherwise int) int {
	if n, ok := s.sets[dataset]; ok {
		return cmp.Or(n, otherwise)
	}
	return cmp.Or(s.all, otherwise)
}

// most returns the largest number for any data set.
func (s Seeds) most() int {
	return max(s.all, slices.Max(append(slices.Collect(maps.Values(s.sets)), 0)))
}

// DecodeYAML reads a method block. Its errors say how to write a plain id as a block, and
// where a misplaced parameter belongs.
func (x *MethodBlock) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	type plain MethodBlock
	if _, known := registry.Find(n.Value); known {
		d.Errorf(n, "want a mapping, got the text %q; write `- method: %s`", n.Value, n.Value)
		return
	}
	stanza := *n
	if m, known := registry.Find(strictyaml.At(n, "method").Value); known {
		stanza.Content = nil
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			in := "params"
			if value.Kind == yaml.SequenceNode && key.Value != "command" { // the command of a program is a list itself
				in = "grid"
			}
			if value.Kind != yaml.MappingNode && strictyaml.Field(key.Value, (*plain)(x)) == nil &&
				slices.ContainsFunc(m.Parameters(), func(p method.Parameter) bool { return p.Name == key.Value }) {
				d.Errorf(key, "%s is a parameter of %s and no key of a stanza; write `%s: {%s: %s}`", key.Value, m.Name, in, key.Value, strictyaml.Flow(value))
				continue
			}
			stanza.Content = append(stanza.Content, key, value)
		}
	}
	d.Decode(&stanza, (*plain)(x))
}

// DecodeYAML reads a number or a mapping of numbers by data set.
func (s *Seeds) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		s.all = seedCount(d, n)
		return
	}
	s.sets = map[string]int{}
	for _, p := range d.Pairs(n) {
		count := seedCount(d, p.Value)
		if p.Key.Value == allDatasets {
			s.all = count
			continue
		}
		e, err := FindDataset(p.Key.Value)
		if err != nil {
			s.unknown = append(s.unknown, p.Key)
			s.sets[p.Key.Value] = count
			continue
		}
		if _, twice := s.sets[e.ID]; twice {
			d.Errorf(p.Key, "data set %s has two numbers of seeds; keep one", e.ID)
		}
		s.sets[e.ID] = count
	}
}

// seedCount reads a number of seeds and reports a number out of bounds.
func seedCount(d *strictyaml.Decoder, n *yaml.Node) int {
	var count int
	d.Decode(n, &count)
	if count < 0 || count > MaxRuns {
		d.Errorf(n, "%s", fmt.Sprintf("seeds is %d, want a number from 0 to %d", count, MaxRuns))
	}
	return count
}
