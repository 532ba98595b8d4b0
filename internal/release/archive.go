package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A file is what an archive holds.
type file struct {
	name string // inside the folder of the archive
	data []byte
	mode fs.FileMode // 0: 0644
}

// pack writes an archive of one folder, and returns its name and its SHA-256.
func pack(dir, folder string, zipped bool, files []file, date time.Time) (name, sum string, err error) {
	files = slices.Clone(files)
	for i := range files {
		files[i].name = folder + "/" + files[i].name
		files[i].mode = cmp.Or(files[i].mode, 0o644)
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	var data []byte
	if zipped {
		name = folder + ".zip"
		data, err = zipOf(files, date)
	} else {
		name = folder + ".tar.gz"
		data, err = tarOf(files, date)
	}
	if err != nil {
		return "", "", err
	}
	return name, fmt.Sprintf("%x", sha256.Sum256(data)), os.WriteFile(filepath.Join(dir, name), data, 0o666)
}

func tarOf(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		head := tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: date, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(&head); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close())
	return b.Bytes(), err
}

func zipOf(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		head := zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		head.SetMode(f.mode)
		w, err := z.CreateHeader(&head)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
