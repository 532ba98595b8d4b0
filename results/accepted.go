package results

import (
	"embed"
	"io/fs"
)

//go:embed accepted/gates accepted/packs
var embedded embed.FS

// Accepted has the accepted cells as they were when the program was built: the packs, and the
// lists of them, by their paths below the folder accepted.
func Accepted() fs.FS {
	files, err := fs.Sub(embedded, "accepted")
	if err != nil {
		panic(err) // the path is valid
	}
	return files
}
