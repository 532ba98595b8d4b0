//go:build unix

package external

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/plainfile"
)

// TestOpenRegular: nothing but a regular file is opened, or waited for.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	socket := fixture.Must(net.Listen("unix", at("socket")))(t)
	defer socket.Close()
	if err := errors.Join(os.WriteFile(at("plain"), []byte("text"), 0o666), syscall.Mkfifo(at("pipe"), 0o666), os.Symlink("plain", at("link")),
		os.Symlink("pipe", at("link to a pipe")), os.Symlink("/dev/zero", at("link to a device")), os.Symlink("nowhere", at("dangling"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		follow bool
		want   error
	}{
		{"plain", false, nil}, {"plain", true, nil}, {"link", true, nil}, {"link", false, errIrregular},
		{"pipe", false, errIrregular}, {"pipe", true, errIrregular}, {"link to a pipe", true, errIrregular},
		{"socket", false, errIrregular}, {"socket", true, errIrregular}, {"link to a device", true, errIrregular},
		{"", true, errIrregular}, {"", false, errIrregular}, {"dangling", true, fs.ErrNotExist}, {"none", false, fs.ErrNotExist},
	} {
		open := plainfile.OpenNoFollow
		if c.follow {
			open = plainfile.Open
		}
		f, info, err := open(at(c.name))
		if !errors.Is(irregular(err), c.want) {
			t.Errorf("%q, follow %v: error %v, want %v", c.name, c.follow, err, c.want)
		}
		if err == nil {
			if info.Size() != 4 {
				t.Errorf("%q has %d bytes", c.name, info.Size())
			}
			f.Close()
		}
	}
}
