//go:build unix

package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestUmask: who may read and write a new file is what the umask says.
func TestUmask(t *testing.T) {
	for umask, want := range map[int]fs.FileMode{0o077: 0o600, 0o002: 0o664, 0o022: 0o644} {
		path := filepath.Join(t.TempDir(), "file")
		before := syscall.Umask(umask)
		err := Write(path, []byte("x"))
		syscall.Umask(before)
		fixture.Check(t, err)
		fixture.Equal(t, "mode", fixture.Must(os.Stat(path))(t).Mode().Perm(), want)
	}
}
