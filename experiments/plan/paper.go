package plan

import "r2lmlbench/datasets"

// PaperRule is the split of the paper's table. Tests compare ours with the
// published ones value by value.
var PaperRule = datasets.Rule{Kind: "authors", PCAFit: "all"}

// OfPaper reports whether a rule divides a set like PaperRule. It does not compare principal
// components; the key pca does.
func OfPaper(rule datasets.Rule) bool {
	rule.Standardized = false
	return rule == PaperRule
}

// knownDigest returns the digest of a split from the catalogue, "" if unknown.
func knownDigest(e datasets.DataSet, rule datasets.Rule) string {
	switch {
	case !OfPaper(rule):
		return ""
	case rule.Standardized:
		return e.StandardizedDigest
	}
	return e.SplitDigest
}
