package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// inherit fills empty fields from another protocol.
func (r *Reading) inherit(other Reading) {
	r.Ties, r.Distances, r.PCA = cmp.Or(r.Ties, other.Ties), cmp.Or(r.Distances, other.Distances), cmp.Or(r.PCA, other.PCA)
}

// readings checks the protocols of all method blocks, once the data sets are known. An empty
// field comes from the spec, or else from the block of the method in the base, or else from
// the base or the default.
func (c *checker) readings(said Reading) {
	reduced := slices.ContainsFunc(c.spec.Sets, func(e datasets.DataSet) bool { return e.PCA > 0 })
	unreduced := func(key Reading, path ...any) {
		if key.PCA == standardizedPCA && !reduced && len(c.spec.Sets) > 0 {
			c.fault("no data set of this spec is reduced to principal components; remove pca, or see `features: zscore`", path...)
		}
	}
	if strictyaml.Child(c.root, "pca") != nil { // not inherited from a base
		unreduced(c.spec.Reading, "pca")
	}
	for i := range c.spec.Methods {
		s := &c.spec.Methods[i]
		own := s.Reading
		s.Reading.inherit(said)
		if of := c.ofBase(s.Method); of != nil {
			s.Reading.inherit(of.Reading)
		}
		s.Reading.inherit(c.spec.Reading)
		if own.PCA != "" {
			unreduced(own, "methods", i, "pca")
		}
	}
}

// votes refuses a rule of voting for a method that labels the samples itself.
func (x *stanza) votes() {
	for _, key := range []string{"ties", "distances"} {
		if !x.m.Votes() && x.has(key) {
			x.fault(x.m.Name+" labels the samples itself, no votes are counted; remove "+key, key)
		}
	}
}

// read sets the protocol of a column from its method block. Defaults, and fields that do not
// apply to the method, become empty.
func (r Reading) read(col *Column) {
	col.Voting.Weights = col.Method.Weights
	if col.Method.Votes() {
		if r.Ties != r2lml.SmallestTie {
			col.Voting.Ties = r.Ties
		}
		if r.Distances != r2lml.EachSample {
			col.Voting.Distances = r.Distances
		}
	}
	col.standardized = r.PCA == standardizedPCA
}

// RuleOf returns the rule with the principal components of the column.
func (c *Column) RuleOf(e datasets.DataSet, rule datasets.Rule) datasets.Rule {
	rule.Standardized = c.standardized && e.PCA > 0
	return rule
}

// Draws reports whether cells of the column depend on their seed: the method draws random
// numbers, or ties are drawn.
func (c *Column) Draws() bool { return c.Method.Stochastic || c.DrawsTies() }

// DrawsTies reports whether tied votes are drawn.
func (c *Column) DrawsTies() bool { return c.Voting.Ties == r2lml.RandomTie }

// Protocol lists the differences of the column from the default protocol: ties, distances,
// principal components, and the samples for choosing a setting. It is "" for the default.
func (c *Column) Protocol() string {
	var parts []string
	if c.Voting.Ties != "" {
		parts = append(parts, "ties "+c.Voting.Ties)
	}
	if c.Voting.Distances != "" {
		parts = append(parts, "distances "+c.Voting.Distances)
	}
	if c.standardized {
		parts = append(parts, "PCA "+standardizedPCA)
	}
	if c.Folds > 0 {
		parts = append(parts, fmt.Sprintf("settings chosen by %d-fold cross-validation on the training samples", c.Folds))
	}
	return strings.Join(parts, ", ")
}
