package tabular

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
)

// A Layout describes how to read a file and its columns, as specs do. With the zero value Read detects
// the layout; delimited files need a Label.
type Layout struct {
	Format         string    `json:"format,omitempty" yaml:"format,omitempty" jsonschema:"enum=csv,enum=arff,enum=libsvm,enum=npz,enum=mat,enum=json,enum=parquet" jsonschema_description:"format, where neither content nor name of the file tells it; csv is delimited text of any kind"`
	Delimiter      string    `json:"delimiter,omitempty" yaml:"delimiter,omitempty" jsonschema:"enum=comma,enum=semicolon,enum=tab,enum=pipe,enum=colon,enum=blanks" jsonschema_description:"what stands between fields; detected when not given"`
	Header         *bool     `json:"header,omitempty" yaml:"header,omitempty" jsonschema_description:"whether the first line has the names of the columns; detected when not given"`
	Skip           int       `json:"skip,omitempty" yaml:"skip,omitempty" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"lines before the header or the first row"`
	Comment        string    `json:"comment,omitempty" yaml:"comment,omitempty" jsonschema_description:"what lines begin with that are comments, such as #"`
	Label          ColumnRef `json:"label,omitzero" yaml:"label,omitempty" jsonschema_description:"column of the class: its name, its number from 1, first or last"`
	Drop           Columns   `json:"drop,omitempty" yaml:"drop,omitempty" jsonschema_description:"columns that are no features, by name or number"`
	Nominal        Columns   `json:"nominal,omitempty" yaml:"nominal,omitempty" jsonschema_description:"columns of categories, also where their values are numbers"`
	Numeric        Columns   `json:"numeric,omitempty" yaml:"numeric,omitempty" jsonschema_description:"columns of numbers, also where the file declares categories, or they number the rows"`
	Fold           ColumnRef `json:"fold,omitzero" yaml:"fold,omitempty" jsonschema_description:"column that gives each row its part or fold"`
	Group          ColumnRef `json:"group,omitzero" yaml:"group,omitempty" jsonschema_description:"column whose rows of one value, such as a patient, stay in one part of every split"`
	Classes        Texts     `json:"classes,omitempty" yaml:"classes,omitempty" jsonschema_description:"labels in the order of their codes; by first appearance when not given"`
	Missing        *Texts    `json:"missing,omitempty" yaml:"missing,omitempty" jsonschema_description:"texts that stand for a missing value; an empty field, ?, NA, NaN and the like in delimited text when not given"`
	Impute         string    `json:"impute,omitempty" yaml:"impute,omitempty" jsonschema:"enum=mean,enum=median,enum=zero" jsonschema_description:"what takes the place of missing values, by the training rows; without it they are faults"`
	Decimal        string    `json:"decimal,omitempty" yaml:"decimal,omitempty" jsonschema_description:"the decimal mark of numbers: a point (the default) or a comma"`
	Encode         string    `json:"encode,omitempty" yaml:"encode,omitempty" jsonschema:"enum=onehot" jsonschema_description:"onehot makes a feature of each text of a column of texts, by the training rows; without it texts are faults"`
	DropRows       bool      `json:"drop_rows,omitempty" yaml:"drop-rows,omitempty" jsonschema_description:"rows with a missing value are left out"`
	DropUnlabelled bool      `json:"drop_unlabelled,omitempty" yaml:"drop-unlabelled,omitempty" jsonschema_description:"rows without a label are left out"`
	SHA256         string    `json:"sha256,omitempty" yaml:"sha256,omitempty" jsonschema_description:"of the file as sha256sum prints it; another content is refused"`
	Part           bool      `json:"part,omitempty" yaml:"-"`    // a part of data whose Classes are those of another file: few rows of a class are no fault
	Indices        *[2]int   `json:"indices,omitempty" yaml:"-"` // least and greatest of LIBSVM in other parts of the data; nil: there are none
}

// A ColumnRef names a column of a file: by its name, by its number from 1, or as
// the first or last. The zero value names none.
type ColumnRef struct {
	Name   string `json:"name,omitempty"` // "first" and "last" mean positions, unless a column has that name
	Number int    `json:"number,omitempty"`
}

// DecodeYAML reads a name or a number from 1.
func (c *ColumnRef) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null":
		d.Errorf(n, "want the name or the number of a column, or first or last")
	case n.ShortTag() == "!!int":
		number, err := strconv.Atoi(n.Value)
		if err != nil || number < 1 || number > MaxColumns {
			d.Errorf(n, "columns are numbered from 1; %s is none", n.Value)
		}
		c.Number = number
	default:
		c.Name = n.Value
	}
}

// DecodeYAML reads one value or a list of them.
func (t *Texts) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	*t = Texts{}
	for _, item := range strictyaml.Items(n) {
		if item.Kind != yaml.ScalarNode {
			d.Errorf(item, "want a value as the file has it, or a list of such values")
			return
		}
		*t = append(*t, item.Value)
	}
}

// MarshalYAML writes the number or the name.
func (c ColumnRef) MarshalYAML() (any, error) {
	if c.Number > 0 {
		return c.Number, nil
	}
	return c.Name, nil
}

// Columns is a list of columns; YAML may have one column instead of a list.
type Columns = strictyaml.Several[ColumnRef]

// Texts are texts of a data file. YAML values of other types count as texts: 1 is "1".
type Texts []string

// IsZero reports whether c names no column.
func (c ColumnRef) IsZero() bool { return c == ColumnRef{} }

// String formats c as specs do.
func (c ColumnRef) String() string {
	if c.Number > 0 {
		return fmt.Sprint(c.Number)
	}
	return c.Name
}

// Positions that name a column.
const (
	First = "first"
	Last  = "last"
)

// The words of options: what may stand between the fields of delimited text, and
// the values that may take the place of missing ones.
var (
	delimiters  = []string{"comma", "semicolon", "tab", "pipe", "blanks", "colon"}
	imputations = []string{"mean", "median", "zero"}
)

// OneHot is the value of Options.Encode that makes a feature of each text of a column.
const OneHot = "onehot"

// Limits of a file.
const (
	MaxBytes   = 256 << 20 // packed and unpacked
	MaxColumns = 16_384    // a metric is a matrix of this size
	MaxValues  = 32 << 20  // rows times columns
	MaxRows    = 2_000_000
	MaxClasses = 1_000
	MaxFolds   = 1_000 // different values of a column of folds

	maxName   = 200    // bytes of a name or label
	maxSize   = 1e100  // of a value: squares of differences stay finite
	maxFaults = 20     // reported per file
	maxSkip   = 10_000 // lines

	maxLine       = 4 << 20 // bytes, also of a record of several lines
	maxFieldLines = 1_000   // lines of a quoted field
	maxCategories = 50      // texts of an encoded column
	maxNamed      = 1_000   // likewise, of one that is named in Options.Nominal
)

// Check reports the options that do not exist, do not fit the format that they or the file's name tell or
// contradict each other, by the key that is at fault.
func (o Layout) Check(name string) (key string, err error) {
	format := o.FormatOf(name)
	if format == "" { // the content tells it
		return o.checkClasses()
	}
	of := formatNamed(format)
	switch {
	case of == nil:
		return "format", fmt.Errorf("unknown format %q, want %s", o.Format, strings.Join(formatNames(), ", "))
	case o.Delimiter != "" && !slices.Contains(delimiters, o.Delimiter):
		return "delimiter", fmt.Errorf("unknown delimiter %q, want %s", o.Delimiter, strings.Join(delimiters, ", "))
	case format != CSV && o.Delimiter != "":
		return "delimiter", fmt.Errorf("files of format %s have no choice of delimiter; remove it", format)
	case format != CSV && o.Header != nil:
		return "header", fmt.Errorf("files of format %s have no choice of header; remove it", format)
	case format != CSV && o.Skip != 0:
		return "skip", fmt.Errorf("files of format %s have no lines to skip; remove it", format)
	case o.Skip < 0 || o.Skip > maxSkip:
		return "skip", fmt.Errorf("skip is %d, want a number of lines from 0 to %d", o.Skip, maxSkip)
	case format != CSV && o.Comment != "":
		return "comment", fmt.Errorf("files of format %s have comments of their own; remove it", format)
	case strings.TrimSpace(o.Comment) != o.Comment || len(o.Comment) > 10:
		return "comment", fmt.Errorf("comment is %q, want what comments begin with, such as \"#\"", o.Comment)
	case o.Impute != "" && !slices.Contains(imputations, o.Impute):
		return "impute", fmt.Errorf("unknown value %q to impute, want %s", o.Impute, strings.Join(imputations, ", "))
	case o.Impute != "" && o.DropRows:
		return "impute", fmt.Errorf("rows with missing values are either imputed or dropped; keep one of impute and drop-rows")
	case o.Decimal != "" && o.Decimal != "." && o.Decimal != ",":
		return "decimal", fmt.Errorf("decimal is %q, want \",\" or \".\"", o.Decimal)
	case o.Decimal == "," && format != CSV:
		return "decimal", fmt.Errorf("files of format %s have decimal points; remove it", format)
	case o.Decimal == "," && o.Delimiter == "comma":
		return "decimal", fmt.Errorf("commas divide the fields and cannot be decimal, too; name another delimiter, or remove it")
	case o.Encode != "" && o.Encode != OneHot:
		return "encode", fmt.Errorf("unknown encoding %q, want %s", o.Encode, OneHot)
	case of.numbers && o.Encode != "":
		return "encode", fmt.Errorf("files of format %s hold numbers alone; remove it", format)
	}
	if key, err := o.checkColumns(of); err != nil {
		return key, err
	}
	return o.checkClasses()
}

// checkColumns checks the named columns.
func (o Layout) checkColumns(format *format) (key string, err error) {
	noNames := o.Header != nil && !*o.Header
	switch {
	case !format.labelled && format.name != ARFF && o.Label.IsZero():
		return "file", fmt.Errorf("which column has the class? Add `label: last`, or the name or number of a column; `r2lmlbench data show FILE` proposes a stanza")
	case format.labelled && !o.Label.IsZero():
		return "label", fmt.Errorf("files of format %s say themselves where the label is; remove it", format.name)
	case format.labelled && !o.Fold.IsZero():
		return "fold", fmt.Errorf("files of format %s have no column of folds", format.name)
	case format.labelled && !o.Group.IsZero():
		return "group", fmt.Errorf("files of format %s have no column of groups", format.name)
	case !o.Fold.IsZero() && !o.Group.IsZero():
		return "group", fmt.Errorf("the column of folds already says which rows stay together; remove group, or fold")
	}
	named := map[string]Columns{"label": {o.Label}, "fold": {o.Fold}, "group": {o.Group}, "drop": o.Drop, "nominal": o.Nominal, "numeric": o.Numeric}
	for _, key := range []string{"label", "fold", "group", "drop", "nominal", "numeric"} {
		for _, c := range named[key] {
			if noNames && c.Number == 0 && !slices.Contains([]string{"", First, Last}, c.Name) {
				return key, fmt.Errorf("a file without header has no column %q; give its number, or first or last", c.Name)
			}
		}
	}
	return "", nil
}

func (o Layout) checkClasses() (key string, err error) {
	seen := map[string]bool{}
	for _, class := range o.Classes {
		if seen[class] {
			return "classes", fmt.Errorf("class %q is listed twice", class)
		}
		seen[class] = true
	}
	if n := len(o.Classes); n == 1 || n > MaxClasses {
		return "classes", fmt.Errorf("classes has %d of them, want 2 to %d", n, MaxClasses)
	}
	hex := strings.Trim(o.SHA256, "0123456789abcdefABCDEF") == "" && len(o.SHA256) == 64
	if o.SHA256 != "" && !hex {
		return "sha256", fmt.Errorf("sha256 is %q, want the 64 hexadecimal digits that sha256sum prints", o.SHA256)
	}
	return "", nil
}

// lists tells whether Missing names a text.
func (o Layout) lists(text string) bool {
	return o.Missing != nil && slices.Contains(*o.Missing, text)
}
