// Package accepted has the accepted cells, so that a program tells what they say
// wherever it runs. It is made of the files beside it as they were when the
// program was built.
package accepted

import "embed"

// Files are the packs of the cells and the lists of them, by their paths below
// this directory.
//
//go:embed gates packs
var Files embed.FS
