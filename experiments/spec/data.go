package spec

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/strictyaml"
)

// Sets are the data sets of a spec, in a file one or a list: names, and blocks of own data.
type Sets = strictyaml.Several[Set]

// A Set is a data set in a spec: a name or a block.
type Set struct {
	Name string // of the catalogue, or of an import
	Data *Data  // nil for a name
}

// Data is a block of own data.
type Data struct {
	ID             string `yaml:"id,omitempty" jsonschema:"required" jsonschema_description:"name of the set: letters, digits, dots, hyphens, underlines"`
	File           string `yaml:"file,omitempty" jsonschema_description:"path of the file, from the folder of the spec; .gz is unpacked; none under rule files"`
	tabular.Layout `yaml:",inline"`
}

// DecodeYAML reads a name or a block.
func (s *Set) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		s.Data = &Data{}
		d.Decode(n, s.Data)
		return
	}
	d.Decode(n, &s.Name)
}

// CheckID refuses a name that own data cannot have.
func CheckID(id string) error {
	switch e, err := datasets.Find(id); {
	case !datasets.FileName.MatchString(id):
		return fmt.Errorf("%q cannot name a data set: want up to 64 letters, digits, dots, hyphens, underlines, a letter or digit first", id)
	case err == nil && e.ID != id:
		return fmt.Errorf("%q stands for %s of the catalogue; choose another id", id, e.ID)
	case err == nil || id == allDatasets:
		return fmt.Errorf("%q names a data set of the catalogue; choose another id", id)
	}
	return nil
}

// own returns the entry of a block of own data, item i of the list of data sets, and
// reports its faults.
func (c *checker) own(s *Data, i int) (datasets.DataSet, bool) {
	faults := false
	fault := func(key string, err error) {
		c.fault(err.Error(), "datasets", i, key)
		faults = true
	}
	switch err := CheckID(s.ID); {
	case s.ID == "":
		fault("id", errors.New("own data need an id; add `id: ...`"))
	case err != nil:
		fault("id", err)
	}
	own := datasets.Own{File: s.File, Options: s.Layout, Parts: c.spec.Split.Files, Task: c.spec.Split.File}
	files, rule := own.Parts[:], meantRule(c.spec.Split.Rule)
	switch {
	case c.spec.Split.Rule == filesRule && s.File != "":
		fault("file", errors.New("rule files has a file for each part; remove file"))
	case c.spec.Split.Rule == filesRule && (s.SHA256 != "" || !s.Fold.IsZero() || !s.Group.IsZero()):
		fault("id", errors.New("rule files has a file for each part; remove sha256, fold and group"))
	case rule != filesRule && s.File == "":
		fault("file", errors.New("own data need a file; add `file: ./data.csv`"))
		return datasets.DataSet{}, false
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
		return datasets.DataSet{}, false
	}
	if err := c.locate(&own); err != nil {
		fault("file", err)
	}
	return datasets.OwnDataSet(s.ID, own), !faults
}

// locate finds the file of own data: relative to the spec, or embedded in the program.
func (c *checker) locate(own *datasets.Own) error {
	switch {
	case c.embedded:
		name := path.Clean(own.File)
		b, err := experiments.Specs.ReadFile(name)
		own.File, own.Embedded = name, b
		return err
	case !files.IsStream(c.d.File):
		for _, file := range []*string{&own.File, &own.Task, &own.Parts[0], &own.Parts[1], &own.Parts[2]} {
			if *file != "" && !filepath.IsAbs(*file) {
				*file = filepath.Join(filepath.Dir(c.d.File), *file)
			}
		}
	}
	return nil
}

// find returns the data set that a method block names: own data of the spec, or a set of
// FindDataset.
func (s *Spec) find(name string) (datasets.DataSet, error) {
	var own []string
	for _, set := range s.Datasets {
		if set.Data == nil {
			continue
		}
		if set.Data.ID == name {
			return datasets.DataSet{ID: name, Name: name}, nil
		}
		own = append(own, set.Data.ID)
	}
	e, err := FindDataset(name)
	if err != nil && errors.Is(err, datasets.ErrUnknown) && suggest(name, own) != "" {
		return e, fmt.Errorf("unknown data set %q%s", name, suggest(name, own))
	}
	return e, err
}

// ParseData reads the keys of a block of own data without id and file, such as
// {label: first, drop: [2]}.
func ParseData(text string) (tabular.Layout, error) {
	var s Data
	const name = "stanza"
	root, err := strictyaml.Parse(name, []byte(text))
	if err != nil {
		return tabular.Layout{}, err
	}
	d := &strictyaml.Decoder{File: name}
	d.Decode(root, &s)
	if s.ID != "" || s.File != "" {
		d.Errorf(root, "the file is given beside the stanza; leave id and file out")
	}
	return s.Layout, d.Err()
}

// DataStanza formats a block of own data on one line.
func DataStanza(id, file string, o tabular.Layout) string {
	var n yaml.Node
	if err := n.Encode(Data{id, file, o}); err != nil {
		panic(err) // cannot happen: texts, numbers and lists of them
	}
	var keys []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value+": "+strictyaml.Flow(n.Content[i+1]))
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
