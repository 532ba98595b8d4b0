package datasets

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// A wrapper is a format of compressed files or archives.
type wrapper struct {
	name, magic string // the first bytes; no raw file of the catalogue begins with them
	open        func(b []byte, member string, limit int64) ([]byte, error)
}

var wrappers = []wrapper{
	{"gzip", "\x1f\x8b", func(b []byte, _ string, limit int64) ([]byte, error) {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return readAll(z, limit)
	}},
	{".Z", "\x1f\x9d", func(b []byte, _ string, limit int64) ([]byte, error) { return unlzw(b, limit) }},
	{"zip", "PK\x03\x04", unzip},
}

// maxLayers bounds nesting; the deepest known case is a .Z inside a .zip.
const maxLayers = 2

// unpack unpacks .gz, .Z, and member of a .zip, layer by layer. It recognizes the
// format by the first bytes, not by the file name. A layer of more than limit bytes
// is an error. Other content is returned unchanged.
func unpack(b []byte, member string, limit int64) ([]byte, error) {
	for layer := 0; ; layer++ {
		i := slices.IndexFunc(wrappers, func(w wrapper) bool { return bytes.HasPrefix(b, []byte(w.magic)) })
		switch {
		case i < 0 && int64(len(b)) > limit:
			return nil, tooLarge(limit)
		case i < 0:
			return b, nil
		case layer == maxLayers:
			return nil, fmt.Errorf("packed more than %d times over", maxLayers)
		}
		var err error
		b, err = wrappers[i].open(b, member, limit)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("truncated: %w", err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", wrappers[i].name, err)
		}
	}
}

// unzip returns the member of exactly that name. We never write files under names
// from an archive; an archive with a link or a path that leads out of it is still
// refused, since no official one has such.
func unzip(b []byte, member string, limit int64) ([]byte, error) {
	if member == "" {
		return nil, errors.New("an archive, of which the files are to be unpacked first")
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	var found *zip.File
	for _, f := range z.File {
		switch mode := f.Mode(); {
		case !filepath.IsLocal(filepath.FromSlash(strings.ReplaceAll(f.Name, `\`, "/"))):
			return nil, fmt.Errorf("member %q leads out of the archive: refused", f.Name)
		case !mode.IsRegular() && !mode.IsDir():
			return nil, fmt.Errorf("member %q is a link or device: refused", f.Name)
		case f.Name != member:
		case found != nil:
			return nil, fmt.Errorf("holds two members %q: refused", member)
		default:
			found = f
		}
	}
	if found == nil {
		return nil, fmt.Errorf("holds no %q", member)
	}
	r, err := found.Open()
	if err != nil {
		return nil, fmt.Errorf("member %q: %w", member, err)
	}
	defer r.Close()
	if b, err = readAll(r, limit); err != nil {
		return nil, fmt.Errorf("member %q: %w", member, err)
	}
	return b, nil
}

func tooLarge(limit int64) error { return fmt.Errorf("more than %d bytes", limit) }
