package run_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// TestDividedCells: four shares score a part of every grid each, in stores of their own. A
// merge unites the parts, in the second round one share finishes each cell, and the cells
// have the bytes that one process gives them: those of joint surfaces, of restarts, of
// folds, and such as differ in k alone. The share that finishes also does what another
// share left undone.
func TestDividedCells(t *testing.T) {
	const shares = 4
	step := "params: {step: 1e-6, epochs: 2, iterations: 10}, grid: {metrics: [3, 5, 7], lambda: [1, 10]}"
	s := spectest.Parse(t, tiny(
		"  - {method: t-r2lml, name: joint, unlabeled: joint, measure: surface, "+step+"}\n"+
			"  - {method: e-r2lml, name: restarts, restarts: 2, "+step+"}\n"+
			"  - {method: e-r2lml, name: folds, select: {on: cross-validation, folds: 2}, "+step+"}\n"+
			"  - {method: e-r2lml, name: one, params: {step: 1e-6, epochs: 2, iterations: 10}, grid: {metrics: [3, 5, 7], k: [1, 3]}}\n"))
	source, _ := tinySource(t)
	_, want, err := compute(t, s, &Runner{Workers: 2, Source: source})
	if err != nil {
		t.Fatal(err)
	}
	for _, lost := range []int{-1, 1} {
		p := fixture.Must(plan.New(t.Context(), s, source))(t)
		merged := &store.Store{Dir: t.TempDir(), Log: t.Logf}
		var dirs []string
		for share := range shares {
			dirs = append(dirs, fmt.Sprintf("%s/%d", t.TempDir(), share))
			fixture.Check(t, os.MkdirAll(dirs[share], 0o777))
		}
		for round := range 2 {
			for share, dir := range dirs {
				if round == 0 && share == lost {
					continue
				}
				own := &store.Store{Dir: dir, Log: t.Logf}
				if round == 1 {
					if _, err := own.Merge(t.Context(), []string{merged.Dir}); err != nil {
						t.Fatal(err)
					}
				}
				var jobs []plan.Job
				for i, j := range p.Jobs() {
					j.Part, j.Last = []int{}, i%shares == share
					for g, part := range cost.Groups(j) {
						if g%shares == share {
							j.Part = append(j.Part, part...)
						}
					}
					jobs = append(jobs, j)
				}
				r := Runner{Store: own, Source: source, Workers: 1 + share%2}
				fixture.Check(t, r.Run(t.Context(), jobs))
			}
			if _, err := merged.Merge(t.Context(), dirs); err != nil {
				t.Fatal(err)
			}
			for i, j := range p.Jobs() {
				got, ok, err := merged.Get(j.Inputs)
				if err != nil || ok != (round == 1) {
					t.Fatalf("round %d: %s is stored: %v, %v", round+1, j.Column.ID, ok, err)
				}
				if !ok {
					continue
				}
				a, err := results.EncodeCell(got)
				b, fault := results.EncodeCell(want[i])
				if err != nil || fault != nil || !bytes.Equal(a, b) {
					t.Errorf("%s has other bytes than one process gives it (%v, %v)", j.Column.ID, err, fault)
				}
			}
		}
	}
}
