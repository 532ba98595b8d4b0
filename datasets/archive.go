package datasets

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
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
	for range maxLayers {
		if !packed(b) {
			break
		}
		var err error
		if b, err = peel(b, member, limit); err != nil {
			return nil, err
		}
	}
	if packed(b) {
		return nil, fmt.Errorf("packed more than %d times over", maxLayers)
	}
	if int64(len(b)) > limit {
		return nil, tooLarge(limit)
	}
	return b, nil
}

func packed(b []byte) bool {
	for _, magic := range []string{gzipMagic, lzwMagic, zipMagic} {
		if bytes.HasPrefix(b, []byte(magic)) {
			return true
		}
	}
	return false
}

// peel takes off the outermost wrapping.
func peel(b []byte, member string, limit int64) ([]byte, error) {
	switch string(b[:2]) {
	case gzipMagic:
		return gunzip(b, limit)
	case lzwMagic:
		out, err := unlzw.Decode(b, limit)
		if err != nil {
			return nil, fmt.Errorf(".Z: %w", err)
		}
		return out, nil
	default:
		return unzip(b, member, limit)
	}
}

func gunzip(b []byte, limit int64) ([]byte, error) {
	out, err := readGzip(bytes.NewReader(b), limit)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", explain(err))
	}
	return out, nil
}

// unzip returns the member of exactly that name. Nothing is ever written
// under a name an archive gives; one that holds a path leading out of it, or
// a link, is still refused as a whole, since no official one does.
func unzip(b []byte, member string, limit int64) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("zip: %w", err)
	}
	var found *zip.File
	for _, f := range z.File {
		if err := checkMember(f); err != nil {
			return nil, err
		}
		if f.Name != member {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("zip: holds two members %q: refused", member)
		}
		found = f
	}
	if found == nil {
		return nil, fmt.Errorf("zip: holds no %q", member)
	}
	return readMember(found, limit)
}

func checkMember(f *zip.File) error {
	name := strings.ReplaceAll(f.Name, `\`, "/")
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("zip: member %q leads out of the archive: refused", f.Name)
	}
	if mode := f.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return fmt.Errorf("zip: member %q is a link or device: refused", f.Name)
	}
	return nil
}

func readMember(f *zip.File, limit int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("zip: member %q: %w", f.Name, err)
	}
	defer r.Close()
	b, err := readAll(r, limit)
	if err != nil {
		return nil, fmt.Errorf("zip: member %q: %w", f.Name, explain(err))
	}
	return b, nil
}

// explain says what an unexpected end of the input means.
func explain(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("truncated: %w", err)
	}
	return err
}

func tooLarge(limit int64) error {
	return fmt.Errorf("more than %d bytes", limit)
}
