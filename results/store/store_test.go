package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// testStore returns an empty store and the remarks it makes.
func testStore(t *testing.T) (Store, *[]string) {
	t.Helper()
	var remarks []string
	return Store{Dir: t.TempDir(), Log: func(format string, args ...any) {
		remarks = append(remarks, fmt.Sprintf(format, args...))
	}}, &remarks
}

func emptyStore(t *testing.T) Store {
	s, _ := testStore(t)
	return s
}

func put(t *testing.T, s Store, cells ...results.Cell) {
	t.Helper()
	for _, c := range cells {
		fixture.Check(t, s.Put(c, results.Run{Workers: 2}))
	}
}

// expect asks for a cell and checks whether it is there.
func expect(t *testing.T, s Store, in results.Inputs, want bool) results.Cell {
	t.Helper()
	c, ok := found(s.Find(in))(t)
	if ok != want {
		t.Fatalf("cell of %s/%s there: %v, want %v", in.Dataset, in.Method, ok, want)
	}
	return c
}

// found is what a look-up gives and whether that is there; the look-up must not fail:
//
//	c, ok := found(s.Failed(in))(t)
func found[T any](v T, ok bool, err error) func(t testing.TB) (T, bool) {
	return func(t testing.TB) (T, bool) {
		t.Helper()
		fixture.Check(t, err)
		return v, ok
	}
}

// there tells whether a look-up finds something.
func there[T any](v T, ok bool, err error) func(t testing.TB) bool {
	return func(t testing.TB) bool {
		t.Helper()
		_, ok := found(v, ok, err)(t)
		return ok
	}
}

// lockNow takes the lock of a cell, which must be free.
func lockNow(t *testing.T, s Store, in results.Inputs) (release func()) {
	t.Helper()
	release, ok := found(s.TryLock(in))(t)
	if !ok {
		t.Fatalf("the lock of %s/%s is not free", in.Dataset, in.Method)
	}
	return release
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, e := range fixture.Must(os.ReadDir(dir))(t) {
		names = append(names, e.Name())
	}
	return names
}

func TestStore(t *testing.T) {
	s, remarks := testStore(t)
	c := fixture.GridCell()
	expect(t, s, c.Inputs, false)
	run := results.Run{Started: time.Date(2016, 3, 1, 12, 0, 0, 0, time.UTC), Host: "here", Go: "go1.26", Seconds: 1.5, Workers: 2,
		Logs: []results.Log{{Fit: "test", Text: "a warning\n"}}, Import: &results.Import{File: "p.csv", SHA256: "ab", Note: "by hand"}}
	fixture.Check(t, s.Put(c, run))
	fixture.Same(t, "after Put", expect(t, s, c.Inputs, true), c)
	run.Cell = results.Digest(fixture.MustEncode(t, c))
	got, known, _ := s.RunOf(c)
	fixture.Equal(t, "the run is known", known, true)
	fixture.Same(t, "run of the cell", got, run)
	got, _, _ = s.Run(c.Inputs)
	fixture.Same(t, "run of the inputs", got, run)
	key := c.Key()[:16]
	want := []string{"e-r2lml-" + key + ".json", "e-r2lml-" + key + ".run.json"}
	fixture.EqualSlice(t, "files", names(t, filepath.Join(s.Dir, "cells", "robot")), want)
	other := c.Inputs
	other.Version++
	expect(t, s, other, false)
	_, ok, _ := s.Run(other)
	fixture.Equal(t, "a run of a cell that is not there", ok, false)
	fixture.EqualSlice(t, "remarks", *remarks, nil)
}

func TestStoreFailed(t *testing.T) {
	s := emptyStore(t)
	c := fixture.GridCell()
	failed := c
	failed.Predicted, failed.Failure = nil, "child exited with status 3"
	fixture.Check(t, s.Put(failed, results.Run{}))
	expect(t, s, c.Inputs, false)
	in := c.Inputs
	for range 2 {
		got, _ := found(s.Failed(in))(t)
		fixture.Equal(t, "failure", got.Failure, failed.Failure)
		in.DatasetDigest = "" // and once more without the data
	}
	put(t, s, c)
	expect(t, s, c.Inputs, true)
	fixture.Equal(t, "the failure is still there after Put", there(s.Failed(c.Inputs))(t), false)
}

func TestStoreSetsDamageAside(t *testing.T) {
	c := fixture.GridCell()
	good := fixture.MustEncode(t, c)
	foreign := c
	foreign.Seed = 2
	failed := c
	failed.Predicted, failed.Failure = nil, "crash"
	for _, d := range []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"empty", nil, "not a whole cell file"},
		{"truncated", good[:len(good)/2], "not a whole cell file"},
		{"bit flipped", bytes.Replace(good, []byte(`"chosen":1`), []byte(`"chosen":0`), 1), "digest"},
		{"not JSON", []byte("<script>alert(1)</script>"), "not a whole cell file"},
		{"of another cell", fixture.MustEncode(t, foreign), "with key " + foreign.Key()[:16]},
		{"of a failure", fixture.MustEncode(t, failed), "changed places"},
	} {
		t.Run(d.name, func(t *testing.T) {
			s, remarks := testStore(t)
			put(t, s, c)
			path := s.Path(c.Inputs)
			for n := range 2 {
				fixture.Check(t, os.WriteFile(path, d.bytes, 0o644))
				reader := *s.Snapshot()
				fixture.Equal(t, "damaged, of what nobody has read", reader.Damaged(c.Inputs), false)
				expect(t, reader, c.Inputs, false)
				fixture.Equal(t, "damaged", reader.Damaged(c.Inputs), true)
				fixture.Equal(t, "left where it is", fixture.Text(t, path), string(d.bytes))
				put(t, s, c)
				expect(t, s, c.Inputs, true)
				aside := path + ".corrupt-1" // equal bytes are kept once
				fixture.Equal(t, "kept aside", fixture.Text(t, aside), string(d.bytes))
				fixture.Equal(t, "remarks", len(*remarks), 2*n+2)
				fixture.Has(t, "the remark of the reader", (*remarks)[2*n], path, d.want, "missing")
				fixture.Has(t, "the remark of the writer", (*remarks)[2*n+1], path, d.want, aside)
			}
		})
	}
}

func TestSafeNames(t *testing.T) {
	for name, want := range map[string]string{
		"robot":            "robot",
		"mat:foo":          "mat%3Afoo",
		"../../etc/passwd": "%2E.%2F..%2Fetc%2Fpasswd",
		"..":               "%2E.",
		".hidden":          "%2Ehidden",
		"a.b":              "a.b",
		"":                 "%",
		"%":                "%25",
		"a b\x00\n":        "a%20b%00%0A",
		`c:\x`:             "c%3A%5Cx",
		"ü":                "%C3%BC",
	} {
		fixture.Equal(t, name, safeName(name), want)
	}
	a, b := safeName(strings.Repeat("x", 5000)+"a"), safeName(strings.Repeat("x", 5000)+"b")
	if a == b || len(a) > 130 || len(a) != len(b) {
		t.Errorf("long names %q and %q", a, b)
	}
}

func TestStoreStaysInside(t *testing.T) {
	s := emptyStore(t)
	s.Dir = filepath.Join(s.Dir, "runs")
	for _, name := range []string{"../../outside", "mat:my set", "/abs", "<script>", strings.Repeat("long/", 400)} {
		c := fixture.NewCell(name, "external:../x", 2, 3, 1)
		put(t, s, c)
		expect(t, s, c.Inputs, true)
		rel, err := filepath.Rel(filepath.Join(s.Dir, "cells"), s.Path(c.Inputs))
		if err != nil || strings.HasPrefix(rel, "..") || strings.Count(rel, string(filepath.Separator)) != 1 {
			t.Errorf("%q is kept at %s", name, rel)
		}
	}
	fixture.EqualSlice(t, "files outside", names(t, filepath.Dir(s.Dir)), []string{"runs"})
}

func TestLockWaits(t *testing.T) {
	s, remarks := testStore(t)
	in := fixture.GridInputs()
	release := fixture.Must(s.Lock(t.Context(), in))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	fixture.Is(t, fixture.Error(s.Lock(ctx, in)), context.DeadlineExceeded)
	fixture.Equal(t, "remarks", len(*remarks), 1)
	fixture.Has(t, "the remark", (*remarks)[0], "waiting")
	other := in
	other.Seed++
	fixture.Must(s.Lock(t.Context(), other))(t)()
	release()
	fixture.Must(s.Lock(t.Context(), in))(t)()
}

// TestLookups: what a store and its snapshot find by maps, the cell of some inputs and the
// nearest one, is what a look at every cell finds.
func TestLookups(t *testing.T) {
	digest := func(t *rapid.T, label string, known ...string) string {
		return rapid.SampledFrom(append(known, "")).Draw(t, label)
	}
	draw := func(t *rapid.T) results.Inputs {
		in := fixture.GridInputs()
		in.DatasetDigest, in.SplitDigest = digest(t, "data", "d1", "d2"), digest(t, "rows", "s1", "s2")
		in.Split = rapid.SampledFrom([]string{"authors", "random seed=1 repeat=1"}).Draw(t, "split")
		in.Seed = rapid.Uint64Range(1, 3).Draw(t, "seed")
		in.Version, in.Neighbors = rapid.IntRange(1, 2).Draw(t, "version"), rapid.IntRange(1, 2).Draw(t, "neighbors")
		gamma, slack := rapid.IntRange(1, 2).Draw(t, "gamma"), rapid.IntRange(1, 2).Draw(t, "slack")
		in.Settings = []results.Setting{{Params: results.Params{"gamma": gamma, "slack": slack}}}
		return in
	}
	rapid.Check(t, func(t *rapid.T) {
		s := Store{Log: t.Errorf, Dir: fixture.Must(os.MkdirTemp("", "lookups"))(t)}
		defer os.RemoveAll(s.Dir)
		stored := rapid.SliceOfNDistinct(rapid.Custom(draw), 0, 8, results.Inputs.Key).Draw(t, "stored")
		for i, in := range stored {
			fixture.Check(t, s.Put(results.Cell{Inputs: in, Truth: []int{1, 2}, Predicted: []int{1, i}}, results.Run{}))
		}
		other := fixture.NewCell("robot", "e-r2lml-mm", 5, 6, 1) // the names of whose files begin as those of e-r2lml do
		fixture.Check(t, s.Put(other, results.Run{}))
		fixture.Check(t, os.WriteFile(filepath.Join(filepath.Dir(s.Path(other.Inputs)), "e-r2lml-notes.json"), []byte("notes"), 0o666))
		snapshot := s.Snapshot()
		for range 6 {
			asked := draw(t)
			if len(stored) > 0 && rapid.Bool().Draw(t, "one of them") {
				asked = rapid.SampledFrom(stored).Draw(t, "asked")
				asked.DatasetDigest, asked.SplitDigest = digest(t, "data", asked.DatasetDigest), digest(t, "rows", "s1", "s2")
			}
			var matches []results.Inputs // a digest that is not known agrees with any, where the reader lacks one
			for _, in := range stored {
				if len(in.Diff(asked)) == 0 && (asked.DatasetDigest == "" || asked.SplitDigest == "" || in.Key() == asked.Key()) {
					matches = append(matches, in)
				}
			}
			for name, from := range map[string]Store{"store": s, "snapshot": *snapshot} {
				c, ok, err := from.Find(asked)
				if ok != (len(matches) == 1) || (err != nil) != (len(matches) > 1) || ok && c.Key() != matches[0].Key() {
					t.Fatalf("%+v: %v %v %v from the %s, want one of %v", asked, c.Inputs, ok, err, name, matches)
				}
				for _, in := range matches {
					if err != nil && !strings.Contains(err.Error(), in.Key()[:keyDigits]) {
						t.Fatalf("%v does not name %s", err, in.Key())
					}
				}
			}
			got, ok, err := snapshot.Nearest(asked)
			if err != nil || ok != (len(stored) > 0) {
				t.Fatal(ok, err)
			}
			if !ok {
				continue
			}
			want := slices.MinFunc(stored, func(a, b results.Inputs) int {
				return cmp.Or(cmp.Compare(len(a.Diff(asked)), len(b.Diff(asked))), cmp.Compare(a.Key(), b.Key()))
			})
			fixture.Same(t, fmt.Sprintf("the nearest of %v", asked), got, want)
		}
	})
}

// TestShown: doubts are of the run beside a cell, and only of the run that made it; the cell has
// the same bytes with them and without. A false sentence of accepted cells is told as it is true.
func TestShown(t *testing.T) {
	s, _ := testStore(t)
	c := fixture.GridCell()
	c.Warnings = []string{"few pairs", "all weights are 0; the metric is Euclidean"}
	fixture.Check(t, s.Put(c, results.Run{Doubts: []string{"not converged"}}))
	for name, st := range map[string]*Store{"as it is": &s, "snapshot": s.Snapshot()} {
		found, _, err := st.Find(c.Inputs)
		fixture.Check(t, err)
		fixture.EqualSlice(t, name+": warnings of the cell", found.Warnings, c.Warnings)
		shown, ok, err := st.Shown(c.Inputs)
		if !ok || err != nil || len(shown.Doubts) != 2 || shown.Doubts[1] != "not converged" || strings.Contains(shown.Doubts[0], "the metric is Euclidean") {
			t.Errorf("%s: doubts %q, %v, %v", name, shown.Doubts, ok, err)
		}
		fixture.EqualSlice(t, name+": warnings", shown.Warnings, []string{"few pairs"})
	}
}

// A failing disk does not read records of runs.
type failing struct{ fs.FS }

func (f failing) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, runSuffix) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return f.FS.Open(name)
}

// A record of a run that is damaged is told of, by a snapshot once, and what it says is not known.
// One that the disk does not read is an error, and to a reader of results a remark.
func TestUnreadableRecord(t *testing.T) {
	said := 0
	s := Store{Dir: t.TempDir(), Log: func(string, ...any) { said++ }}
	c := fixture.NewCell("toy", "itml", 3, 4, 1)
	fixture.Check(t, s.Put(c, results.Run{Host: "h"}))
	snapshot := s.Snapshot()
	fixture.Write(t, s.stem(c.Inputs)+runSuffix, "{")
	for range 3 {
		_, known, _ := snapshot.RunOf(c)
		fixture.Equal(t, "known", known, false)
	}
	fixture.Equal(t, "remarks", said, 1)
	fixture.Check(t, os.Remove(s.stem(c.Inputs)+runSuffix))
	snapshot.RunOf(c)
	fixture.Equal(t, "remarks on one that is not there", said, 1)
	fixture.EqualSlice(t, "other builds without a record", fixture.Must(snapshot.OtherBuilds(c))(t), []results.Build{{}})
	s.FS = failing{os.DirFS(s.Dir)}
	_, err := s.OtherBuilds(c)
	fixture.Is(t, err, syscall.EIO)
	snapshot = s.Snapshot()
	for range 2 {
		shown, ok, err := snapshot.Shown(c.Inputs)
		if !ok || err != nil || shown.Doubts != nil || said != 2 {
			t.Errorf("shown without its record: %v, doubts %q, %d remarks, %v", ok, shown.Doubts, said, err)
		}
	}
}
