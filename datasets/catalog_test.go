package datasets

import (
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
	if letters != "ABCDEFGHIJKLMNOPQR" {
		t.Errorf("letters of the sets with files %q", letters)
	}
	if len(all) != 24 {
		t.Errorf("%d sets, want 18 and 6 generated", len(all))
	}
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

// The sizes are those of the paper's Table 1, but for Sonar, of which Table 1
// says 180, more than there are. The paper's text gives those of the studies.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		id                string
		features, classes int // as the split has them
		train, val, test  int
		all               int // rows
	}{
		{"robot", 4, 4, 240, 240, 4976, 5456},
		{"letter", 16, 26, 520, 2600, 2600, 20000},
		{"pendigits", 16, 10, 400, 2000, 2000, 10992},
		{"winequality", 12, 2, 150, 150, 2898, 6497},
		{"telescope", 10, 2, 300, 300, 5400, 19020},
		{"segmentation", 18, 7, 210, 210, 1890, 2310},
		{"twonorm", 20, 2, 250, 250, 3900, 7400},
		{"ringnorm", 20, 2, 250, 250, 3900, 7400},
		{"ionosphere", 34, 2, 80, 50, 221, 351},
		{"breasttissue", 9, 6, 18, 18, 70, 106},
		{"coil20", 30, 20, 400, 400, 640, 1440},
		{"glass", 9, 6, 18, 18, 178, 214},
		{"heart", 13, 2, 40, 40, 190, 270},
		{"isolet", 30, 26, 520, 3640, 3637, 7797},
		{"optdigits", 32, 10, 400, 2400, 2820, 5620},
		{"sonar", 60, 2, 40, 40, 128, 208},
		{"usps", 30, 10, 400, 4500, 4398, 9298},
		{"wpbc", 33, 2, 20, 20, 158, 198},
		{"twonorm-gen", 20, 2, 250, 250, 3900, 7400},
		{"ringnorm-gen", 20, 2, 250, 250, 3900, 7400},
		{"overlap30", 30, 2, 80, 80, 320, 2000},
		{"overlap60", 60, 2, 80, 80, 320, 2000},
		{"overlap60-13", 60, 2, 80, 80, 320, 2000},
		{"toy", 2, 2, 4, 4, 4, 12},
	} {
		e := fixture.Must(Find(c.id))(t)
		features := e.Features
		if e.PCA > 0 {
			features = e.PCA
		}
		if e.Classes != nil && len(e.Classes) != c.classes {
			t.Errorf("%s: %d names of classes, want %d", c.id, len(e.Classes), c.classes)
		}
		if features != c.features || len(e.Labels) != c.classes || e.Rows() != c.all {
			t.Errorf("%s: %d features, %d classes, %d rows, want %d, %d, %d",
				c.id, features, len(e.Labels), e.Rows(), c.features, c.classes, c.all)
		}
		parts, err := Rule{}.rows(e.Sizes, codesOnly(e))
		if err != nil {
			t.Errorf("%s: %v", c.id, err)
		}
		equal(t, c.id+": sizes", sizeOf(parts), [3]int{c.train, c.val, c.test})
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
