package results

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// A Build names a build of the program. The zero Build is one that is not known.
type Build struct {
	Sum      string `json:"sum,omitempty"`      // SHA-256 of the executable, in hex; empty when it could not be read
	Revision string `json:"revision,omitempty"` // commit that it was built from; empty when it was not recorded
	Dirty    bool   `json:"dirty,omitempty"`    // the files were not those of the commit
}

// ThisBuild is the build of the running program. Its executable is read the first
// time only.
var ThisBuild = sync.OnceValue(func() Build {
	b := Build{Sum: executableSum()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	return b
})

// executableSum is the SHA-256 of the program's own file, empty when it cannot be
// read. Linux keeps the file of a running program under runningFile, where another
// build may have taken its name meanwhile.
func executableSum() string {
	const runningFile = "/proc/self/exe"
	f, err := os.Open(runningFile)
	if err != nil {
		name, err := os.Executable()
		if err != nil {
			return ""
		}
		if f, err = os.Open(name); err != nil {
			return ""
		}
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Same tells whether two builds compute alike: they are the same file. Where one
// could not be read, they are of the same commit without changes. A commit alone says
// too little: the compiler, or files that `go build -overlay` put in place of those of
// the commit, may be others. An unknown build is the same as none.
func (b Build) Same(other Build) bool {
	if b.Sum != "" && other.Sum != "" {
		return b.Sum == other.Sum
	}
	return b.Revision != "" && b.Revision == other.Revision && !b.Dirty && !other.Dirty
}

// String names the build as messages do, by the starts of its commit and sum.
func (b Build) String() string {
	if b == (Build{}) {
		return "an unknown build"
	}
	var parts []string
	if b.Revision != "" {
		commit := "commit " + b.Revision[:min(len(b.Revision), 12)]
		if b.Dirty {
			commit += " with changes"
		}
		parts = append(parts, commit)
	}
	if b.Sum != "" {
		parts = append(parts, "SHA-256 "+b.Sum[:min(len(b.Sum), 12)])
	}
	return "the build with " + strings.Join(parts, ", ")
}

// AddBuild adds a build to a list that lacks it.
func AddBuild(list []Build, b Build) []Build {
	if slices.Contains(list, b) {
		return list
	}
	return append(list, b)
}
