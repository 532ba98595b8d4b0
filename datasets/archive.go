package datasets

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"r2lmlbench/internal/unlzw"
)

// First bytes of the wrappings data files come in. No raw file of the
// catalogue begins with one of them.
const (
	gzipMagic = "\x1f\x8b"
	lzwMagic  = "\x1f\x9d"
	zipMagic  = "PK\x03\x04"
)

// maxLayers bounds nesting: the deepest known is a .Z inside a .zip.
const maxLayers = 2

// unpack takes off the wrappings of b, told by their first bytes and not by
// the name they came under: .gz, .Z, and .zip, out of which it takes member.
// No layer may grow beyond limit bytes. What is not wrapped returns unchanged.
func unpack(b []byte, member string, limit int64) ([]byte, error) {
	for layer := 0; ; layer++ {
		kind := ""
		var out []byte
		var err error
		switch {
		case layer == maxLayers && packed(b):
			return nil, fmt.Errorf("packed more than %d times over", maxLayers)
		case bytes.HasPrefix(b, []byte(gzipMagic)):
			kind = "gzip"
			out, err = readGzip(bytes.NewReader(b), limit)
		case bytes.HasPrefix(b, []byte(lzwMagic)):
			kind = ".Z"
			out, err = unlzw.Decode(b, limit)
		case bytes.HasPrefix(b, []byte(zipMagic)):
			kind = "zip"
			out, err = unzip(b, member, limit)
		case int64(len(b)) > limit:
			return nil, tooLarge(limit)
		default:
			return b, nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) && kind != ".Z" {
			err = fmt.Errorf("truncated: %w", err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		b = out
	}
}

func packed(b []byte) bool {
	return slices.ContainsFunc([]string{gzipMagic, lzwMagic, zipMagic}, func(magic string) bool { return bytes.HasPrefix(b, []byte(magic)) })
}

// unzip returns the member of exactly that name. Nothing is ever written
// under a name an archive gives; one that holds a path leading out of it, or
// a link, is still refused as a whole, since no official one does.
func unzip(b []byte, member string, limit int64) ([]byte, error) {
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
