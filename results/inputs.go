package results

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Inputs are what decides a cell. Its key hashes these fields and nothing
// else, so two runs with equal Inputs must find equal cells.
type Inputs struct {
	Dataset       string    `json:"dataset"`        // id of the data set: "robot"
	DatasetDigest string    `json:"dataset_digest"` // SHA-256 over its content, in hex
	Split         string    `json:"split"`          // "authors" or "random seed=1 repeat=3"
	SplitDigest   string    `json:"split_digest"`   // SHA-256 over rows, codes and preprocessing, in hex
	Method        string    `json:"method"`         // id of the method: "e-r2lml"
	Version       int       `json:"version"`        // of the method's code
	Settings      []Setting `json:"points"`         // the grid in spec order; one point when nothing is searched
	Seed          uint64    `json:"seed"`           // of every random draw
	Neighbors     int       `json:"neighbors"`      // k of the k-NN rule

	// Measure names what was measured on the fit besides its predictions, see
	// Cell.Counts and Cell.Series.
	Measure []string `json:"measure,omitempty"`

	// Unlabeled names the samples that a transductive method had without their
	// labels: the query samples of each phase (""), or UnlabeledJoint.
	Unlabeled string `json:"unlabeled,omitempty"`

	// Select is the metric on the validation samples by which a setting was chosen; ""
	// stands for accuracy, or says that there was one setting.
	Select string `json:"select,omitempty"`

	// Ties and Distances are those of r2lml.Voting where they are not its defaults, on
	// validation and on test samples. They are empty where a program votes by itself.
	Ties      string `json:"ties,omitempty"`
	Distances string `json:"distances,omitempty"`

	// Folds tells that a setting was chosen by cross-validation on the training samples,
	// with so many folds; 0 stands for the validation samples, or says that there was
	// one setting.
	Folds int `json:"folds,omitempty"`
}

// UnlabeledJoint: validation and test samples together in every fit. The choice
// among the settings still goes by the validation samples alone.
const UnlabeledJoint = "joint"

// A Setting is one setting of a grid.
type Setting struct {
	Params  Params `json:"params"`            // all parameters, defaults included
	Restart int    `json:"restart,omitempty"` // which of several random starts, 0 the first
}

// Key returns the SHA-256, in hex, of the canonical JSON of in.
func (in Inputs) Key() string { return in.KeyWith(SettingsJSON(in.Settings)) }

// KeyWith is Key for a caller who has the points in JSON.
func (in Inputs) KeyWith(points []byte) string { return Digest(in.withPoints(points)) }

// withPoints is the canonical JSON of in for a caller who has that of the points.
func (in Inputs) withPoints(points []byte) []byte {
	in.Settings = nil
	others, err := CanonicalJSON(in)
	if err != nil {
		panic(fmt.Sprintf("results: inputs in JSON: %v", err)) // texts and numbers always encode
	}
	return bytes.Replace(others, []byte(`"points":null`), append([]byte(`"points":`), points...), 1) // a quote within a text would be escaped
}

// SettingsJSON is the canonical JSON of settings.
func SettingsJSON(points []Setting) []byte {
	data, err := CanonicalJSON(points)
	if err != nil {
		panic(fmt.Sprintf("results: points in JSON: %v", err)) // as above
	}
	return data
}

// Diff names the fields in which other differs from in, as "name: value here
// -> value there". A digest that one side leaves empty is unknown and does not
// count; otherwise the result is empty exactly when the keys are equal.
func (in Inputs) Diff(other Inputs) []string {
	var d []string
	field := func(name, a, b string) {
		if a != b {
			d = append(d, name+": "+a+" -> "+b)
		}
	}
	hash := func(name, a, b string) {
		if a != "" && b != "" {
			field(name, a, b)
		}
	}
	field("dataset", in.Dataset, other.Dataset)
	hash("dataset digest", in.DatasetDigest, other.DatasetDigest)
	field("split", in.Split, other.Split)
	hash("split digest", in.SplitDigest, other.SplitDigest)
	field("method", in.Method, other.Method)
	field("version", strconv.Itoa(in.Version), strconv.Itoa(other.Version))
	d = append(d, diffPoints(in.Settings, other.Settings)...)
	field("seed", strconv.FormatUint(in.Seed, 10), strconv.FormatUint(other.Seed, 10))
	field("neighbors", strconv.Itoa(in.Neighbors), strconv.Itoa(other.Neighbors))
	field("measure", strings.Join(in.Measure, " "), strings.Join(other.Measure, " "))
	field("unlabeled", in.Unlabeled, other.Unlabeled)
	field("select", in.Select, other.Select)
	field("ties", in.Ties, other.Ties)
	field("distances", in.Distances, other.Distances)
	field("folds", strconv.Itoa(in.Folds), strconv.Itoa(other.Folds))
	return d
}

// diffPoints compares two grids parameter by parameter, by the values each
// parameter takes, and falls back on naming the first point that differs.
func diffPoints(a, b []Setting) []string {
	if slices.EqualFunc(a, b, Setting.Equal) {
		return nil
	}
	before, after := gridValues(a), gridValues(b)
	names := maps.Clone(before)
	maps.Copy(names, after)
	var d []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Equal(before[name], after[name]) {
			d = append(d, fmt.Sprintf("points: %s %s -> %s", name, listValues(before[name]), listValues(after[name])))
		}
	}
	if d == nil {
		d = []string{fmt.Sprintf("points: %d -> %d, with the same values in another arrangement", len(a), len(b))}
	}
	return d
}

// Equal compares points as their keys do, by canonical spelling.
func (p Setting) Equal(q Setting) bool {
	same := func(v, w any) bool { return valueText(v) == valueText(w) }
	return p.Restart == q.Restart && maps.EqualFunc(p.Params, q.Params, same)
}

// gridValues lists the distinct values of every parameter in order of first
// appearance; the random start counts as a parameter.
func gridValues(points []Setting) map[string][]string {
	values := map[string][]string{}
	add := func(name, value string) {
		if !slices.Contains(values[name], value) {
			values[name] = append(values[name], value)
		}
	}
	for _, p := range points {
		for name, v := range p.Params {
			add(name, valueText(v))
		}
		add("random start", strconv.Itoa(p.Restart))
	}
	return values
}

func listValues(values []string) string {
	if len(values) == 0 {
		return "(none)"
	}
	return strings.Join(values, ", ")
}
