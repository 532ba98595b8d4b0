package spec

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments"
	"r2lmlbench/internal/plainfile"
	"r2lmlbench/internal/strictyaml"
)

// Sets are the data sets of a spec: names, and stanzas of own data.
type Sets []Set

// A Set is a data set as a spec has it.
type Set struct {
	Name string // of the catalogue, or of an import
	Data *Data  // nil for a name
}

// Data is a stanza of own data.
type Data struct {
	ID         string `yaml:"id" jsonschema:"required" jsonschema_description:"name of the set: letters, digits, dots, hyphens, underlines"`
	File       string `yaml:"file" jsonschema_description:"path of the file, from the folder of the spec; .gz is unpacked; none under rule files"`
	Format     string `yaml:"format" jsonschema:"enum=csv,enum=arff,enum=libsvm,enum=npz" jsonschema_description:"format, where the name of the file does not tell it; csv is delimited text of any kind"`
	Delimiter  string `yaml:"delimiter" jsonschema:"enum=comma,enum=semicolon,enum=tab,enum=blanks" jsonschema_description:"what stands between fields; found out when not given"`
	Header     *bool  `yaml:"header" jsonschema_description:"whether the first line has the names of the columns; found out when not given"`
	Skip       int    `yaml:"skip" jsonschema:"minimum=0,maximum=10000" jsonschema_description:"lines before the header or the first row"`
	Label      Place  `yaml:"label" jsonschema_description:"column of the class: its name, its number from 1, first or last"`
	Drop       Places `yaml:"drop" jsonschema_description:"columns that are no features, by name or number"`
	Fold       Place  `yaml:"fold" jsonschema_description:"column that gives each row its part or fold"`
	Classes    Texts  `yaml:"classes" jsonschema_description:"labels in the order of their codes; by first appearance when not given"`
	Missing    *Texts `yaml:"missing" jsonschema_description:"texts that stand for a missing value; an empty field, ?, NA, NaN and the like when not given"`
	Impute     string `yaml:"impute" jsonschema:"enum=mean,enum=median,enum=zero" jsonschema_description:"what takes the place of missing values, by the training rows; without it they are faults"`
	Decimal    string `yaml:"decimal" jsonschema_description:"the decimal mark of numbers: a point (the default) or a comma"`
	Encode     string `yaml:"encode" jsonschema:"enum=onehot" jsonschema_description:"onehot makes a feature of each text of a column of texts, by the training rows; without it texts are faults"`
	DropRows   bool   `yaml:"drop-rows" jsonschema_description:"rows with a missing value are left out"`
	Duplicates string `yaml:"duplicates" jsonschema:"enum=keep,enum=refuse" jsonschema_description:"keep (the default) rows of equal features with a note, or refuse the file"`
	SHA256     string `yaml:"sha256" jsonschema_description:"of the file as sha256sum prints it; another content is refused"`
}

// A Place names a column of a file, by its name or by its number.
type Place tabular.Column

// Places are columns, one or a list.
type Places []Place

// Texts are values as the file has them, whatever YAML takes them for: 1 is the
// text "1".
type Texts []string

// DecodeYAML reads one name or stanza, or a list of them.
func (s *Sets) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	for _, item := range items {
		var set Set
		if item.Kind == yaml.MappingNode {
			set.Data = &Data{}
			d.Decode(item, set.Data)
		} else {
			d.Decode(item, &set.Name)
		}
		*s = append(*s, set)
	}
}

// DecodeYAML reads a name or a number from 1.
func (p *Place) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null":
		d.Errorf(n, "want the name or the number of a column, or first or last")
	case n.ShortTag() == "!!int":
		number, err := strconv.Atoi(n.Value)
		if err != nil || number < 1 || number > tabular.MaxColumns {
			d.Errorf(n, "columns are numbered from 1; %s is none", n.Value)
		}
		p.Number = number
	default:
		p.Name = n.Value
	}
}

// DecodeYAML reads one column or a list of them.
func (p *Places) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	for _, item := range itemsOf(n) {
		var one Place
		one.DecodeYAML(d, item)
		*p = append(*p, one)
	}
}

// DecodeYAML reads one value or a list of them.
func (t *Texts) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	*t = Texts{}
	for _, item := range itemsOf(n) {
		if item.Kind != yaml.ScalarNode {
			d.Errorf(item, "want a value as the file has it, or a list of such values")
			return
		}
		*t = append(*t, item.Value)
	}
}

// itemsOf are the items of a list, or a single node.
func itemsOf(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// Options are those that the stanza gives the reader of its file.
func (s Data) Options() tabular.Options {
	o := tabular.Options{
		Format: s.Format, Delimiter: s.Delimiter, Header: s.Header, Skip: s.Skip, Label: tabular.Column(s.Label), Fold: tabular.Column(s.Fold),
		Classes: s.Classes, Missing: (*[]string)(s.Missing), Impute: s.Impute, Decimal: s.Decimal, Encode: s.Encode,
		DropRows: s.DropRows, Duplicates: s.Duplicates, SHA256: s.SHA256,
	}
	for _, c := range s.Drop {
		o.Drop = append(o.Drop, tabular.Column(c))
	}
	return o
}

// ownID is what own data may be called: it becomes part of the names of files.
var ownID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckID refuses a name that own data cannot have.
func CheckID(id string) error {
	switch e, err := datasets.Find(id); {
	case !ownID.MatchString(id):
		return fmt.Errorf("%q cannot name a data set: want up to 64 letters, digits, dots, hyphens, underlines, a letter or digit first", id)
	case err == nil && e.ID != id:
		return fmt.Errorf("%q stands for %s of the catalogue; choose another id", id, e.ID)
	case err == nil || id == allDatasets:
		return fmt.Errorf("%q names a data set of the catalogue; choose another id", id)
	}
	return nil
}

// own returns the entry of the stanza at place i of the list of data sets, and
// reports its faults.
func (c *checker) own(s *Data, i int) (datasets.Entry, bool) {
	faults := false
	fault := func(key string, err error) {
		at := []any{"datasets", i, key}
		if at := at[1:]; c.single() {
			at[0] = "datasets"
		}
		c.fault(err.Error(), at...)
		faults = true
	}
	switch err := CheckID(s.ID); {
	case s.ID == "":
		fault("id", errors.New("own data need an id; add `id: ...`"))
	case err != nil:
		fault("id", err)
	}
	own := datasets.Own{File: s.File, Options: s.Options(), Parts: c.spec.Split.Files}
	files, rule := own.Parts[:], meantRule(c.spec.Split.Rule)
	switch {
	case c.spec.Split.Rule == filesRule && s.File != "":
		fault("file", errors.New("rule files has a file for each part; remove file"))
	case c.spec.Split.Rule == filesRule && (s.SHA256 != "" || s.Fold != Place{}):
		fault("id", errors.New("rule files has a file for each part; remove sha256 and fold"))
	case rule != filesRule && s.File == "":
		fault("file", errors.New("own data need a file; add `file: ./data.csv`"))
		return datasets.Entry{}, false
	case rule != filesRule:
		files = []string{s.File}
	}
	for _, file := range files {
		if key, err := own.Options.Check(file); file != "" && err != nil {
			fault(key, err)
			break
		}
	}
	if faults {
		return datasets.Entry{}, false
	}
	if err := c.locate(&own); err != nil {
		fault("file", err)
	}
	return datasets.OwnEntry(s.ID, own), !faults
}

// single tells whether the data sets are one stanza and no list.
func (c *checker) single() bool {
	n := strictyaml.Child(c.root, "datasets")
	return n != nil && n.Kind == yaml.MappingNode
}

// locate finds the file of a stanza: beside the spec, or among those that the program
// carries.
func (c *checker) locate(own *datasets.Own) error {
	switch {
	case c.embedded:
		name := path.Clean(own.File)
		b, err := experiments.Specs.ReadFile(name)
		own.File, own.Embedded = name, b
		return err
	case !plainfile.IsStream(c.d.File):
		for _, file := range []*string{&own.File, &own.Parts[0], &own.Parts[1], &own.Parts[2]} {
			if *file != "" && !filepath.IsAbs(*file) {
				*file = filepath.Join(filepath.Dir(c.d.File), *file)
			}
		}
	}
	return nil
}

// find returns the data set of a name in a stanza of a method: own data of the spec,
// or a set that FindDataset knows.
func (s *Spec) find(name string) (datasets.Entry, error) {
	var own []string
	for _, set := range s.Datasets {
		if set.Data == nil {
			continue
		}
		if set.Data.ID == name {
			return datasets.Entry{ID: name, Name: name}, nil
		}
		own = append(own, set.Data.ID)
	}
	e, err := FindDataset(name)
	if err != nil && errors.Is(err, datasets.ErrUnknown) && suggest(name, own) != "" {
		return e, fmt.Errorf("unknown data set %q%s", name, suggest(name, own))
	}
	return e, err
}

// ownData tells whether some data set is own data, and whether all are.
func (s *Spec) ownData() (some, all bool) {
	all = true
	for _, set := range s.Datasets {
		own := set.Data != nil || strings.HasPrefix(set.Name, OwnPrefix)
		some, all = some || own, all && own
	}
	return some, all && some
}

// ParseData reads the keys of a stanza of own data without its id and file, such as
// {label: first, drop: [2]}.
func ParseData(text string) (tabular.Options, error) {
	var s Data
	const name = "stanza"
	root, err := strictyaml.Parse(name, []byte(text))
	if err != nil {
		return tabular.Options{}, err
	}
	d := &strictyaml.Decoder{File: name}
	d.Decode(root, &s)
	if s.ID != "" || s.File != "" {
		d.Errorf(root, "the file is given beside the stanza; leave id and file out")
	}
	return s.Options(), d.Err()
}

// DataStanza writes own data as a spec has them, on one line.
func DataStanza(id, file string, o tabular.Options) string {
	drop := make([]any, len(o.Drop))
	for i, c := range o.Drop {
		drop[i] = placeValue(c)
	}
	var keys []string
	for _, k := range []struct {
		name  string
		given bool
		value any
	}{
		{"id", id != "", id},
		{"file", file != "", file},
		{"format", o.Format != "", o.Format},
		{"delimiter", o.Delimiter != "", o.Delimiter},
		{"header", o.Header != nil, o.Header},
		{"skip", o.Skip > 0, o.Skip},
		{"label", !o.Label.IsZero(), placeValue(o.Label)},
		{"drop", len(drop) > 0, drop},
		{"fold", !o.Fold.IsZero(), placeValue(o.Fold)},
		{"classes", o.Classes != nil, o.Classes},
		{"missing", o.Missing != nil, o.Missing},
		{"impute", o.Impute != "", o.Impute},
		{"decimal", o.Decimal != "", o.Decimal},
		{"encode", o.Encode != "", o.Encode},
		{"drop-rows", o.DropRows, true},
		{"duplicates", o.Duplicates != "", o.Duplicates},
		{"sha256", o.SHA256 != "", o.SHA256},
	} {
		if k.given {
			keys = append(keys, k.name+": "+flowValue(k.value))
		}
	}
	return "{" + strings.Join(keys, ", ") + "}"
}

// placeValue is a column as a stanza has it: its number or its name.
func placeValue(c tabular.Column) any {
	if c.Number > 0 {
		return c.Number
	}
	return c.Name
}

// flowValue writes a text, a number or a list of them in flow style.
func flowValue(value any) string {
	var n yaml.Node
	if err := n.Encode(value); err != nil {
		panic(err) // texts, numbers and lists of them
	}
	return flow(&n)
}

// flow writes a scalar or a list in flow style without the line breaks of the encoder.
func flow(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		parts := make([]string, len(n.Content))
		for i, item := range n.Content {
			parts[i] = flow(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	b, err := yaml.Marshal(n)
	if err != nil {
		panic(err) // a scalar
	}
	s := strings.TrimSuffix(string(b), "\n")
	if strings.ContainsAny(n.Value, ",[]{}\n") || strings.Contains(s, "\n") {
		return strconv.Quote(n.Value)
	}
	return s
}
