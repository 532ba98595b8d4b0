package datasets

import "fmt"

// A table is a delimited file and its shape.
type table struct {
	name  string
	shape shape
}

// tables returns a loader that stacks files in the order given.
func tables(parts ...table) func(map[string][]byte) (*Raw, error) {
	return func(files map[string][]byte) (*Raw, error) {
		raw := &Raw{}
		for _, t := range parts {
			before := len(raw.X)
			if err := t.shape.read(raw, t.name, files[t.name]); err != nil {
				return nil, err
			}
			raw.FileRows = append(raw.FileRows, len(raw.X)-before)
		}
		return raw, nil
	}
}

// scaled returns a loader that divides the features of another by a constant, 0 for none.
func scaled(load func(map[string][]byte) (*Raw, error), by float64) func(map[string][]byte) (*Raw, error) {
	return func(files map[string][]byte) (*Raw, error) {
		raw, err := load(files)
		if err != nil || by == 0 {
			return raw, err
		}
		for _, row := range raw.X {
			for j := range row {
				row[j] /= by
			}
		}
		return raw, nil
	}
}

// parse reads the set from the uncompressed bytes of its files, by name, and
// compares the content with the catalogue. The error wraps ErrCorrupt.
func (e Entry) parse(files map[string][]byte) (*Data, error) {
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
func (e Entry) compare(d *Data) error {
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
