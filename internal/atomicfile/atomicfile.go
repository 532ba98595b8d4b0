// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Write puts data at path: it goes into a temporary file in the same directory,
// onto the disk, and only then under its name. Missing directories are made. On
// failure the temporary file is removed and what stood at path stays.
func Write(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".new-*")
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
