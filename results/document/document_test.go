package document

import (
	"fmt"
	"slices"
	"testing"

	"r2lmlbench/internal/golden"
)

// sample is a document with every kind of block and span.
func sample() Document {
	s := Section{Title: "All kinds", Gist: Plain("It works.")}
	s.Say("Run %s: %d of %s, %.2f %%, %s.", Code("r2lmlbench run x"), 3, Strong("4"), 1.5, Link{"more", "https://example.org/?a=1&b=2"})
	s.Heading("Part %d", 2)
	s.List(Plain("one"), Textf("two %s", Code("a`b")))
	s.Claim(Claim{ID: "a", Text: Plain("That a < b"), Verdict: "holds"}, Claim{ID: "b", Text: Plain("It rains:"), Verdict: "open", Note: "1 " +
		"cell"}, Claim{Text: Plain("All")})
	s.Table(1, []string{"name", "n"}, [][]string{{"a|b", "1"}, {"_c_", "-2"}})
	s.Add(Figure{ID: "figure-x", Source: "figures/x.svg", Alt: "a line", Caption: Textf("A line (%s)", Link{"CSV", "figures/x.csv"})})
	s.Add(Table{Columns: []Column{{"broken", false}}, Rows: [][]Inline{{{Strong("1"), Text("² ~"), Break{}, Code("x|y")}}}})
	return Document{
		Title:    "A whole document",
		Opening:  []Block{Paragraph{Plain("Written by")}, Listing{"go run . > x.md\n"}, List{{Link{s.Title, "#" + Anchor(s.Title)}}}},
		Sections: []Section{s, {Title: "Nothing"}},
	}
}

func TestGolden(t *testing.T) {
	d := sample()
	golden.Equal(t, "testdata/whole.md", []byte(d.Markdown()))
	html := string(HTML("opening", d.Opening...))
	for _, s := range d.Sections {
		html += string(HTML(s.Title, s.Blocks...)) + "\n"
	}
	golden.Equal(t, "testdata/whole.html", []byte(html))
}

func TestInline(t *testing.T) {
	for _, c := range []struct {
		in             Inline
		markdown, html string
	}{
		{Plain("a|b `c` *d* <e> & f_g"), "a\\|b \\`c\\` \\*d\\* &lt;e&gt; &amp; f\\_g", "a|b `c` *d* &lt;e&gt; &amp; f_g"},
		{Plain("two\nlines\x1b[31m"), `two lines\\x1b\[31m`, `two lines\x1b[31m`},
		{Inline{Code("a`b")}, "``a`b``", "<code>a`b</code>"},
		{Inline{Code("`")}, "`` ` ``", "<code>`</code>"},
		{Inline{Code("<b>"), Text(""), Code("&")}, "`<b>&`", "<code>&lt;b&gt;&amp;</code>"},
		{Inline{Strong("a"), Strong("b*"), Text("c")}, `<strong>ab\*</strong>c`, "<strong>ab*</strong>c"},
		{Inline{Text("a"), Strong("b c"), Text("d")}, "a**b c**d", "a<strong>b c</strong>d"},
		{Inline{Strong("")}, "", ""},
		{Inline{Link{"[x]", "#a-λ"}}, `[\[x\]](#a-λ)`, `<a href="#a-λ">[x]</a>`},
		{Inline{Link{"x", "a b).md?c=1&d"}}, `[x](a%20b%29.md?c=1&amp;d)`, `<a href="a%20b%29.md?c=1&amp;d">x</a>`},
		{Inline{Link{"x", "javascript:alert(1)"}}, "x", "x"},
		{Inline{Link{"x", "data:image/png,"}}, "x", "x"},
		{Inline{Link{"x", "\x00"}}, "x", "x"},
		{Inline{Link{"x", ""}}, "x", "x"},
		{Inline{Text("a"), Break{}, Text("b")}, "a<br>b", "a<br>b"},
		{Join([]Inline{Plain("a"), Plain("b")}, "; "), "a; b", "a; b"},
	} {
		if got := c.in.Markdown(); got != c.markdown {
			t.Errorf("%#v as Markdown: %q, want %q", c.in, got, c.markdown)
		}
		if got := string(c.in.HTML()); got != c.html {
			t.Errorf("%#v as HTML: %q, want %q", c.in, got, c.html)
		}
	}
}

// A text that would begin another kind of block does not.
func TestBeginning(t *testing.T) {
	for text, want := range map[string]string{
		"- a": `\- a`, "-": `\-`, "---": `\---`, "- - -": `\- - -`, "+ a": `\+ a`, "1. a": `1\. a`, "12) a": `12\) a`, "1.": `1\.`,
		"# a": `\# a`, "> a": "&gt; a", "    a": "a", "* a": `\* a`, "~~~": `\~\~\~`, "-0.5 points": "-0.5 points", "1.5 points": "1.5 points",
		"== a": "== a", "<br>": "&lt;br&gt;", "[x]: y": `\[x\]: y`,
	} {
		for kind, block := range map[string]Block{"%s\n": Paragraph{Plain(text)}, "- %s\n": List{Plain(text)}} {
			if got := Markdown(block); got != fmt.Sprintf(kind, want) {
				t.Errorf("%q: %q, want %q", text, got, fmt.Sprintf(kind, want))
			}
		}
	}
}

func TestTextf(t *testing.T) {
	nested := Textf("%s!", Strong("x"))
	for _, c := range []struct {
		got  Inline
		want string
	}{
		{Textf("100 %% of %d"+" %5.2f|", 3, 1.5), "100 % of 3  1.50\\|"},
		{Textf("%s and %s", nested, Code("%s")), "**x**\\! and `%s`"},
		{Textf("%+d%%", 7), "+7%"},
		{Textf("%%"), "%"},
		{Textf("*"), `\*`},
		{Textf(""), ""},
	} {
		if got := c.got.Markdown(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got, want := Textf("%s %s%s", Strong("a"), Link{"b", "#"}, Break{}).String(), "a b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAnchor(t *testing.T) {
	for title, want := range map[string]string{
		"Accuracy against λ on a": "accuracy-against-λ-on-a", "Figure 1: one, two": "figure-1-one-two", "a_b-c": "a_b-c", "x\ny": "x-y",
	} {
		if got := Anchor(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

func TestClaims(t *testing.T) {
	s := sample().Sections[0]
	var ids []string
	for _, c := range s.Claims() {
		ids = append(ids, c.ID)
	}
	if want := []string{"a", "b", ""}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}

func TestConclude(t *testing.T) {
	var s Section
	s.Conclude("first")
	s.Conclude("second")
	if got := s.Gist.String(); got != "first" || len(s.Blocks) != 2 {
		t.Errorf("%q and %d blocks, want the first of two", got, len(s.Blocks))
	}
}

// What has nothing in it leaves no block behind, and a row that does not fit is
// the caller's mistake.
func TestEmptyAndUneven(t *testing.T) {
	var s Section
	s.List()
	s.Claim()
	if len(s.Blocks) > 0 {
		t.Errorf("%+v", s.Blocks)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	s.Table(1, []string{"a"}, [][]string{{"b", "c"}})
}

// Names of capitals stay on one line, and other words with hyphens do not.
func TestHyphenatedNames(t *testing.T) {
	for text, want := range map[string]string{
		"T-R2LML and LMNN-MM.":                          `<span class="name">T-R2LML</span> and <span class="name">LMNN-MM</span>.`,
		"k-NN, UTF-8, SCML-global, multi-class, -3, A-": "k-NN, UTF-8, SCML-global, multi-class, −3, A-",
		"<E-R2LML": `&lt;<span class="name">E-R2LML</span>`,
	} {
		if got := string(Plain(text).HTML()); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
