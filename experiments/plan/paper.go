package plan

import "r2lmlbench/datasets"

// PaperRule is the split of the paper's table, for which ours is compared value
// by value.
var PaperRule = datasets.Rule{Kind: "authors", PCAFit: "all"}

// PaperNeighbors is the k of the paper's table.
const PaperNeighbors = 5
