package datasets

import (
	"cmp"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

func TestAll(t *testing.T) {
	all := All()
	letters := ""
	ids := map[string]bool{}
	for _, e := range all {
		if ids[e.ID] || e.ID != strings.ToLower(e.ID) {
			t.Errorf("id %q is used twice or not in lower case", e.ID)
		}
		ids[e.ID] = true
		if e.Generated() != (len(e.Files) == 0) || e.Generated() == (e.load != nil) {
			t.Errorf("%s: %d files, loader %t, generator %t", e.ID, len(e.Files), e.load != nil, e.generate != nil)
		}
		if !e.Generated() {
			letters += e.Letter
		}
		if len(e.Labels) != len(e.Histogram) || len(e.Labels) < 2 {
			t.Errorf("%s: %d labels, %d counts", e.ID, len(e.Labels), len(e.Histogram))
		}
		if e.Name == "" || e.Licence == "" || e.Note == "" {
			t.Errorf("%s: name %q, licence %q, note %q", e.ID, e.Name, e.Licence, e.Note)
		}
		for _, digest := range []string{e.Digest, e.SplitDigest} {
			if b, err := hex.DecodeString(digest); err != nil || len(b) != 32 {
				t.Errorf("%s: %q is no SHA-256", e.ID, digest)
			}
		}
	}
	fixture.Equal(t, "letters of the sets with files", letters, "ABCDEFGHIJKLMNOPQR")
	fixture.Equal(t, "sets, 18 and 6 generated", len(all), 24)
}

func TestFiles(t *testing.T) {
	for _, e := range All() {
		for _, f := range e.Files {
			if b, err := hex.DecodeString(f.SHA256); err != nil || len(b) != 32 || f.Bytes < 1 {
				t.Errorf("%s: %s: SHA-256 %q, %d bytes", e.ID, f.Name, f.SHA256, f.Bytes)
			}
			for _, s := range f.Sources {
				archived := strings.HasSuffix(s.URL, ".zip")
				if !strings.HasPrefix(s.URL, "http") || archived != (s.Member != "") || archived && !strings.HasPrefix(s.Member, f.Name) {
					t.Errorf("%s: %s: source %+v", e.ID, f.Name, s)
				}
			}
			if len(f.Sources) == 0 {
				t.Errorf("%s: %s has no source", e.ID, f.Name)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, id string }{
		{"robot", "robot"}, {"A", "robot"}, {"a", "robot"}, {"WineQuality", "winequality"},
		{"G", "twonorm"}, {"h", "ringnorm"}, {"twonorm-gen", "twonorm-gen"}, {"Overlap60", "overlap60"},
		{"overlap60-13", "overlap60-13"}, {"toy", "toy"},
	} {
		if e, err := Find(c.name); err != nil || e.ID != c.id {
			t.Errorf("Find(%q) = %q, %v, want %q", c.name, e.ID, err, c.id)
		}
	}
	for _, name := range []string{"", "S", "robots", ":", ":7", "overlap:7", "mat:7"} {
		if e, err := Find(name); !errors.Is(err, ErrUnknown) || e.ID != "" {
			t.Errorf("Find(%q) = %q, %v, want an unknown set", name, e.ID, err)
		}
	}
}

// The sizes are those of the paper's Table 1, but for Sonar, of which Table 1 says 180
// test samples, more than there are.
func TestSizes(t *testing.T) {
	for _, row := range tableOne {
		e := fixture.Must(Find(row.letter))(t)
		parts := fixture.Must(Rule{}.rows(e.Sizes, codesOnly(e)))(t)
		want := [3]int{row.train, row.validation, row.test}
		if e.ID == "sonar" {
			want[2] = 128
		}
		fixture.Same(t, e.ID+": sizes", sizeOf(parts), want)
		if d := cmp.Or(e.PCA, e.Features); d != row.features || len(e.Labels) != row.classes || e.Classes != nil && len(e.Classes) != row.classes {
			t.Errorf("%s: %d features and %d classes, %d of them named; want %d and %d", e.ID, d, len(e.Labels), len(e.Classes), row.features, row.classes)
		}
	}
}

// codesOnly returns data without features, class after class.
func codesOnly(e Entry) *Data {
	d := &Data{Labels: e.Labels}
	for i, n := range e.Histogram {
		for range n {
			d.Y = append(d.Y, i+1)
		}
	}
	return d
}
