package datasets

import (
	"fmt"
	"strconv"
	"strings"
)

// catalogSeed draws the generated sets of the catalogue.
const catalogSeed = 1

// drawn returns a generated set drawn with another seed, given as text. It has
// the content digest of what that seed draws. Its division is that of the
// catalogue's, for the digest of a split covers rows and classes but no values.
func (e Entry) drawn(text string) (Entry, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	switch {
	case !e.Generated():
		return Entry{}, fmt.Errorf("datasets: %s is read from files, no seed draws it; write %s", e.ID, e.ID)
	case e.seed == 0:
		return Entry{}, fmt.Errorf("datasets: %s is always the same, no seed draws it; write %s", e.ID, e.ID)
	case err != nil || seed == 0 || strconv.FormatUint(seed, 10) != text:
		return Entry{}, fmt.Errorf("datasets: seed %q of %s is not a whole number from 2 to 2^64-1 without leading zeros; write it as %s:7", text, e.ID, e.ID)
	case seed == e.seed:
		return Entry{}, fmt.Errorf("datasets: %s:%d is %s itself, which is drawn with seed %d; write %s", e.ID, seed, e.ID, seed, e.ID)
	}
	d, err := e.generate(seed)
	if err != nil {
		return Entry{}, err
	}
	e.Note = strings.Replace(e.Note, seedName(e.seed), seedName(seed), 1)
	e.ID = fmt.Sprintf("%s:%d", e.ID, seed)
	e.Name += ", " + seedName(seed)
	e.Digest = d.Digest()
	e.seed = seed
	return e, nil
}

// seedName is how the seed of a set is written in its note and name.
func seedName(seed uint64) string { return fmt.Sprintf("seed %d", seed) }
