package judge_test

import (
	"testing"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
)

// A session parses a spec once, plans it once, and ranks its cells once: what is
// stored later is not seen.
func TestSessionWorksOnce(t *testing.T) {
	s := NewSession(t.TempDir())
	one, err := s.Plan(t.Context(), "toy", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Plan(t.Context(), "toy", nil, nil)
	if err != nil || again.Spec != one.Spec || &again.Rows[0] != &one.Rows[0] {
		t.Errorf("%v: the spec is planned twice", err)
	}
	narrowed, err := s.Plan(t.Context(), "toy", nil, []string{"euclidean"})
	if err != nil || len(narrowed.Spec.Columns) != 1 || len(one.Spec.Columns) == 1 {
		t.Errorf("%v: %d columns of %d, want one, and the others left alone", err, len(narrowed.Spec.Columns), len(one.Spec.Columns))
	}
	cells := &store.Store{Dir: t.TempDir()}
	before, err := s.Table(narrowed, cells)
	if err != nil || before.Rows[0].Cells[0].Score != nil {
		t.Fatalf("%v: %+v, want a missing cell", err, before.Rows[0].Cells[0])
	}
	if _, err := spectest.Run(t, t.Context(), narrowed.Spec, cells.Dir, 1, nil); err != nil {
		t.Fatal(err)
	}
	after, err := s.Table(narrowed, cells)
	if err != nil || after.Rows[0].Cells[0].Score != nil {
		t.Errorf("%v: the table was made again", err)
	}
	fresh, err := NewSession(t.TempDir()).Table(narrowed, cells)
	if err != nil || fresh.Rows[0].Cells[0].Score == nil {
		t.Errorf("%v: another session does not see the cell", err)
	}
}
