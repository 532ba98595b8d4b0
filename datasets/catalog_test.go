package datasets

import (
	"cmp"
	"encoding/hex"
	"errors"
	"slices"
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
			fixture.Equal(t, e.ID+": bytes of a digest", len(fixture.Must(hex.DecodeString(digest))(t)), 32)
		}
	}
	fixture.Equal(t, "letters of the sets with files", letters, "ABCDEFGHIJKLMNOPQR")
	fixture.Equal(t, "sets, 18 and 6 generated", len(all), 24)
}

func TestFiles(t *testing.T) {
	for _, e := range All() {
		for _, f := range e.Files {
			fixture.Equal(t, f.Name+": bytes of a digest", len(fixture.Must(hex.DecodeString(f.SHA256))(t)), 32)
			for _, s := range f.Sources {
				archived := strings.HasSuffix(s.URL, ".zip")
				if !strings.HasPrefix(s.URL, "http") || archived != (s.Member != "") || archived && !strings.HasPrefix(s.Member, f.Name) {
					t.Errorf("%s: %s: source %+v", e.ID, f.Name, s)
				}
			}
			if len(f.Sources) == 0 || f.Bytes < 1 {
				t.Errorf("%s: %s has %d bytes and %d sources", e.ID, f.Name, f.Bytes, len(f.Sources))
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
		fixture.Equal(t, c.name, fixture.Must(Find(c.name))(t).ID, c.id)
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
func codesOnly(e DataSet) *Data {
	d := &Data{Labels: e.Labels}
	for i, n := range e.Histogram {
		d.Y = append(d.Y, slices.Repeat([]int{i + 1}, n)...)
	}
	return d
}

// TestIncluded: what is part of the program has the bytes that the catalogue knows, and
// loads where there is no directory of data.
func TestIncluded(t *testing.T) {
	nowhere := Library{Dir: t.TempDir()}
	for _, id := range []string{"ionosphere", "glass", "sonar"} {
		e := fixture.Must(Find(id))(t)
		for _, f := range e.Files {
			if b, err := nowhere.Read(e, f); err != nil || !f.matches(b) {
				t.Errorf("%s: %s has not the SHA-256 of the catalogue (%v)", id, f.Name, err)
			}
		}
		fixture.Must(nowhere.Load(e))(t)
	}
	fixture.Is(t, fixture.Error(nowhere.Load(fixture.Must(Find("wpbc"))(t))), ErrMissing)
}

func TestLoadCOIL20(t *testing.T) {
	views := 20 * coilViews
	fea := matrix{"fea", views, make([]float64, views*1024)}
	gnd := matrix{"gnd", views, make([]float64, views)}
	for i := range views {
		fea.data[i] = float64(i) // first pixel
		gnd.data[i] = float64(1 + i/coilViews)
	}
	raw := fixture.Must(loadCOIL20(map[string][]byte{"COIL20.mat": matFile(fea, gnd)}))(t)
	for _, c := range []struct {
		row   int
		pixel float64
		label string
	}{{0, 0, "1"}, {2, 10, "1"}, {71, 9, "1"}, {72, 72, "2"}, {74, 82, "2"}, {1439, 1377, "20"}} {
		if raw.X[c.row][0] != c.pixel || raw.Labels[c.row] != c.label {
			t.Errorf("row %d is row %v of object %s, want %v of %s", c.row, raw.X[c.row][0], raw.Labels[c.row], c.pixel, c.label)
		}
	}
	for _, c := range []struct {
		file []byte
		want string
	}{
		{matFile(fea), "COIL20.mat: fea is 1440 x 1024 and gnd 0 x 0"},
		{matFile(matrix{"fea", 2, []float64{1, 2}}, gnd), "fea is 2 x 1 and"},
		{nil, "COIL20.mat: MAT-file: shorter"},
	} {
		fixture.Says(t, fixture.Error(loadCOIL20(map[string][]byte{"COIL20.mat": c.file})), c.want)
	}
}
