package report

import "testing"

// The section below a heading of any level is rendered up to the next heading, without what
// a page by itself cannot have.
func TestSectionHTML(t *testing.T) {
	for text, want := range map[string]string{
		"# Q\n\nYes.\n": "<p>Yes.</p>\n",
		"# Other\n\nno\n\n## Q\n\nYes.\n\n### Next\n\nno\n": "<p>Yes.</p>\n",
		"# Q\n\n![a picture](x.svg)\n\nA [file](x.md#y) and **[the web](https://example.org/)**.\n": "<p>A file and <strong>" +
			"<a href=\"https://example.org/\">the web</a></strong>.</p>\n",
		"# Q\n\n<!-- note -->\n\n<!-- n -->5<!-- / --> of 6.\n": "<p>5 of 6.</p>\n",
		"# Q\n\n<script>x</script>\n":                           "<!-- raw HTML omitted -->\n",
		"# Q\n\n[bad](javascript:x)\n":                          "<p>bad</p>\n",
		"# R\n\nno\n":                                           "",
		"":                                                      "",
	} {
		if got, err := sectionHTML(text, "Q"); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}
