package audit

import (
	"cmp"
	"math/big"
	"net/url"
	"slices"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/stats"
)

// Words of the file.
const (
	accuracy   = "accuracy"
	errorRate  = "error"
	percent    = "percent"
	proportion = "proportion"
	holm       = "holm"
	bonferroni = "bonferroni"
	none       = "none"
)

// A checker checks what the types alone do not say, and fills in defaults.
type checker struct {
	d *strictyaml.Decoder
	t *PrintedTable
}

// want reports a fault at a node unless something holds.
func (c checker) want(holds bool, n *yaml.Node, format string, args ...any) {
	if !holds {
		c.d.Errorf(n, format, args...)
	}
}

// known wants one of some words.
func (c checker) known(n *yaml.Node, what, word string, words []string) {
	if !slices.Contains(words, word) {
		c.d.Errorf(n, "%s", strictyaml.Unknown(what, word, words))
	}
}

// length wants one of something for each column.
func (c checker) length(n *yaml.Node, what string, length int) {
	c.want(length == len(c.t.Columns), n, "%d %s for %d columns", length, what, len(c.t.Columns))
}

func (c checker) check() {
	t, at := c.t, func(path ...any) *yaml.Node { return strictyaml.At(c.t.root, path...) }
	c.want(t.Name != "", at("name"), "want a name")
	t.Sizes = cmp.Or(t.Sizes, t.Name)
	address, err := url.Parse(t.Reference)
	c.want(t.Reference == "" || err == nil && address.Scheme == "https" && address.Host != "", at("reference"),
		"want the address of the publication, such as https://doi.org/10.1000/182")
	c.known(at("measure"), "word", t.Measure, []string{accuracy, errorRate})
	c.known(at("unit"), "word", t.Unit, []string{percent, proportion})
	c.want(len(t.Columns) > 0, at("columns"), "want the ids of the methods")
	c.want(len(t.Columns) <= maxColumns, at("columns"), "%d columns, want at most %d", len(t.Columns), maxColumns)
	for i, id := range t.Columns {
		c.want(id != "", at("columns", i), "want the id of a method")
		c.want(id == "" || slices.Index(t.Columns, id) == i, at("columns", i), "there are two columns %q", id)
	}
	if t.Names == nil {
		t.Names = t.Columns
	}
	c.length(at("names"), "names", len(t.Names))
	c.known(at("test", "pair"), "test", t.Test.Pair, stats.TestNames())
	t.Test.variant, _ = stats.ParseTest(t.Test.Pair) // which is known
	c.known(at("test", "correction"), "word", t.Test.Correction, []string{holm, bonferroni, none})
	c.want(t.Test.Alpha > 0 && t.Test.Alpha < 1, at("test", "alpha"), "alpha is %v, want more than 0 and less than 1", t.Test.Alpha)
	c.want(len(t.Rows) > 0, at("rows"), "want at least one row")
	first, largest := map[string]bool{}, (*big.Rat)(nil)
	for i := range t.Rows {
		r := &t.Rows[i]
		c.want(!first[r.ID], at("rows", i, "row"), "there are two rows %q", r.ID)
		first[r.ID] = true
		if most := c.row(r, at("rows", i)); most != nil && (largest == nil || most.Cmp(largest) > 0) {
			largest = most
		}
	}
	c.want(largest == nil || largest.Cmp(big.NewRat(1, 1)) > 0 || t.Measure != accuracy || t.Unit != percent, at("rows"),
		"all accuracies are 1 %% or less; if they are shares, add `unit: proportion`")
	ids := map[string]bool{}
	for i, one := range t.Claims {
		c.want(one.ID == "" || !ids[one.ID], at("claims", i, "id"), "there are two claims %q", one.ID)
		ids[one.ID] = true
		c.claim(one, at("claims", i))
	}
}

// row checks a row, which stands at a node, and returns its largest number, nil without one.
func (c checker) row(r *DataSet, n *yaml.Node) (largest *big.Rat) {
	at := func(path ...any) *yaml.Node { return strictyaml.At(n, path...) }
	c.want(r.ID != "", at("row"), "want the letter or id of the row")
	c.want(r.N >= 1 && r.N <= maxSamples, at("n"), "n is %d, want the number of test samples, 1 to %d", r.N, maxSamples)
	if r.PrintedN == 0 {
		r.PrintedN = r.N
	}
	c.want(r.PrintedN == r.N || r.PrintedN >= 1 && r.PrintedN <= maxSamples, at("printed-n"), "printed-n is %d, want 1 to %d", r.PrintedN, maxSamples)
	c.length(at("printed"), "numbers", len(r.Printed))
	most := big.NewRat(100, 1)
	if c.t.Unit == proportion {
		most = big.NewRat(1, 1)
	}
	for i, p := range r.Printed {
		value, ok := new(big.Rat).SetString(string(p))
		c.want(!ok || value.Cmp(most) <= 0, at("printed", i), "%s is more than the whole, %s in unit %s", p, most.RatString(), c.t.Unit)
		if ok && (largest == nil || value.Cmp(largest) > 0) {
			largest = value
		}
	}
	c.want(largest != nil, at("printed"), "want at least one number")
	if r.Rank != nil {
		c.length(at("rank"), "ranks", len(r.Rank))
	}
	for i, rank := range r.Rank[:min(len(r.Rank), len(r.Printed), len(c.t.Columns))] {
		printed := r.Printed[i] != ""
		c.want(int(rank) <= len(c.t.Columns), at("rank", i), "rank %d of %d columns", rank, len(c.t.Columns))
		c.want(rank != 0 || !printed, at("rank", i), "%s has no rank; give every printed number one, or the row none", c.t.Columns[i])
		c.want(rank == 0 || printed, at("rank", i), "%s has a rank and no printed number", c.t.Columns[i])
	}
	for i, id := range r.Bold {
		c.known(at("bold", i), "column", id, c.t.Columns)
	}
	for key, n := range map[string]int{"features": r.Features, "train": r.Train, "validation": r.Validation} {
		c.want(n >= 0 && n <= maxSamples, at(key), "%s is %d, want 1 to %d", key, n, maxSamples)
	}
	sum := 0
	for i, count := range r.Classes {
		c.want(count >= 1 && count <= maxSamples, at("classes", i), "a class of %d test samples", count)
		sum += count
	}
	c.want(sum <= r.N, at("classes"), "the classes have %d test samples together, n is %d", sum, r.N)
	return largest
}
