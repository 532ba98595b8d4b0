package table_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// drawn is a plan of so many cells, and a store in which all but some have predictions
// drawn at random.
func drawn(t *testing.T, cells, missing int) (plan.Plan, *store.Store) {
	t.Helper()
	p := testkit.PlanFor(t, testkit.Parse(t, testkit.Growing(cells)))
	st := &store.Store{Dir: t.TempDir()}
	draw := rand.New(rand.NewPCG(1, 2))
	for _, j := range p.Jobs()[missing:] {
		parts, _ := j.Rule.PartSizes(*j.Dataset)
		c := results.Cell{Inputs: j.Inputs, Truth: make([]int, parts[2]), Predicted: make([]int, parts[2])}
		for i := range c.Truth {
			c.Truth[i] = 1 + 2*i/len(c.Truth)
			c.Predicted[i] = 1 + draw.IntN(2)
		}
		fixture.Write(t, st.Path(j.Inputs), string(fixture.MustEncode(t, c)))
	}
	return p, st
}

// A countingFS counts the files that are opened, folders included.
type countingFS struct {
	fs.FS
	opened atomic.Int64
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.opened.Add(1)
	return c.FS.Open(name)
}

// TestEachCellIsReadOnce: a table, and the look whether a store has any cell of a plan, read every
// stored cell once, however many others are missing, and the run beside it for doubts; the reasons
// of all misses read every stored cell once more. Files are counted, for time depends on what else the
// machine does.
func TestEachCellIsReadOnce(t *testing.T) {
	const cells, others = 40, 4 // the folder and the pack, which is not there
	for _, c := range []struct {
		name    string
		missing int
		other   bool // the stored cells are those of another plan
	}{
		{"all", 0, false},
		{"some are missing", 17, false},
		{"the last one", cells - 1, false},
		{"cells of the same data set and method only", 0, true},
	} {
		p, st := drawn(t, cells, c.missing)
		files := &countingFS{FS: os.DirFS(st.Dir)}
		st.FS = files
		want := c.missing
		if c.other {
			p, want = testkit.PlanFor(t, testkit.Parse(t, testkit.Growing(cells)+"neighbors: 3\n")), cells
		}
		snapshot := st.Snapshot()
		begun, err := p.Begun(snapshot)
		made, failed := table.Of(p, snapshot)
		if err != nil || failed != nil || begun == c.other || len(made.Rows) != cells/10 {
			t.Errorf("%s: begun %v, %d rows: %v, %v", c.name, begun, len(made.Rows), err, failed)
		}
		if n := files.opened.Swap(0); n > int64(2*(cells-c.missing)+others) {
			t.Errorf("%s: a table opened %d files", c.name, n)
		}
		misses := 0
		snapshot = st.Snapshot()
		for _, j := range p.Jobs() {
			if fixture.Must(plan.StateOf(snapshot, j))(t).Status == plan.Miss {
				misses++
			}
		}
		if n := files.opened.Load(); misses != want || n > int64(2*(cells-c.missing)+others) {
			t.Errorf("%s: %d misses, want %d; a plan opened %d files", c.name, misses, want, n)
		}
	}
}

// An unreadableFS has files that nobody may read.
type unreadableFS struct{ fs.FS }

func (unreadableFS) ReadFile(string) ([]byte, error) { return nil, fs.ErrPermission }

// TestUnreadableCells: a table says what it cannot read, and makes none of the rest.
func TestUnreadableCells(t *testing.T) {
	p, st := drawn(t, 40, 0)
	st.FS = unreadableFS{os.DirFS(st.Dir)}
	made, err := table.Of(p, st)
	fixture.Is(t, err, fs.ErrPermission)
	fixture.Equal(t, "rows", len(made.Rows), 0)
}

// TestByDataSetPoolsAlike: pairs, ranks and metrics of single splits are nothing that a pooled table is made of.
func TestByDataSetPoolsAlike(t *testing.T) {
	for _, missing := range []int{0, 1, 13} {
		p, st := drawn(t, 60, missing)
		text := func(made table.Table) string { return string(fixture.Must(json.Marshal(made))(t)) }
		fixture.Equal(t, fmt.Sprintf("%d missing", missing),
			text(fixture.Must(table.ByDataSet(p, st))(t)), text(fixture.Must(table.Of(p, st))(t).Pooled()))
		p.Splits = p.Splits[:1] // which nothing is pooled with
		one := fixture.Must(table.ByDataSet(p, st))(t).Rows[0]
		fixture.Equal(t, "pairs of a single row", len(one.Pairs), len(fixture.Must(table.Of(p, st))(t).Rows[0].Pairs))
	}
}

// The columns of a table say what the spec does otherwise than by default.
func TestColumnsOfASpec(t *testing.T) {
	p := testkit.PlanFor(t, testkit.Parse(t, "name: x\ndatasets: [overlap30]\nmax-train: 20\nselect: kappa\nmethods:\n"+
		"  - {method: itml, name: plain}\n  - {method: itml, ties: random, grid: {gamma: [1, 2]}}\n"))
	plain, tuned := table.Column{MaxTrain: 20, Untuned: true}, table.Column{MaxTrain: 20, Select: "kappa", Drawn: true}
	for i, c := range fixture.Must(table.Of(p, &store.Store{Dir: t.TempDir()}))(t).Columns {
		fixture.Equal(t, c.ID, c.Protocol != "", i == 1)
		want := []table.Column{plain, tuned}[i]
		fixture.Same(t, c.ID, table.Column{MaxTrain: c.MaxTrain, Untuned: c.Untuned, Select: c.Select, Drawn: c.Drawn}, want)
	}
}
