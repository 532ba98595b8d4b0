package plan

import "r2lmlbench/datasets"

// PaperRule is the split of the paper's table, for which ours is compared value
// by value.
var PaperRule = datasets.Rule{Kind: "authors", PCAFit: "all"}

// OfPaper tells whether a rule cuts a set as PaperRule does. How features become principal
// components is another question, which the specs' key pca answers.
func OfPaper(rule datasets.Rule) bool {
	rule.Standardized = false
	return rule == PaperRule
}

// knownDigest is the digest of a split that the catalogue knows, "" if it does not.
func knownDigest(e datasets.Entry, rule datasets.Rule) string {
	switch {
	case !OfPaper(rule):
		return ""
	case rule.Standardized:
		return e.StandardizedDigest
	}
	return e.SplitDigest
}
