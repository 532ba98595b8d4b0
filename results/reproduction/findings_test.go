package reproduction

import (
	"reflect"
	"strings"
	"testing"
)

func TestSpans(t *testing.T) {
	hostile := "a|b `c` **d** <script> & _x_ \\ [l](u) ~#!$"
	if got := plain(escape(hostile)); got != hostile {
		t.Errorf("%q, want %q", got, hostile)
	}
	got := spans("run `r2lmlbench run x` **now**" + escape(" a & b"))
	want := []Span{{Text: "run "}, {Text: "r2lmlbench run x", Code: true}, {Text: " "}, {Text: "now", Strong: true}, {Text: " a & b"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestBlocks(t *testing.T) {
	var s section
	s.say("Said.")
	s.list([]string{"one", escape("two *")})
	s.table(1, []string{"a", "b | c"}, [][]string{{"", `x\`}, {"| y |", "2"}})
	s.say("### Part")
	want := []Block{
		{Paragraph: []Span{{Text: "Said."}}},
		{Items: [][]Span{{{Text: "one"}}, {{Text: "two *"}}}},
		{Table: [][]string{{"a", "b | c"}, {"", `x\`}, {"| y |", "2"}}},
		{Heading: "Part"},
	}
	for i, text := range s.body {
		if got := blockOf(text); !reflect.DeepEqual(got, want[i]) {
			t.Errorf("%q\nis %+v\nwant %+v", text, got, want[i])
		}
	}
}

func TestFirstSentences(t *testing.T) {
	long := strings.Repeat("word ", 60) + "end. Another one."
	for text, want := range map[string]string{
		"Short. All of it:":                 "Short. All of it",
		long:                                strings.TrimSuffix(long, " Another one."),
		"One. Two. " + long:                 "One. Two.",
		strings.Repeat("x", lineLength+100): strings.Repeat("x", lineLength+100),
	} {
		if got := firstSentences(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestFindings: every study has a line, and its table says what Markdown says.
func TestFindings(t *testing.T) {
	for _, f := range Findings(Input{}) {
		if len(f.Line) == 0 || f.Title == "" || f.Anchor != anchor(f.Title) || len(f.Blocks) == 0 {
			t.Errorf("%+v", f)
		}
	}
}
