package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/interrupt"
	"r2lmlbench/internal/plainfile"
)

// ownPrefix marks imported own data in specs.
const ownPrefix = "own:"

// ownSuffix ends the files that say how imported data are read.
const ownSuffix = ".own.json"

// otherData is what is in the way of an import under a name in use.
const otherData = "other data, or the same read otherwise"

// A recipe is what the library keeps beside a copy of own data.
type recipe struct {
	Schema  int             `json:"schema"`
	File    string          `json:"file"` // name of the copy, which has the suffix of the original
	Options tabular.Options `json:"options"`
}

// copies tells whether the file is the copy that was made under a name: it has this
// name and a suffix, and lies nowhere else.
func (r recipe) copies(name string) bool {
	suffix, ok := strings.CutPrefix(r.File, name)
	return ok && suffix == suffixOf(suffix)
}

// LibraryEntry returns the entry of data that were imported under a name.
func LibraryEntry(name string) Entry {
	return Entry{ID: ownPrefix + name, Name: name, own: &Own{Import: name}}
}

// Located returns the file of an own set, which is in the library for imported data.
func (l Library) Located(e Entry) (Own, error) { return l.located(*e.own) }

// located finds imported data in the library. Other own data stay as they are.
func (l Library) located(o Own) (Own, error) {
	if o.Import == "" {
		return o, nil
	}
	if err := checkImportName(o.Import); err != nil {
		return o, err
	}
	path := filepath.Join(l.Dir, importedDir, o.Import+ownSuffix)
	b, err := plainfile.Read(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return o, fmt.Errorf("%s: %w; import it with: r2lmlbench data import FILE --id %s", path, ErrMissing, o.Import)
	}
	if err != nil {
		return o, err
	}
	var r recipe
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil || r.Schema != 1 || !r.copies(o.Import) {
		return o, fmt.Errorf("%s: %w: it does not say how the data are read; import the file again", path, ErrCorrupt)
	}
	o.File, o.Options = filepath.Join(l.Dir, importedDir, r.File), r.Options
	return o, nil
}

// ImportOwn takes a file of own data into the library under a name, where specs find
// it as own:NAME. It is read first, and one with faults is not taken. The same data may
// be imported again, others under a name in use are refused.
func (l Library) ImportOwn(file, name string, o tabular.Options) (Entry, *Data, error) {
	e := LibraryEntry(name)
	if err := checkImportName(name); err != nil {
		return e, nil, err
	}
	b, err := plainfile.Read(file, tabular.MaxBytes+1)
	if err != nil {
		return e, nil, err
	}
	table, err := tabular.Read(interrupt.Current(), file, b, o)
	if err != nil {
		return e, nil, unusableBy(err)
	}
	o.SHA256 = table.SHA256
	base := strings.ToLower(filepath.Base(file))
	copied := name + copySuffix(base, o)
	said, err := json.MarshalIndent(recipe{1, copied, o}, "", "  ")
	if err != nil {
		return e, nil, err
	}
	folder := filepath.Join(l.Dir, importedDir)
	if err := keep(filepath.Join(folder, copied), b, otherData); err != nil {
		return e, nil, err
	}
	if err := keep(filepath.Join(folder, name+ownSuffix), append(said, '\n'), otherData); err != nil {
		return e, nil, err
	}
	d, err := l.Load(e)
	if err != nil {
		return e, nil, err
	}
	return e.Known(d), d, nil
}

// copySuffix ends the name of the copy of a file: as the file itself if that tells a format
// of own data. Another one, such as .mat or .json, would name other files of the library.
func copySuffix(base string, o tabular.Options) string {
	if (tabular.Options{}).FormatOf(base) != "" {
		return suffixOf(base)
	}
	suffix := "." + o.FormatOf(base)
	if strings.HasSuffix(base, ".gz") {
		suffix += ".gz"
	}
	return suffix
}

// suffixOf returns the end of a file's name that tells its format.
func suffixOf(base string) string {
	packed := ""
	if rest, ok := strings.CutSuffix(base, ".gz"); ok {
		base, packed = rest, ".gz"
	}
	return filepath.Ext(base) + packed
}

// OwnNames returns the names of imported own data in alphabetical order.
func (l Library) OwnNames() []string { return l.namesOf(ownSuffix) }
