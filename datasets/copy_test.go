package datasets

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestCopy(t *testing.T) {
	for _, tt := range []struct {
		name string
		b    []byte
	}{
		{"toy.data", toyText()},
		{"toy.data.gz", gzipped(toyText())},
		{"toy.data.Z", compressedToy()},
	} {
		from, l := t.TempDir(), Library{t.TempDir()}
		put(t, filepath.Join(from, "toy", tt.name), tt.b)
		if err := (Fetcher{}).Copy(t.Context(), toySet(), l, from); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		onlyHolds(t, l.Dir, "toy/toy.data")
	}
}

func TestCopyRefuses(t *testing.T) {
	tests := []struct {
		name, file string
		b          []byte
		cause      error
		want       string
	}{
		{"no such file", "other/toy.data", toyText(), ErrMissing, "toy.data"},
		{"wrong digest", "toy/toy.data", toyText()[1:], ErrCorrupt, "SHA-256"},
		{"gz bomb", "toy/toy.data.gz", gzipped(make([]byte, 1<<20)), ErrCorrupt, "more than"},
		{"too long", "toy/toy.data", make([]byte, 1<<20), ErrCorrupt, "more than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, l := t.TempDir(), Library{t.TempDir()}
			put(t, filepath.Join(from, tt.file), tt.b)
			err := (Fetcher{}).Copy(t.Context(), toySet(), l, from)
			saysAll(t, err, "datasets: toy", from, tt.want)
			if !errors.Is(err, tt.cause) {
				t.Errorf("%v does not wrap %v", err, tt.cause)
			}
			onlyHolds(t, l.Dir)
		})
	}
}
