package datasets

import (
	"errors"
	"math"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// A set drawn with another seed differs from the catalogue's in content alone
// and passes the same checks.
func TestSeeded(t *testing.T) {
	for _, id := range []string{"overlap30", "overlap60", "overlap60-13", "twonorm-gen", "ringnorm-gen"} {
		plain := fixture.Must(Find(id))(t)
		e := fixture.Must(Find(strings.ToUpper(id) + ":7"))(t)
		if e.ID != id+":7" || e.Name != plain.Name+", seed 7" || e.Letter != plain.Letter {
			t.Errorf("%s:7 is %q, %q, letter %q", id, e.ID, e.Name, e.Letter)
		}
		if e.Note != strings.Replace(plain.Note, "seed 1", "seed 7", 1) || e.Note == plain.Note {
			t.Errorf("%s:7: note %q", id, e.Note)
		}
		if e.Digest == plain.Digest {
			t.Errorf("%s:7 has the content of %s", id, id)
		}
		if again, err := Find(id + ":7"); err != nil || again.Digest != e.Digest {
			t.Errorf("%s:7 has the digest %s, then %s, %v", id, e.Digest, again.Digest, err)
		}
		d := fixture.Must(Library{}.Load(e))(t) // compares the digest
		fixture.Must(Cut(e, d, Rule{Kind: "random", Seed: 3}))(t)
		fixture.Equal(t, id+":7: split digest", fixture.Must(Cut(e, d, Rule{}))(t).Digest, e.SplitDigest)
		fixture.EqualSlice(t, id+":7", differences(fixture.Must(Verify(Library{}, e))(t)), nil)
	}
}

// Golden: a seed of the reader's choice draws the same on every machine.
func TestSeededDigest(t *testing.T) {
	e := fixture.Must(Find("overlap60-13:7"))(t)
	fixture.Equal(t, "content digest", e.Digest, "d67071a967f4b4bbd84450fce5176743771f050c6aff90061448060e6b790cdc")
}

func TestSeedErrors(t *testing.T) {
	for _, name := range []string{
		"overlap30:1", "overlap30:", "overlap30:0", "overlap30:01", "overlap30:07", "overlap30:-7", "overlap30:+7", "overlap30: 7", "overlap30:7.0",
		"overlap30:0x7", "overlap30:7:8", "overlap30:18446744073709551616", "toy:2", "toy:x", "robot:7", "G:7",
	} {
		if e, err := Find(name); err == nil || errors.Is(err, ErrUnknown) || e.ID != "" {
			t.Errorf("Find(%q) = %q, %v; want an error about the seed", name, e.ID, err)
		}
	}
	if e, err := Find("overlap30:18446744073709551615"); err != nil || e.seed != math.MaxUint64 {
		t.Errorf("the largest seed: %d, %v", e.seed, err)
	}
}

// FuzzFind: every name means one set under one id, which finds it again.
func FuzzFind(f *testing.F) {
	for _, name := range []string{"overlap30:7", "Overlap60-13:2", "twonorm-gen:01", "toy:2", "a", ":", "robot:", "overlap30:1"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		e, err := Find(name)
		if err != nil {
			if e.ID != "" {
				t.Errorf("Find(%q) = %q beside the error %v", name, e.ID, err)
			}
			return
		}
		if len(name) > 1 && !strings.EqualFold(e.ID, name) {
			t.Errorf("Find(%q) = %q", name, e.ID)
		}
		if again, err := Find(e.ID); err != nil || again.Digest != e.Digest {
			t.Errorf("Find(%q) has the digest %s, Find(%q) %s, %v", name, e.Digest, e.ID, again.Digest, err)
		}
	})
}
