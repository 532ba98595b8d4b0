package spec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
)

// columnRule is the rule by a column of folds of own data, filesRule the rule by one
// file for each part, openmlRule that by the splits of an OpenML task.
const (
	columnRule = "fold"
	filesRule  = "files"
	openmlRule = "openml"
)

// partKeys are the keys of the parts of a split.
var partKeys = [3]string{"train", "validation", "test"}

// byColumn reports whether the data name the parts or folds of the rows.
func (s Split) byColumn() bool { return datasets.Rule{Kind: s.Rule}.ByColumn() }

// DecodeYAML reads a split: under rule files the parts are paths, and otherwise the
// sizes of train and validation are numbers.
func (s *Split) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if slices.Contains(datasets.RuleKinds, n.Value) {
		d.Errorf(n, "want a mapping, got the text %q; write `split: {rule: %s}`", n.Value, n.Value)
		s.Rule = n.Value
		return
	}
	if rule := strictyaml.Child(n, "rule"); rule == nil || meantRule(rule.Value) != filesRule {
		type plain Split
		d.Decode(n, (*plain)(s))
		return
	}
	var files struct {
		Rule                    string
		Train, Validation, Test partPath
		PCA                     string
	}
	d.Decode(n, &files)
	s.Rule, s.PCA, s.Files = files.Rule, files.PCA, [3]string{string(files.Train), string(files.Validation), string(files.Test)}
}

// A partPath is the file of a part under rule files.
type partPath string

// DecodeYAML refuses numbers, which are sizes under other rules.
func (p *partPath) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if n.Tag == "!!int" || n.Tag == "!!float" {
		d.Errorf(n, "want the path of a file, got the number %s; sizes go with other rules, and validation may be left out", n.Value)
		return
	}
	d.Decode(n, (*string)(p))
}

// meantRule returns the known rule nearest to a name, or the name itself.
func meantRule(name string) string {
	if near, ok := strictyaml.Nearest(name, datasets.RuleKinds); ok {
		return near
	}
	return name
}

const (
	defaultFolds      = 5
	defaultValidation = datasets.Amount(0.2) // of rules cv and fold, and of rule random on own data
	defaultTrain      = datasets.Amount(0.5) // of rule random on own data, which have no default sizes
)

func (c *checker) split() {
	s := &c.spec.Split
	some := func(has func(Set) bool) bool { return slices.ContainsFunc(c.spec.Datasets, has) }
	foreign := some(func(set Set) bool { return set.Data == nil })
	switch {
	case foreign || len(c.spec.Datasets) == 0:
	case s.Rule == "" && !some(func(set Set) bool { return set.Data.Fold.IsZero() }):
		s.Rule = columnRule
	case s.Rule == "":
		s.unsaid, s.Rule = *s == Split{}, "random"
	case s.Rule == filesRule && s.Files == [3]string{} && !some(func(set Set) bool { return set.Data.File == "" }):
		s.Rule = columnRule // the files have parts of their own
	}
	s.Rule, s.PCA = cmp.Or(s.Rule, datasets.RuleKinds[0]), cmp.Or(s.PCA, "all")
	c.unsplit = !slices.Contains(datasets.RuleKinds, s.Rule)
	s.standardized = c.spec.PCA == standardizedPCA
	s.maxTrain = c.spec.MaxTrain
	s.Repeats = max(s.Repeats, 1)
	switch {
	case s.Rule == "authors" && s.Repeats > 1:
		c.fault("the authors' split is one; repeats need `rule: random`", "split", "repeats")
	case (s.Rule == "first" || s.byColumn()) && s.Repeats > 1:
		c.fault("rule "+s.Rule+" draws nothing; repeats need `rule: random` or `rule: cv`", "split", "repeats")
	}
	if c.unsplit { // the sizes of an unknown rule cannot be checked
		return
	}
	switch {
	case s.Rule == openmlRule && s.File == "":
		c.splitFault("rule", "rule openml needs the file with the splits of the task; add `file: ./datasplits.arff`")
	case s.Rule == openmlRule && (len(c.spec.Datasets) != 1 || foreign):
		c.splitFault("rule", "rule openml has the splits of one data set; write `datasets: {id: NAME, file: ./data.arff}` alone")
	case s.Rule != openmlRule && s.File != "":
		c.splitFault("file", "rule %s has no file; use `rule: openml`, or the `file` of a data set", s.Rule)
	}
	if s.Rule == filesRule {
		c.files()
	} else {
		c.sizes()
	}
}

// splitFault records a fault of the sizes of the split; data sets are then not divided.
func (c *checker) splitFault(key, msg string, args ...any) {
	c.unsplit = true
	c.fault(fmt.Sprintf(msg, args...), "split", key)
}

// given reports whether the spec has a key of its split.
func (c *checker) given(key string) bool {
	return strictyaml.Child(strictyaml.At(c.root, "split"), key) != nil
}

// sizes checks the folds and the sizes of the parts, and fills in the defaults.
func (c *checker) sizes() {
	s := &c.spec.Split
	unread := slices.ContainsFunc([]string{"train", "validation"}, func(key string) bool { // no number is reported as such
		n := strictyaml.Child(strictyaml.At(c.root, "split"), key)
		return n != nil && n.ShortTag() != "!!int" && n.ShortTag() != "!!float"
	})
	c.unsplit = unread
	folds := s.Rule == "cv" || s.byColumn()
	if s.Rule == "cv" && s.Folds == 0 {
		s.Folds = defaultFolds
	}
	if folds && !c.given("validation") {
		s.Validation = defaultValidation
	}
	faults := datasets.Rule{Kind: s.Rule, Train: s.Train, Validation: s.Validation, Folds: s.Folds, Fold: min(s.Folds, 1)}.Check()
	for _, f := range faults {
		if f.Key == "folds" || !unread {
			c.splitFault(f.Key, "%v", f.Err)
		}
	}
	none := "%s is 0, which says nothing under rule %s; remove it"
	switch {
	case s.Rule == openmlRule && c.given("folds"):
		c.splitFault("folds", "rule openml has the folds of the task; remove folds")
	case s.Rule == columnRule && c.given("folds"):
		c.splitFault("folds", "rule fold has the folds of the column; remove folds")
	case c.given("folds") && s.Folds == 0:
		c.splitFault("folds", "rule %s has no folds; use `rule: cv`", s.Rule)
	case unread || len(faults) > 0:
	case c.given("train") && s.Train == 0 && (s.Rule == "random" || s.Rule == "first"):
		c.splitFault("train", "train is 0; there must be rows to learn from")
	case c.given("train") && s.Train == 0:
		c.splitFault("train", none, "train", s.Rule)
	case c.given("validation") && s.Train == 0 && s.Validation == 0 && !folds:
		c.splitFault("validation", none, "validation", s.Rule)
	}
}

// files checks the files of the parts. Rule files needs exactly one data set: own data, or
// one of the catalogue.
func (c *checker) files() {
	s := &c.spec.Split
	for p, key := range partKeys {
		n := strictyaml.Child(strictyaml.At(c.root, "split"), key)
		if key != "validation" && (n == nil || n.Value == "") {
			c.splitFault(key, "rule files needs the file of each part; add `%s: ./%s.csv`", key, key)
		}
		if other := slices.Index(s.Files[:p], s.Files[p]); other >= 0 && s.Files[p] != "" {
			c.splitFault(key, "%s and %s are the same file; what is learned must not be tested on the rows it was learned from; "+
				"a file with parts of its own is the `file` of its data set", partKeys[other], key)
		}
	}
	name := ""
	if len(c.spec.Datasets) == 1 {
		name = c.spec.Datasets[0].Name
	}
	if len(c.spec.Datasets) != 1 || name == allDatasets || strings.HasPrefix(name, ImportedPrefix) {
		c.splitFault("rule", "rule files has the files of one data set; write `datasets: {id: NAME, label: COLUMN}` alone, without `file`, "+
			"or the id of one of the catalogue")
	}
}

// divides reports data set i of the list if the rule cannot divide it, as far as is known
// without its files.
func (c *checker) divides(e datasets.DataSet, i int) {
	s := c.spec.Split
	sized := s.RuleOf(e, 1).Sized()
	switch {
	case c.unsplit || Imported(e) || s.byColumn() && (e.Own() || s.Rule == filesRule): // the data are not read yet
	case !sized && e.Sizes.Train == 0:
		c.fault(fmt.Sprintf("%s has no split of its own, which %s needs; give one, such as `split: {rule: cv, folds: 5}` or "+
			"`split: {rule: random, train: 0.5, validation: 0.2, repeats: 20, seed: 1}`", e.ID, s.brief()), "datasets", i)
	case sized || s.maxTrain > 0:
		if err := s.tooFew(context.Background(), e); err != nil {
			c.fault(fmt.Sprintf("%s cannot be divided by %s: %v", e.ID, s.brief(), err), "datasets", i)
		}
	}
}

// Divides reports own data of the spec that its split cannot divide. The entry comes from a
// plan and has the classes. It returns the error of ctx when ctx ends first.
func (s *Spec) Divides(ctx context.Context, e datasets.DataSet) error {
	err := s.Split.tooFew(ctx, e)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if sizes, _ := s.Split.RuleOf(e, 1).PartSizes(e); err == nil && sizes[1] == 0 && s.chooses(e) {
		err = errors.New("it has no validation rows, which a grid is chosen on; give some rows the part validation, " +
			"write `select: {on: cross-validation}`, or leave the grid out")
	}
	if n := s.Split.SplitsOf(e); err == nil && n*len(s.Columns) > maxCells {
		has := "the column has %d folds"
		if s.Split.Rule == openmlRule {
			has = "the task has %d splits"
		}
		err = fmt.Errorf(has+", and with %d methods the spec has more than %d cells", n, len(s.Columns), maxCells)
	}
	if err != nil {
		return fmt.Errorf("%w: %s cannot be divided by %s: %w", ErrSpec, e.ID, s.Split.of(e).brief(), err)
	}
	for _, col := range s.Columns {
		if err := s.foldable(col, e); err != nil {
			return fmt.Errorf("%w: column %s, line %d of the spec: %w", ErrSpec, col.ID, col.Line, err)
		}
	}
	return nil
}

// chooses reports whether some method chooses a setting by the validation samples of a data
// set.
func (s *Spec) chooses(e datasets.DataSet) bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.chooses(e) && c.Folds == 0 })
}

// chooses reports whether a column has several settings or restarts on a data set.
func (c *Column) chooses(e datasets.DataSet) bool { return len(c.Settings[e.ID])*c.Restarts > 1 }

// tooFew returns an error if a class has too few rows; it is the same for all repeats.
func (s Split) tooFew(ctx context.Context, e datasets.DataSet) error {
	for number := 1; number <= max(s.Folds, e.Splits()) && ctx.Err() == nil; number++ {
		if _, err := s.RuleOf(e, number).PartSizes(e); err != nil {
			return err
		}
	}
	return nil
}

// selects reports a method block with several settings but no validation samples to choose
// by.
func (x *stanza) selects(settings int) {
	s := x.spec.Split
	switch {
	case settings <= 1 || x.Select.On == onTraining || x.unsplit:
	case s.Rule == filesRule && s.Files[1] == "" && x.spec.Datasets[0].Data == nil:
		x.fault("a grid is chosen on validation samples, and no file of the split is for them; write `select: {on: cross-validation}`, or leave the grid out")
	case s.Validation == 0 && !s.byColumn() && s.RuleOf(datasets.DataSet{}, 1).Sized():
		write := "add `validation: 0.2` to `split`"
		if s.Train.Share() && s.Train+defaultValidation >= 1 {
			write = "write `train: 0.5, validation: 0.2` in `split`"
		}
		x.fault(fmt.Sprintf("a grid is chosen on validation samples, of which the split has none; %s, or leave %d of the %d settings out",
			write, settings-1, settings))
	}
}

// brief formats the rule without seed and repeats.
func (s Split) brief() string {
	var has []string
	if s.Folds > 0 {
		has = append(has, fmt.Sprintf("folds: %d", s.Folds))
	}
	if s.Train > 0 {
		has = append(has, fmt.Sprintf("train: %v", s.Train))
	}
	if s.Validation > 0 {
		has = append(has, fmt.Sprintf("validation: %v", s.Validation))
	}
	return "`" + strings.Join(append([]string{"rule: " + s.Rule}, has...), ", ") + "`"
}
