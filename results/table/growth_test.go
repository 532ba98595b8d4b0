package table_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// drawn is a plan of so many cells, and a store in which all but some have predictions
// drawn at random.
func drawn(t *testing.T, cells, missing int) (plan.Plan, *store.Store) {
	t.Helper()
	s, err := spec.Parse("growing.yaml", []byte(spectest.Growing(cells)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.New(t.Context(), s, plan.NewSource(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	st := &store.Store{Dir: t.TempDir()}
	draw := rand.New(rand.NewPCG(1, 2))
	for _, j := range p.Jobs()[missing:] {
		parts, _ := j.Rule.PartSizes(*j.Entry)
		c := results.Cell{Inputs: j.Inputs, Truth: make([]int, parts[2]), Predicted: make([]int, parts[2])}
		for i := range c.Truth {
			c.Truth[i] = 1 + 2*i/len(c.Truth)
			c.Predicted[i] = 1 + draw.IntN(2)
		}
		data, err := results.EncodeCell(c)
		if err != nil {
			t.Fatal(err)
		}
		path := st.Path(j.Inputs)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
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

// TestEachCellIsReadOnce: a table and the reasons of all misses read every stored cell
// once, however many others are missing. Files are counted, for time depends on what
// else the machine does.
func TestEachCellIsReadOnce(t *testing.T) {
	fixture.Long(t)
	rapid.Check(t, func(r *rapid.T) {
		cells := 10 * rapid.IntRange(1, 12).Draw(r, "rows")
		missing := rapid.IntRange(0, cells).Draw(r, "missing")
		p, st := drawn(t, cells, missing)
		files := &countingFS{FS: os.DirFS(st.Dir)}
		st.FS = files
		const others = 4 // the folder and the pack, which is not there
		made, err := table.Of(p, st)
		if err != nil || len(made.Rows) != cells/10 {
			r.Fatalf("%d rows: %v", len(made.Rows), err)
		}
		if n := files.opened.Swap(0); n > int64(cells-missing+others) {
			r.Errorf("a table of %d cells, %d of them missing, opened %d files", cells, missing, n)
		}
		snapshot, misses := st.Snapshot(), 0
		for _, j := range p.Jobs() {
			state, err := plan.StateOf(snapshot, j)
			if err != nil {
				r.Fatal(err)
			}
			if state.Status == plan.Miss {
				misses++
			}
		}
		if n := files.opened.Load(); misses != missing || n > int64(cells-missing+others) {
			r.Errorf("a plan of %d cells, %d of them missing, found %d misses and opened %d files", cells, missing, misses, n)
		}
	})
}

// TestBegunReadsEachCellOnce: whether a store has any cell of a plan costs a look at
// each file, which the table that follows has not to read again.
func TestBegunReadsEachCellOnce(t *testing.T) {
	const cells, others = 40, 4
	for _, c := range []struct {
		name    string
		missing int
		other   bool // the stored cells are those of another plan
		want    bool
	}{
		{"all", 0, false, true},
		{"the last one", cells - 1, false, true},
		{"cells of the same data set and method only", 0, true, false},
	} {
		p, st := drawn(t, cells, c.missing)
		files := &countingFS{FS: os.DirFS(st.Dir)}
		st.FS = files
		if c.other {
			p = spectest.PlanFor(t, spectest.Parse(t, spectest.Growing(cells)+"neighbors: 3\n"))
		}
		snapshot := st.Snapshot()
		holds, err := p.Begun(snapshot)
		if err == nil {
			_, err = table.Of(p, snapshot)
		}
		if n := files.opened.Load(); err != nil || holds != c.want || n > int64(cells-c.missing+others) {
			t.Errorf("%s: %v, %v, opened %d files", c.name, holds, err, n)
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
	if made, err := table.Of(p, st); !errors.Is(err, fs.ErrPermission) || len(made.Rows) > 0 {
		t.Errorf("%d rows, %v", len(made.Rows), err)
	}
}
