//go:build unix

package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
)

// places are a file, what is none, and links, in a new directory.
func places(t *testing.T) (file, link string, others map[string]string) {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	socket := fixture.Must(net.Listen("unix", at("socket")))(t)
	t.Cleanup(func() { socket.Close() })
	fixture.Check(t, errors.Join(os.WriteFile(at("file"), []byte("content"), 0o666), os.Symlink("file", at("link")), syscall.Mkfifo(at("pipe"), 0o666),
		os.Symlink("pipe", at("to-pipe")), os.Symlink("/dev/zero", at("to-device"))))
	return at("file"), at("link"), map[string]string{
		at("pipe"): "a pipe", at("to-pipe"): "a pipe", at("socket"): "a socket", at("to-device"): "a device", dir: "a directory", os.DevNull: "a device",
	}
}

// TestRead: files are read, through links too, as far as asked. What is none is
// named and not waited for, though nobody writes to the pipe.
func TestRead(t *testing.T) {
	file, link, others := places(t)
	for _, path := range []string{file, link} {
		for most, want := range map[int64]string{100: "content", 3: "con"} {
			if b, err := Read(path, most); string(b) != want || err != nil {
				t.Errorf("%d bytes of %s: %q, %v", most, path, b, err)
			}
		}
	}
	for path, kind := range others {
		_, err := Read(path, 100)
		var is *KindError
		if !errors.Is(err, ErrKind) || !errors.As(err, &is) || is.Path != path || Kind(is.Mode) != kind || !strings.Contains(err.Error(), path+" is "+kind) {
			t.Errorf("%s: %v, want that it is %s", path, err, kind)
		}
	}
	if _, err := Read(file+"2", 100); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrKind) {
		t.Errorf("what is not there: %v", err)
	}
}

// TestOpenRegular: nothing but a regular file is opened, or waited for; OpenNoFollow refuses
// links, whatever they lead to.
func TestOpenRegular(t *testing.T) {
	file, link, others := places(t)
	dangling := filepath.Join(t.TempDir(), "dangling")
	fixture.Check(t, os.Symlink("nowhere", dangling))
	check := func(open func(string) (*os.File, fs.FileInfo, error), path string, want error) {
		t.Helper()
		f, info, err := open(path)
		fixture.Is(t, err, want)
		if err == nil {
			fixture.Equal(t, path+": bytes", info.Size(), int64(len("content")))
			f.Close()
		}
	}
	for path := range others {
		check(Open, path, ErrKind)
		check(OpenNoFollow, path, ErrKind)
	}
	check(Open, file, nil)
	check(Open, link, nil)
	check(Open, dangling, fs.ErrNotExist)
	check(OpenNoFollow, file, nil)
	check(OpenNoFollow, link, ErrKind)
	check(OpenNoFollow, file+"2", fs.ErrNotExist)
}

// TestCheckTarget: a file may take the place of a file, of a link and of nothing.
func TestCheckTarget(t *testing.T) {
	file, link, others := places(t)
	for _, path := range []string{file, link, file + "2"} {
		fixture.Check(t, CheckTarget(path))
	}
	for path, kind := range others {
		info := fixture.Must(os.Lstat(path))(t)
		if isLink := info.Mode()&fs.ModeSymlink != 0; errors.Is(CheckTarget(path), ErrKind) == isLink {
			t.Errorf("in the place of %s: %v", kind, CheckTarget(path))
		}
	}
}

// TestReadOrStream: a pipe is read where the shell opened it, and an interrupt ends the
// waiting for what nobody writes.
func TestReadOrStream(t *testing.T) {
	for path, want := range map[string]bool{"/dev/stdin": true, "/dev/fd/3": true, "/dev//stdin": true, "/dev/null": false, "stdin": false} {
		fixture.Equal(t, path+" is a stream", IsStream(path), want)
	}
	if _, err := os.Stat("/dev/fd/0"); err != nil {
		t.Skip("there is no /dev/fd")
	}
	_, _, others := places(t)
	for path := range others {
		fixture.Is(t, fixture.Error(ReadOrStream(path, 100)), ErrKind)
	}
	r, w, err := os.Pipe()
	fixture.Check(t, err)
	defer r.Close()
	path := fmt.Sprint("/dev/fd/", r.Fd())
	_, stop := Interruptible(t.Context()) // the context of another test may have ended
	fixture.Must(w.WriteString("streamed"))(t)
	if b, err := ReadOrStream(path, 6); string(b) != "stream" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	time.AfterFunc(50*time.Millisecond, stop)
	fixture.Is(t, fixture.Error(ReadOrStream(path, 100)), context.Canceled)
	w.Close()
}
