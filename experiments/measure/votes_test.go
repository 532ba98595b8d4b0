package measure

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// TestVotes: four training samples on a line at 0, 1, 2 and 3 with the labels 1, 2, 1, 3
// and k = 3. The query at 0 sees 1, 2, 1 and is won by 1; that at 3 sees 3, 1, 2, a tie of
// three. The first query is of the validation samples and is not counted.
func TestVotes(t *testing.T) {
	p := r2lml.Problem{X: mat.NewDense(4, 1, []float64{0, 1, 2, 3}), Y: []int{1, 2, 1, 3}, Query: mat.NewDense(4, 1, []float64{0, 0, 3, 0})}
	fit := Fit{Problem: p, Fitted: r2lml.Fitted{Metric: r2lml.NewGlobal(p, nil)}, Neighbors: 3, Truth: []int{1, 2, 3}}
	found := fixture.Must(takeVotes(t.Context(), fit))(t)
	votes, err := ReadVotes(found.Facts)
	if err != nil || votes.Won != 1 || len(votes.Tied) != 1 || votes.Tied[3] != 1 {
		t.Errorf("%+v, %v; want one vote won, and one tied between 3 labels", votes, err)
	}
	for _, f := range found.Facts {
		if f.Of != 3 {
			t.Errorf("%s: of %d, want 3", f.Name, f.Of)
		}
	}
	if _, err := ReadVotes(nil); err == nil {
		t.Error("a cell without the measure is read")
	}
	fit.Fitted.Metric = nil
	if _, err := takeVotes(t.Context(), fit); err == nil {
		t.Error("a method without a metric has votes")
	}
}
