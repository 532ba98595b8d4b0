package datasets

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

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
			if !errors.Is(err, tt.cause) {
				t.Errorf("error %v, want %v", err, tt.cause)
			}
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
