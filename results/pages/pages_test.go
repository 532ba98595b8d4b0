package pages

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var facts = Facts{"within.1": "51", "table close": "| a | b |\n|:---|---:|\n| x | 1 |"}

// TestCheck: a stale number is a fault with its place, and is mended; words stay.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, page, mended string
		faults             []string
	}{
		{"up to date", "We have <!-- within.1 -->51<!-- / --> of 144.", "We have <!-- within.1 -->51<!-- / --> of 144.", nil},
		{"stale", "a\n\nWe have <!-- within.1 -->50<!-- / --> of 144.", "a\n\nWe have <!-- within.1 -->51<!-- / --> of 144.",
			[]string{`p.md:3: within.1 is "50" on the page, "51" by the results`}},
		{"twice on a line", "<!-- within.1 -->1<!-- / --> <!-- within.1 -->51<!-- / --><!-- within.1 --><!-- / -->",
			"<!-- within.1 -->51<!-- / --> <!-- within.1 -->51<!-- / --><!-- within.1 -->51<!-- / -->",
			[]string{`p.md:1: within.1 is "1" on the page, "51" by the results`, `p.md:1: within.1 is "" on the page, "51" by the results`}},
		{"unknown", "<!-- within.2 -->7<!-- / -->", "<!-- within.2 -->7<!-- / -->", []string{"p.md:1: within.2: there is no such number"}},
		{"no end", "<!-- within.1 -->50 of <!-- within.1 -->50<!-- / -->", "<!-- within.1 -->50 of <!-- within.1 -->51<!-- / -->",
			[]string{"p.md:1: within.1: nothing ends it", `p.md:1: within.1 is "50"`}},
		{"a table", "<!-- table close -->\n| a | b |\n|:---|---:|\n| x | 2 |\n<!-- / -->\n", "<!-- table close -->\n| a | b |\n|:---|---:|\n| x | 1 |\n<!-- / -->\n",
			[]string{`p.md:1: table close: line 3 is "| x | 2 |" on the page, "| x | 1 |" by the results`}},
		{"an empty table", "<!-- table close --><!-- / -->", "<!-- table close -->\n| a | b |\n|:---|---:|\n| x | 1 |\n<!-- / -->", []string{"p.md:1: table close"}},
		{"other comments", "<!-- a note --> text <!-- -->", "<!-- a note --> text <!-- -->", nil},
	} {
		mended, faults, _ := Check("p.md", []byte(c.page), facts)
		if string(mended) != c.mended {
			t.Errorf("%s: mended to\n%s\nwant\n%s", c.name, mended, c.mended)
		}
		for i, f := range faults {
			if i >= len(c.faults) || !strings.HasPrefix(f.String(), c.faults[i]) {
				t.Errorf("%s: fault %q, want %q", c.name, f, c.faults)
			}
		}
		if len(faults) != len(c.faults) {
			t.Errorf("%s: %d faults, want %d", c.name, len(faults), len(c.faults))
		}
	}
}

// TestMendedPages: a mended page has no faults but those that no fact mends, and what
// stands outside the comments is as before.
func TestMendedPages(t *testing.T) {
	piece := rapid.SampledFrom([]string{"text ", "\n", "<!-- within.1 -->", "<!-- table close -->", "<!-- / -->", "<!-- no.such -->", "<!--", "-->", "50"})
	rapid.Check(t, func(t *rapid.T) {
		page := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "page"), "")
		mended, _, used := Check("p.md", []byte(page), facts)
		again, faults, usedAgain := Check("p.md", mended, facts)
		if string(again) != string(mended) || len(used) != len(usedAgain) {
			t.Fatalf("mended twice:\n%s\nonce:\n%s", again, mended)
		}
		for _, f := range faults {
			if f.Problem == "" {
				t.Fatalf("after mending: %s", f)
			}
		}
	})
}

func TestTable(t *testing.T) {
	want := "| a | b\\|c |\n| :--- | ---: |\n| x | 1 |"
	if got := Table([]string{"a", "b|c"}, [][]string{{"x", "1"}}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
