package datasets

import (
	"errors"
	"path/filepath"
	"r2lmlbench/internal/fixture"
	"testing"
)

func TestCopy(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		b          []byte
		cause      error
		want       string
	}{
		{"plain", "toy/toy.data", toyText(), nil, ""},
		{"gz", "toy/toy.data.gz", gzipped(toyText()), nil, ""},
		{"Z", "toy/toy.data.Z", compressedToy(), nil, ""},
		{"no such file", "other/toy.data", toyText(), ErrMissing, "toy.data"},
		{"wrong digest", "toy/toy.data", toyText()[1:], ErrCorrupt, "SHA-256"},
		{"gz bomb", "toy/toy.data.gz", gzipped(make([]byte, 1<<20)), ErrCorrupt, "more than"},
		{"too long", "toy/toy.data", make([]byte, 1<<20), ErrCorrupt, "more than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, l := t.TempDir(), Library{t.TempDir()}
			put(t, filepath.Join(from, tt.file), tt.b)
			err := (Fetcher{}).Copy(t.Context(), toySet(), l, from)
			if !errors.Is(err, tt.cause) {
				t.Errorf("error %v, want %v", err, tt.cause)
			}
			if tt.cause == nil {
				onlyHolds(t, l.Dir, "toy/toy.data")
				return
			}
			fixture.Says(t, err, "datasets: toy", from, tt.want)
			onlyHolds(t, l.Dir)
		})
	}
}
