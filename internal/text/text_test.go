package text_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/text"
)

func TestNumbers(t *testing.T) {
	fixture.Equal(t, "a whole number", text.TwoDecimals(1), "1.00")
	fixture.Equal(t, "a rounded one", text.TwoDecimals(-0.456), "-0.46")
	fixture.Equal(t, "none", text.NonZero(0), "")
	fixture.Equal(t, "some", text.NonZero(-3), "-3")
	fixture.Equal(t, "a third with six digits", text.SixDigits(1.0/3), 0.333333)
}

func TestEscapes(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{text.OneLine("a\u202eb\u009bc\u2028d\u2066e"), `a\u202eb\u009bc d\u2066e`},
		{text.OneLine("\x1b[2Ja\u200bb\U000e0041\x9b"), `\x1b[2Ja\u200bb\U000e0041` + "\ufffd"},
		{string(text.JSONText([]byte("{\n\"a\u202e\u009b\U000e0041\"}\n"))), "{\n\"a\\u202e\\u009b\\udb40\\udc41\"}\n"},
		{text.OneLine("a\nb\tc é λ"), "a b c é λ"},
		{text.MarkdownText("a|b\n<c>&_"), `a\|b &lt;c&gt;&amp;\_`},
		{text.MarkdownText("`*~[x](y)#!$\\"), "\\`\\*\\~\\[x\\](y)\\#\\!\\$\\\\"},
	} {
		fixture.Equal(t, "text", c.got, c.want)
	}
}

func TestCSVText(t *testing.T) {
	for field, want := range map[string]string{
		"": "", "-0.16": "-0.16", "+3": "+3", "=1": "'=1", "-1+1": "'-1+1", "+": "'+", "-": "-", "@x": "'@x", "\tx": `\tx`, "\rx": `\rx`,
		"\n=1": `\n=1`, "a\nb": `a\nb`, "\x1b[1m": `\x1b[1m`, "\u202e=1": `\u202e=1`, "-1e-05": "-1e-05", "＝1": "'＝1", "é=": "é=", "x=": "x=",
	} {
		fixture.Equal(t, fmt.Sprintf("%q", field), text.CSVText(field), want)
	}
}

// Whatever the text, no escape leaves a hidden character in it, and JSON keeps its
// value.
func FuzzEscapes(f *testing.F) {
	f.Add("a\x1b[31m\u009b\u202e\u2066\u200b\ufeff\n\r\t\x00\x7f\U000e0041\xff=")
	f.Fuzz(func(t *testing.T, s string) {
		encoded := fixture.Must(json.Marshal(s))(t)
		harmless := text.JSONText(encoded)
		for name, got := range map[string]string{
			"OneLine": text.OneLine(s), "MarkdownText": text.MarkdownText(s), "CSVText": text.CSVText(s), "JSONText": string(harmless),
		} {
			if strings.ContainsFunc(got, text.Hidden) || !utf8.ValidString(got) {
				t.Errorf("%s of %q: %q", name, s, got)
			}
		}
		var want, got string
		if err := errors.Join(json.Unmarshal(encoded, &want), json.Unmarshal(harmless, &got)); err != nil || got != want {
			t.Errorf("%q, want %q, %v", got, want, err)
		}
	})
}

// The quoting decides keys of stored cells.
func TestShellCommand(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    string
	}{
		{[]string{"python3", "./knn.py"}, "python3 ./knn.py"},
		{[]string{"a b", "it's", ""}, `'a b' 'it'\''s' ''`},
		{[]string{"x", "--lambda=0.1", "user@host:%p,a+b"}, "x --lambda=0.1 user@host:%p,a+b"},
		{[]string{"~", "$HOME", "a;b", "a\nb"}, "'~' '$HOME' 'a;b' 'a\nb'"},
	} {
		fixture.Equal(t, fmt.Sprintf("%q", c.command), text.ShellCommand(c.command), c.want)
	}
}

// A shell reads back what was quoted.
func TestShellReadsBack(t *testing.T) {
	fixture.Needs(t, "sh")
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[ -~\n]{0,8}`), 1, 20).Draw(t, "words")
		out, err := exec.Command("sh", "-c", "printf '<%s>' "+text.ShellCommand(words)).Output()
		if want := "<" + strings.Join(words, "><") + ">"; err != nil || string(out) != want {
			t.Fatalf("%q, %v, want %q", out, err, want)
		}
	})
}
