package plan

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
)

// TestSourceForgetsSplits: of many splits the last are kept, with those that a
// caller added; one that is asked for again is the same.
func TestSourceForgetsSplits(t *testing.T) {
	e := fixture.Must(datasets.Find("overlap30"))(t)
	s := NewSource(t.TempDir())
	mine := &datasets.Split{Digest: "mine"}
	s.Splits["mat:mine authors"] = func() (*datasets.Split, error) { return mine, nil }
	rule := func(repeat int) datasets.Rule {
		return datasets.Rule{Kind: "random", Seed: uint64(repeat), PCAFit: "all"}
	}
	first := fixture.Must(s.Split(e, rule(1)))(t)
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

// The folds of own data are checked one by one, which ends with the context.
func TestOwnDataStopWithTheContext(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "own.csv"), "a,part,class\n1,1,x\n2,1,y\n3,2,x\n4,2,y\n5,3,x\n6,3,y\n")
	s := fixture.Must(spec.Load(fixture.Write(t, filepath.Join(dir, "own.yaml"),
		"name: own\ndatasets: [{id: own, file: ./own.csv, label: class, fold: part}]\nmethods: [{method: euclidean}]\n")))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, faults := NewSource(t.TempDir()).AllKnown(ctx, s); !errors.Is(errors.Join(faults...), context.Canceled) {
		t.Errorf("%v, want the error of the context", faults)
	}
	if entries, err := NewSource(t.TempDir()).AllKnown(context.Background(), s); err != nil || len(entries) != 1 || entries[0].Folds() != 3 {
		t.Errorf("%+v, %v, want one entry of 3 folds", entries, err)
	}
}
