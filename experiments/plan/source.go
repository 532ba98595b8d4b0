package plan

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/spec"
)

// A Source opens data sets, each only once, and divides them. It keeps the last
// keptSplits splits: a spec may have thousands and uses them in order.
type Source struct {
	Library datasets.Library

	closed bool // do not open files
	mu     sync.Mutex
	data   map[string]func() (*datasets.Data, error)
	sums   map[string]func() ([]datasets.RowSum, error) // of own data
	made   []string                                     // keys of the kept splits, the oldest first
	// Splits holds the kept splits by id of the data set and rule. Callers may add others.
	Splits map[string]func() (*datasets.Split, error)
}

// keptSplits is the number of splits that a source keeps.
const keptSplits = 64

// NewSource returns a source over the data directory dir.
func NewSource(dir string) *Source {
	return &Source{
		Library: datasets.Library{Dir: dir},
		data:    map[string]func() (*datasets.Data, error){},
		sums:    map[string]func() ([]datasets.RowSum, error){},
		Splits:  map[string]func() (*datasets.Split, error){},
	}
}

// Catalogue returns a source that opens no file: it has generated data sets, and
// the entries of the catalogue for others.
func Catalogue() *Source {
	s := NewSource("")
	s.closed = true
	return s
}

// errClosed is the error of Data for a closed source.
var errClosed = errors.New("the source opens no data files")

// Data loads a data set.
func (s *Source) Data(e datasets.DataSet) (*datasets.Data, error) {
	if s.closed && !e.Carried() {
		return nil, errClosed
	}
	return once(s, s.data, e.Identity(), func() (*datasets.Data, error) { return s.Library.Load(e) })
}

// Split divides a data set by rule; an imported split is divided already. It fails if
// the result differs from the split digest of the catalogue: its cells would be
// stored under that digest, see digests.
func (s *Source) Split(e datasets.DataSet, rule datasets.Rule) (*datasets.Split, error) {
	key := e.Identity() + " " + rule.String()
	s.makeRoom(key)
	return once(s, s.Splits, key, func() (*datasets.Split, error) {
		if spec.Imported(e) {
			return s.imported(e)
		}
		d, err := s.Data(e)
		if err != nil {
			return nil, err
		}
		split, err := datasets.Cut(e, d, rule)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.ID, err)
		}
		if known := knownDigest(e, rule); known != "" && split.Digest != known {
			return nil, fmt.Errorf("%s: the split has the digest %s, that of the catalogue is %s; use a build whose split rule is the catalogue's",
				e.ID, split.Digest, known)
		}
		return split, nil
	})
}

// imported opens an imported split.
func (s *Source) imported(e datasets.DataSet) (*datasets.Split, error) {
	if s.closed {
		return nil, errClosed
	}
	return s.Library.OpenImported(strings.TrimPrefix(e.ID, spec.ImportedPrefix))
}

// Known returns the entry of own data with rows, classes and digest of the data. For
// other sets, and if the source opens no files, it returns e.
func (s *Source) Known(e datasets.DataSet, rule datasets.Rule) (datasets.DataSet, error) {
	switch {
	case e.Own():
		d, err := s.Data(e)
		if err != nil {
			return e, err
		}
		return e.Known(d), nil
	case spec.Imported(e):
		split, err := s.Split(e, rule)
		if err != nil {
			return e, err
		}
		return split.Known(e), nil
	}
	return e, nil
}

// AllKnown returns the entries of a spec, own data with rows, classes and digest as far as they
// can be read, and all faults; only the error of ctx when ctx ends first.
func (s *Source) AllKnown(ctx context.Context, of *spec.Spec) (entries []datasets.DataSet, faults []error) {
	for _, e := range of.Sets {
		e, err := s.known(ctx, of, e)
		if ctx.Err() != nil {
			return nil, []error{ctx.Err()}
		}
		if err != nil {
			faults = append(faults, err)
		}
		entries = append(entries, e)
	}
	return entries, faults
}

// known is Known for a data set of a spec. It fails if own data cannot be read or divided
// by the split of the spec; imported splits may be missing.
func (s *Source) known(ctx context.Context, of *spec.Spec, e datasets.DataSet) (datasets.DataSet, error) {
	full, err := s.Known(e, of.Split.RuleOf(e, 1))
	switch {
	case e.Own() && err == nil:
		return full, of.Divides(ctx, full)
	case e.Own() && !errors.Is(err, errClosed):
		return e, err
	}
	return full, nil
}

// makeRoom drops the oldest split if a new one makes too many.
func (s *Source) makeRoom(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.Splits[key]; ok || slices.Contains(s.made, key) {
		return
	}
	s.made = append(s.made, key)
	if len(s.made) > keptSplits {
		delete(s.Splits, s.made[0])
		s.made = s.made[1:]
	}
}

// once returns the cached result of open under key.
func once[T any](s *Source, cache map[string]func() (T, error), key string, open func() (T, error)) (T, error) {
	s.mu.Lock()
	f, ok := cache[key]
	if !ok {
		f = sync.OnceValues(open)
		cache[key] = f
	}
	s.mu.Unlock()
	return f()
}

// digests identify a data set and its split. For own data they also count the test rows that
// equal training rows.
type digests struct {
	dataset, split string
	shared, tested int
}

// digests returns the digests of a split. Those of the catalogue need no files;
// others are empty while the files are missing.
func (s *Source) digests(e datasets.DataSet, rule datasets.Rule) digests {
	if known := knownDigest(e, rule); known != "" {
		return digests{dataset: e.Digest, split: known}
	}
	if spec.Imported(e) {
		if sp, err := s.Split(e, rule); err == nil {
			return digests{dataset: sp.Digest, split: sp.Digest}
		}
		return digests{}
	}
	found := digests{dataset: e.Digest}
	if d, err := s.Data(e); err == nil {
		if rows, digest, err := datasets.Divide(e, d, rule); err == nil {
			found.split = digest
			if e.Own() {
				sums, _ := once(s, s.sums, e.Identity(), func() ([]datasets.RowSum, error) { return d.RowSums(), nil })
				found.shared, found.tested = datasets.Shared(sums, rows), len(rows[2])
			}
		}
	}
	return found
}

// allDigests computes the digests of rows on all processors. They are incomplete when ctx
// ends.
func (s *Source) allDigests(ctx context.Context, rows []Split) []digests {
	all := make([]digests, len(rows))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, row := range rows {
		group.Go(func() error {
			if ctx.Err() == nil {
				all[i] = s.digests(row.Dataset, row.Rule)
			}
			return nil
		})
	}
	group.Wait()
	return all
}

// Check reports every data set of the list whose files are missing or corrupt.
// It returns early when ctx ends.
func (s *Source) Check(ctx context.Context, entries []datasets.DataSet) []error {
	var faults []error
	for _, e := range entries {
		if ctx.Err() != nil {
			return []error{ctx.Err()}
		}
		var err error
		if spec.Imported(e) {
			_, err = s.imported(e)
		} else if e.Own() {
			_, err = s.Data(e)
		} else if !e.Generated() {
			err = s.Library.Check(e)
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}
