package store

import (
	"os"
	"path/filepath"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// benchmarkCells are cells of several data sets and methods, each with a grid of
// some points and many seeds.
func benchmarkCells() []results.Cell {
	var cells []results.Cell
	for _, dataset := range []string{"robot", "letter", "usps", "heart"} {
		for _, method := range []string{"itml", "lmnn", "glml", "e-r2lml"} {
			for seed := range uint64(30) {
				c := resultstest.SizedCell(5, 2000)
				c.Dataset, c.Method, c.Seed = dataset, method, seed
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// benchmarkStores are the same cells in files and in packs.
func benchmarkStores(b *testing.B, cells []results.Cell) map[string]Store {
	b.Helper()
	files, packs := Store{Dir: b.TempDir()}, Store{Dir: b.TempDir()}
	for _, c := range cells {
		if err := files.Put(c, results.Run{}); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(packs.Dir, "packs"), 0o777); err != nil {
		b.Fatal(err)
	}
	if _, err := packs.Merge(b.Context(), []string{files.Dir}); err != nil {
		b.Fatal(err)
	}
	return map[string]Store{"files": files, "packs": packs}
}

// find looks all cells up as a reader without data files does.
func find(b *testing.B, s *Store, cells []results.Cell) {
	for _, c := range cells {
		in := c.Inputs
		in.DatasetDigest, in.SplitDigest = "", ""
		if _, ok, err := s.Find(in); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

// BenchmarkOpen finds one cell of every data set and method.
func BenchmarkOpen(b *testing.B) {
	cells := benchmarkCells()
	var first []results.Cell
	for i := 0; i < len(cells); i += 30 {
		first = append(first, cells[i])
	}
	for kept, s := range benchmarkStores(b, cells) {
		b.Run("kept="+kept, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				find(b, s.Snapshot(), first)
			}
		})
	}
}

// BenchmarkFind finds all cells, for the first time and once more.
func BenchmarkFind(b *testing.B) {
	cells := benchmarkCells()
	for kept, s := range benchmarkStores(b, cells) {
		b.Run("kept="+kept+"/read=first", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				find(b, s.Snapshot(), cells)
			}
		})
		b.Run("kept="+kept+"/read=again", func(b *testing.B) {
			b.ReportAllocs()
			snapshot := s.Snapshot()
			for b.Loop() {
				find(b, snapshot, cells)
			}
		})
	}
}
