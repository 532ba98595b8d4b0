package audit

import (
	_ "embed"
	"errors"
	"math/big"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/stats"
)

// A PrintedTable is a printed table as its YAML file has it, checked and with its defaults
// filled in.
type PrintedTable struct {
	Name        string `yaml:"name"`        // short name of the table; findings are told under it
	Title       string `yaml:"title"`       // publication and number of the table
	Source      string `yaml:"source"`      // where the numbers were read
	Publication string `yaml:"publication"` // its title, for certificates; title when not given
	Reference   string `yaml:"reference"`   // its address or DOI as an URL, for certificates

	Authors []string  `yaml:"authors"` // of the publication, the corresponding one first; for certificates
	Sizes   string    `yaml:"sizes"`   // name of the table that prints the numbers of test samples; name when not given
	Measure string    `yaml:"measure"` // what is printed: accuracy (the default) or error
	Unit    string    `yaml:"unit"`    // percent (the default), such as 81.25, or proportion, such as 0.8125
	Columns []string  `yaml:"columns"` // ids of the methods, in the order of the table
	Names   []string  `yaml:"names"`   // the methods as texts call them; the ids when not given
	Test    Test      `yaml:"test"`    // the test that the ranks are said to come from
	Rows    []DataSet `yaml:"rows"`    // the rows of the table

	Spec     string   `yaml:"spec"`     // spec with the split, k and settings of the publication, by name or path; else the one that names the table
	Readings []string `yaml:"readings"` // specs whose columns with the key reading read the protocol of the publication otherwise

	Claims []Claim `yaml:"claims"` // what the text says in numbers and comparisons

	Studies map[string]*Study `yaml:"-"` // printed numbers of other studies that claims are about, by their names

	file string
	root *yaml.Node
}

// A Test says how the methods of a row are compared.
type Test struct {
	Pair       string  `yaml:"pair"`       // variant of McNemar's test; mcnemar-exact is the default
	Correction string  `yaml:"correction"` // correction over the pairs of a row; holm is the default
	Alpha      float64 `yaml:"alpha"`      // level of significance; 0.05 when not given

	variant stats.Variant
}

// A DataSet is one data set of the table.
type DataSet struct {
	ID       string    `yaml:"row"`       // letter or id of the row
	Name     string    `yaml:"name"`      // name of the data set
	N        int       `yaml:"n"`         // test samples behind each number; for a mean over R runs with the same number of test samples, R times that
	PrintedN int       `yaml:"printed-n"` // test samples as printed, where n differs
	Printed  []Printed `yaml:"printed"`   // numbers by column with all their decimals; ~ where there is none
	Rank     []Rank    `yaml:"rank"`      // ranks by column, 1 for the best group; ~ where there is none
	Bold     []string  `yaml:"bold"`      // columns printed in bold, for a table that has the best group in bold
	Classes  []int     `yaml:"classes"`   // test samples of the classes, all or some, to compare with constant predictions

	Features   int `yaml:"features"`   // as printed, and so the next two; 0: not known
	Train      int `yaml:"train"`      // training samples
	Validation int `yaml:"validation"` // validation samples
}

// A Printed is a number as it is printed, with all its decimals; empty: there is none.
type Printed string

// A Rank is a printed rank; 0: there is none.
type Rank int

// ErrFile marks a file that is no valid table.
var ErrFile = errors.New("invalid table")

// Example is a small table, with which one of one's own can begin.
//
//go:embed example.yaml
var Example []byte

// MaxBytes is the size of the largest file.
const MaxBytes = strictyaml.MaxBytes

// Limits of what is audited: the work grows with the square of the columns and the
// root of the samples.
const (
	maxColumns = 60
	maxSamples = 1_000_000
)

// Parse reads a table from b; file names it in errors. Every error wraps ErrFile and
// lists all faults, each with line and column.
func Parse(file string, b []byte) (*PrintedTable, error) {
	root, err := strictyaml.Parse(file, b)
	if err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	d := &strictyaml.Decoder{File: file}
	t := &PrintedTable{file: file, root: root, Measure: accuracy, Unit: percent, Test: Test{Pair: stats.Exact.String(), Correction: holm, Alpha: 0.05}}
	d.Decode(root, t)
	if d.Err() == nil {
		checker{d, t}.check()
	}
	if err := d.Err(); err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	return t, nil
}

// Percent returns a printed number as an accuracy in percent, with its decimals.
func (t *PrintedTable) Percent(p Printed) string {
	number, decimals := t.percent(p)
	return number.FloatString(decimals)
}

// Number returns Percent as a number.
func (t *PrintedTable) Number(p Printed) float64 {
	number, _ := t.percent(p)
	x, _ := number.Float64()
	return x
}

func (t *PrintedTable) percent(p Printed) (number *big.Rat, decimals int) {
	number, _ = new(big.Rat).SetString(string(p)) // which is checked
	_, fraction, _ := strings.Cut(string(p), ".")
	decimals = len(fraction)
	if t.Unit == proportion {
		number.Mul(number, big.NewRat(100, 1))
		decimals = max(0, decimals-2)
	}
	if t.Measure == errorRate {
		number.Sub(big.NewRat(100, 1), number)
	}
	return number, decimals
}

// Check calls row and column with all ids of the table, and returns their errors with line and
// column.
func (t *PrintedTable) Check(row, column func(id string) error) error {
	d := &strictyaml.Decoder{File: t.file}
	for i, id := range t.Columns {
		if err := column(id); err != nil {
			d.Errorf(strictyaml.At(t.root, "columns", i), "%v", err)
		}
	}
	for i, r := range t.Rows {
		if err := row(r.ID); err != nil {
			d.Errorf(strictyaml.At(t.root, "rows", i, "row"), "%v", err)
		}
	}
	return d.Err()
}

// printedNumber is a number that can be printed for an accuracy.
var printedNumber = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,12})?$`)

// DecodeYAML keeps the number as it is written, in quotes or not.
func (p *Printed) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	switch {
	case isNull(n):
	case n.Kind == yaml.ScalarNode && printedNumber.MatchString(n.Value):
		*p = Printed(n.Value)
	default:
		d.Errorf(n, "want a number as it is printed, such as 81.25 or 0.8125, without %%, ± or footnotes and with a digit before the point, "+
			"or ~ where there is none")
	}
}

// DecodeYAML reads a whole number from 1, or nothing.
func (r *Rank) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if isNull(n) {
		return
	}
	var rank int
	number := &strictyaml.Decoder{}
	if number.Decode(n, &rank); number.Err() != nil || rank < 1 {
		d.Errorf(n, "want a rank, a whole number from 1, or ~ where there is none")
		return
	}
	*r = Rank(rank)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
