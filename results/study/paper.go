package study

import "r2lmlbench/results/published"

// Ids of the paper's two methods.
const (
	Efficient    = published.Efficient
	Transductive = published.Transductive
)

// PaperMethods are the paper's two methods in the order in which reports show them.
var PaperMethods = []string{Efficient, Transductive}

// The variants of the paper's methods: the authors' programs, and the algorithms
// as printed.
const (
	Reference = "reference"
	Published = "published"
)

// Variants are both, the reference first.
var Variants = []string{Reference, Published}
