package plan

import (
	"testing"

	"r2lmlbench/datasets"
)

// TestSourceForgetsSplits: of many splits the last are kept, with those that a
// caller added; one that is asked for again is the same.
func TestSourceForgetsSplits(t *testing.T) {
	e, err := datasets.Find("overlap30")
	if err != nil {
		t.Fatal(err)
	}
	s := NewSource(t.TempDir())
	mine := &datasets.Split{Digest: "mine"}
	s.Splits["mat:mine authors"] = func() (*datasets.Split, error) { return mine, nil }
	rule := func(repeat int) datasets.Rule {
		return datasets.Rule{Kind: "random", Seed: uint64(repeat), PCAFit: "all"}
	}
	first, err := s.Split(e, rule(1))
	if err != nil {
		t.Fatal(err)
	}
	for repeat := range 3 * keptSplits {
		if _, err := s.Split(e, rule(repeat)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.Splits); n != keptSplits+1 {
		t.Errorf("%d splits are kept, want %d and the one that was added", n, keptSplits)
	}
	if again, err := s.Split(e, rule(1)); err != nil || again.Digest != first.Digest || again == first {
		t.Errorf("the first split again: digest %s, error %v, want %s, made anew", again.Digest, err, first.Digest)
	}
	if got := s.Splits["mat:mine authors"]; got == nil {
		t.Error("the split that was added is gone")
	}
}
