package datasets

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Check is one comparison of what a set should be with what it is.
type Check struct {
	ID     string `json:"dataset"`
	Letter string `json:"letter,omitempty"`
	What   string `json:"what"` // is compared: "SHA-256 of heart.dat", "Table 1: test samples"
	Want   string `json:"expected"`
	Got    string `json:"found"`
	OK     bool   `json:"agrees"`
}

// Verify compares a set of the library with the catalogue (files, rows,
// columns, class counts, missing values, content) and with what the paper says
// of it, mainly in Table 1.
//
// The error wraps [ErrMissing] or [ErrCorrupt] when the set cannot be used; the
// checks made up to there are returned with it. A difference from the paper is
// no error, only a check that is not OK: Sonar has fewer test samples than
// Table 1 says, the authors' wine quality file has more, and the text
// gives Optdigits other features than the table. Nor is one a file whose bytes
// vary and are not the ones known, if its content is right.
func Verify(l Library, e Entry) ([]Check, error) {
	v := verification{e: e}
	d, err := v.read(l)
	if d != nil {
		v.content(d)
	}
	if err != nil {
		return v.checks, fmt.Errorf("datasets: %s: %w%s", e.ID, err, e.remedy())
	}
	return v.checks, v.paper(d)
}

// A verification collects the checks of one set.
type verification struct {
	e      Entry
	checks []Check
}

func (v *verification) add(what, want, got string, ok bool) {
	v.checks = append(v.checks, Check{v.e.ID, v.e.Letter, what, want, got, ok})
}

func (v *verification) text(what, want, got string) { v.add(what, want, got, want == got) }

func (v *verification) number(what string, want, got int) {
	v.text(what, strconv.Itoa(want), strconv.Itoa(got))
}

// read checks the files and parses them. Data whose content is wrong come back
// together with the error.
func (v *verification) read(l Library) (*Data, error) {
	if v.e.Generated() {
		d, err := v.e.generate(v.e.seed)
		if err != nil {
			return nil, err
		}
		return d, v.e.compare(d)
	}
	files, _, err := l.files(v.e)
	for _, f := range v.e.Files {
		v.file(f, files[f.Name])
	}
	if err != nil {
		return nil, err
	}
	return v.e.parse(files)
}

// file checks the bytes of a file, nil if it could not be read.
func (v *verification) file(f File, b []byte) {
	if b == nil {
		v.add("file "+f.Name, "present", "missing or unreadable", false)
		return
	}
	what, may := f.Name, f.Varies
	if may {
		what += " (may vary)"
	}
	if may && !f.matches(b) {
		v.add("bytes of "+what, "any, the content decides", strconv.Itoa(len(b)), true)
		return
	}
	v.add("bytes of "+what, strconv.FormatInt(f.Bytes, 10), strconv.Itoa(len(b)), int64(len(b)) == f.Bytes)
	v.add("SHA-256 of "+what, f.SHA256, fmt.Sprintf("%x", sha256.Sum256(b)), f.matches(b))
}

// content compares the samples with the catalogue.
func (v *verification) content(d *Data) {
	rows, cols := d.X.Dims()
	v.number("rows", v.e.Rows(), rows)
	v.number("features", v.e.Features, cols)
	v.text("rows per class", classCounts(v.e.Labels, v.e.Histogram), classCounts(d.Labels, d.Histogram()))
	v.number("missing values", v.e.Missing, d.Missing)
	v.text("content digest", v.e.Digest, d.Digest())
}

// classCounts returns "g 225, b 126".
func classCounts(labels []string, counts []int) string {
	texts := make([]string, len(counts))
	for i, n := range counts {
		texts[i] = fmt.Sprintf("%s %d", labels[i], n)
	}
	return strings.Join(texts, ", ")
}

// paper compares the split by rule authors with Table 1 and the other places.
func (v *verification) paper(d *Data) error {
	i := slices.IndexFunc(tableOne, func(r tableOneRow) bool { return r.letter == v.e.Letter })
	if i < 0 {
		return nil // a set of ours
	}
	parts, err := Rule{}.rows(v.e.Sizes, d)
	if err != nil {
		return fmt.Errorf("datasets: %s: %w", v.e.ID, err)
	}
	features := v.e.Features
	if v.e.PCA > 0 {
		features = v.e.PCA
	}
	row, test := tableOne[i], len(parts[2])
	v.number("Table 1: features", row.features, features)
	v.number("Table 1: classes", row.classes, len(d.Labels))
	v.number("Table 1: training samples", row.train, len(parts[0]))
	v.number("Table 1: validation samples", row.validation, len(parts[1]))
	v.number("Table 1: test samples", row.test, test)
	switch v.e.Letter {
	case "D":
		v.number("authors' published file: test samples", releasedWineTest, test)
	case "O":
		v.number("paper's text: features", optdigitsTextSize, features)
	}
	return nil
}
