package external

import (
	"io/fs"
	"os"
)

// An irregular is the error of something that is no regular file: its kind.
type irregular string

// Error implements error.
func (k irregular) Error() string { return "no regular file but a " + string(k) }

// openRegular opens a regular file to read it, and nothing else. What it is, is
// looked at before, since opening a pipe may wait for ever and opening a device
// may set it in motion; and after, since it may have been replaced. A link is
// followed on request.
func openRegular(path string, follow bool) (*os.File, fs.FileInfo, error) {
	stat, flags := os.Lstat, withoutWaiting|withoutFollowing
	if follow {
		stat, flags = os.Stat, withoutWaiting
	}
	info, err := stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(info); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|flags, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// regular returns the irregular that a file is, nil for none.
func regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return irregular("folder")
	case mode&fs.ModeNamedPipe != 0:
		return irregular("pipe")
	case mode&fs.ModeSocket != 0:
		return irregular("socket")
	case mode&fs.ModeDevice != 0:
		return irregular("device")
	case mode&fs.ModeSymlink != 0:
		return irregular("link")
	}
	return irregular("thing of another kind")
}
