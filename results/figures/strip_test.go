package figures

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/verdict"
)

// fourNumbers are verdicts on made-up numbers: all but the last as printed.
func fourNumbers(t *testing.T, hostile string) verdict.Verdicts {
	t.Helper()
	var evidence []verdict.Evidence
	for i, set := range []string{"robot", "heart" + hostile} {
		for j, method := range []string{"euclidean", "itml" + hostile} {
			evidence = append(evidence, judged(string(rune('A'+i)), set, method, "75.00", 75+10*i*j))
		}
	}
	v, err := verdict.Judge("made-up", evidence)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// linked counts elements of a well-formed text, with the targets of its links.
func linked(t *testing.T, markup string) (count map[string]int, targets []string) {
	t.Helper()
	count = map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(markup)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count, targets
		}
		if err != nil {
			t.Fatalf("%v in %s", err, markup)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
			for _, a := range e.Attr {
				if a.Name.Local == "href" {
					targets = append(targets, a.Value)
				}
				if a.Name.Local == "style" {
					t.Errorf("a style attribute, which the page's policy forbids: %q", a.Value)
				}
			}
		}
	}
}

func TestStrip(t *testing.T) {
	href := func(v verdict.Verdict) string { return "#" + v.Dataset + "/" + v.Method }
	p := NewStrip(fourNumbers(t, ""), Links{Names: map[string]string{"robot": "Robot"}, Href: href})
	count, targets := linked(t, p.HTML())
	if want := []string{"#robot/euclidean", "#robot/itml", "#heart/euclidean", "#heart/itml"}; !slices.Equal(targets, want) {
		t.Errorf("links to %q, want %q", targets, want)
	}
	if count["title"] != 4 || count["li"] != 2 {
		t.Errorf("%d titles of squares, and %d lines of the legend, want 4 and 2", count["title"], count["li"])
	}
	for _, want := range []string{
		"B heart, ITML: printed 75.00, ours 85.00 ± 0.00 (1 of 1 run), +10.00 points; differs: more than 1 point",
		"agrees&#160;<b>3</b>", ">A Robot</text>", ">B heart</text>",
	} {
		if !strings.Contains(p.HTML(), want) {
			t.Errorf("the strip lacks %q", want)
		}
	}
	if _, none := linked(t, string(NewStrip(fourNumbers(t, ""), Links{}).SVG())); len(none) != 0 {
		t.Errorf("the file links to %q", none)
	}
	if !bytes.Equal(p.SVG(), NewStrip(fourNumbers(t, ""), Links{Names: map[string]string{"robot": "Robot"}, Href: href}).SVG()) {
		t.Error("a second file differs from the first")
	}
}

func TestStripOfHostileNames(t *testing.T) {
	p := NewStrip(fourNumbers(t, `"><script>x</script>&`), Links{Href: func(verdict.Verdict) string { return `#"><script>` }})
	for _, markup := range []string{p.HTML(), string(p.SVG())} {
		if count, _ := linked(t, markup); count["script"] != 0 {
			t.Error("a name became markup")
		}
	}
}

func TestStripOfNothing(t *testing.T) {
	if p := NewStrip(verdict.Verdicts{}, Links{}); !p.Empty() || p.HTML() != "" {
		t.Error("a strip without numbers")
	}
}

// Every color that the rules of a page name has three values.
func TestStyle(t *testing.T) {
	style := chart.Style() + StripStyle()
	for _, name := range regexp.MustCompile(`var\((--fig-[a-z0-9]+)\)`).FindAllStringSubmatch(style, -1) {
		if n := strings.Count(style, name[1]+": "); n != 3 {
			t.Errorf("%s has %d colors, want one on light pages, on dark ones and on paper", name[1], n)
		}
	}
	if strings.Contains(style, "%!") || strings.Contains(chart.FileStyle(stripRules), "var(") {
		t.Error("a color is missing")
	}
}

// The squares of the three words look different without their colors.
func TestSquares(t *testing.T) {
	var v verdict.Verdicts
	for i, word := range verdict.Words() {
		v.Verdicts = append(v.Verdicts, verdict.Verdict{Letter: string(rune('A' + i)), Method: "itml", Verdict: word})
		v.Summary.Words = append(v.Summary.Words, verdict.WordCount{Word: word, Count: 1})
	}
	html := NewStrip(v, Links{}).HTML()
	for i, word := range verdict.Words() {
		if n := strings.Count(html, fmt.Sprintf(`class="r%d"`, i)); n != 2 || !strings.Contains(html, word+"&#160;<b>1</b>") {
			t.Errorf("%s: %d squares, want one and that of the legend", word, n)
		}
	}
	if n := strings.Count(html, "<path"); n != 2 {
		t.Errorf("%d crosses, want those of what differs", n)
	}
}
