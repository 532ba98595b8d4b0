package cli

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// A drawn table is one that a new user may bring, without its separators.
type drawn struct {
	header []string // nil: none
	rows   [][]string
}

// flowerTable has 24 rows of two numbers and a class.
func flowerTable() drawn {
	random := rand.New(rand.NewPCG(3, 4))
	d := drawn{header: []string{"length", "width", "class"}}
	for i := range 24 {
		d.rows = append(d.rows, []string{fmt.Sprintf("%.2f", 3*random.Float64()), fmt.Sprintf("%.2f", random.Float64()), []string{"red", "blue", "blue"}[i%3]})
	}
	return d
}

// put places a column before column at, with a value for each row.
func (d drawn) put(at int, name string, value func(i int) string) drawn {
	insert := func(row []string, s string) []string {
		return append(append(append([]string{}, row[:at]...), s), row[at:]...)
	}
	out := drawn{rows: make([][]string, len(d.rows))}
	if d.header != nil {
		out.header = insert(d.header, name)
	}
	for i, row := range d.rows {
		out.rows[i] = insert(row, value(i))
	}
	return out
}

func (d drawn) bare() drawn { return drawn{nil, d.rows} }

// named gives the columns other names.
func (d drawn) named(names ...string) drawn { return drawn{names, d.rows} }

// each changes every field.
func (d drawn) each(change func(string) string) drawn {
	out := drawn{}
	for _, name := range d.header {
		out.header = append(out.header, change(name))
	}
	for _, row := range d.rows {
		var fields []string
		for _, field := range row {
			fields = append(fields, change(field))
		}
		out.rows = append(out.rows, fields)
	}
	return out
}

func (d drawn) text(separator, end string) string {
	var b strings.Builder
	if d.header != nil {
		b.WriteString(strings.Join(d.header, separator) + end)
	}
	for _, row := range d.rows {
		b.WriteString(strings.Join(row, separator) + end)
	}
	return b.String()
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

func decimalComma(s string) string { return strings.Replace(s, ".", ",", 1) }

// TestPastedStanza: for tables as new users bring them, the stanza that `data show` prints
// runs as it is, with the features that the table has, or words say what to decide.
func TestPastedStanza(t *testing.T) {
	flowers := flowerTable()
	number := func(i int) string { return fmt.Sprint(i + 1) }
	name := func(i int) string { return "n" + fmt.Sprint(i) }
	labelFirst := func(d drawn) drawn {
		out := d.put(0, "class", func(i int) string { return d.rows[i][2] })
		for i, row := range out.rows {
			out.rows[i] = row[:3]
		}
		if d.header != nil {
			out.header = out.header[:3]
		}
		return out
	}
	comma, lf := ",", "\n"
	for _, c := range []struct {
		name, file, text string
		features         int      // 0: words say what to decide
		says             []string // above the stanza, or in place of it
	}{
		{"plain", "a.csv", flowers.text(comma, lf), 2, []string{"the label is a guess"}},
		{"no header", "a.csv", flowers.bare().text(comma, lf), 2, []string{`the label is a guess: column "3"`}},
		{"label first", "a.csv", labelFirst(flowers).text(comma, lf), 2, nil},
		{"label first, no header", "a.csv", labelFirst(flowers).bare().text(comma, lf), 2, []string{`the label is a guess: column "1"`}},
		{"row numbers", "a.csv", flowers.put(0, "nr", number).text(comma, lf), 2, []string{`column "nr"`}},
		{"row numbers of no telling name", "a.csv", flowers.put(0, "obs", number).text(comma, lf), 2, []string{`column "obs" counts the rows`}},
		{"row numbers without a name", "a.csv", flowers.put(0, "", number).text(comma, lf), 2, []string{`column "1" counts the rows`}},
		{"row numbers, no header", "a.csv", flowers.bare().put(0, "", number).text(comma, lf), 2, []string{`column "1" counts the rows`}},
		{"equal names", "a.csv", flowers.named("x", "x", "class").text(comma, lf), 2, []string{`columns 1 and 2 are both called "x"`}},
		{"equal names, one of them the label's", "a.csv", flowers.named("x", "class", "class").text(comma, lf), 2, []string{"columns 2 and 3"}},
		{"a column of text", "a.csv", flowers.put(1, "who", name).text(comma, lf), 2, []string{`column "who" is text`}},
		{"Windows", "a.csv", "\xef\xbb\xbf" + flowers.text(comma, "\r\n"), 2, nil},
		{"Windows, semicolons", "a.csv", "\xef\xbb\xbf" + flowers.text(";", "\r\n"), 2, nil},
		{"tabs", "a.txt", flowers.text("\t", lf), 2, nil},
		{"blanks", "a.dat", flowers.text("  ", lf), 2, nil},
		{"quotes", "a.csv", flowers.each(quoted).text(comma, lf), 2, nil},
		{"R's write.csv", "a.csv", flowers.put(0, "", number).each(quoted).text(comma, lf), 2, []string{`column "1" counts the rows`}},
		{"R's write.table", "a.txt", strings.Replace(flowers.put(0, "", name).each(quoted).text(" ", lf), `"" `, "", 1), 2, []string{"names of the rows"}},
		{"hard names", "a.csv", flowers.named(`"a, b: [c]"`, `"# {x} 'y'"`, `"yes"`).text(comma, lf), 2, []string{`column "yes"`}},
		{"names that YAML takes for others", "a.csv", flowers.put(0, "null", name).named("null", "~", "1.5e3 x", "- class").text(comma, lf), 2,
			[]string{`column "null" is text`}},
		{"thousands of columns", "a.csv", wideTable().text(comma, lf), 3000, nil},
		{"empty fields", "a.csv", flowers.put(1, "x", func(i int) string { return []string{"", "1.5", "2"}[i%3] }).text(comma, lf), 3, []string{"`impute: mean`"}},
		{"an empty column at the end of lines", "a.csv", flowers.put(3, "", func(int) string { return "" }).text(comma, lf), 2, []string{`column "4" has no value`}},
		{"a title", "a.csv", "Flowers of 1936\n" + flowers.text(comma, lf), 2, []string{"`skip: 1`"}},
		{"comments", "a.csv", "# Flowers\n# of 1936, three columns\n" + flowers.text(comma, lf), 2, []string{"`skip: 2`"}},
		{"a suffix that tells nothing", "flowers.out", flowers.text(comma, lf), 2, nil},
		{"blanks in the name of the file", "my flowers, (1).csv", flowers.text(comma, lf), 2, nil},
		{"decimal commas", "a.csv", flowers.each(decimalComma).text(";", lf), 2, []string{`decimal: ","`}},
		{"a label that is a measurement", "a.csv", flowers.bare().put(3, "", func(i int) string { return fmt.Sprint(float64(i*i) / 7) }).text(comma, lf), 3,
			[]string{"is a guess"}},
		{"no column that repeats", "a.csv", "x,y\n1.5,2.25\n2.5,3.5\n0.5,7.25\n", 0, []string{"a.csv:", "the label is a guess"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFile(t, ".", c.file, c.text)
			code, stdout, stderr := command(t, "data", "show", c.file)
			said := stdout
			if c.features == 0 {
				if said = stderr; code != 4 {
					t.Errorf("exit code %d, want 4\n%s", code, stderr)
				}
			}
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not in:\n%s%s", want, stdout, stderr)
				}
			}
			if c.features == 0 {
				return
			}
			_, stanza, ok := strings.Cut(stdout, "\ndatasets:")
			if !ok {
				t.Fatalf("exit code %d, no stanza\n%s%s", code, stdout, stderr)
			}
			writeFile(t, ".", "pasted.yaml", "name: pasted\ndatasets:"+stanza+"methods:\n  - method: euclidean\n")
			if code, stdout, stderr := command(t, "validate", "pasted.yaml"); code != 0 {
				t.Errorf("exit code %d of validate\n%s\n%s%s", code, stanza, stdout, stderr)
			}
			if !regexp.MustCompile(fmt.Sprintf(`(?m)^features +%d$`, c.features)).MatchString(stdout) {
				t.Errorf("want %d features of\n%s", c.features, stdout)
			}
		})
	}
}

// wideTable has a class and 3000 numbers in each of 20 rows.
func wideTable() drawn {
	random := rand.New(rand.NewPCG(5, 6))
	d := drawn{header: []string{"class"}}
	for j := range 3000 {
		d.header = append(d.header, fmt.Sprintf("g%d", j))
	}
	for i := range 20 {
		row := []string{[]string{"u", "v"}[i%2]}
		for range 3000 {
			row = append(row, fmt.Sprint(random.IntN(1000)))
		}
		d.rows = append(d.rows, row)
	}
	return d
}
