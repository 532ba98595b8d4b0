package results

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// journalInputs have a grid of four points.
func journalInputs() Inputs {
	in := gridInputs()
	in.Points = append(in.Points, in.Points...)
	return in
}

var outcomes = []Outcome{{Point: 2, Correct: 171}, {Point: 0, Failed: "not finite: λ\n"}, {Point: 3, Correct: 0}}

func known(o ...Outcome) map[int]Outcome {
	m := map[int]Outcome{}
	for _, o := range o {
		m[o.Point] = o
	}
	return m
}

func openJournal(t *testing.T, s Store, in Inputs) *Journal {
	t.Helper()
	j, err := s.OpenJournal(in)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// writeJournal returns the bytes of a journal with the outcomes.
func writeJournal(t *testing.T, s Store, in Inputs) (path string, data []byte) {
	t.Helper()
	j := openJournal(t, s, in)
	for _, o := range outcomes {
		if err := j.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(j.path)
	if err != nil {
		t.Fatal(err)
	}
	return j.path, data
}

func TestJournalResumes(t *testing.T) {
	s, remarks := testStore(t)
	in := journalInputs()
	path, _ := writeJournal(t, s, in)
	j := openJournal(t, s, in)
	if got := j.Done(); !maps.Equal(got, known(outcomes...)) {
		t.Errorf("done %v", got)
	}
	last := Outcome{Point: 1, Correct: 5}
	if err := j.Add(last); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openJournal(t, s, in)
	if got := j.Done(); !maps.Equal(got, known(append([]Outcome{last}, outcomes...)...)) {
		t.Errorf("done %v", got)
	}
	if err := j.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the journal is still there: %v", err)
	}
	if j = openJournal(t, s, in); len(j.Done()) > 0 {
		t.Errorf("done after removal: %v", j.Done())
	}
	if err := j.Close(); err != nil || len(*remarks) > 0 {
		t.Errorf("%v, remarks %q", err, *remarks)
	}
}

// whole counts the outcomes whose lines end within the first n bytes.
func whole(data []byte, n int) int {
	return max(0, bytes.Count(data[:n], []byte("\n"))-1)
}

func TestJournalTornAnywhere(t *testing.T) {
	s, _ := testStore(t)
	in := journalInputs()
	path, data := writeJournal(t, s, in)
	more := Outcome{Point: 1, Correct: 7}
	for n := range len(data) + 1 {
		if err := os.WriteFile(path, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		left := outcomes[:whole(data, n)]
		j := openJournal(t, s, in)
		if want := known(left...); !maps.Equal(j.Done(), want) {
			t.Fatalf("torn at byte %d: %v, want %v", n, j.Done(), want)
		}
		if err := errors.Join(j.Add(more), j.Close()); err != nil {
			t.Fatal(err)
		}
		j = openJournal(t, s, in)
		if want := known(append([]Outcome{more}, left...)...); !maps.Equal(j.Done(), want) {
			t.Fatalf("torn at byte %d and continued: %v, want %v", n, j.Done(), want)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJournalDropsGarbage(t *testing.T) {
	s, remarks := testStore(t)
	in := journalInputs()
	path, data := writeJournal(t, s, in)
	for n, tail := range []string{"\x00\x00\x00", `{"point":1,`, "\n", "{}\n", string(data)} {
		if err := os.WriteFile(path, append(bytes.Clone(data), tail...), 0o644); err != nil {
			t.Fatal(err)
		}
		j := openJournal(t, s, in)
		if !maps.Equal(j.Done(), known(outcomes...)) || j.Close() != nil || len(*remarks) != n+1 {
			t.Errorf("before %q: %v, remarks %q", tail, j.Done(), *remarks)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%q is not cut off: %q, error %v", tail, got, err)
		}
	}
}

func TestJournalDropsDamagedLines(t *testing.T) {
	in := journalInputs()
	s, _ := testStore(t)
	_, data := writeJournal(t, s, in)
	start := len(journalHeader(in.Key()))
	for n := start; n < len(data); n++ {
		flipped := bytes.Clone(data)
		flipped[n] ^= 1
		got, sound := parseJournal(flipped, in.Key(), len(in.Points))
		if want := whole(data, n); len(got) != want || sound > n {
			t.Errorf("with byte %d flipped: %d outcomes, want %d, and %d sound bytes", n, len(got), want, sound)
		}
	}
	for name, line := range map[string][]byte{
		"point outside the grid": journalLine(in.Key(), Outcome{Point: 4, Correct: 1}),
		"negative point":         journalLine(in.Key(), Outcome{Point: -1, Correct: 1}),
		"negative score":         journalLine(in.Key(), Outcome{Point: 1, Correct: -1}),
		"of another key":         journalLine("0123", Outcome{Point: 1, Correct: 1}),
	} {
		if got, sound := parseJournal(append(bytes.Clone(data), line...), in.Key(), 4); len(got) != 3 || sound != len(data) {
			t.Errorf("%s: %v, %d sound bytes of %d", name, got, sound, len(data))
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
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		j := openJournal(t, s, in)
		if len(j.Done()) > 0 {
			t.Errorf("done %v", j.Done())
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		kept, err := os.ReadFile(fmt.Sprintf("%s.corrupt-%d", path, n+1))
		if err != nil || !bytes.Equal(kept, data) || len(*remarks) != n+1 || !strings.Contains((*remarks)[n], path) {
			t.Errorf("kept %q, error %v, remarks %q", kept, err, *remarks)
		}
	}
}

func TestJournalByManyHands(t *testing.T) {
	s, _ := testStore(t)
	in := journalInputs()
	j := openJournal(t, s, in)
	var all sync.WaitGroup
	for i := range in.Points {
		all.Go(func() {
			if err := j.Add(Outcome{Point: i, Correct: i}); err != nil {
				t.Error(err)
			}
			j.Done()
		})
	}
	all.Wait()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openJournal(t, s, in)
	if len(j.Done()) != len(in.Points) {
		t.Errorf("done %v", j.Done())
	}
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
}

func TestJournalOnFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs the device /dev/full of Linux")
	}
	j := Journal{file: full, path: "grid.journal", done: map[int]Outcome{}}
	err = j.Add(Outcome{Point: 1})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "grid.journal") || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("error %v", err)
	}
	if len(j.Done()) > 0 || j.Close() != nil {
		t.Errorf("done %v", j.Done())
	}
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
		got, sound := parseJournal(data, key, len(in.Points))
		if sound < 0 || sound > len(data) {
			t.Fatalf("%d sound bytes of %d", sound, len(data))
		}
		var again []byte
		if sound > 0 {
			again = journalHeader(key)
		}
		for _, o := range got {
			again = append(again, journalLine(key, o)...)
		}
		if !bytes.Equal(again, data[:sound]) {
			t.Errorf("accepted\n%q\nbut written\n%q", data[:sound], again)
		}
	})
}
