package datasets

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Check compares an expected property of a set with the actual one.
type Check struct {
	ID     string `json:"dataset"`
	Letter string `json:"letter,omitempty"`
	What   string `json:"what"` // the property: "SHA-256 of heart.dat", "Table 1: test samples"
	Want   string `json:"expected"`
	Got    string `json:"found"`
	OK     bool   `json:"agrees"`
}

// Verify compares a set of the library with the catalogue (files, rows,
// columns, class counts, missing values, content) and with the paper, mainly its
// Table 1.
//
// The error wraps [ErrMissing] or [ErrCorrupt] if the set cannot be used; Verify
// returns the checks up to there with it. A difference from the paper is no error,
// only a check that is not OK: Sonar has fewer test samples than in Table 1, the
// authors' wine quality file has more, and the text gives Optdigits other features
// than the table. A file with other bytes but correct content is no error if its
// bytes vary.
func Verify(l Library, e DataSet) ([]Check, error) {
	c := checks{of: e}
	d, err := c.files(l)
	if d != nil {
		c.content(d)
	}
	if err == nil {
		err = c.published(d)
	} else {
		err = fmt.Errorf("%w%s", err, e.remedy())
	}
	if err != nil {
		err = fmt.Errorf("datasets: %s: %w", e.ID, err)
	}
	return c.all, err
}

// checks collects the checks of a set.
type checks struct {
	of  DataSet
	all []Check
}

func (c *checks) add(what, want, got string, ok bool) {
	c.all = append(c.all, Check{c.of.ID, c.of.Letter, what, want, got, ok})
}

func (c *checks) text(what, want, got string) { c.add(what, want, got, want == got) }

func (c *checks) number(what string, want, got int) {
	c.text(what, strconv.Itoa(want), strconv.Itoa(got))
}

// files checks the files of the set and reads it. Data of wrong content come together with the
// error.
func (c *checks) files(l Library) (*Data, error) {
	if c.of.Generated() {
		d := c.of.generate(c.of.seed)
		return d, c.of.compare(d)
	}
	files, _, err := l.files(c.of)
	for _, f := range c.of.Files {
		b, what := files[f.Name], f.Name
		if f.Varies {
			what += " (may vary)"
		}
		switch {
		case b == nil:
			c.add("file "+f.Name, "present", "missing or unreadable", false)
		case f.Varies && !f.matches(b):
			c.add("bytes of "+what, "any, the content decides", strconv.Itoa(len(b)), true)
		default:
			c.text("bytes of "+what, strconv.FormatInt(f.Bytes, 10), strconv.Itoa(len(b)))
			c.add("SHA-256 of "+what, f.SHA256, fmt.Sprintf("%x", sha256.Sum256(b)), f.matches(b))
		}
	}
	if err != nil {
		return nil, err
	}
	return c.of.parse(files)
}

// content checks the content against the catalogue.
func (c *checks) content(d *Data) {
	rows, cols := d.X.Dims()
	c.number("rows", c.of.Rows(), rows)
	c.number("features", c.of.Features, cols)
	c.text("rows per class", classCounts(c.of.Labels, c.of.Histogram), classCounts(d.Labels, d.Histogram()))
	c.number("missing values", c.of.Missing, d.Missing)
	c.text("content digest", c.of.Digest, d.Digest())
}

// published checks the split by rule authors against the paper: its Table 1 and its text. Sets
// that are not in the table have no such checks.
func (c *checks) published(d *Data) error {
	i := slices.IndexFunc(tableOne, func(r tableOneRow) bool { return r.letter == c.of.Letter })
	if i < 0 {
		return nil
	}
	parts, err := Rule{}.rows(c.of.Sizes, d)
	if err != nil {
		return err
	}
	row, features, test := tableOne[i], cmp.Or(c.of.PCA, c.of.Features), len(parts[2])
	c.number("Table 1: features", row.features, features)
	c.number("Table 1: classes", row.classes, len(d.Labels))
	c.number("Table 1: training samples", row.train, len(parts[0]))
	c.number("Table 1: validation samples", row.validation, len(parts[1]))
	c.number("Table 1: test samples", row.test, test)
	switch c.of.Letter {
	case "D":
		c.number("authors' published file: test samples", releasedWineTest, test)
	case "O":
		c.number("paper's text: features", optdigitsTextSize, features)
	}
	return nil
}

// classCounts returns "g 225, b 126".
func classCounts(labels []string, counts []int) string {
	texts := make([]string, len(counts))
	for i, n := range counts {
		texts[i] = fmt.Sprintf("%s %d", labels[i], n)
	}
	return strings.Join(texts, ", ")
}

// A tableOneRow is a row of the paper's Table 1.
type tableOneRow struct {
	letter                  string
	features, classes       int
	train, validation, test int
}

// tableOne is the paper's Table 1, as printed: Sonar's 180 included.
var tableOne = []tableOneRow{
	{"A", 4, 4, 240, 240, 4976},
	{"B", 16, 26, 520, 2600, 2600},
	{"C", 16, 10, 400, 2000, 2000},
	{"D", 12, 2, 150, 150, 2898},
	{"E", 10, 2, 300, 300, 5400},
	{"F", 18, 7, 210, 210, 1890},
	{"G", 20, 2, 250, 250, 3900},
	{"H", 20, 2, 250, 250, 3900},
	{"I", 34, 2, 80, 50, 221},
	{"J", 9, 6, 18, 18, 70},
	{"K", 30, 20, 400, 400, 640},
	{"L", 9, 6, 18, 18, 178},
	{"M", 13, 2, 40, 40, 190},
	{"N", 30, 26, 520, 3640, 3637},
	{"O", 32, 10, 400, 2400, 2820},
	{"P", 60, 2, 40, 40, 180},
	{"Q", 30, 10, 400, 4500, 4398},
	{"R", 33, 2, 20, 20, 158},
}

// Numbers of the authors that disagree with Table 1.
const (
	releasedWineTest  = 6197 // test samples in the wine quality file they published
	optdigitsTextSize = 30   // features of Optdigits in the section on experiments
)
