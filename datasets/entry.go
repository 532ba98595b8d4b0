package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// A DataSet describes one data set: the sources of its files, their expected content,
// and the paper's split.
type DataSet struct {
	ID     string // as in specs: "robot", or "overlap30:7" for a seed other than 1
	Letter string // row of the paper's Table 1, "A" to "R", also of a generated substitute; "": not in the table
	Name   string // as printed: "Robot"

	Files   []File // none: the set is generated
	Licence string // as far as known
	Note    string // remark for users, such as a difference from Table 1; may be empty

	Features  int      // columns of X before any reduction; own data with texts: the most that Cut can make
	Labels    []string // label texts in code order: Labels[0] has code 1
	Classes   []string // the provider's names of the classes, in code order, if the labels are codes; nil: the labels are names
	Histogram []int    // rows per class, in code order
	Missing   int      // missing values in the raw file
	Digest    string   // SHA-256 over the parsed content, see Data.Digest

	Sizes       Sizes  // rows per class under both split rules
	PCA         int    // principal components kept by the split; 0: the features are kept
	SplitDigest string // digest of the split by rule authors
	// StandardizedDigest is the digest of the split by rule authors with standardized
	// features, see Rule; "" if PCA is 0.
	StandardizedDigest string

	// OtherCopy: the files are not those of the paper's authors. They have other draws of a
	// generated set, or the same samples in another order, so the split has other rows.
	OtherCopy bool

	// Parts are the numbers of samples of the three parts of an imported split or of a split
	// by files; 0 for all other sets, which have Sizes.
	Parts [3]int

	Alike []string // own data: a sentence for each group of labels that may mean the same, and for labels that may mean none

	FoldSizes  []FoldSize   // own data: the values of the column of folds; nil without that column
	More       [][]FoldSize // rule openml: likewise, of the second repeat and those after it
	GroupSizes []GroupSize  // own data: the groups, by first row; nil without a column of groups

	filed    [3]string                                   // files of the parts under rule files, see Filed
	own      *Own                                        // own data; nil for all other sets
	load     func(files map[string][]byte) (*Raw, error) // nil: generated
	generate func(seed uint64) *Data                     // nil: read from files
	seed     uint64                                      // argument of generate; 0: not drawn
}

// Sizes are the numbers of rows of the three parts of a split.
type Sizes struct {
	Train      int // per class
	Head       int // rule authors: training rows before the validation rows, the other ones come after; 0: all before
	Validation int // per class
	Test       int // per class; 0: all the rest
	TestTotal  int // cap over all classes, in code order; 0: none
}

// A File is one raw file of a data set, laid out as <data>/<id>/<Name>, plain
// or with .gz appended (.Z for the files distributed so).
type File struct {
	Name    string   // original name without .gz or .Z
	Rows    int      // number of rows, if the files are the providers' training and test parts; 0 otherwise
	Bytes   int64    // size, uncompressed
	SHA256  string   // of the uncompressed bytes, in hex
	Varies  bool     // the official bytes are unknown or vary: the content digest decides
	Sources []Source // official places, tried in order
}

// A Source is an address of a File.
type Source struct {
	URL    string // ends in .gz, .Z or .zip when the file comes packed
	Member string // name inside the archive, when URL is a .zip; may itself end in .gz or .Z
}

// Raw is the result of a loader: features and label texts in file order.
type Raw struct {
	X       [][]float64
	Labels  []string
	Missing int
}

// Generated reports whether the set is generated instead of read from files.
func (e DataSet) Generated() bool { return e.generate != nil }

// Rows returns the number of samples of the whole set.
func (e DataSet) Rows() int {
	n := 0
	for _, rows := range e.Histogram {
		n += rows
	}
	return n
}

// limit returns the largest allowed size after unpacking: the known size or, if the
// official bytes vary, a little more than twice that.
func (f File) limit() int64 {
	if f.Varies {
		return 2*f.Bytes + 1<<16
	}
	return f.Bytes
}

// Filed returns the entry under rule files: each of its files is a part, without principal
// components. The error lists the files of the entry.
func (e DataSet) Filed(parts [3]string) (DataSet, error) {
	if len(e.Files) == 0 || e.Files[0].Rows == 0 {
		return e, fmt.Errorf("%s does not come as a training and a test file", e.ID)
	}
	var names []string
	e.Parts = [3]int{}
	for _, f := range e.Files {
		names = append(names, f.Name)
		if p := slices.Index(parts[:], f.Name); p >= 0 {
			e.Parts[p] = f.Rows
		}
	}
	given := slices.DeleteFunc(slices.Clone(parts[:]), func(part string) bool { return part == "" })
	if !slices.Equal(slices.Sorted(slices.Values(given)), slices.Sorted(slices.Values(names))) {
		return e, fmt.Errorf("the parts of %s are its files, %s", e.ID, strings.Join(names, " and "))
	}
	e.filed, e.PCA = parts, 0
	return e, nil
}

// byFiles returns the data with, as its fold, the name of the part that the file of each row is.
func (e DataSet) byFiles(d *Data) *Data {
	named := *d
	named.Folds = nil
	for _, f := range e.Files {
		part := partWords[slices.Index(e.filed[:], f.Name)][0]
		named.Folds = append(named.Folds, slices.Repeat([]string{part}, f.Rows)...)
	}
	return &named
}
