//go:build unix

package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"r2lmlbench/internal/fixture"
)

// link makes a symbolic link, and the folder it lies in.
func link(t *testing.T, to, path string) {
	t.Helper()
	fixture.Check(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.Symlink(to, path)))
}

// TestPipesAndDevices: nothing waits for a pipe or reads a device, wherever a
// file of data is looked for.
func TestPipesAndDevices(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o777) },
	} {
		t.Run(name, func(t *testing.T) {
			from := Library{t.TempDir()}
			for _, path := range []string{"toy/toy.data", "imported/x.mat"} {
				path = filepath.Join(from.Dir, path)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), make(path)); err != nil {
					t.Skipf("cannot be made here: %v", err)
				}
			}
			to := Library{t.TempDir()}
			_, imported := Import(to, from.importPath("x"), "")
			_, opened := from.OpenImported("x")
			for _, err := range []error{(Fetcher{}).Copy(t.Context(), toySet(), to, from.Dir), from.Check(toySet()), imported, opened} {
				fixture.Says(t, err, "not a regular file")
				fixture.Is(t, err, ErrCorrupt)
			}
			onlyHolds(t, to.Dir)
		})
	}
}

// TestLinksInACopy: links in a directory that is copied from are followed, but
// only the right bytes are taken, and others are not told.
func TestLinksInACopy(t *testing.T) {
	dir, to := t.TempDir(), Library{t.TempDir()}
	fixture.Write(t, filepath.Join(dir, "secret"), "the key of the house")
	link(t, filepath.Join(dir, "secret"), filepath.Join(dir, "from", "toy", "toy.data"))
	for _, set := range []DataSet{toySet(), varyingToy()} {
		err := (Fetcher{}).Copy(t.Context(), set, to, filepath.Join(dir, "from"))
		fixture.Says(t, err, "wrong content")
		fixture.Lacks(t, "what the error tells of another file", err.Error(), "house")
	}
	onlyHolds(t, to.Dir)
	fixture.Write(t, filepath.Join(dir, "right"), string(toyText()))
	link(t, filepath.Join(dir, "right"), filepath.Join(dir, "linked", "toy", "toy.data"))
	fixture.Check(t, (Fetcher{}).Copy(t.Context(), toySet(), to, filepath.Join(dir, "linked")))
}

// TestLinksAreReplaced: what is stored takes the place of a link and is not
// written to where it leads.
func TestLinksAreReplaced(t *testing.T) {
	dir, to := t.TempDir(), Library{t.TempDir()}
	fixture.Write(t, filepath.Join(dir, "mine"), "mine")
	fixture.Write(t, filepath.Join(dir, "from", "toy", "toy.data"), string(toyText()))
	link(t, filepath.Join(dir, "mine"), filepath.Join(to.Dir, "toy", "toy.data"))
	fixture.Check(t, (Fetcher{}).Copy(t.Context(), toySet(), to, filepath.Join(dir, "from")))
	fixture.Equal(t, "the file behind the link", fixture.Text(t, filepath.Join(dir, "mine")), "mine")
	fixture.Check(t, to.Check(toySet()))
}
