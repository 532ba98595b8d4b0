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

	"r2lmlbench/internal/unlzw"
)

// A wrapper is what data files come in.
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
	{".Z", "\x1f\x9d", func(b []byte, _ string, limit int64) ([]byte, error) { return unlzw.Decode(b, limit) }},
	{"zip", "PK\x03\x04", unzip},
}

// maxLayers bounds nesting: the deepest known is a .Z inside a .zip.
const maxLayers = 2

// unpack takes off the wrappings of b, told by their first bytes and not by
// the name they came under: .gz, .Z, and .zip, out of which it takes member.
// No layer may grow beyond limit bytes. What is not wrapped returns unchanged.
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

// unzip returns the member of exactly that name. Nothing is ever written
// under a name an archive gives; one that holds a path leading out of it, or
// a link, is still refused as a whole, since no official one does.
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
