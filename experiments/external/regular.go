package external

import (
	"errors"
	"io/fs"
	"os"

	"r2lmlbench/internal/plainfile"
)

// An irregular is the error of something that is no regular file: its kind.
type irregular string

// Error implements error.
func (k irregular) Error() string { return "no regular file but a " + string(k) }

// openRegular opens a regular file to read it, and nothing else: see package
// plainfile. A link is followed on request.
func openRegular(path string, follow bool) (*os.File, fs.FileInfo, error) {
	open := plainfile.OpenNoFollow
	if follow {
		open = plainfile.Open
	}
	f, err := open(path)
	if kind := new(plainfile.KindError); errors.As(err, &kind) {
		return nil, nil, kindOf(kind.Mode)
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// kindOf names what is no regular file.
func kindOf(mode fs.FileMode) irregular {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	case mode&fs.ModeSymlink != 0:
		return "link"
	}
	return "thing of another kind"
}
