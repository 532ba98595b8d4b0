package codecs

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// An Archive is an .npz file: a ZIP file of arrays. Read checks checksum and size of
// each array.
type Archive struct {
	Names   []string // of the arrays, in the order of the file
	bytes   *bytes.Reader
	members map[string]*zip.File
	left    int // bytes of memory left for arrays
}

const (
	maxMemory    = 512 << 20
	maxDirectory = 1 << 20
)

// Memory returns the allowed memory for the arrays of a file of this size, in bytes: 64 times
// its size, at least 8 MiB. Zeros pack to a thousandth, so a hostile file could need far more.
func Memory(fileBytes int) int { return min(maxMemory, max(8<<20, 64*fileBytes)) }

// Open reads the directory of an archive, and checks its names. memory limits the bytes of all arrays read: 8 for
// each number, or the bytes of texts. Two arrays of one name are an error.
func Open(b []byte, memory int) (*Archive, error) {
	const endLength = 22 // of the record that ends a ZIP file
	if len(b) < endLength || !bytes.HasPrefix(b[len(b)-endLength:], []byte("PK\x05\x06")) {
		return nil, errors.New("no NPZ file, or a damaged one: it does not end as a ZIP file does")
	}
	z, err := zip.NewReader(&atMost{bytes.NewReader(b), maxDirectory}, int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("no NPZ file, or a damaged one: %w", err)
	}
	a := &Archive{bytes: bytes.NewReader(b), members: map[string]*zip.File{}, left: memory}
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		if a.members[name] != nil {
			return nil, fmt.Errorf("array %.40q: it is in the file twice", name)
		}
		if !a.agrees(f) {
			return nil, fmt.Errorf("array %.40q: damaged: %w", name, zip.ErrChecksum)
		}
		a.members[name], a.Names = f, append(a.Names, name)
	}
	return a, nil
}

// atMost reads a limited number of bytes in total.
type atMost struct {
	r    io.ReaderAt
	left int
}

func (a *atMost) ReadAt(b []byte, at int64) (int, error) {
	if a.left -= len(b); a.left < 0 {
		return 0, fmt.Errorf("its directory has more than %d MiB", maxDirectory>>20)
	}
	return a.r.ReadAt(b, at)
}

// Read reads the array of a name. It refuses more than maxRows rows and texts of more than
// maxText characters.
func (a *Archive) Read(name string, maxRows, maxText int) (Array, error) {
	array, err := a.read(a.members[name], maxRows, maxText)
	if err != nil {
		return Array{}, fmt.Errorf("array %.40q: %w", name, err)
	}
	return array, nil
}

func (a *Archive) read(f *zip.File, maxRows, maxText int) (Array, error) {
	if f == nil {
		return Array{}, errors.New("it is not in the file")
	}
	r, err := f.Open()
	if err != nil {
		return Array{}, fmt.Errorf("damaged: %w", err)
	}
	defer r.Close()
	sum := crc32.NewIEEE()
	member := io.TeeReader(r, sum)
	array, length, err := header(member, maxRows, maxText)
	if err != nil {
		return array, err
	}

	// The sizes of the header are checked before memory is allocated.
	need, memory, ok := array.sizes(a.left)
	switch {
	case !ok:
		return array, fmt.Errorf("its shape %v is too large: it needs more than %d MiB of memory, the limit for a file of %d bytes; "+
			"if it is no damage, save fewer rows, or a packed file unpacked, by numpy.savez", array.Shape, a.left>>20, a.bytes.Size())
	case f.UncompressedSize64 != uint64(length+need):
		return array, fmt.Errorf("%d bytes, its type and its shape %v need %d", f.UncompressedSize64, array.Shape, length+need)
	}
	a.left -= memory
	array.data = make([]byte, need)
	if _, err := io.ReadFull(member, array.data); err != nil {
		return array, fmt.Errorf("damaged: %w", err)
	}
	if _, err := io.ReadFull(member, make([]byte, 1)); err != io.EOF { // zip compares sizes and checksum at the end
		return array, fmt.Errorf("damaged: %w", cmp.Or(err, zip.ErrFormat))
	}
	if sum.Sum32() != f.CRC32 {
		return array, fmt.Errorf("damaged: %w", zip.ErrChecksum)
	}
	return array, nil
}

// agrees reports whether the header before a member has the name of the directory.
func (a *Archive) agrees(f *zip.File) bool {
	const nameAt = 26 // behind the mark
	end, err := f.DataOffset()
	before := make([]byte, min(end, int64(nameAt+len(f.Name))+1<<10))
	if _, fault := a.bytes.ReadAt(before, end-int64(len(before))); err != nil || fault != nil {
		return false
	}
	at := bytes.LastIndex(before, []byte("PK\x03\x04"))
	return at >= 0 && bytes.HasPrefix(before[min(at+4+nameAt, len(before)):], []byte(f.Name))
}
