package datasets

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// libraryOf has these files of the toy set.
func libraryOf(t *testing.T, files map[string]string) Library {
	t.Helper()
	l := Library{t.TempDir()}
	for name, text := range files {
		fixture.Write(t, filepath.Join(l.Dir, "toy", name), text)
	}
	return l
}

func zippedText(text string) string { return string(gzipped([]byte(text))) }

func TestLibraryRead(t *testing.T) {
	f := File{Name: "one.data", Bytes: 6}
	for _, c := range []struct {
		name, suffix, bytes, want, fault string
		kind                             error
	}{
		{"plain", "", "aaaaaa", "aaaaaa", "", nil},
		{"gzip", ".gz", zippedText("aaaaaa"), "aaaaaa", "", nil},
		{"compress", ".Z", "\x1f\x9d\x90\x61\x02\x0a\x04", "aaaaaa", "", nil},
		{"shorter is for the digest to tell", "", "aaa", "aaa", "", nil},
		{"elsewhere", ".bz2", "aaaaaa", "", "toy/one.data: file missing", ErrMissing},
		{"too long", "", "aaaaaaa", "", "one.data: wrong content: more than 6 bytes", ErrCorrupt},
		{"zip", "", string(zipOf(zipped{"one.data", 0, []byte("aaaaaa")})), "", "zip: an archive, of which the files are to be unpacked", ErrCorrupt},
		{"unfolds to too much", ".gz", zippedText(strings.Repeat("a", 1<<16)), "", "one.data.gz: wrong content: gzip: more than 6 bytes", ErrCorrupt},
		{"plain under the name of a packed one", ".gz", "aaaaaa", "aaaaaa", "", nil},
		{"cut off", ".gz", zippedText("aaaaaa")[:20], "", "one.data.gz: wrong content: gzip: truncated: unexpected EOF", ErrCorrupt},
		{"bad compress", ".Z", "\x1f\x9d\x08a", "", "one.data.Z: wrong content: .Z: unlzw: greatest code width", ErrCorrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := libraryOf(t, map[string]string{"one.data" + c.suffix: c.bytes}).Read(DataSet{ID: "toy"}, f)
			fixture.Equal(t, "read", string(got), c.want)
			fixture.Is(t, err, c.kind)
			if err != nil {
				fixture.Says(t, err, c.fault)
			}
		})
	}
}

// A file is refused by its size, before it is read: this one has no bytes on the disk.
func TestLibraryReadsNoLargeFile(t *testing.T) {
	l := libraryOf(t, map[string]string{"one.data": ""})
	fixture.Check(t, os.Truncate(filepath.Join(l.Dir, "toy", "one.data"), 1<<20))
	fixture.Says(t, fixture.Error(l.Read(DataSet{ID: "toy"}, File{Name: "one.data", Bytes: 6})), "one.data: wrong content: more than 65548 bytes")
}

// The second file of the set may vary, as long as the content is the same.
func TestLibraryLoad(t *testing.T) {
	e, halves := pairSet(nil, nil)
	e.Files[1].Varies = true
	one, two := string(halves[0]), string(halves[1])
	for _, c := range []struct {
		name  string
		files map[string]string
		kind  error
		want  []string // parts of the message
	}{
		{"as known", map[string]string{"one.data": one, "two.data.gz": zippedText(two)}, nil, nil},
		{"wrapped otherwise", map[string]string{"one.data": one, "two.data": strings.NewReplacer(",", " , ", "\n", "\r\n\n").Replace(two)}, nil, nil},
		{"none there", nil, ErrMissing, []string{"datasets: toy: ", "one.data: file missing", "two.data: file missing",
			"; fetch it with: r2lmlbench data fetch toy"}},
		{"other bytes", map[string]string{"one.data": one[1:] + "9", "two.data": two}, ErrCorrupt, []string{"one.data: wrong content: SHA-256 is not "}},
		{"no text", map[string]string{"one.data": one, "two.data": "1,1,a\nx,1,b"}, ErrCorrupt, []string{"wrong content: two.data:2: field 1"}},
		{"other label", map[string]string{"one.data": one, "two.data": "1,1,c\n"}, ErrCorrupt, []string{`row 11 has the unknown label "c"`}},
		{"row too few", map[string]string{"one.data": one, "two.data": two[8:]}, ErrCorrupt, []string{`9 rows of class "b", want 10`}},
		{"other value", map[string]string{"one.data": one, "two.data": "9" + two}, ErrCorrupt, []string{"content digest"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := libraryOf(t, c.files)
			d, err := l.Load(e)
			fixture.Is(t, l.Check(e), c.kind)
			fixture.Is(t, err, c.kind)
			if err == nil {
				fixture.Equal(t, "rows", len(d.Y), 20)
			} else {
				fixture.Says(t, err, c.want...)
			}
		})
	}
}

// differences returns what of the checks is not OK, as "what: want / got".
func differences(checks []Check) []string {
	var found []string
	for _, c := range checks {
		if !c.OK {
			found = append(found, c.What+": "+c.Want+" / "+c.Got)
		}
	}
	return found
}

func TestVerify(t *testing.T) {
	right, wrong := toyText(), strings.Replace(string(toyText()), "a", "b", 1)
	changed := func(e DataSet, change func(*DataSet)) DataSet { change(&e); return e }
	content := func(text string) string {
		return "content digest: " + toySet().Digest + " / " + contentOf(toySet(), map[string][]byte{"toy.data": []byte(text)})
	}
	for _, tt := range []struct {
		name  string
		set   DataSet
		file  string // nothing: no file
		want  []string
		cause error
	}{
		{"right", toySet(), string(right), nil, nil},
		{"missing", toySet(), "", []string{"file toy.data: present / missing or unreadable"}, ErrMissing},
		{"wrong bytes", toySet(), wrong, []string{"SHA-256 of toy.data: " + hexSum(right) + " / " + hexSum([]byte(wrong))}, ErrCorrupt},
		{"short", toySet(), string(right[:100]), []string{
			"bytes of toy.data: 130 / 100",
			"SHA-256 of toy.data: " + hexSum(right) + " / " + hexSum(right[:100])}, ErrCorrupt},
		{"other bytes, same content", varyingToy(), string(right) + "\n", nil, nil},
		{"other bytes, other content", varyingToy(), wrong, []string{"rows per class: a 10, b 10 / a 9, b 11", content(wrong)}, ErrCorrupt},
		{"one row too many", varyingToy(), string(right) + "0,0,b\n",
			[]string{"rows: 20 / 21", "rows per class: a 10, b 10 / a 10, b 11", content(string(right) + "0,0,b\n")}, ErrCorrupt},
		{"missing values", changed(toySet(), func(e *DataSet) { e.Missing = 1 }), string(right), []string{"missing values: 1 / 0"}, ErrCorrupt},
		{"features", changed(toySet(), func(e *DataSet) { e.Features = 3 }), string(right), []string{"features: 3 / 2"}, ErrCorrupt},
		// As row P of Table 1, which prints 60 features, 2 classes, 40, 40 and 180 samples.
		{"paper", changed(toySet(), func(e *DataSet) { e.Letter = "P" }), string(right), []string{
			"Table 1: features: 60 / 2",
			"Table 1: training samples: 40 / 6",
			"Table 1: validation samples: 40 / 6",
			"Table 1: test samples: 180 / 8"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := Library{t.TempDir()}
			if tt.file != "" {
				fixture.Write(t, filepath.Join(l.Dir, "toy", "toy.data"), tt.file)
			}
			checks, err := Verify(l, tt.set)
			fixture.EqualSlice(t, "differences", differences(checks), tt.want)
			fixture.Is(t, err, tt.cause)
			for _, c := range checks {
				if c.ID != "toy" || c.Letter != tt.set.Letter || c.What == "" {
					t.Errorf("unnamed check %+v", c)
				}
			}
		})
	}
}

func TestTableOneIsThePapers(t *testing.T) {
	text := fixture.Text(t, fixture.Collected(t, "paper", "table1.csv"))
	lines := fixture.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)[1:]
	fixture.Equal(t, "rows", len(tableOne), len(lines))
	for i, line := range lines {
		fixture.Equal(t, "a row", fmt.Sprint(tableOne[i]), "{"+line[0]+" "+strings.Join(line[2:7], " ")+"}")
	}
}

func realLibrary(t *testing.T) Library { return Library{fixture.Collected(t, "datasets", "raw")} }

// Numbers of correct test samples under Euclidean 5-NN with rule authors. I, D,
// M, P and R are the accuracies of the paper's table to the last digit; the
// others were counted by another program from the same files, K, N, O and Q
// with its own principal components.
var euclidean = []struct {
	letter        string
	correct, test int
}{
	{"A", 3249, 4976}, {"B", 1386, 2600}, {"C", 1857, 2000}, {"D", 2540, 2898},
	{"E", 3784, 5400}, {"F", 1499, 1890}, {"G", 3779, 3900}, {"H", 2180, 3900},
	{"I", 167, 221}, {"J", 22, 70}, {"K", 549, 640}, {"L", 24, 178},
	{"M", 108, 190}, {"N", 2650, 3637}, // 72.86 %
	{"O", 2601, 2820},                 // 92.23 %
	{"P", 57, 128}, {"Q", 3924, 4398}, // 89.22 %
	{"R", 57, 158},
}

func TestRealSets(t *testing.T) {
	l := realLibrary(t)
	for _, c := range euclidean {
		e, _ := Find(c.letter)
		t.Run(e.ID, func(t *testing.T) {
			fixture.Check(t, l.Check(e))
			d := fixture.Must(l.Load(e))(t)
			s := fixture.Must(Cut(e, d, Rule{}))(t)
			fixture.Equal(t, "split digest", s.Digest, e.SplitDigest)
			fixture.Equal(t, "test samples", len(s.Test.Y), c.test)
			p, got := r2lml.Problem{X: s.Train.X, Y: s.Train.Y, Query: s.Test.X}, 0
			for i, code := range r2lml.Classify(p, r2lml.NewGlobal(p, nil), 5) {
				if code == s.Test.Y[i] {
					got++
				}
			}
			fixture.Equal(t, "test samples that Euclidean 5-NN has right", got, c.correct)
		})
	}
}

// The three splits that the authors published, value for value. Of wine
// quality they have all test samples, we as many as Table 1.
func TestAuthorsFiles(t *testing.T) {
	l := realLibrary(t)
	for _, id := range []string{"robot", "winequality", "ionosphere"} {
		b := fixture.Must(os.ReadFile(fixture.Collected(t, "datasets", "author-splits", id+".mat")))(t)
		authors := fixture.Must(ReadAuthorSplit(b))(t)
		e := fixture.Must(Find(id))(t)
		ours := fixture.Must(Cut(e, fixture.Must(l.Load(e))(t), Rule{Kind: "authors"}))(t)
		sameSamples(t, id+" train", ours.Train, authors.Train)
		sameSamples(t, id+" validation", ours.Validation, authors.Validation)
		if id == "winequality" {
			fixture.Equal(t, "test samples in the file of wine quality", len(authors.Test.Y), 6197)
			authors.Test = authors.Test.At(authors.Rows[2][:2898])
		}
		sameSamples(t, id+" test", ours.Test, authors.Test)
	}
}

func sameSamples(t *testing.T, what string, got, want Samples) {
	t.Helper()
	fixture.EqualSlice(t, what+": codes", got.Y, want.Y)
	fixture.Equal(t, what+": equal features", mat.Equal(got.X, want.X), true)
}
