package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// All returns the catalogue: the 18 sets of the paper in the order of its
// Table 1, then the generated ones. The entries are the caller's own.
func All() []Entry {
	all := make([]Entry, len(catalog))
	for i, entry := range catalog {
		all[i] = entry()
	}
	return all
}

// catalog makes the entries, in the order of All.
var catalog = []func() Entry{
	robot, letter, pendigits, winequality, telescope, segmentation,
	twonorm, ringnorm, ionosphere, breasttissue, coil20, glass,
	heart, isolet, optdigits, sonar, usps, wpbc,
	twonormGen, ringnormGen, overlap30, overlap60, overlap60Thirteen, toy,
}

// known are the entries by which names are found.
var known = sync.OnceValue(All)

// ErrUnknown is wrapped by errors about names that no set of the catalogue has.
var ErrUnknown = errors.New("unknown set")

// Find returns the set with this id or letter, whatever the case. A letter
// means the set that is read from files, also where a generated one shares it.
//
// An id and a seed, as in overlap30:7, name a generated set drawn with that
// seed, a whole number written without leading zeros. The plain id is seed 1
// and has no other name. The error about a name that is no set's wraps
// [ErrUnknown].
func Find(name string) (Entry, error) {
	id, seed, seeded := strings.Cut(name, ":")
	i := slices.IndexFunc(known(), func(e Entry) bool {
		return strings.EqualFold(e.ID, id) || e.Letter != "" && strings.EqualFold(e.Letter, id)
	})
	switch {
	case i < 0:
		return Entry{}, fmt.Errorf("datasets: %w %q; see: r2lmlbench data list", ErrUnknown, name)
	case seeded:
		return catalog[i]().drawn(seed)
	}
	return catalog[i](), nil
}

// Where the sets of the UCI repository lie: one archive per set on today's
// site, single files on the old one.
const (
	uciArchives = "https://archive.ics.uci.edu/static/public/"
	uciFolders  = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
	uciLicence  = "CC BY 4.0 as the UCI repository says of its sets; not verified for this one"
)

// uci describes a file of the repository. Either place may hold it packed,
// with packing (".Z" or nothing) behind its name.
func uci(archive, folder, name, packing string, size int64, sum string) File {
	return File{
		Name: name, Bytes: size, SHA256: sum,
		Sources: []Source{
			{URL: uciArchives + archive + ".zip", Member: name + packing},
			{URL: uciFolders + folder + "/" + name + packing},
		},
	}
}

// varying marks a file whose official bytes are not known or vary.
func varying(f File) File {
	f.Varies = true
	return f
}

// same returns n times the number of rows.
func same(n, rows int) []int {
	return slices.Repeat([]int{rows}, n)
}

// counted returns the labels "1" to n.
func counted(n int) []string {
	labels := make([]string, n)
	for i := range labels {
		labels[i] = strconv.Itoa(i + 1)
	}
	return labels
}

// digits are the labels of the sets of handwritten digits.
func digits() []string { return strings.Split("0123456789", "") }

// letters are the capital letters.
func letters() []string { return strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "") }
