package datasets

import (
	"errors"
	"os"
	"path/filepath"
)

// writeFile puts b into dir under a name, whole or not at all: it goes into a
// temporary file beside it, onto the disk, and only then under its name.
// Missing directories are made. On failure the temporary file is removed.
func writeFile(dir, name string, b []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, "."+name+".*.part")
	if err != nil {
		return err
	}
	if err := fill(temp, b); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if err := os.Rename(temp.Name(), filepath.Join(dir, name)); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// fill writes b to a file, waits until the disk has it, and closes it.
func fill(file *os.File, b []byte) error {
	_, err := file.Write(b)
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
