package datasets

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// catalogFile has the fields of a DataSet for the 18 sets of the paper, in the order of its
// Table 1, and then for the generated ones.
//
//go:embed catalog.json
var catalogFile []byte

// A listing is an entry of catalog.json.
type listing struct {
	DataSet
	Files []struct {
		File
		Shape shape // of a delimited file
	}
	DividedBy float64 // divisor of all features; 0: none
	Reader    string  // name of a reader or a generator; "": the files are delimited
}

// readers read the sets that are not delimited files.
var readers = map[string]func(files map[string][]byte) (*Raw, error){"breasttissue": loadBreastTissue, "coil20": loadCOIL20}

// generators draw the sets that need no files.
var generators = map[string]func(seed uint64) *Data{
	"twonorm-gen":  func(seed uint64) *Data { return drawNorms(normRows, seed, twoNorm) },
	"ringnorm-gen": func(seed uint64) *Data { return drawNorms(normRows, seed, ringNorm) },
	"overlap30":    overlap30.draw,
	"overlap60":    overlap60.draw,
	"overlap60-13": overlap60Thirteen.draw,
	"toy":          drawToy,
}

// catalog returns the entries of catalog.json.
var catalog = sync.OnceValue(func() []DataSet {
	var listings []listing
	decoder := json.NewDecoder(bytes.NewReader(catalogFile))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&listings); err != nil {
		panic(err) // the file is embedded
	}
	var all []DataSet
	for _, l := range listings {
		e := l.DataSet
		var parts []table
		for _, f := range l.Files {
			e.Files, parts = append(e.Files, f.File), append(parts, table{f.Name, f.Shape})
		}
		e.load, e.generate = readers[l.Reader], generators[l.Reader]
		if l.Reader == "" {
			e.load = tables(l.DividedBy, parts...)
		}
		if e.Generated() && e.ID != "toy" {
			e.seed = catalogSeed
		}
		all = append(all, e)
	}
	return all
})

// All returns the catalogue: the 18 sets of the paper in the order of its Table 1, then
// the generated ones. Callers share the slices in the entries and must not change them.
func All() []DataSet { return slices.Clone(catalog()) }

// IDs returns the ids of entries, in their order.
func IDs(entries []DataSet) []string {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids
}

// ErrUnknown is wrapped by errors about names that are not in the catalogue.
var ErrUnknown = errors.New("unknown data set")

// Find returns the set with this id or letter, in upper or lower case. A letter
// names the set that is read from files, even if a generated one has it too.
//
// An id and a seed, as in overlap30:7, name a generated set drawn with that
// seed, a whole number without leading zeros. Seed 1 is named by the plain id
// only. The error about an unknown name wraps [ErrUnknown].
func Find(name string) (DataSet, error) {
	id, seed, seeded := strings.Cut(name, ":")
	i := slices.IndexFunc(catalog(), func(e DataSet) bool {
		return strings.EqualFold(e.ID, id) || e.Letter != "" && strings.EqualFold(e.Letter, id)
	})
	switch {
	case i < 0:
		return DataSet{}, fmt.Errorf("datasets: %w %q; see: r2lmlbench data list", ErrUnknown, name)
	case seeded:
		return catalog()[i].drawn(seed)
	}
	return catalog()[i], nil
}

// catalogSeed is the seed of the generated sets of the catalogue.
const catalogSeed = 1

// drawn returns a generated set with another seed, given as text. Its content digest
// is that of the drawn data. Its split digest is that of the catalogue, because split
// digests cover rows and classes but no values.
func (e DataSet) drawn(text string) (DataSet, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	switch {
	case !e.Generated():
		return DataSet{}, fmt.Errorf("datasets: %s is read from files, no seed draws it; write %s", e.ID, e.ID)
	case e.seed == 0:
		return DataSet{}, fmt.Errorf("datasets: %s is always the same, no seed draws it; write %s", e.ID, e.ID)
	case err != nil || seed == 0 || strconv.FormatUint(seed, 10) != text:
		return DataSet{}, fmt.Errorf("datasets: seed %q of %s is not a whole number from 2 to 2^64-1 without leading zeros; write it as %s:7", text, e.ID, e.ID)
	case seed == e.seed:
		return DataSet{}, fmt.Errorf("datasets: %s:%d is %s itself, which is drawn with seed %d; write %s", e.ID, seed, e.ID, seed, e.ID)
	}
	e.Note = strings.Replace(e.Note, seedName(e.seed), seedName(seed), 1)
	e.ID = fmt.Sprintf("%s:%d", e.ID, seed)
	e.Name += ", " + seedName(seed)
	e.Digest = e.generate(seed).Digest()
	e.seed = seed
	return e, nil
}

// seedName formats the seed of a set for its note and name.
func seedName(seed uint64) string { return fmt.Sprintf("seed %d", seed) }
