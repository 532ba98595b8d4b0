package document

import (
	"fmt"
	"testing"
)

func TestInline(t *testing.T) {
	for _, c := range []struct {
		in             Inline
		markdown, html string
	}{
		{Plain("a|b `c` *d* <e> & f_g"), "a\\|b \\`c\\` \\*d\\* &lt;e&gt; &amp; f\\_g", "a|b `c` *d* &lt;e&gt; &amp; f_g"},
		{Plain("two\nlines\x1b[31m"), `two lines\\x1b\[31m`, `two lines\x1b[31m`},
		{Inline{Strong("a"), Strong("b*"), Text("c")}, `<strong>ab\*</strong>c`, "<strong>ab*</strong>c"},
		{Inline{Text("a"), Strong("b c"), Text("d")}, "a**b c**d", "a<strong>b c</strong>d"},
		{Inline{Strong("")}, "", ""},
		{Inline{Text("a"), Break{}, Text("b")}, "a<br>b", "a<br>b"},
	} {
		if got := c.in.write(); got != c.markdown {
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
