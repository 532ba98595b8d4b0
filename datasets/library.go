package datasets

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"r2lmlbench/internal/files"
)

var (
	// ErrMissing is wrapped by errors about missing files.
	ErrMissing = errors.New("file missing")
	// ErrCorrupt is wrapped by errors about content that differs from the catalogue.
	ErrCorrupt = errors.New("wrong content")
	// ErrUnusable is wrapped by errors about own data with faults; errors.Is(ErrUnusable, ErrCorrupt) holds.
	ErrUnusable error = unusable{}
)

type unusable struct{}

func (unusable) Error() string        { return "the data cannot be used as they are" }
func (unusable) Is(target error) bool { return target == ErrCorrupt }

// A Library is a directory of raw files, laid out as <Dir>/<id>/<file name>.
type Library struct{ Dir string }

// Read returns the uncompressed bytes of a file of a set. It looks for the plain file,
// then .gz, then .Z, and at last for an embedded one. It refuses a file that unpacks to
// more than its largest possible size before it fills the memory.
func (l Library) Read(e DataSet, f File) ([]byte, error) {
	path := filepath.Join(l.Dir, e.ID, f.Name)
	for _, suffix := range []string{"", ".gz", ".Z"} {
		// In a .Z a code of up to 16 bits may stand for a single byte.
		b, err := readFile(path+suffix, 2*f.limit()+wrapping)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			if b, err = unpack(b, "", f.limit()); err != nil {
				err = fmt.Errorf("%s: %w: %w", path+suffix, ErrCorrupt, err)
			}
		}
		return b, err
	}
	if packed, err := included.ReadFile("included/" + f.Name + ".gz"); err == nil {
		return unpack(packed, "", f.limit())
	}
	return nil, fmt.Errorf("%s: %w", path, ErrMissing)
}

// readFile reads a file of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	file, info, err := files.Open(path) // refuses a pipe, which could block
	if errors.Is(err, files.ErrKind) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info.Size() > limit { // before it fills the memory
		return nil, fmt.Errorf("%s: %w: %w", path, ErrCorrupt, tooLarge(limit))
	}
	b, err := readAll(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrCorrupt, err)
	}
	return b, nil
}

func readAll(r io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, tooLarge(limit)
	}
	return b.Bytes(), nil
}

// Load returns a set: it reads the files, checks their SHA-256 (unless a file
// is marked as varying), parses them and compares rows, columns, histogram and
// content digest with the catalogue. The error wraps ErrMissing or ErrCorrupt
// and names every file at fault. Generated sets need no files.
func (l Library) Load(e DataSet) (*Data, error) {
	d, err := l.load(e)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w%s", e.ID, err, e.remedy())
	}
	return d, nil
}

func (l Library) load(e DataSet) (*Data, error) {
	if e.own != nil {
		return e.own.load()
	}
	if e.Generated() {
		d := e.generate(e.seed)
		return d, e.compare(d)
	}
	files, _, err := l.files(e)
	if err != nil {
		return nil, err
	}
	return e.parse(files)
}

// Check reports whether Load will succeed. It parses the files only if the SHA-256
// of one is not that of the catalogue.
func (l Library) Check(e DataSet) error {
	if e.Generated() {
		return nil
	}
	if e.own != nil {
		_, err := l.Load(e)
		return err
	}
	files, known, err := l.files(e)
	if err == nil && !known {
		_, err = e.parse(files)
	}
	if err != nil {
		return fmt.Errorf("datasets: %s: %w%s", e.ID, err, e.remedy())
	}
	return nil
}

// files reads all files of a set; known reports whether all have the SHA-256 of the
// catalogue.
func (l Library) files(e DataSet) (files map[string][]byte, known bool, err error) {
	files, known = map[string][]byte{}, true
	var faults []error
	for _, f := range e.Files {
		b, err := l.Read(e, f)
		if err == nil && !f.matches(b) {
			known = false
			if !f.Varies {
				err = fmt.Errorf("%s: %w: SHA-256 is not %s", filepath.Join(l.Dir, e.ID, f.Name), ErrCorrupt, f.SHA256)
			}
		}
		if err != nil {
			faults = append(faults, err)
		}
		files[f.Name] = b
	}
	return files, known, errors.Join(faults...)
}

// parse reads the set from the uncompressed bytes of its files, by name, and
// compares the content with the catalogue. The error wraps ErrCorrupt.
func (e DataSet) parse(files map[string][]byte) (*Data, error) {
	raw, err := e.load(files)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	d, err := raw.code(e.Labels)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return d, e.compare(d)
}

// compare checks the content of a set against the catalogue: columns, rows per
// class, missing values and, where these agree, the digest.
func (e DataSet) compare(d *Data) error {
	if _, cols := d.X.Dims(); cols != e.Features {
		return fmt.Errorf("%w: %d features, want %d", ErrCorrupt, cols, e.Features)
	}
	for i, n := range d.Histogram() {
		if n != e.Histogram[i] {
			return fmt.Errorf("%w: %d rows of class %q, want %d", ErrCorrupt, n, e.Labels[i], e.Histogram[i])
		}
	}
	if d.Missing != e.Missing {
		return fmt.Errorf("%w: %d missing values, want %d", ErrCorrupt, d.Missing, e.Missing)
	}
	if got := d.Digest(); got != e.Digest {
		return fmt.Errorf("%w: content digest %s, want %s", ErrCorrupt, got, e.Digest)
	}
	return nil
}

// matches reports whether b has the SHA-256 of the catalogue.
func (f File) matches(b []byte) bool {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]) == f.SHA256
}

// remedy returns the advice about missing or wrong files.
func (e DataSet) remedy() string {
	if e.Generated() || e.own != nil {
		return ""
	}
	return fmt.Sprintf("; fetch it with: r2lmlbench data fetch %s", e.ID)
}

// included embeds the files of Ionosphere, Glass and Sonar, so that some rows of the
// paper's table need no download. included/README.md names their sources and licences.
//
//go:embed included/*.gz
var included embed.FS
