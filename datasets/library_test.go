package datasets

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
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
		{"unfolds to too much", ".gz", zippedText(strings.Repeat("a", 1<<16)), "", "one.data.gz: wrong content: more than 6 bytes", ErrCorrupt},
		{"no gzip", ".gz", "aaaaaa", "", "one.data.gz: wrong content", ErrCorrupt},
		{"cut off", ".gz", zippedText("aaaaaa")[:20], "", "one.data.gz: wrong content: unexpected EOF", ErrCorrupt},
		{"no compress", ".Z", "aaaaaa", "", "one.data.Z: wrong content: unlzw: not a .Z file", ErrCorrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := libraryOf(t, map[string]string{"one.data" + c.suffix: c.bytes}).Read(Entry{ID: "toy"}, f)
			fixture.Equal(t, "read", string(got), c.want)
			fixture.Is(t, err, c.kind)
			if err != nil {
				fixture.Says(t, err, c.fault)
			}
		})
	}
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
	changed := func(e Entry, change func(*Entry)) Entry { change(&e); return e }
	for _, tt := range []struct {
		name  string
		set   Entry
		file  string // nothing: no file
		want  []string
		cause error
	}{
		{"right", toySet(), string(right), nil, nil},
		{"missing", toySet(), "", []string{"file toy.data: present / missing or unreadable"}, ErrMissing},
		{"wrong bytes", toySet(), wrong, []string{
			"SHA-256 of toy.data: " + hexSum(right) + " / " + hexSum([]byte(wrong))}, ErrCorrupt},
		{"short", toySet(), string(right[:100]), []string{
			"bytes of toy.data: 130 / 100",
			"SHA-256 of toy.data: " + hexSum(right) + " / " + hexSum(right[:100])}, ErrCorrupt},
		{"other bytes, same content", varyingToy(), string(right) + "\n", nil, nil},
		{"other bytes, other content", varyingToy(), wrong, []string{
			"rows per class: a 10, b 10 / a 9, b 11",
			"content digest: " + toySet().Digest + " / " + contentOf(toySet(), map[string][]byte{"toy.data": []byte(wrong)})}, ErrCorrupt},
		{"one row too many", varyingToy(), string(right) + "0,0,b\n", []string{
			"rows: 20 / 21",
			"rows per class: a 10, b 10 / a 10, b 11",
			"content digest: " + toySet().Digest + " / " +
				contentOf(toySet(), map[string][]byte{"toy.data": []byte(string(right) + "0,0,b\n")})}, ErrCorrupt},
		{"missing values", changed(toySet(), func(e *Entry) { e.Missing = 1 }), string(right),
			[]string{"missing values: 1 / 0"}, ErrCorrupt},
		{"features", changed(toySet(), func(e *Entry) { e.Features = 3 }), string(right),
			[]string{"features: 3 / 2"}, ErrCorrupt},
		// As row P of Table 1, which prints 60 features, 2 classes, 40, 40 and 180 samples.
		{"paper", changed(toySet(), func(e *Entry) { e.Letter = "P" }), string(right), []string{
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
	file := fixture.Must(os.Open(fixture.Collected(t, "paper", "table1.csv")))(t)
	defer file.Close()
	lines := fixture.Must(csv.NewReader(file).ReadAll())(t)
	var want []tableOneRow
	for _, line := range lines[1:] {
		var n [5]int
		for i := range n {
			n[i] = fixture.Must(strconv.Atoi(line[i+2]))(t)
		}
		want = append(want, tableOneRow{line[0], n[0], n[1], n[2], n[3], n[4]})
	}
	fixture.EqualSlice(t, "table 1", tableOne, want)
}
