// Package action carries the project that `init` writes: the folder template, which has
// data, a method, a spec and a workflow that runs the gate.
package action

import (
	"embed"
	"io/fs"
)

//go:embed all:template
var files embed.FS

// Project returns the files of the project, by their paths in its folder.
func Project() fs.FS {
	project, err := fs.Sub(files, "template")
	if err != nil {
		panic(err) // the path is valid
	}
	return project
}
