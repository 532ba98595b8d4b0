package results

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// A Build identifies a build of the program. The zero Build is unknown.
type Build struct {
	Sources  string `json:"sources,omitempty"`  // what SourcesSum gives; empty when the sources are not known
	Sum      string `json:"sum,omitempty"`      // SHA-256 of the executable, in hex; empty when it could not be read
	Revision string `json:"revision,omitempty"` // commit that it was built from; empty when it was not recorded
	Dirty    bool   `json:"dirty,omitempty"`    // the files were not those of the commit
}

// Sources has the files that the running program was built from, those of all its packages
// in this module. Main sets it first of all. It is nil where another module has the main
// package, whose own files are not known.
var Sources fs.FS

// ThisBuild is the build of the running program. Its sources and its executable are read
// the first time only.
var ThisBuild = sync.OnceValue(func() Build {
	b := Build{Sum: executableSum()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if Sources != nil {
		b.Sources = SourcesSum(Sources, info)
	}
	b.Revision, b.Dirty = Revision()
	return b
})

// Committed returns the day of the commit that the running program was built from, YYYY-MM-DD; ""
// if not recorded.
func Committed() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			return s.Value[:min(len(s.Value), len("2006-01-02"))]
		}
	}
	return ""
}

// Revision is the commit that the running program was built from, and whether files were
// not those of the commit; empty where it was not recorded.
func Revision() (commit string, dirty bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	return commit, dirty
}

// SourcesSum is a SHA-256, in hex, over all that the code of a program follows from: its
// files, tests left out, the Go version, the settings of the build and the digests of the
// modules that it needs. Settings that change no code are left out: names of folders, flags
// for C, of which there is none, and what version control says, which `go run` does not
// ask. The sum is empty if a module has no digest, since it was replaced by a folder. Files
// outside this module that `go build -overlay` replaces are not seen.
func SourcesSum(files fs.FS, info *debug.BuildInfo) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n", info.GoVersion)
	for _, s := range info.Settings {
		if s.Key == "-trimpath" || strings.HasPrefix(s.Key, "vcs") || strings.HasPrefix(s.Key, "CGO_") && strings.HasSuffix(s.Key, "FLAGS") {
			continue
		}
		fmt.Fprintf(sum, "%s=%q\n", s.Key, s.Value)
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Sum == "" {
			return ""
		}
		fmt.Fprintf(sum, "%s %s %s\n", m.Path, m.Version, m.Sum)
	}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path.Base(name), "_test.go") {
			return err
		}
		b, err := fs.ReadFile(files, name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(b), b)
		return err
	})
	if err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// executableSum is the SHA-256 of the program's own file, empty when it cannot be
// read. Linux keeps the file of a running program under runningFile, where another
// build may have taken its name since the start.
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

// Same reports whether two builds compute alike: their sources are the same, or their files if the
// sources of one are unknown, or their commits without changes if the file of one is unknown. A
// commit alone says too little: the compiler, or files that `go build -overlay` put in place of
// those of the commit, may be others. An unknown build is the same as none.
func (b Build) Same(other Build) bool {
	if b.Sources != "" && other.Sources != "" {
		return b.Sources == other.Sources
	}
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
	if b.Sources != "" {
		parts = append(parts, "sources "+b.Sources[:min(len(b.Sources), 12)])
	} else if b.Sum != "" {
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
