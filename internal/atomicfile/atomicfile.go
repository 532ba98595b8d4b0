// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// tempMark is in the name of every temporary file, behind that of the file it
// is to become.
const tempMark = ".new-"

// Write puts data at path: it goes into a temporary file in the same directory,
// onto the disk, and only then under its name. Missing directories are made. On
// failure the temporary file is removed and what stood at path stays.
func Write(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, "."+filepath.Base(path)+tempMark+"*")
	if err != nil {
		return err
	}
	err = errors.Join(fill(temp, data), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return SyncDir(dir)
}

// Clean removes the temporary files in dir that killed writers left of files
// whose names begin with prefix. The caller sees to it that none of these is
// being written.
func Clean(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var faults []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+prefix) && strings.Contains(e.Name(), tempMark) {
			faults = append(faults, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(faults...)
}

// fill writes data to a file and waits until the disk has it.
func fill(file *os.File, data []byte) error {
	if _, err := file.Write(data); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		return err
	}
	return file.Sync()
}

// SyncDir makes new names in dir durable, where the file system can.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
