package results_test

import (
	"os"
	"testing"

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
		{"an executable that could not be read", Build{Revision: "r"}, clean, true},
	} {
		if c.a.Same(c.b) != c.want || c.b.Same(c.a) != c.want {
			t.Errorf("%s: the same: %v, want %v", c.name, !c.want, c.want)
		}
	}
}

// TestThisBuild: the sum is that of the test's own executable.
func TestThisBuild(t *testing.T) {
	file, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if b := ThisBuild(); b.Sum != Digest(file) {
		t.Errorf("%+v, want the sum %s", b, Digest(file))
	}
}
