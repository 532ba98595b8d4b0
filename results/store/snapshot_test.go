package store

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// A snapshot finds what the store itself finds, with digests and without.
func TestSnapshotFindsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := Store{Dir: mkdirTemp(t)}
		defer os.RemoveAll(store.Dir)
		draw := func(label string) results.Inputs {
			in := resultstest.GridInputs()
			in.DatasetDigest = rapid.SampledFrom([]string{"d1", "d2"}).Draw(t, label+" data")
			in.SplitDigest = rapid.SampledFrom([]string{"s1", "s2"}).Draw(t, label+" split")
			in.Seed = rapid.Uint64Range(1, 2).Draw(t, label+" seed")
			return in
		}
		for range rapid.IntRange(0, 6).Draw(t, "cells") {
			in := draw("stored")
			fixture.Check(t, store.Put(results.Cell{Inputs: in, Truth: []int{1, 2}, Predicted: []int{1, int(in.Seed)}}, results.Run{}))
		}
		snapshot := store.Snapshot()
		for range 8 {
			in := draw("asked")
			if rapid.Bool().Draw(t, "unknown data") {
				in.DatasetDigest = ""
			}
			if rapid.Bool().Draw(t, "unknown split") {
				in.SplitDigest = ""
			}
			a, okA, errA := store.Find(in)
			b, okB, errB := snapshot.Find(in)
			if okA != okB || (errA == nil) != (errB == nil) || !cmp.Equal(a, b) {
				t.Fatalf("%+v: %v %v %v from the store, %v %v %v snapshot", in, a, okA, errA, b, okB, errB)
			}
		}
	})
}

func mkdirTemp(t *rapid.T) string {
	dir := fixture.Must(os.MkdirTemp("", "snapshot"))(t)
	return dir
}
