package audit

import (
	"math/big"
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

// A checker checks what the types alone do not say.
type checker struct {
	d    *strictyaml.Decoder
	root *yaml.Node
	t    *Table
}

func (c checker) check() {
	t := c.t
	if t.Name == "" {
		c.d.Errorf(strictyaml.At(c.root, "name"), "want a name")
	}
	if t.Sizes == "" {
		t.Sizes = t.Name
	}
	c.word(strictyaml.At(c.root, "measure"), t.Measure, accuracy, errorRate)
	c.word(strictyaml.At(c.root, "unit"), t.Unit, percent, proportion)
	c.columns()
	c.test()
	if len(t.Rows) == 0 {
		c.d.Errorf(strictyaml.At(c.root, "rows"), "want at least one row")
	}
	first := map[string]bool{}
	for i := range t.Rows {
		r := &t.Rows[i]
		if first[r.ID] {
			c.d.Errorf(strictyaml.At(r.node, "row"), "there are two rows %q", r.ID)
		}
		first[r.ID] = true
		c.row(r)
	}
	for _, s := range t.Statements {
		c.statement(s)
	}
}

// word checks that a text is one of some words.
func (c checker) word(n *yaml.Node, word string, known ...string) {
	if !slices.Contains(known, word) {
		c.d.Errorf(n, "%s", strictyaml.Unknown("word", word, known))
	}
}

func (c checker) columns() {
	t := c.t
	switch {
	case len(t.Columns) == 0:
		c.d.Errorf(strictyaml.At(c.root, "columns"), "want the ids of the methods")
	case len(t.Columns) > maxColumns:
		c.d.Errorf(strictyaml.At(c.root, "columns"), "%d columns, want at most %d", len(t.Columns), maxColumns)
	}
	for i, id := range t.Columns {
		if id == "" {
			c.d.Errorf(strictyaml.At(c.root, "columns", i), "want the id of a method")
		} else if slices.Index(t.Columns, id) < i {
			c.d.Errorf(strictyaml.At(c.root, "columns", i), "there are two columns %q", id)
		}
	}
	if t.Names == nil {
		t.Names = t.Columns
	}
	c.length(strictyaml.At(c.root, "names"), "names", len(t.Names))
}

// length checks that there is one of something for each column.
func (c checker) length(n *yaml.Node, what string, length int) {
	if length != len(c.t.Columns) {
		c.d.Errorf(n, "%d %s for %d columns", length, what, len(c.t.Columns))
	}
}

func (c checker) test() {
	n, test := strictyaml.At(c.root, "test"), &c.t.Test
	variant, err := stats.ParseTest(test.Pair)
	if err != nil {
		c.d.Errorf(strictyaml.At(n, "pair"), "%s", strictyaml.Unknown("test", test.Pair, stats.TestNames()))
	}
	test.variant = variant
	c.word(strictyaml.At(n, "correction"), test.Correction, holm, bonferroni, none)
	if !(test.Alpha > 0 && test.Alpha < 1) {
		c.d.Errorf(strictyaml.At(n, "alpha"), "alpha is %v, want more than 0 and less than 1", test.Alpha)
	}
}

func (c checker) row(r *Row) {
	if r.ID == "" {
		c.d.Errorf(strictyaml.At(r.node, "row"), "want the letter or id of the row")
	}
	if r.N < 1 || r.N > maxSamples {
		c.d.Errorf(strictyaml.At(r.node, "n"), "n is %d, want the number of test samples, 1 to %d", r.N, maxSamples)
	}
	if r.PrintedN == 0 {
		r.PrintedN = r.N
	}
	if r.PrintedN < 1 || r.PrintedN > maxSamples {
		c.d.Errorf(strictyaml.At(r.node, "printed-n"), "printed-n is %d, want 1 to %d", r.PrintedN, maxSamples)
	}
	c.length(strictyaml.At(r.node, "printed"), "numbers", len(r.Printed))
	c.numbers(r)
	c.ranks(r)
	for i, id := range r.Bold {
		c.column(strictyaml.At(r.node, "bold", i), id)
	}
	c.classes(r)
}

// numbers checks that a row has printed numbers, none of them above the whole.
func (c checker) numbers(r *Row) {
	most, any := big.NewRat(100, 1), false
	if c.t.Unit == proportion {
		most = big.NewRat(1, 1)
	}
	for i, p := range r.Printed {
		any = any || p != ""
		if value, ok := new(big.Rat).SetString(string(p)); ok && value.Cmp(most) > 0 {
			c.d.Errorf(strictyaml.At(r.node, "printed", i), "%s is more than the whole, %s in unit %s", p, most.RatString(), c.t.Unit)
		}
	}
	if !any {
		c.d.Errorf(strictyaml.At(r.node, "printed"), "want at least one number")
	}
}

func (c checker) ranks(r *Row) {
	if r.Rank == nil {
		return
	}
	c.length(strictyaml.At(r.node, "rank"), "ranks", len(r.Rank))
	for i, rank := range r.Rank {
		if i >= len(r.Printed) || i >= len(c.t.Columns) {
			return
		}
		switch {
		case int(rank) > len(c.t.Columns):
			c.d.Errorf(strictyaml.At(r.node, "rank", i), "rank %d of %d columns", rank, len(c.t.Columns))
		case rank == 0 && r.Printed[i] != "":
			c.d.Errorf(strictyaml.At(r.node, "rank", i), "%s has no rank; give every printed number one, or the row none", c.t.Columns[i])
		case rank != 0 && r.Printed[i] == "":
			c.d.Errorf(strictyaml.At(r.node, "rank", i), "%s has a rank and no printed number", c.t.Columns[i])
		}
	}
}

func (c checker) classes(r *Row) {
	sum := 0
	for i, count := range r.Classes {
		if count < 1 || count > maxSamples {
			c.d.Errorf(strictyaml.At(r.node, "classes", i), "a class of %d test samples", count)
			return
		}
		sum += count
	}
	if sum > r.N {
		c.d.Errorf(strictyaml.At(r.node, "classes"), "the classes have %d test samples together, n is %d", sum, r.N)
	}
}

func (c checker) column(n *yaml.Node, id string) {
	if !slices.Contains(c.t.Columns, id) {
		c.d.Errorf(n, "%s", strictyaml.Unknown("column", id, c.t.Columns))
	}
}

func (c checker) statement(s Statement) {
	if s.draws() {
		c.drawn(s)
		return
	}
	c.column(strictyaml.At(s.node, "column"), s.Column)
	for i, id := range s.Above {
		c.column(strictyaml.At(s.node, "above", i), id)
	}
	said := 0
	for _, there := range []bool{len(s.Rank) > 0, s.Highest, len(s.Above) > 0} {
		if there {
			said++
		}
	}
	if s.Rows == nil || *s.Rows < 0 || said != 1 {
		c.d.Errorf(s.node, "want rows, from 0, and one of rank, highest and above; or of, what, probability and hits")
	}
	ranked := len(s.Rank) > 0 || len(s.OrRank) > 0
	for _, r := range c.t.Rows {
		if ranked && r.Rank == nil {
			c.d.Errorf(s.node, "the statement counts ranks, and row %q has none", r.ID)
			return
		}
	}
}

func (c checker) drawn(s Statement) {
	switch {
	case s.Rows != nil || s.Highest || len(s.Rank)+len(s.Above)+len(s.OrRank) > 0:
		c.d.Errorf(s.node, "a statement is about rows or about draws, not both")
	case s.Of < 1 || s.Of > maxSamples:
		c.d.Errorf(strictyaml.At(s.node, "of"), "of is %d, want 1 to %d", s.Of, maxSamples)
	case s.Hits < 0 || s.Hits > s.Of:
		c.d.Errorf(strictyaml.At(s.node, "hits"), "hits is %d, want 0 to %d", s.Hits, s.Of)
	case !(s.Probability > 0 && s.Probability < 1):
		c.d.Errorf(strictyaml.At(s.node, "probability"), "probability is %v, want more than 0 and less than 1", s.Probability)
	case s.What == "":
		c.d.Errorf(s.node, "want what is drawn, such as what: features is zeroed")
	}
}
