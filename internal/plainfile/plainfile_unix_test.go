//go:build unix

package plainfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/interrupt"
)

// places are a file, what is none, and links, in a new directory.
func places(t *testing.T) (file, link string, others map[string]string) {
	t.Helper()
	dir := t.TempDir()
	file, link = filepath.Join(dir, "file"), filepath.Join(dir, "link")
	pipe, toPipe := filepath.Join(dir, "pipe"), filepath.Join(dir, "to-pipe")
	fixture.Check(t, errors.Join(os.WriteFile(file, []byte("content"), 0o666), os.Symlink(file, link), syscall.Mkfifo(pipe, 0o666),
		os.Symlink(pipe, toPipe)))
	return file, link, map[string]string{pipe: "a pipe", toPipe: "a pipe", dir: "a directory", os.DevNull: "a device"}
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

// TestOpenNoFollow: a link is refused, whatever it leads to.
func TestOpenNoFollow(t *testing.T) {
	file, link, others := places(t)
	f, _, err := OpenNoFollow(file)
	fixture.Check(t, err)
	f.Close()
	others[link] = ""
	for path := range others {
		if f, _, err := OpenNoFollow(path); !errors.Is(err, ErrKind) {
			t.Errorf("%s is opened: %v", path, err)
			f.Close()
		}
	}
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
		if IsStream(path) != want {
			t.Errorf("%s is a stream: %v", path, !want)
		}
	}
	if _, err := os.Stat("/dev/fd/0"); err != nil {
		t.Skip("there is no /dev/fd")
	}
	_, _, others := places(t)
	for path := range others {
		if _, err := ReadOrStream(path, 100); !errors.Is(err, ErrKind) {
			t.Errorf("%s: %v", path, err)
		}
	}
	r, w, err := os.Pipe()
	fixture.Check(t, err)
	defer r.Close()
	path := fmt.Sprint("/dev/fd/", r.Fd())
	fixture.Must(w.WriteString("streamed"))(t)
	if b, err := ReadOrStream(path, 6); string(b) != "stream" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	_, stop := interrupt.Notify(t.Context())
	time.AfterFunc(50*time.Millisecond, stop)
	if _, err := ReadOrStream(path, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	w.Close()
}
