package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// journalInputs have a grid of four points.
func journalInputs() results.Inputs {
	in := fixture.GridInputs()
	in.Settings = append(in.Settings, in.Settings...)
	return in
}

var outcomes = []results.Outcome{
	{Setting: 2, Correct: 171, Score: "8/9"}, {Setting: 0, Failed: "not finite: λ\n", Log: "goroutine 1 [running]:\n"}, {Setting: 3, Correct: 0},
}

// tested are outcomes of the phase that labels the test samples.
var tested = []results.Outcome{
	{Phase: results.PhaseTest, Setting: 2, Test: results.TestCount{ByClass: []int{3, 0, 17}, Largest: 20}},
	{Phase: results.PhaseTest, Setting: 1, Failed: "not finite"},
}

func known(o ...results.Outcome) map[int]results.Outcome {
	m := map[int]results.Outcome{}
	for _, o := range o {
		m[o.Setting] = o
	}
	return m
}

// writeJournal returns the bytes of a journal with the outcomes.
func writeJournal(t *testing.T, s Store, in results.Inputs) (path string, data []byte) {
	t.Helper()
	j := fixture.Must(s.OpenJournal(in))(t)
	for _, o := range outcomes {
		fixture.Check(t, j.Add(o))
	}
	fixture.Check(t, j.Close())
	return j.path, fixture.Must(os.ReadFile(j.path))(t)
}

func TestJournalResumes(t *testing.T) {
	s, remarks := testStore(t)
	in := journalInputs()
	path, _ := writeJournal(t, s, in)
	j := fixture.Must(s.OpenJournal(in))(t)
	fixture.Same(t, "done", j.Done(""), known(outcomes...))
	last := results.Outcome{Setting: 1, Correct: 5}
	for _, o := range append(tested, last) {
		fixture.Check(t, j.Add(o))
	}
	fixture.Check(t, j.Close())
	j = fixture.Must(s.OpenJournal(in))(t)
	fixture.Same(t, "done", j.Done(""), known(append([]results.Outcome{last}, outcomes...)...))
	fixture.Same(t, "of the other phase", j.Done(results.PhaseTest), known(tested...))
	fixture.Check(t, j.Remove())
	fixture.Equal(t, "the journal is gone", isNothing(path), true)
	j = fixture.Must(s.OpenJournal(in))(t)
	fixture.Equal(t, "done after removal", len(j.Done("")), 0)
	fixture.Check(t, j.Close())
	fixture.EqualSlice(t, "remarks", *remarks, nil)
}

// whole counts the outcomes whose lines end within the first n bytes.
func whole(data []byte, n int) int {
	return max(0, bytes.Count(data[:n], []byte("\n"))-1)
}

func TestJournalTornAnywhere(t *testing.T) {
	s := emptyStore(t)
	in := journalInputs()
	path, data := writeJournal(t, s, in)
	more := results.Outcome{Setting: 1, Correct: 7}
	for n := range len(data) + 1 {
		fixture.Check(t, os.WriteFile(path, data[:n], 0o644))
		left := outcomes[:whole(data, n)]
		j := fixture.Must(s.OpenJournal(in))(t)
		fixture.Same(t, fmt.Sprintf("torn at byte %d", n), j.Done(""), known(left...))
		fixture.Check(t, errors.Join(j.Add(more), j.Close()))
		j = fixture.Must(s.OpenJournal(in))(t)
		fixture.Same(t, fmt.Sprintf("torn at byte %d and continued", n), j.Done(""), known(append([]results.Outcome{more}, left...)...))
		fixture.Check(t, j.Close())
	}
}

// TestJournalSurvivesGarbage: whatever stands behind the sound lines is not
// theirs; lines that have an end are kept aside before they are cut off.
func TestJournalSurvivesGarbage(t *testing.T) {
	s, remarks := testStore(t)
	in := journalInputs()
	path, data := writeJournal(t, s, in)
	kept := 0
	for _, tail := range []string{"\x00\x00\x00", `{"point":1,`, "\n", "{}\n", string(data)} {
		fixture.Check(t, os.WriteFile(path, append(bytes.Clone(data), tail...), 0o644))
		if strings.HasSuffix(tail, "\n") {
			kept++
		}
		j := fixture.Must(s.OpenJournal(in))(t)
		if !cmp.Equal(j.Done(""), known(outcomes...)) || j.Close() != nil || len(*remarks) != kept {
			t.Errorf("before %q: %v, remarks %q", tail, j.Done(""), *remarks)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(got, data) || bytes.Contains(got[len(data):], []byte("{}")) {
			t.Errorf("%q is not cut off: %q, error %v", tail, got, err)
		}
	}
	fixture.Equal(t, "kept aside", fixture.Text(t, path+".corrupt-2"), string(data)+"{}\n")
}

// lineAt returns which line of a journal byte n is in, the header being 0.
func lineAt(data []byte, n int) int {
	return bytes.Count(data[:n], []byte("\n"))
}

// TestJournalSurvivesFlippedBits: a damaged line costs its own point, and the
// next one's when it has lost its end; the others are kept.
func TestJournalSurvivesFlippedBits(t *testing.T) {
	in := journalInputs()
	s := emptyStore(t)
	_, data := writeJournal(t, s, in)
	for n := range data {
		for bit := range 8 {
			flipped := bytes.Clone(data)
			flipped[n] ^= 1 << bit
			got, torn, damaged := parseJournal(flipped, in.Key(), len(in.Settings))
			if end := n == len(data)-1; end != (torn > 0) || end == damaged {
				t.Errorf("bit %d of byte %d: torn %d, damaged %v", bit, n, torn, damaged)
			}
			line, merged := lineAt(data, n), data[n] == '\n'
			for i, o := range outcomes {
				if lost := line == i+1 || merged && line == i; slices.ContainsFunc(got, func(g results.Outcome) bool { return cmp.Equal(g, o) }) == lost {
					t.Errorf("bit %d of byte %d, line %d: outcomes %v", bit, n, line, got)
				}
			}
		}
	}
}

func TestJournalOfAnotherKey(t *testing.T) {
	s, remarks := testStore(t)
	in, other := journalInputs(), journalInputs()
	other.Seed = 2
	_, foreign := writeJournal(t, s, other)
	path, _ := writeJournal(t, s, in)
	for n, data := range [][]byte{foreign, []byte("not a journal\n"), []byte("x")} {
		fixture.Check(t, os.WriteFile(path, data, 0o644))
		j := fixture.Must(s.OpenJournal(in))(t)
		fixture.Equal(t, "points done", len(j.Done("")), 0)
		fixture.Check(t, j.Close())
		fixture.Equal(t, "kept aside", fixture.Text(t, fmt.Sprintf("%s.corrupt-%d", path, n+1)), string(data))
		fixture.Equal(t, "remarks", len(*remarks), n+1)
		fixture.Has(t, "the remark", (*remarks)[n], path)
	}
}

func TestJournalByManyHands(t *testing.T) {
	s := emptyStore(t)
	in := journalInputs()
	j := fixture.Must(s.OpenJournal(in))(t)
	var all sync.WaitGroup
	for i := range in.Settings {
		all.Go(func() {
			if err := j.Add(results.Outcome{Setting: i, Correct: i}); err != nil {
				t.Error(err)
			}
			j.Done("")
		})
	}
	all.Wait()
	fixture.Check(t, j.Close())
	j = fixture.Must(s.OpenJournal(in))(t)
	fixture.Equal(t, "points done", len(j.Done("")), len(in.Settings))
	fixture.Check(t, j.Remove())
}

func FuzzJournal(f *testing.F) {
	in := journalInputs()
	key := in.Key()
	data := journalHeader(key)
	for _, o := range outcomes {
		data = append(data, journalLine(key, o)...)
	}
	f.Add(data)
	f.Add(data[:len(data)-3])
	f.Add(journalHeader(key))
	f.Add([]byte("{}\n"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, torn, damaged := parseJournal(data, key, len(in.Settings))
		if torn < 0 || torn > len(data) || bytes.Contains(data[len(data)-torn:], []byte("\n")) {
			t.Fatalf("%d torn bytes of %d", torn, len(data))
		}
		again := journalOf(key, got)
		if sound := data[:len(data)-torn]; !damaged && len(sound) > 0 && !bytes.Equal(again, sound) {
			t.Errorf("accepted\n%q\nbut written\n%q", sound, again)
		}
		if twice, torn, damaged := parseJournal(again, key, len(in.Settings)); !cmp.Equal(twice, got) || torn != 0 || damaged {
			t.Errorf("written %v, read %v, torn %d, damaged %v", got, twice, torn, damaged)
		}
	})
}
