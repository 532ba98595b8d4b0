package results

import (
	"fmt"
	"strconv"
	"strings"
)

// Inputs are what decides a cell. Its key hashes these fields and nothing
// else, so two runs with equal Inputs must find equal cells.
type Inputs struct {
	Dataset       string  `json:"dataset"`        // id of the data set: "robot"
	DatasetDigest string  `json:"dataset_digest"` // SHA-256 over its content, in hex
	Split         string  `json:"split"`          // "authors" or "random seed=1 repeat=3"
	SplitDigest   string  `json:"split_digest"`   // SHA-256 over rows, codes and preprocessing, in hex
	Method        string  `json:"method"`         // id of the method: "e-r2lml"
	Version       int     `json:"version"`        // of the method's code
	Points        []Point `json:"points"`         // the grid in spec order; one point when nothing is searched
	Seed          uint64  `json:"seed"`           // of every random draw
	Neighbors     int     `json:"neighbors"`      // k of the k-NN rule

	// Measure names what was measured on the fit besides its predictions, see
	// Cell.Facts and Cell.Series.
	Measure []string `json:"measure,omitempty"`
}

// A Point is one setting of a grid.
type Point struct {
	Params  Params `json:"params"`            // all parameters, defaults included
	Restart int    `json:"restart,omitempty"` // which of several random starts, 0 the first
}

// Key returns the SHA-256, in hex, of the canonical JSON of in.
func (in Inputs) Key() string {
	data, err := CanonicalJSON(in)
	if err != nil {
		panic(fmt.Sprintf("results: key of %s/%s: %v", in.Dataset, in.Method, err)) // Inputs always encode
	}
	return Digest(data)
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
	d = append(d, diffPoints(in.Points, other.Points)...)
	field("seed", strconv.FormatUint(in.Seed, 10), strconv.FormatUint(other.Seed, 10))
	field("neighbors", strconv.Itoa(in.Neighbors), strconv.Itoa(other.Neighbors))
	field("measure", strings.Join(in.Measure, " "), strings.Join(other.Measure, " "))
	return d
}
