package document

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"

	"r2lmlbench/internal/text"
)

// A piece is what a reader sees of a document in one manner.
type piece struct{ tags, text string }

// begin is where a paragraph, item or cell begins.
const begin = "begin"

// tidy drops pieces without text, joins those that follow each other in one
// manner, and makes every row of blanks one.
func tidy(all []piece) []piece {
	var some []piece
	for _, p := range all {
		p.text = text.OneLine(p.text)
		if n := len(some) - 1; n >= 0 && some[n].tags == p.tags && p.text != "" && p.tags != begin {
			some[n].text += p.text
		} else if strings.TrimSpace(p.text) != "" {
			some = append(some, p)
		}
	}
	var kept []piece
	for i, p := range some {
		if p.tags == begin && (i+1 == len(some) || some[i+1].tags == begin || some[i+1].tags == "image") {
			continue
		}
		kept = append(kept, piece{p.tags, strings.Join(strings.Fields(p.text), " ")})
	}
	return kept
}

var (
	outer  = []string{"ul", "table", "thead", "tbody", "tr", "div", "figure"} // elements that only hold others
	blocks = []string{"p", "li", "th", "td", "h3", "pre"}
)

// readHTML lists the pieces of a fragment. Links and images have their target
// beside their name.
func readHTML(t failer, fragment string) []piece {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<all>" + fragment + "</all>"))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var all []piece
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return tidy(all)
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, fragment)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "href":
					name += " " + a.Value
				case "src":
					all = append(all, piece{"image", a.Value})
				case "alt":
					all = append(all, piece{"alt", a.Value})
				}
			}
			name = strings.Replace(name, "figcaption", "p", 1)
			switch {
			case name == "br":
				all = append(all, piece{"br", "break"})
			case slices.Contains(blocks, name):
				all = append(all, piece{begin, name})
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			var tags []string
			for _, name := range open[1:] {
				if !slices.Contains(outer, name) {
					tags = append(tags, name)
				}
			}
			all = append(all, piece{strings.Join(tags, ">"), string(token)})
		}
	}
}

// readMarkdown lists the pieces that another program finds in Markdown.
func readMarkdown(t failer, markdown string) []piece {
	t.Helper()
	reader := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
		goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))
	var b bytes.Buffer
	if err := reader.Convert([]byte(markdown), &b); err != nil {
		t.Fatal(err)
	}
	return readHTML(t, b.String())
}

// filled is a block of every kind that holds the texts, and its pieces.
func filled(a, b, c string) ([]Block, []piece) {
	in := Inline{Text(a), Strong(b), Text(c), Strong(a), Break{}, Strong(c), Text(b)}
	as := func(tag string) []piece {
		return []piece{
			{begin, tag}, {tag, a}, {tag + ">strong", b}, {tag, c}, {tag + ">strong", a}, {"br", "break"}, {tag + ">strong", c}, {tag, b},
		}
	}
	one := func(tag, inner, s string) []piece { return []piece{{begin, tag}, {tag + inner, s}} }
	blocks := []Block{
		Paragraph{in}, Paragraph{Plain(b)}, Paragraph{Inline{Strong(c)}}, List{in, Plain(a)},
		Table{Columns: []Column{{a, true}, {"x" + b, false}}, Rows: [][]Inline{{in, Plain(c)}, {Plain(b), Inline{Strong(a)}}}},
	}
	pieces := slices.Concat(
		as("p"), one("p", "", b), one("p", ">strong", c), as("li"), one("li", "", a),
		one("th", "", a), one("th", "", "x"+b), as("td"), one("td", "", c), one("td", "", b), one("td", ">strong", a))
	return blocks, tidy(pieces)
}

// readsBack fails unless every text is read back as itself in both formats, in
// its place and in no other manner.
func readsBack(t failer, a, b, c string) {
	t.Helper()
	blocks, want := filled(a, b, c)
	for name, got := range map[string][]piece{
		"Markdown": readMarkdown(t, Markdown(blocks...)), "HTML": readHTML(t, string(HTML("label"+a, blocks...))),
	} {
		if diff := cmp.Diff(plainMinus(want), plainMinus(got), cmp.AllowUnexported(piece{})); diff != "" {
			t.Fatalf("%q, %q and %q as %s (- they, + what is read back):\n%s", a, b, c, name, diff)
		}
	}
}

// plainMinus writes hyphens for the true minus signs that HTML has before digits.
func plainMinus(pieces []piece) []piece {
	var plain []piece
	for _, p := range pieces {
		plain = append(plain, piece{p.tags, strings.ReplaceAll(p.text, "−", "-")})
	}
	return plain
}

// signs are what means something in one of the formats.
var signs = []string{
	"a", "b1", " ", "  ", "\n", "|", "`", "``", "*", "**", "_", "~", "~~", "[", "]", "(", ")", "![", "](", "<", ">", "<br>", "</td>", "<script>", "<!--", "-->",
	"&", "&lt;", "&#42;", `\`, `\\`, "#", "## ", "- ", "+ ", "1. ", "12) ", "---", "===", "$", "$$", ":", "|---|", `"`, "'", "=", "\t",
	"    ", "λ", "\u00a0", "\u2028", "{{.}}", "%s", "[x]", "[ ] ", ".", "-", "https://x",
}

func TestReadsBack(t *testing.T) {
	drawn := rapid.OneOf(rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(signs), 0, 6).Draw(t, "signs"), "")
	}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		var texts [3]string
		for i := range texts {
			texts[i] = xmlText(drawn.Draw(t, "text"))
		}
		if strings.TrimSpace(strings.Join(texts[:], "")) == "" {
			texts[0] = "a" // a paragraph of a break alone is none in Markdown
		}
		readsBack(t, texts[0], texts[1], texts[2])
	})
}

// xmlText drops what encoding/xml does not read.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\ufffe' || r == '\uffff' {
			return -1
		}
		return r
	}, s)
}

func FuzzReadsBack(f *testing.F) {
	for _, s := range signs {
		f.Add(s, "a"+s, s+"a")
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if utf8.ValidString(a + b + c) {
			readsBack(t, xmlText(a), xmlText(b), xmlText(c))
		}
	})
}

// A failer is a test, or a check of rapid.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}
