package tabular

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRecords: what encoding/csv writes is read back, but for blanks around fields and
// records that are blank, and each field begins where it says.
func TestRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"comma", "semicolon", "tab"}).Draw(t, "delimiter")
		fields := rapid.SliceOfN(rapid.StringMatching(`[a1é ",;\t\n.]{0,6}`), 2, 5)
		rows := rapid.SliceOfN(fields, 1, 5).Draw(t, "rows")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = rune(separators[name])
		var want [][]string
		for _, row := range rows {
			row[0] = "x" + row[0] // no record is blank
			w.Write(row)
			var trimmed []string
			for _, f := range row {
				trimmed = append(trimmed, strings.TrimSpace(f))
			}
			want = append(want, trimmed)
		}
		w.Flush()
		text := strings.Split(b.String(), "\n")
		all := newRecords(source{context.Background(), b.Bytes()}.lines("x.csv"), name)
		for i := range want {
			r, err := all.next()
			if err != nil || !slices.Equal(r.fields, want[i]) {
				t.Fatalf("%q is read as %q, want %q; %v", b.String(), r.fields, want[i], err)
			}
			for k, field := range r.fields {
				line, column := r.place(k)
				rest := string([]rune(text[line-1])[column-1:])
				begin, _, _ := strings.Cut(strings.ReplaceAll(field, `"`, `""`), "\n")
				if !strings.HasPrefix(rest, strings.TrimSpace(begin)) && !strings.HasPrefix(rest, `"`) {
					t.Fatalf("field %q of %q is said to begin at %q", field, b.String(), rest)
				}
			}
		}
		if _, err := all.next(); err != io.EOF {
			t.Fatalf("%q: %v behind the last record", b.String(), err)
		}
	})
}
