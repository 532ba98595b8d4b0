package report

import (
	"bytes"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// Section is the title of the section of the text on the reproduction that answers
// whether the published numbers come back. The main package embeds the text,
// REPRODUCTION.md, and hands it down: it stands once, where people edit it.
const Section = "Does it reproduce?"

var (
	tables   = regexp.MustCompile(`(?s)<!-- table .*?<!-- / -->`) // pages have them from results
	comments = regexp.MustCompile(`(?s)<!--.*?-->`)               // they mark numbers
	pictures = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	links    = regexp.MustCompile(`\[([^\]]*)\]\(([^)]*)\)`)
)

// sectionHTML renders the section of a Markdown text below a heading, without the
// heading, up to the next one. What a page by itself cannot have is left out: pictures,
// marked tables, links to files, of which the texts stay, and HTML. It is empty where there is no such
// heading.
func sectionHTML(markdown, title string) (template.HTML, error) {
	_, section, _ := strings.Cut(strings.ReplaceAll(markdown, "\r\n", "\n"), "# "+title+"\n")
	section, _, _ = strings.Cut(section, "\n#")
	for _, left := range []*regexp.Regexp{tables, comments, pictures} {
		section = left.ReplaceAllString(section, "")
	}
	section = links.ReplaceAllStringFunc(section, func(link string) string {
		if m := links.FindStringSubmatch(link); !strings.HasPrefix(m[2], "http") {
			return m[1]
		}
		return link
	})
	var b bytes.Buffer
	err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(section), &b) // which leaves HTML out
	return template.HTML(b.String()), err
}
