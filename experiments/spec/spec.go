// Package spec reads and checks a spec: a YAML file that names data sets, splits and methods.
// Its method blocks become columns, in which every default is filled in. Load is the way in.
package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/stats"
)

// A Spec is an experiment as its YAML file states it, checked and with its
// defaults filled in.
type Spec struct {
	Name        string `yaml:"name" jsonschema:"required" jsonschema_description:"name of the experiment"`
	Description string `yaml:"description" jsonschema_description:"what the experiment shows"`
	Base        string `yaml:"base" jsonschema_description:"another spec, by name or path, which gives this one its ties, distances, pca and published, and whose stanzas give stanzas of the same method their ties, distances and pca and the parameters of single data sets"`
	Printed     string `yaml:"published" jsonschema_description:"printed numbers that the columns are compared with: a table in the format of audit FILE, by path from the folder of the spec, or one of the program by name; those of the base without this key"`
	Datasets    Sets   `yaml:"datasets" jsonschema:"required" jsonschema_description:"data sets by id or by the paper's letter; all means the paper's 18; overlap30:7 a generated set drawn with seed 7; mat:NAME an imported split; a mapping of own data: {id: iris, file: ./iris.csv, label: last}"`
	Split       Split  `yaml:"split" jsonschema_description:"how each data set is divided"`
	MaxTrain    int    `yaml:"max-train" jsonschema:"minimum=0,maximum=1000000000" jsonschema_description:"most training samples of a split, drawn so that the classes keep their shares, for all methods; 0, the default, means all"`
	Seeds       int    `yaml:"seeds" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"fits of each stochastic method, selection included; 0 means 1"`
	Neighbors   KList  `yaml:"neighbors" jsonschema_description:"k of the k-NN rule; 0 means 5. A list makes a column of each k, from the same fits"`
	Features    string `yaml:"features" jsonschema:"enum=raw,enum=zscore,enum=minmax,enum=unit" jsonschema_description:"scaling of the features by the training samples, for all methods that do not name their own: raw (the default), zscore, minmax or unit"`
	Select      Select `yaml:"select" jsonschema_description:"how settings of grids are chosen, for all methods that do not say it themselves"`
	Reading     `yaml:",inline"`
	Measure     []string      `yaml:"measure" jsonschema_description:"what is measured on every fit that labels the test samples"`
	Metrics     []string      `yaml:"metrics" jsonschema_description:"metrics that tables and reports show beside the one that they rank by"`
	Figures     []string      `yaml:"figures" jsonschema_description:"figures of the report, beside the costs; without them those of the studies whose measures are taken, or else the ranks over the data sets"`
	Methods     []MethodBlock `yaml:"methods" jsonschema:"required" jsonschema_description:"the columns of the table; all means every method of the program, each with its default grid"`
	Contrast    Contrasts     `yaml:"contrast" jsonschema_description:"pairs of columns that are compared over the data sets, below the table: one, or a list of them"`
	Test        Test          `yaml:"test" jsonschema_description:"how pairs of methods are compared"`
	Gate        Gate          `yaml:"gate" jsonschema_description:"how fresh cells are compared with accepted ones"`

	Sets     []datasets.DataSet `yaml:"-"` // Datasets, looked up, in order
	Columns  []Column           `yaml:"-"` // Methods, looked up, in order
	Narrowed bool               `yaml:"-"` // Narrow removed data sets or methods

	Published *Published `yaml:"-"` // the table that Printed names; nil without it
	Text      []byte     `yaml:"-"` // content of the file
}

// Split divides each data set into training, validation and test samples.
type Split struct {
	Rule    string `yaml:"rule" jsonschema:"enum=authors,enum=random,enum=first,enum=cv,enum=fold,enum=files,enum=openml" jsonschema_description:"authors (the default): the measured rule of the paper's authors; random: stratified draws, of the same sizes or of those of train and validation; first: the first rows of each class train, the next validate, the others test; cv: stratified cross-validation; fold: the parts or folds of the column that the stanza of own data names as fold; files: a file of own data for each part; openml: the repeats and folds of an OpenML task"`
	Repeats int    `yaml:"repeats" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"number of random splits, or of cross-validations; 0 means 1"`
	Seed    uint64 `yaml:"seed" jsonschema_description:"seed of the random splits and of the folds; 0 when not given"`
	PCA     string `yaml:"pca" jsonschema:"enum=all,enum=train" jsonschema_description:"rows the principal components are fitted to, where the paper reduces features: all (the default) or train"`

	Train      datasets.Amount `yaml:"train" jsonschema_description:"rules random and first: training rows of each class, below 1 a share of the class, from 1 on their number"`
	Validation datasets.Amount `yaml:"validation" jsonschema_description:"rules random and first: validation rows of each class, a share or their number, 0 for none; rules cv and fold: the same of the rows outside the test fold, 0.2 when not given"`
	Files      [3]string       `yaml:"-"` // rule files: files of the training, validation and test rows
	File       string          `yaml:"file" jsonschema_description:"rule openml: path of the ARFF file with the splits of the task, from the folder of the spec"`
	Folds      int             `yaml:"folds" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"rule cv: number of the folds; 0 means 5"`

	standardized bool // features before principal components, see Reading
	maxTrain     int  // key max-train
	unsaid       bool // the spec of own data has no split, see of
}

// A MethodBlock is an item of `methods`: a method and its parameters as written in the file.
type MethodBlock struct {
	Method    string    `yaml:"method" jsonschema:"required"` // id in the registry
	Name      string    `yaml:"name" jsonschema_description:"name of the column; the method's id when not given"`
	Only      []string  `yaml:"only" jsonschema_description:"data sets of the spec that the method is fitted to, by id or letter; all when not given"`
	Params    yaml.Node `yaml:"params" jsonschema_description:"fixed parameters"`
	Sweep     yaml.Node `yaml:"sweep" jsonschema_description:"parameters of which every value makes a column"`
	Restarts  int       `yaml:"restarts" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"random starts per grid point, each a grid point of its own; 0 means 1"`
	Seeds     Seeds     `yaml:"seeds" jsonschema_description:"fits of the method, selection included; 0 means those of the spec; {all: 1, sonar: 3} gives single data sets their own number"`
	Grid      yaml.Node `yaml:"grid" jsonschema_description:"parameters searched on the validation samples, with their values; default is the grid that the command methods shows"`
	Select    Select    `yaml:"select" jsonschema_description:"how a setting of the grid is chosen; default: that of the spec"`
	Reading   `yaml:",inline"`
	Variant   string    `yaml:"reading" jsonschema:"maxLength=60" jsonschema_description:"what the columns of this stanza read otherwise than the paper's table: their row in the readings that verdict prints"`
	Unlabeled string    `yaml:"unlabeled" jsonschema:"enum=queries,enum=joint" jsonschema_description:"samples that the method has without their labels: queries (the default), those of the phase, or joint, validation and test samples together in both"`
	Measure   []string  `yaml:"measure" jsonschema_description:"what is measured on the fits of this method, beside what the spec measures on all"`
	Env       []string  `yaml:"env" jsonschema_description:"variables of the environment that the program is given by name, beside the few that every program is given, such as PATH"`
	Depends   []string  `yaml:"depends" jsonschema_description:"files that the program needs beside those of its command, such as modules that it imports; a path starts at the folder of the spec"`
	Datasets  yaml.Node `yaml:"datasets" jsonschema_description:"parameters of single data sets"`
}

// A Reading is a protocol: the properties of the data pipeline that the paper's text leaves
// open, see docs/protocol.md. A method block may have its own; empty fields are those of the
// spec.
type Reading struct {
	Ties      string `yaml:"ties" jsonschema:"enum=smallest,enum=nearest,enum=random" jsonschema_description:"who wins a tied vote of the k-NN rule: the smallest label (smallest, the default), that of the nearest sample if it is among the tied ones (nearest), or a label drawn among them (random); then methods without random numbers have seeds, too"`
	Distances string `yaml:"distances" jsonschema:"enum=each,enum=repeat-first" jsonschema_description:"equally distant training samples: each votes (the default), or the first of them votes in the place of the others (repeat-first)"`
	PCA       string `yaml:"pca" jsonschema:"enum=centered,enum=standardized" jsonschema_description:"features before principal components, where the paper reduces them: centered (the default), or standardized to mean 0 and standard deviation 1, both over the rows that split.pca names"`
}

// The values of Reading.PCA.
const (
	centeredPCA     = "centered"
	standardizedPCA = "standardized"
)

// Test is the comparison of pairs of methods, on one data set and over several.
type Test struct {
	Pair       string  `yaml:"pair" jsonschema:"enum=mcnemar-exact,enum=mcnemar-midp,enum=mcnemar-cc,enum=mcnemar-chi2" jsonschema_description:"variant of McNemar's test; the default is mcnemar-exact"`
	Correction string  `yaml:"correction" jsonschema:"enum=holm" jsonschema_description:"correction for several comparisons; holm is the default"`
	Across     string  `yaml:"across" jsonschema:"enum=wilcoxon-signed-rank,enum=sign" jsonschema_description:"test of two methods over data sets; the default is wilcoxon-signed-rank"`
	Against    string  `yaml:"against" jsonschema_description:"id of the column that is the control: over the splits of own data every other one is tested against it; none when not given"`
	Metric     string  `yaml:"metric" jsonschema_description:"metric that methods are ranked and compared by over the splits; accuracy is the default. On one split there is no test by another: McNemar's test is of accuracy alone"`
	Alpha      float64 `yaml:"alpha" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"level of significance; 0 means 0.05"`

	Variant stats.Variant `yaml:"-"` // Pair, parsed
}

// Gate is the comparison of fresh cells with accepted ones.
type Gate struct {
	Tolerance float64 `yaml:"tolerance" jsonschema:"minimum=0,maximum=100" jsonschema_description:"points of accuracy that a cell may lose before it counts as regressed, significant or not; 0 means 1"`
}

// ErrSpec is wrapped by errors about a missing or invalid spec.
var ErrSpec = errors.New("invalid spec")

// ComparisonPrefix begins the names of the specs that compare makes, which no file holds unless asked for.
const ComparisonPrefix = "compare-"

// Load reads the spec named by a path or by the name of an embedded spec.
// Every error wraps ErrSpec; those of the file's content are all listed, each
// with line and column.
func Load(name string) (*Spec, error) {
	if b, err := experiments.Specs.ReadFile(name + ".yaml"); err == nil {
		return parse(name+".yaml", b, checker{embedded: true})
	}
	b, err := readSpec(filepath.Clean(name))
	if errors.Is(err, fs.ErrNotExist) {
		near := suggest(name, experiments.Names())
		if strings.HasPrefix(name, ComparisonPrefix) {
			near = "; compare --spec FILE writes the spec of a comparison"
		}
		for _, ending := range []string{".yaml", ".yml"} {
			other := strings.TrimSuffix(name, filepath.Ext(name)) + ending
			if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() {
				near = "; did you mean " + other + "?"
			}
		}
		return nil, fmt.Errorf("%w: there is no file %s and no embedded spec of that name%s; embedded are %s",
			ErrSpec, name, near, strings.Join(experiments.Names(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	s, err := Parse(name, b)
	if err != nil && (tabular.Layout{}).FormatOf(name) != "" {
		return nil, fmt.Errorf("%w\n%s looks like data, which a spec names; `r2lmlbench data show %s` prints the stanza", err, name, name)
	}
	return s, err
}

// readSpec reads a file, or one byte more than a spec may have.
func readSpec(path string) ([]byte, error) {
	return files.ReadOrStream(path, strictyaml.MaxBytes+1)
}

// Parse reads a spec from b; file names it in errors.
func Parse(file string, b []byte) (*Spec, error) { return parse(file, b, checker{}) }

func parse(file string, b []byte, c checker) (*Spec, error) {
	root, err := strictyaml.Parse(file, b)
	if err != nil {
		return nil, fmt.Errorf("%w\n%w", ErrSpec, err)
	}
	d := &strictyaml.Decoder{File: file}
	s := &Spec{Text: b}
	c.d, c.root, c.spec = d, root, s
	c.expand(root)
	d.Decode(root, s)
	c.check()
	if err := d.Err(); err != nil {
		return nil, fmt.Errorf("%w\n%w", ErrSpec, err)
	}
	return s, nil
}

// suggest returns "; did you mean ...?" for the nearest known name, or "".
func suggest(name string, known []string) string {
	if near, ok := strictyaml.Nearest(name, known); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// Splits returns the number of splits of a data set.
func (s Split) Splits() int { return s.Repeats * max(s.Folds, 1) }

// of returns the split of a data set. Where the spec has none, own data with parts or folds use these.
func (s Split) of(e datasets.DataSet) Split {
	if s.unsaid && len(e.FoldSizes) > 0 {
		s.Rule, s.Validation = columnRule, defaultValidation
	}
	return s
}

// SplitsOf returns the number of splits of a data set; under rule fold its column sets it.
func (s Split) SplitsOf(e datasets.DataSet) int {
	s = s.of(e)
	if s.byColumn() {
		return e.Splits()
	}
	return s.Splits()
}

// RuleOf returns the rule of split number of a data set, from 1 to Splits: repeat by repeat,
// and within a repeat fold by fold.
func (s Split) RuleOf(e datasets.DataSet, number int) datasets.Rule {
	s = s.of(e)
	rule := datasets.Rule{Kind: s.Rule, PCAFit: "all", Train: s.Train, Validation: s.Validation, Folds: s.Folds, MaxTrain: s.maxTrain}
	if e.PCA > 0 {
		rule.PCAFit, rule.Standardized = s.PCA, s.standardized
	}
	if e.Own() && s.Rule == "random" && s.Train == 0 {
		rule.Train, rule.Validation = defaultTrain, defaultValidation
	}
	repeat := number
	if s.byColumn() && e.Folds() == 1 {
		rule.Validation = 0 // the column names the parts
	} else if s.byColumn() {
		rule.Folds, rule.Fold = e.Folds(), (number-1)%e.Folds()+1
	}
	if s.Rule == openmlRule {
		rule.Repeat = (number-1)/e.Folds() + 1
	}
	if s.Folds > 0 {
		repeat, rule.Fold = (number-1)/s.Folds+1, (number-1)%s.Folds+1
	}
	if rule.Drawn() {
		rule.Seed, rule.Repeat = s.Seed, repeat
	}
	return rule
}

// Figures are the names of figures in specs, in the order of the report. [r2lmlbench/results/report.Drawings]
// draws them; this package does not import it, and a test compares the two lists.
var Figures = []string{
	"critical-difference", "readings", "collapse", "metrics", "lambda", "toy", "convergence", "contrasts", "costs",
}
