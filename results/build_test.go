package results_test

import (
	"os"
	"runtime/debug"
	"testing"
	"testing/fstest"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
)

func TestSameBuild(t *testing.T) {
	clean, again := Build{Sum: "a", Revision: "r"}, Build{Sum: "b", Revision: "r"}
	dirty, edited := Build{Sum: "c", Revision: "r", Dirty: true}, Build{Sum: "d", Revision: "r", Dirty: true}
	for _, c := range []struct {
		name string
		a, b Build
		want bool
	}{
		{"itself", dirty, dirty, true},
		{"two executables of a clean commit", clean, again, false},
		{"two executables of a commit with changes", dirty, edited, false},
		{"with and without changes", clean, dirty, false},
		{"other commits", clean, Build{Sum: "b", Revision: "s"}, false},
		{"one file, of an unknown commit once", clean, Build{Sum: "a"}, true},
		{"unknown commits", Build{Sum: "a"}, Build{Sum: "b"}, false},
		{"unknown builds", Build{}, Build{}, false},
		{"two executables of the same sources", Build{Sources: "s", Sum: "a"}, Build{Sources: "s", Sum: "b", Revision: "r"}, true},
		{"two clean commits' sources", Build{Sources: "s", Sum: "a", Revision: "r"}, Build{Sources: "t", Sum: "a", Revision: "r"}, false},
		{"sources known once", Build{Sources: "s", Sum: "a"}, Build{Sum: "a"}, true},
		{"sources known once, another file", Build{Sources: "s", Sum: "a"}, Build{Sum: "b"}, false},
		{"an executable that could not be read", Build{Revision: "r"}, clean, true},
	} {
		fixture.Equal(t, c.name+": the same", [2]bool{c.a.Same(c.b), c.b.Same(c.a)}, [2]bool{c.want, c.want})
	}
}

// TestThisBuild: the sum is that of the test's own executable.
func TestThisBuild(t *testing.T) {
	file := fixture.Must(os.ReadFile(os.Args[0]))(t)
	fixture.Equal(t, "sum", ThisBuild().Sum, Digest(file))
}

// TestSourcesSum: what may change results changes the sum, and nothing else does.
func TestSourcesSum(t *testing.T) {
	type sources struct {
		files fstest.MapFS
		info  debug.BuildInfo
	}
	built := func(change func(*sources)) string {
		s := sources{
			fstest.MapFS{"a/a.go": {Data: []byte("package a")}, "b.go": {Data: []byte("package b")}, "b_test.go": {Data: []byte("package b")}},
			debug.BuildInfo{
				GoVersion: "go1.26.8",
				Settings:  []debug.BuildSetting{{Key: "GOARCH", Value: "amd64"}, {Key: "-trimpath", Value: "true"}, {Key: "vcs.modified", Value: "false"}},
				Deps:      []*debug.Module{{Path: "m", Version: "v1.0.0", Sum: "h1:m"}},
			},
		}
		change(&s)
		return SourcesSum(s.files, &s.info)
	}
	before := built(func(*sources) {})
	fixture.Equal(t, "digits of the sum", len(before), 64)
	for name, change := range map[string]func(*sources){
		"a test":           func(s *sources) { s.files["b_test.go"].Data = nil },
		"paths":            func(s *sources) { s.info.Settings[1].Value = "false" },
		"version control":  func(s *sources) { s.info.Settings[2].Value = "true" },
		"the main package": func(s *sources) { s.info.Path = "command-line-arguments" },
		"the main module":  func(s *sources) { s.info.Main.Version = "v0.2.0" },
	} {
		fixture.Equal(t, name+": the sum", built(change), before)
	}
	for name, change := range map[string]func(*sources){
		"a file":         func(s *sources) { s.files["b.go"].Data = []byte("package b ") },
		"its name":       func(s *sources) { s.files["c.go"] = s.files["b.go"]; delete(s.files, "b.go") },
		"one more":       func(s *sources) { s.files["a/c.go"] = &fstest.MapFile{} },
		"one less":       func(s *sources) { delete(s.files, "a/a.go") },
		"the compiler":   func(s *sources) { s.info.GoVersion = "go1.27" },
		"the processor":  func(s *sources) { s.info.Settings[0].Value = "arm64" },
		"a module":       func(s *sources) { s.info.Deps[0].Sum = "h1:n" },
		"its fork":       func(s *sources) { s.info.Deps[0].Replace = &debug.Module{Path: "n", Version: "v1.0.0", Sum: "h1:m"} },
		"its local copy": func(s *sources) { s.info.Deps[0].Replace = &debug.Module{Path: "./m"} },
	} {
		fixture.Equal(t, name+": the same sum", built(change) == before, false)
	}
	fixture.Equal(t, "a module in a folder", built(func(s *sources) { s.info.Deps[0].Replace = &debug.Module{Path: "./m"} }), "")
}
