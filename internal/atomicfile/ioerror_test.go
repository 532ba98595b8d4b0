package atomicfile

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
)

func TestMarkIO(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "cell", Err: syscall.ENOSPC}
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"nothing", nil, false},
		{"a full disk", full, true},
		{"one of several", errors.Join(io.ErrUnexpectedEOF, full), true},
		{"no system call", io.ErrUnexpectedEOF, false},
	} {
		got := MarkIO(c.err)
		if errors.Is(got, ErrIO) != c.want {
			t.Errorf("%s: marked %v, want %v", c.name, !c.want, c.want)
		}
		if c.err != nil && (got.Error() != c.err.Error() || !errors.Is(got, c.err)) {
			t.Errorf("%s: it became %q", c.name, got)
		}
		if twice := MarkIO(got); twice != got {
			t.Errorf("%s: marked twice", c.name)
		}
	}
	var where *os.PathError
	if !errors.As(MarkIO(full), &where) || !errors.Is(MarkIO(full), syscall.ENOSPC) {
		t.Error("the cause is lost")
	}
}
